/** Secrets in the rows that a statement inserts: `INSERT INTO users (id, password) VALUES (1, '…'), (2, '…')`. */
import { looksSecret } from "./secretNames.ts"
import { type Hit, tokenKind } from "./secretTokens.ts"
import { type Column, cellsOf, columnsOf } from "./tables.ts"

/** From its rarer word on: texts are full of `replace`. */
const insert =
  /into\s{1,8}(?<=\b(?:insert|replace)\s{1,8}(?:(?:ignore|low_priority|delayed|high_priority|or\s{1,4}\w{1,10})\s{1,8})?into\s{1,8})[\w."`[\]]{1,120}\s{0,8}\(([^()]{1,600})\)\s{0,20}(?:overriding\s{1,4}\w{1,8}\s{1,4}value\s{1,4})?values\b/gi

interface Span {
  readonly start: number
  readonly end: number
}

interface Tuple {
  readonly cells: readonly Span[]
  /** The index after its closing bracket, or how far it was read where it does not close. */
  readonly end: number
  readonly closed: boolean
}

const longestTuple = 1_048_576

/** How a string writes its own quote: MySQL also with a backslash, which is a character like any other in standard SQL. */
type Escapes = "backslash" | "none"

/** The index after the string that opens at `at`, where a quote that stands twice is one of its characters; -1 if none closes it. */
const stringEnd = (text: string, at: number, end: number, escapes: Escapes): number => {
  const quote = text.charCodeAt(at)
  for (let next = at + 1; next < end; next++) {
    const c = text.charCodeAt(next)
    if (c === 92 && escapes === "backslash") next++
    else if (c === quote) {
      if (text.charCodeAt(next + 1) !== quote) return next + 1
      next++
    }
  }
  return -1
}

/** The index after the comment that begins at `at`, or `at`. */
const commentEnd = (text: string, at: number): number => {
  const isLine = text.startsWith("--", at) || text.startsWith("# ", at)
  if (!isLine && !text.startsWith("/*", at)) return at
  const end = text.indexOf(isLine ? "\n" : "*/", at + 2)
  return end === -1 ? text.length : end + (isLine ? 1 : 2)
}

const isQuote = (c: number): boolean => c === 39 || c === 34 || c === 96

/** The tuple that opens at `open`; where it does not close, with the cells that do. */
const tupleAt = (text: string, open: number, escapes: Escapes): Tuple => {
  const end = Math.min(text.length, open + longestTuple)
  const cells: Span[] = []
  let depth = 0
  let start = open + 1
  for (let at = start; at < end; at++) {
    const c = text.charCodeAt(at)
    if (isQuote(c)) {
      const next = stringEnd(text, at, end, escapes)
      if (next === -1) break
      at = next - 1
    } else if (c === 45 || c === 47) at = Math.max(at, commentEnd(text, at) - 1)
    else if (c === 40) depth++
    else if (c === 41 && depth > 0) depth--
    else if ((c === 44 && depth === 0) || c === 41) {
      cells.push({ start, end: at })
      if (c === 41) return { cells, end: at + 1, closed: true }
      start = at + 1
    }
  }
  return { cells, end, closed: false }
}

/** A string, also with what says of which kind it is, or what it becomes: `N'…'`, `'…'::text`. */
const string = /^(?:[a-z]|_\w{1,12})?(["'])([\s\S]*)\1(?:::[\w ()]{1,40})?(?:\s{0,8}(?:--|\/\*)[\s\S]*)?$/i
/** A call that makes of a password what is stored: `crypt('…', gen_salt('bf'))`, `SHA2('…', 256)`. */
const made =
  /^(?:(?:\w{1,20}\.)?(?:\w{0,20}(?:crypt|hash|sha|md5|password|hmac|digest|encode)\w{0,20}|concat|convert|cast|unhex|lower)\(\s{0,4}(?:["'](?:md5|sha\d?|sha\d?[-_]?\d{1,3}|bf|hex|base64)["'],\s{0,4})?){1,4}(?:[a-z]|_\w{1,12})?(["'])((?:(?!\1)[^\\]){4,256})\1/i
/** What stands there without quotes is a number, a name or a call. */
const bare = /^[^\s"'`()]{4,256}$/

/** What a diff or a numbered listing puts before each line. */
const lineStart = /[ \t]{0,8}(?:\d{1,6}[→\t:|]|[+>|]|-(?!-))/y

/** What may stand before a tuple; the index of what comes behind it. */
const behind = (text: string, from: number): number => {
  let at = from
  for (;;) {
    const c = text.charCodeAt(at)
    let next = c === 32 || c === 44 || (c > 8 && c < 14) ? at + 1 : commentEnd(text, at)
    if (text.charCodeAt(next - 1) === 10) {
      lineStart.lastIndex = next
      if (lineStart.test(text)) next = lineStart.lastIndex
    }
    if (next === at) return at
    at = next
  }
}

/** What a cell says, and where. */
const valueIn = (text: string, { start, end }: Span) => {
  const from = Math.min(end, behind(text, start))
  const trimmed = text.slice(from, end).trimEnd()
  const plain = string.exec(trimmed)
  if (plain !== null) {
    const [, quote = "", value = ""] = plain
    return { at: from + trimmed.indexOf(quote) + 1, value, style: "quoted" as const }
  }
  const call = made.exec(trimmed)
  if (call !== null) {
    const [whole, , value = ""] = call
    return { at: from + whole.length - 1 - value.length, value, style: "quoted" as const }
  }
  return bare.test(trimmed) ? { at: from, value: trimmed, style: "loose" as const } : undefined
}

const findIn = (text: string, { cells }: Tuple, columns: readonly Column[], hit: Hit): void => {
  for (const { kind, name, nth } of columns) {
    const cell = cells[nth]
    const found = cell === undefined ? undefined : valueIn(text, cell)
    if (found === undefined || !looksSecret(kind, name, found.value, found.style, undefined)) continue
    const shown = tokenKind(found.value) ?? (kind === "random-key" ? "key" : kind)
    hit(found.at, found.at + found.value.length, shown)
  }
}

/** Where a tuple may open again after one that could not be read, or the next statement begins. */
const again = /\)\s{0,8},\s{0,8}\(|\n\s{0,8}(?:\(|(?=insert|replace))|;\s{0,8}(?=insert|replace)/gi

/** The rows of a text's statements, one after the other. */
class Rows {
  readonly #text: string
  readonly #hit: Hit
  /** What cannot be read costs as much as what can: after so much of it, the rest is nobody's statement. */
  #patience: number
  /** How strings are written, the way of the last row first: a statement has one. */
  readonly #ways: ("backslash" | "none")[] = ["backslash", "none"]

  constructor(text: string, hit: Hit) {
    this.#text = text
    this.#hit = hit
    this.#patience = 8 * text.length
  }

  /** Reads the tuples from `from` on; returns how far, from where the next statement may begin. */
  read(from: number, width: number, columns: readonly Column[]): number {
    let at = behind(this.#text, from)
    while (this.#text.charCodeAt(at) === 40) {
      const tuple = this.#tuple(at, width)
      if (tuple !== undefined) {
        findIn(this.#text, tuple, columns, this.#hit)
        at = behind(this.#text, tuple.end)
        continue
      }
      const open = at
      at = this.#next(open + 1)
      // The last row of what was cut off somewhere.
      const last = at === this.#text.length ? tupleAt(this.#text, open, "backslash") : undefined
      if (last?.closed === false) findIn(this.#text, last, columns, this.#hit)
    }
    return at
  }

  /** A tuple with as many cells as there are columns: by that it shows which way its strings are written. */
  #tuple(at: number, width: number): Tuple | undefined {
    for (const escapes of [...this.#ways]) {
      if (this.#patience < 0) return undefined
      const read = tupleAt(this.#text, at, escapes)
      if (read.closed && read.cells.length === width) {
        if (escapes !== this.#ways[0]) this.#ways.reverse()
        return read
      }
      this.#patience -= read.end - at
    }
    return undefined
  }

  #next(from: number): number {
    again.lastIndex = from
    const found = this.#patience > 0 ? again.exec(this.#text) : null
    const next = found === null ? this.#text.length : again.lastIndex
    this.#patience -= next - from
    return found?.[0].endsWith("(") ? next - 1 : next
  }
}

/** Receives each secret in a row of an INSERT that says the names of its columns. */
export const findInserted = (text: string, hit: Hit): void => {
  if (!/into/i.test(text) || !/values/i.test(text)) return
  const rows = new Rows(text, hit)
  insert.lastIndex = 0
  for (let found = insert.exec(text); found !== null; found = insert.exec(text)) {
    const names = cellsOf(found[1] as string, ",")
    const columns = columnsOf(names)
    if (columns.length > 0) insert.lastIndex = rows.read(insert.lastIndex, names.length, columns)
  }
}
