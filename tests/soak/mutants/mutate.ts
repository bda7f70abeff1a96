/**
 * All mutants of a source in one text: where one could be, the program asks whether it is the one, and goes on as written where it is
 * not. So a module is loaded once, however many of its mutants are tried.
 */
import ts from "typescript"
import { type Edit, editsOf } from "./operators.ts"

export interface Mutant {
  readonly id: string
  readonly file: string
  readonly line: number
  readonly operator: string
  readonly from: string
  readonly to: string
}

/** The question, as `runner.ts` answers it. */
const ask = (id: string): string => `globalThis.isMutant(${JSON.stringify(id)})`

const isFunctionBody = (block: ts.Block): boolean => ts.isFunctionLike(block.parent)

/** Whether a parenthesis may stand around it. */
const isWhole = (node: ts.Node): boolean => {
  const { parent } = node
  if (!ts.isExpression(node) || ts.isOmittedExpression(node) || ts.isSpreadElement(node)) return false
  if (ts.isIdentifier(node) && !ts.isExpressionStatement(parent) && !isPlainUse(node)) return false
  // What a chain with `?.` begins with ends it.
  if ((parent.flags & ts.NodeFlags.OptionalChain) !== 0 && isHead(parent, node)) return false
  if (ts.isCallExpression(parent) && parent.expression === node) return false
  if (ts.isNewExpression(parent) && parent.expression === node) return false
  if (ts.isExpressionWithTypeArguments(parent) || ts.isTypeOfExpression(parent)) return false
  if (ts.isPrefixUnaryExpression(parent) || ts.isPostfixUnaryExpression(parent))
    return (
      parent.operator !== ts.SyntaxKind.PlusPlusToken && parent.operator !== ts.SyntaxKind.MinusMinusToken
    )
  if (ts.isDeleteExpression(parent) || ts.isTaggedTemplateExpression(parent)) return false
  if (ts.isPropertyAssignment(parent) && parent.name === node) return false
  return !ts.isPartOfTypeNode(node)
}

const isHead = (parent: ts.Node, node: ts.Node): boolean =>
  (parent as { readonly expression?: ts.Node }).expression === node

const isPlainUse = ({ parent }: ts.Identifier): boolean =>
  ts.isIfStatement(parent) || ts.isConditionalExpression(parent)

interface Place {
  readonly edits: Edit[]
}

const skips = (node: ts.Node): boolean =>
  ts.isTypeNode(node) ||
  ts.isImportDeclaration(node) ||
  ts.isExportDeclaration(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node)

export interface Mutated {
  readonly mutants: readonly Mutant[]
  /** The text with those that are chosen. */
  readonly text: (chosen: ReadonlySet<string>) => string
}

export const mutate = (file: string, original: string): Mutated => {
  const source = ts.createSourceFile(file, original, ts.ScriptTarget.Latest, true)
  const places = new Map<ts.Node, Place>()
  const order: ts.Node[] = []
  const put = (node: ts.Node, edits: readonly Edit[]): void => {
    if (edits.length === 0) return
    const there = places.get(node)
    if (there) there.edits.push(...edits)
    else {
      places.set(node, { edits: [...edits] })
      order.push(node)
    }
  }
  const visit = (node: ts.Node, around: ts.Node | undefined): void => {
    if (skips(node)) return
    const here = isWhole(node) ? node : around
    if (ts.isBlock(node) && node.statements.length > 0)
      put(node, [{ operator: "block", start: node.getStart(source), end: node.end, text: "{}" }])
    else if (here) put(here, editsOf(node, source))
    const isTarget = ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken
    ts.forEachChild(node, (child) => {
      if (isTarget && child === node.left) return
      // What stands in a block belongs to no expression around it.
      visit(child, ts.isBlock(child) || ts.isStatement(child) ? undefined : here)
    })
  }
  visit(source, undefined)

  /** What begins at the same place may be of the same kind, as `a && b` in `a && b && c`: the end tells them apart. */
  const idOf = (node: ts.Node, nth: number): string =>
    `${file}:${node.getStart(source)}-${node.end}:${node.kind}:${nth}`
  const short = (text: string): string => text.replace(/\s+/g, " ").slice(0, 80)
  const mutants = order.flatMap((node) =>
    (places.get(node)?.edits ?? []).map((edit, nth) => ({
      id: idOf(node, nth),
      file,
      line: source.getLineAndCharacterOfPosition(edit.start).line + 1,
      operator: edit.operator,
      from: short(original.slice(edit.start, edit.end)),
      to: short(edit.text)
    }))
  )

  const text = (chosen: ReadonlySet<string>): string => {
    /** Ends come before beginnings at the same place; of beginnings the outer one first, of ends the inner one. */
    const inserted: { at: number; rank: number; text: string }[] = []
    const open = (at: number, text: string) => inserted.push({ at, rank: 1, text })
    const close = (at: number, text: string) => inserted.push({ at, rank: 0, text })
    const walk = (node: ts.Node): void => {
      const { parent } = node
      const start = node.getStart(source)
      const ids = (places.get(node)?.edits ?? [])
        .map((edit, nth) => ({ edit, id: idOf(node, nth) }))
        .filter(({ id }) => chosen.has(id))
      if (ts.isExpressionStatement(node) && (ts.isBlock(parent) || ts.isSourceFile(parent))) open(start, ";")
      const isBlock = ts.isBlock(node)
      const [first] = ids
      if (isBlock && first) {
        open(start + 1, isFunctionBody(node) ? ` if (${ask(first.id)}) return;` : ` if (!${ask(first.id)}) {`)
      } else if (first) {
        const spoilt = ids.map(({ edit, id }) => {
          const text = original.slice(start, edit.start) + edit.text + original.slice(edit.end, node.end)
          return `${ask(id)} ? (${text}) : `
        })
        open(start, `(${spoilt.join("")}`)
      }
      ts.forEachChild(node, walk)
      if (isBlock && first && !isFunctionBody(node)) close(node.end - 1, "}")
      else if (!isBlock && first) close(node.end, ")")
    }
    walk(source)
    inserted.sort((a, b) => a.at - b.at || a.rank - b.rank)
    let out = ""
    let at = 0
    for (const piece of inserted) {
      out += original.slice(at, piece.at) + piece.text
      at = piece.at
    }
    return out + original.slice(at)
  }
  return { mutants, text }
}
