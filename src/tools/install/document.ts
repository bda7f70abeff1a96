/** A settings file as text with a tree over it: children are put in and cut out, everything else keeps its bytes. */
import * as Either from "effect/Either"
import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser"

export interface Document {
  readonly text: string
  /** Absent where the text holds nothing but blanks and comments. */
  readonly root: Node | undefined
}

export interface Malformed {
  readonly line: number
  readonly column: number
  readonly reason: string
}

/** What an insertion needed besides the child itself, so that cutting it out again leaves what was there before. */
export interface Trace {
  /** A comma was added behind the sibling before it. */
  readonly comma: boolean
  /** Blanks added in front: only for the root, where blanks of the user may stand before them. */
  readonly lead: string
  /** Blanks added behind. */
  readonly tail: string
}

// jsonc-parser declares its token kinds as ambient const enums, which a single-file compile cannot read.
const kinds = { comma: 5, lineComment: 12, blockComment: 13 }

const sentences: Readonly<Record<string, string>> = {
  InvalidSymbol: "this is not JSON",
  InvalidNumberFormat: "this is not a number",
  PropertyNameExpected: "a property name in double quotes is expected",
  ValueExpected: "a value is expected",
  ColonExpected: "a colon is expected",
  CommaExpected: "a comma is expected",
  CloseBraceExpected: "a closing } is expected",
  CloseBracketExpected: "a closing ] is expected",
  EndOfFileExpected: "there is something behind the end",
  UnexpectedEndOfComment: "a comment is not closed",
  UnexpectedEndOfString: "a string is not closed",
  InvalidUnicode: "a \\u escape is broken",
  InvalidEscapeCharacter: "an escape in a string is broken",
  InvalidCharacter: "a control character stands in a string"
}

export const endOf = (node: Node): number => node.offset + node.length

export const malformedAt = (text: string, offset: number, reason: string): Malformed => {
  const before = text.slice(0, offset)
  const lineStart = Math.max(before.lastIndexOf("\n"), before.lastIndexOf("\r")) + 1
  const line = before.split(/\r\n|\r|\n/).length
  return { line, column: offset - lineStart + 1, reason }
}

export const bomOf = (text: string): string => (text.startsWith("\uFEFF") ? "\uFEFF" : "")

/** `text` without its byte order mark. */
export const parseDocument = (text: string): Either.Either<Document, Malformed> =>
  Either.flatMap(
    Either.try({
      try: () => {
        const errors: ParseError[] = []
        const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true })
        return { root, error: errors[0] }
      },
      // The parser recurses: a file nested thousands deep ends the stack.
      catch: () => ({ line: 1, column: 1, reason: "it is nested too deep" })
    }),
    ({ root, error }): Either.Either<Document, Malformed> => {
      if (error === undefined) return Either.right({ text, root })
      const name = printParseErrorCode(error.error)
      return Either.left(malformedAt(text, error.offset, sentences[name] ?? "this is not JSON"))
    }
  )

/** The property that counts: with a name written twice, agents take the last. */
export const propertyOf = (object: Node | undefined, name: string): Node | undefined =>
  object?.type === "object"
    ? (object.children ?? []).findLast((property) => property.children?.[0]?.value === name)
    : undefined

export const valueOf = (property: Node | undefined): Node | undefined => property?.children?.[1]

interface Token {
  readonly kind: number
  readonly offset: number
  readonly end: number
}

/** Commas and comments between two children. */
const punctuation = (text: string, from: number, to: number): readonly Token[] => {
  const scanner = createScanner(text, false)
  scanner.setPosition(from)
  const tokens: Token[] = []
  for (;;) {
    const kind: number = scanner.scan()
    const offset = scanner.getTokenOffset()
    if (offset >= to) return tokens
    if (Object.values(kinds).includes(kind)) tokens.push({ kind, offset, end: scanner.getPosition() })
  }
}

const isBlank = (text: string): boolean => /^\s*$/.test(text)
const hasBreak = (text: string): boolean => /[\r\n]/.test(text)
export const eolOf = (text: string): string => /\r\n|\r|\n/.exec(text)?.[0] ?? "\n"

const lineIndent = (text: string, offset: number): string => {
  const start = Math.max(text.lastIndexOf("\n", offset - 1), text.lastIndexOf("\r", offset - 1)) + 1
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? ""
}

/** The blanks before a child that begins its line; undefined for one that does not. */
const ownLineIndent = (text: string, container: Node): string | undefined => {
  const first = container.children?.[0]
  if (first === undefined) return undefined
  const before = /[\r\n]([ \t]*)$/.exec(text.slice(container.offset + 1, first.offset))
  return before?.[1]
}

const unitOf = ({ text, root }: Document): string => {
  if (root === undefined) return "  "
  const base = lineIndent(text, root.offset)
  const indent = ownLineIndent(text, root)
  return indent !== undefined && indent.length > base.length && indent.startsWith(base)
    ? indent.slice(base.length)
    : "  "
}

/** A file that was written on one line stays on one. */
const isCompact = ({ text, root }: Document): boolean =>
  (root?.children?.length ?? 0) > 0 &&
  !hasBreak(text.slice(root?.offset ?? 0, root === undefined ? 0 : endOf(root)))

/** The whole of a file that had no value in it. */
export const insertRoot = (
  text: string,
  value: unknown
): { readonly text: string; readonly trace: Trace } => {
  const eol = eolOf(text)
  const lead = text === "" || /[\r\n]$/.test(text) ? "" : eol
  const body = JSON.stringify(value, null, "  ").replaceAll("\n", eol)
  return { text: text + lead + body + eol, trace: { comma: false, lead, tail: eol } }
}

/** Puts a child behind all others of `container`: a property when `name` is given, else an array element. */
export const insertLast = (
  document: Document,
  container: Node,
  value: unknown,
  name?: string
): { readonly text: string; readonly trace: Trace } => {
  const { text } = document
  const compact = isCompact(document)
  const eol = eolOf(text)
  const last = container.children?.at(-1)
  const from = last === undefined ? container.offset + 1 : endOf(last)
  const close = endOf(container) - 1
  const between = punctuation(text, from, close)
  const comma = last !== undefined && !between.some((token) => token.kind === kinds.comma)
  // Behind a comment at the end of the last line, which belongs to what stands before it.
  const anchor = between.at(-1)?.end ?? from

  const unit = unitOf(document)
  const closingIndent = lineIndent(text, container.offset)
  const indent = ownLineIndent(text, container) ?? closingIndent + unit
  const first = container.children?.[0]
  const gap = first === undefined ? "" : text.slice(container.offset + 1, first.offset)
  const lead = compact ? (isBlank(gap) ? gap : " ") : eol + indent
  const json = JSON.stringify(value, null, compact ? undefined : unit).replaceAll("\n", eol + indent)
  const key = name === undefined ? "" : `${JSON.stringify(name)}:${compact ? "" : " "}`
  const tail = compact || hasBreak(text.slice(anchor, close)) ? "" : eol + closingIndent
  return {
    text:
      text.slice(0, from) +
      (comma ? "," : "") +
      text.slice(from, anchor) +
      lead +
      key +
      json +
      tail +
      text.slice(anchor),
    trace: { comma, lead: "", tail }
  }
}

/** Whether a container holds nothing but these: no other children, and no comments that someone wrote. */
export const holdsOnly = (text: string, container: Node, ...expected: readonly Node[]): boolean => {
  const children = container.children ?? []
  if (children.length !== expected.length || !children.every((child) => expected.includes(child)))
    return false
  const starts = [container.offset + 1, ...children.map(endOf)]
  const ends = [...children.map(({ offset }) => offset), endOf(container) - 1]
  return starts.every((from, at) =>
    punctuation(text, from, ends[at] ?? from).every((token) => token.kind === kinds.comma)
  )
}

const cut = (text: string, ranges: readonly (readonly [number, number])[]): string =>
  [...ranges]
    .sort(([a], [b]) => b - a)
    .reduce((rest, [start, end]) => rest.slice(0, start) + rest.slice(end), text)

/** Takes the root away; what is left are blanks and comments of the user. */
export const removeRoot = (text: string, root: Node, trace: Trace): string => {
  const start = text.endsWith(trace.lead, root.offset) ? root.offset - trace.lead.length : root.offset
  const end = endOf(root) + (text.startsWith(trace.tail, endOf(root)) ? trace.tail.length : 0)
  return cut(text, [[start, end]])
}

/**
 * Cuts a child out with the blanks before it and the comma it no longer needs. `keepComma` leaves a comma of the sibling
 * before it as the trailing comma it once was.
 */
export const removeChild = (
  text: string,
  container: Node,
  child: Node,
  { tail = "", keepComma = false }: { readonly tail?: string; readonly keepComma?: boolean } = {}
): string => {
  const children = container.children ?? []
  const at = children.indexOf(child)
  const previous = children[at - 1]
  const next = children[at + 1]
  const close = endOf(container) - 1
  const floor = previous === undefined ? container.offset + 1 : endOf(previous)
  const before = punctuation(text, floor, child.offset)
  const after = punctuation(text, endOf(child), next?.offset ?? close)
  const commaAfter = after.find((token) => token.kind === kinds.comma)
  const commaBefore = before.find((token) => token.kind === kinds.comma)

  let start = child.offset
  while (start > floor && isBlank(text.charAt(start - 1))) start -= 1
  let end = endOf(child)
  if (
    commaAfter === undefined &&
    tail !== "" &&
    text.startsWith(tail, end) &&
    isBlank(text.slice(end, close))
  ) {
    end += tail.length
  }
  const comment = before.at(-1)
  if (comment?.kind === kinds.lineComment && comment.end === start) {
    // What follows may not end up inside the comment.
    const rest = text.slice(end, commaAfter?.offset ?? end) + text.slice(commaAfter?.end ?? end)
    if (!/^[ \t]*[\r\n]/.test(rest)) start += /^\r\n|^[\r\n]/.exec(text.slice(start))?.[0].length ?? 0
  }
  const ranges: (readonly [number, number])[] = [[start, end]]
  if (commaAfter !== undefined) ranges.push([commaAfter.offset, commaAfter.end])
  else if (commaBefore !== undefined && !keepComma) ranges.push([commaBefore.offset, commaBefore.end])
  return cut(text, ranges)
}
