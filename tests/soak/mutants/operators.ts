/** How one expression or block may be spoilt: the operators of a mutation test, as edits of the text. */
import ts from "typescript"

export interface Edit {
  /** What kind of change it is, */
  readonly operator: string
  /** and of what: the text from here to there becomes another. */
  readonly start: number
  readonly end: number
  readonly text: string
}

const K = ts.SyntaxKind

const swapped: ReadonlyMap<ts.SyntaxKind, readonly string[]> = new Map([
  [K.PlusToken, ["-"]],
  [K.MinusToken, ["+"]],
  [K.AsteriskToken, ["/"]],
  [K.SlashToken, ["*"]],
  [K.PercentToken, ["*"]],
  [K.LessThanToken, ["<=", ">="]],
  [K.LessThanEqualsToken, ["<", ">"]],
  [K.GreaterThanToken, [">=", "<="]],
  [K.GreaterThanEqualsToken, [">", "<"]],
  [K.EqualsEqualsEqualsToken, ["!=="]],
  [K.ExclamationEqualsEqualsToken, ["==="]],
  [K.AmpersandAmpersandToken, ["||"]],
  [K.BarBarToken, ["&&"]],
  [K.PlusEqualsToken, ["-="]],
  [K.MinusEqualsToken, ["+="]],
  [K.AmpersandAmpersandEqualsToken, ["||="]],
  [K.BarBarEqualsToken, ["&&="]],
  [K.QuestionQuestionEqualsToken, ["&&="]]
])

/** Those that say whether; they may as well always say the same. */
const saysWhether: ReadonlySet<ts.SyntaxKind> = new Set([
  K.LessThanToken,
  K.LessThanEqualsToken,
  K.GreaterThanToken,
  K.GreaterThanEqualsToken,
  K.EqualsEqualsEqualsToken,
  K.ExclamationEqualsEqualsToken
])

/** A map, since an object would have an answer for `toString`. */
const otherMethod: ReadonlyMap<string, string> = new Map([
  ["startsWith", "endsWith"],
  ["endsWith", "startsWith"],
  ["some", "every"],
  ["every", "some"],
  ["min", "max"],
  ["max", "min"],
  ["toLowerCase", "toUpperCase"],
  ["toUpperCase", "toLowerCase"]
])

/** Calls that give back something like what they were asked of. */
const leftOut: ReadonlySet<string> = new Set([
  "filter",
  "slice",
  "trim",
  "reverse",
  "sort",
  "toSorted",
  "flat"
])

const otherRegex: readonly (readonly [operator: string, from: RegExp, to: string])[] = [
  ["anchor", /^\^/, ""],
  ["anchor", /\$$/, ""],
  ["class", /\[\^/, "["],
  ["class", /\[(?!\^)/, "[^"],
  ["class", /\\d/, "\\D"],
  ["class", /\\s/, "\\S"],
  ["class", /\\w/, "\\W"],
  ["quantifier", /(?<=[^\\(|])[+*](?!\?)/, ""],
  ["look-around", /\(\?!/, "(?="],
  ["look-around", /\(\?=/, "(?!"],
  ["look-around", /\(\?<!/, "(?<="],
  ["look-around", /\(\?<=/, "(?<!"]
]

const isText = (node: ts.Node): boolean => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)

const isCondition = (node: ts.Expression): boolean =>
  (ts.isIfStatement(node.parent) && node.parent.expression === node) ||
  (ts.isConditionalExpression(node.parent) && node.parent.condition === node)

const isLoop = (node: ts.Expression): boolean =>
  ((ts.isWhileStatement(node.parent) || ts.isDoStatement(node.parent)) && node.parent.expression === node) ||
  (ts.isForStatement(node.parent) && node.parent.condition === node)

/** Names of members and modules are no texts of the program. */
const isName = ({ parent }: ts.Node, node: ts.Node): boolean =>
  (ts.isPropertyAssignment(parent) && parent.name === node) ||
  ts.isImportDeclaration(parent) ||
  ts.isExportDeclaration(parent) ||
  ts.isLiteralTypeNode(parent) ||
  ts.isTaggedTemplateExpression(parent) ||
  (ts.isCallExpression(parent) && parent.expression.kind === K.ImportKeyword)

/** The edits of one node, those of its parts not among them. */
export const editsOf = (node: ts.Node, source: ts.SourceFile): readonly Edit[] => {
  const whole = { start: node.getStart(source), end: node.end }
  const edits: Edit[] = []
  const become = (operator: string, text: string, { start, end } = whole): void =>
    void edits.push({ operator, start, end, text })
  const rangeOf = (part: ts.Node) => ({ start: part.getStart(source), end: part.end })
  const textOf = (part: ts.Node): string => part.getText(source)

  if (ts.isExpression(node) && isCondition(node)) {
    become("condition", "true")
    become("condition", "false")
  } else if (ts.isExpression(node) && isLoop(node)) become("condition", "false")
  if (ts.isBinaryExpression(node)) {
    const { left, operatorToken, right } = node
    const joins = operatorToken.kind === K.PlusToken && (isText(left) || isText(right))
    // Beside another `??`, an `&&` wants a parenthesis.
    if (operatorToken.kind === K.QuestionQuestionToken)
      become("operator", `(${textOf(left)}) && (${textOf(right)})`)
    for (const text of joins ? [] : (swapped.get(operatorToken.kind) ?? []))
      become("operator", text, rangeOf(operatorToken))
    if (saysWhether.has(operatorToken.kind) && !isCondition(node) && !isLoop(node)) {
      become("condition", "true")
      become("condition", "false")
    }
  } else if (ts.isPrefixUnaryExpression(node)) {
    if (node.operator === K.ExclamationToken) become("negation", textOf(node.operand))
    if (node.operator === K.MinusToken) become("negation", textOf(node.operand))
    if (node.operator === K.PlusPlusToken) become("operator", `--${textOf(node.operand)}`)
  } else if (ts.isPostfixUnaryExpression(node)) {
    const minus = node.operator === K.PlusPlusToken ? "--" : "++"
    become("operator", `${textOf(node.operand)}${minus}`)
  } else if (node.kind === K.TrueKeyword && !ts.isLiteralTypeNode(node.parent)) become("literal", "false")
  else if (node.kind === K.FalseKeyword && !ts.isLiteralTypeNode(node.parent)) become("literal", "true")
  else if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
    const isEmpty = ts.isStringLiteralLike(node) && node.text === ""
    if (!isName(node, node)) become("text", isEmpty ? '"mutated"' : '""')
  } else if (ts.isArrayLiteralExpression(node))
    become("list", node.elements.length > 0 ? "[]" : '["mutated"]')
  else if (ts.isObjectLiteralExpression(node) && node.properties.length > 0) become("object", "{}")
  else if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) become("function", "(() => undefined)")
  else if (ts.isRegularExpressionLiteral(node)) {
    const at = node.text.lastIndexOf("/")
    const [body, flags] = [node.text.slice(1, at), node.text.slice(at + 1)]
    for (const [operator, from, to] of otherRegex)
      if (from.test(body)) become(operator, `/${body.replace(from, to) || "(?:)"}/${flags}`)
  } else if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const { expression, name } = node.expression
    const other = otherMethod.get(name.text)
    if (other !== undefined) become("method", other, rangeOf(name))
    if (leftOut.has(name.text)) become("method", textOf(expression))
  }
  const dot = (node as { readonly questionDotToken?: ts.Node }).questionDotToken
  if (dot !== undefined && ts.isPropertyAccessExpression(node)) become("chain", ".", rangeOf(dot))
  return edits
}
