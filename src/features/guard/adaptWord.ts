/** From unbash's words to ours: what is quoted, what a variable or a command gives, what braces multiply. */
import type {
  ArithmeticExpression,
  HereDocBody,
  ParameterExpansionPart,
  ParsedScript,
  Word as TreeWord,
  WordPart
} from "unbash"
import type { Adapting } from "./Adapting.ts"
import { braceChoices, isRow } from "./braces.ts"
import { type Change, type Part, type Pipeline, passOver, type Word } from "./script.ts"

/** More words than these no braces make. */
const maxWords = 1000

const unknownPart = (quoted: boolean): Part => ({ kind: "variable", name: "", quoted })

/** What stands behind a backslash is quoted; a `~` before it is not. */
const literal = (value: string, text: string, quoted: boolean): readonly Part[] => {
  const escape = quoted || text === value ? -1 : text.indexOf("\\")
  if (escape < 0) return [{ kind: "text", text: value, quoted }]
  const before = text.slice(0, escape)
  if (!value.startsWith(before)) return [{ kind: "text", text: value, quoted: true }]
  return [
    ...(before === "" ? [] : [{ kind: "text", text: before, quoted: false } as const]),
    { kind: "text", text: value.slice(before.length), quoted: true }
  ]
}

/** `$@`, `${a[*]}`: with all of its values. `${a[1]}`: with one of them. */
const variable = (name: string, quoted: boolean, index = name): Part => {
  const known = { kind: "variable", name, quoted } as const
  if (index !== name && /^\d{1,6}$/.test(index)) return { ...known, at: Number(index) }
  return index === "@" || index === "*" ? { ...known, all: index } : known
}

const output = (script: ParsedScript | undefined, adapting: Adapting, file = false): Part => {
  if (script === undefined) adapting.budget.unread = true
  const inner = script === undefined ? [] : adapting.readTree(script)
  return file ? { kind: "output", script: inner, file } : { kind: "output", script: inner }
}

/** As `let` does it: arithmetic expands what stands in the index of an array once more, also where a variable holds it. */
export const evaluation = (words: readonly Word[]): Pipeline => [
  { assigns: [], redirects: [], words: [[{ kind: "text", text: "let", quoted: false }], ...words] }
]

const variableIn = (value: string): Word => {
  const name = /^\$?\{?([A-Za-z_]\w*)\}?$/.exec(value)?.[1]
  return name === undefined
    ? []
    : [{ kind: "output", script: [evaluation([[variable(name, true)]])], hidden: true }]
}

/** Commands in an arithmetic expression run; what it comes to is a number. */
export const outputsInArithmetic = (expression: ArithmeticExpression, adapting: Adapting): Word => {
  switch (expression.type) {
    case "ArithmeticBinary":
      return [expression.left, expression.right].flatMap((one) => outputsInArithmetic(one, adapting))
    case "ArithmeticTernary":
      return [expression.test, expression.consequent, expression.alternate].flatMap((one) =>
        outputsInArithmetic(one, adapting)
      )
    case "ArithmeticUnary":
      return outputsInArithmetic(expression.operand, adapting)
    case "ArithmeticGroup":
      return outputsInArithmetic(expression.expression, adapting)
    case "ArithmeticCommandExpansion":
      return [output(expression.script, adapting)]
    case "ArithmeticWord":
      return [
        ...(expression.parts ?? []).flatMap((part) => adaptPart(part, true, adapting)),
        ...variableIn(expression.value)
      ]
  }
}

const changeOf = ({ operation, prefix }: ParameterExpansionPart, adapting: Adapting): Change | undefined => {
  if (prefix === "!" && operation === undefined) return { kind: "indirect" }
  if (prefix !== undefined || operation === undefined) return undefined
  const read = (word: TreeWord): Word => adaptOneWord(word, adapting)
  switch (operation.type) {
    case "Remove":
      return { kind: "cut", operator: operation.operator, pattern: read(operation.operand) }
    case "Replace":
      return {
        kind: "replace",
        operator: operation.operator,
        pattern: read(operation.pattern),
        replacement: read(operation.replacement)
      }
    case "Slice": {
      const offset = read(operation.offset)
      return operation.length === undefined
        ? { kind: "slice", offset }
        : { kind: "slice", offset, length: read(operation.length) }
    }
    case "CaseModification":
      return operation.operand === undefined ? { kind: "case", operator: operation.operator } : undefined
    default:
      return undefined
  }
}

/** Which one value of an array is meant makes no difference here, nor what a slash cut off its end would be. */
const parameter = (part: ParameterExpansionPart, quoted: boolean, adapting: Adapting): readonly Part[] => {
  const { index, operation, parameter: name, prefix } = part
  const inIndex = index?.parts === undefined ? [] : outputsOnly(adaptOneWord(index, adapting))
  const known = variable(name, quoted, index?.value)
  const change = changeOf(part, adapting)
  if (prefix !== undefined)
    return [
      change === undefined ? unknownPart(quoted) : { kind: "variable", name, quoted, change },
      ...inIndex
    ]
  if (operation === undefined) return [known, ...inIndex]
  if (operation.type === "Default") {
    if (operation.operator.endsWith("?")) return [{ ...known, required: true } as Part, ...inIndex]
    const fallback = adaptOneWord(operation.operand, adapting)
    const isInstead = operation.operator.endsWith("+")
    return [{ kind: "variable", name: isInstead ? "" : name, quoted, fallback }, ...inIndex]
  }
  const isSlash =
    operation.type === "Remove" && operation.operator.startsWith("%") && operation.operand.value === "/"
  if (isSlash) return [known, ...inIndex]
  const within = [
    ...("operand" in operation && operation.operand !== undefined ? [operation.operand] : []),
    ...("pattern" in operation ? [operation.pattern, operation.replacement] : []),
    ...("offset" in operation ? [operation.offset] : []),
    ...("length" in operation && operation.length !== undefined ? [operation.length] : [])
  ].flatMap((word) => outputsOnly(adaptOneWord(word, adapting)))
  const changed: Part =
    change === undefined ? unknownPart(quoted) : { kind: "variable", name, quoted, change }
  return [changed, ...inIndex, ...within]
}

/** Commands that run while a word is made, and of which nothing stands in it. */
const outputsOnly = (word: Word): Word =>
  word.flatMap((part) => (part.kind === "output" ? [{ ...part, hidden: true }] : []))

const adaptParts = (parts: readonly WordPart[], quoted: boolean, adapting: Adapting): Word =>
  parts.flatMap((part) => adaptPart(part, quoted, adapting))

const adaptPart = (part: WordPart, quoted: boolean, adapting: Adapting): readonly Part[] => {
  switch (part.type) {
    case "Literal":
      return literal(part.value, part.text, quoted)
    case "SingleQuoted":
    case "AnsiCQuoted":
      return [{ kind: "text", text: part.value, quoted: true }]
    case "DoubleQuoted":
    case "LocaleString":
      return [{ kind: "text", text: "", quoted: true }, ...adaptParts(part.parts, true, adapting)]
    case "SimpleExpansion":
      return [variable(part.text.slice(1), quoted)]
    case "ParameterExpansion":
      return parameter(part, quoted, adapting)
    case "CommandExpansion":
      return [output(part.script, adapting)]
    case "ProcessSubstitution":
      return [output(part.script, adapting, true)]
    case "ArithmeticExpansion":
      return [
        unknownPart(quoted),
        ...(part.expression === undefined ? [] : outputsOnly(outputsInArithmetic(part.expression, adapting)))
      ]
    case "Glob":
      return [{ kind: "text", text: part.value, quoted }]
    case "ExtendedGlob":
    case "BraceExpansion":
      return [{ kind: "text", text: part.text, quoted }]
  }
}

/** As `adaptWord`, where braces mean nothing. */
export const adaptOneWord = (word: TreeWord, adapting: Adapting): Word =>
  word.parts === undefined ? literal(word.value, word.text, false) : adaptParts(word.parts, false, adapting)

/** `a{b,c}` are two words. */
export const adaptWord = (word: TreeWord, adapting: Adapting): readonly Word[] => {
  const { parts } = word
  if (parts === undefined || !parts.some(({ type }) => type === "BraceExpansion"))
    return [adaptOneWord(word, adapting)]
  let words: readonly Word[] = [[]]
  for (const part of parts) {
    if (part.type !== "BraceExpansion") {
      const further = adaptPart(part, false, adapting)
      words = words.map((before) => [...before, ...further])
      continue
    }
    const choices = braceChoices(part.text).map((text) => readChoice(text, adapting))
    adapting.budget.left -= words.length * Math.min(choices.length, maxWords)
    if (words.length * choices.length > maxWords) {
      // Of numbers in a row and their like nobody chose which come last.
      if (isRow(part.text)) adapting.budget.unread = true
      else passOver(adapting.budget)
      return words
    }
    words = words.flatMap((before) => choices.map((after) => [...before, ...after]))
  }
  return words
}

/** A choice with anything but letters in it is read as a word of its own. */
const readChoice = (text: string, adapting: Adapting): Word => {
  if (!/["'\\$`{]/.test(text)) return [{ kind: "text", text, quoted: false }]
  return adapting.readText(`: ${text}`)[0]?.[0]?.words[1] ?? [unknownPart(false)]
}

/** The body of a here-document: what its quoted delimiter left alone is text. */
export const adaptHereDoc = (body: HereDocBody, adapting: Adapting): Word =>
  body.parts === undefined
    ? [{ kind: "text", text: body.text, quoted: true }]
    : adaptParts(body.parts, true, adapting)
