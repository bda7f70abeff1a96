/** Secrets in the columns of tables: CSV, Markdown, and what databases print. */
import { lowerCaseOf } from "./lowerCase.ts"
import { isMessageOf } from "./messages.ts"
import { looksRandom, looksSecret, type SecretName, secretName } from "./secretNames.ts"
import { type Hit, tokenKind } from "./secretTokens.ts"

/** Where a cell stands in its line, without blanks, quotes and emphasis around it. */
interface Cell {
  readonly start: number
  readonly text: string
}

const blank = /\s/
const blankOrEmphasis = /[`*_\s]/

/** What of the line from `start` to `end` is left without such characters around it; by hand, for a pattern would look at a row of them once for each. */
const within = (line: string, start: number, end: number, around: RegExp): readonly [number, number] => {
  while (start < end && around.test(line.charAt(start))) start++
  while (end > start && around.test(line.charAt(end - 1))) end--
  return [start, end]
}

const isQuoted = (text: string): boolean => {
  const quote = text.charAt(0)
  if (text.length < 2 || (quote !== '"' && quote !== "'") || !text.endsWith(quote)) return false
  return !text
    .slice(1, -1)
    .replaceAll(quote + quote, "")
    .includes(quote)
}

const trimmed = (line: string, from: number, to: number): Cell => {
  let [start, end] = within(line, from, to, blank)
  if (isQuoted(line.slice(start, end))) {
    start++
    end--
  }
  ;[start, end] = within(line, start, end, blankOrEmphasis)
  return { start, text: line.slice(start, end) }
}

/** The index after the string that opens at `at`, where a quote that stands twice is one of its characters; -1 if none closes it. */
const stringEnd = (text: string, at: number, end: number): number => {
  const quote = text[at]
  for (let next = at + 1; next < end; next++) {
    if (text[next] !== quote) continue
    if (text[next + 1] !== quote) return next + 1
    next++
  }
  return -1
}

/** Parted by the separator, though not within quotes. */
export const cellsOf = (line: string, separator: string): Cell[] => {
  if (separator === "  ") return alignedCells(line)
  const cells: Cell[] = []
  let from = 0
  let isEmpty = true
  for (let at = 0; at <= line.length; at++) {
    const c = line.charAt(at)
    if (c === separator || at === line.length) {
      cells.push(trimmed(line, from, at))
      from = at + 1
      isEmpty = true
    } else if (isEmpty && !blank.test(c)) {
      isEmpty = false
      if ((c !== '"' && c !== "'") || separator === "|") continue
      const end = stringEnd(line, at, line.length)
      at = (end === -1 ? line.length : end) - 1
    }
  }
  return cells
}

/** Two titles at least, not indented as code is. */
const isAligned = /^ ?[^\s=;{}()"'`:<>/*-][^=;{}()"'`:<>]{0,300}$/
const aligned = /\S+(?: \S+)*/g
const alignedCells = (line: string): Cell[] =>
  [...line.matchAll(aligned)].map(({ 0: text, index }) => ({ start: index, text }))

/** What a column is called: words, and none too many. */
const title = /^(?:[\p{L}_#][\p{L}\d_.#/()-]*(?: [\p{L}\d_.#/()-]+){0,3})?$/u
const worthReading = /pass|pwd|pw\b|secret|token|key|kennwort|contrase|senha|credential/g
const worthReadingAnyCase = new RegExp(worthReading.source, "gi")
const rule = /^[\s|+:=─┼-]+$/

export interface Column {
  readonly nth: number
  readonly name: string
  readonly kind: SecretName
  /** What a value has to be, where it may be none of a table's: nothing that somebody typed, or at least no word and no name. */
  readonly strict: Strict
}
type Strict = "random" | "mixed" | undefined

const describing = /^(?:field|setting|option|property|parameter|attribute|rule|requirement)s?$/i

/** The columns that announce a secret, where all the cells are names of columns. */
/** What says of a column that nothing hides what it holds: `password_plain`. */
const unhidden = /[_ -]?(?:plain(?:_?text)?|clear(?:_?text)?|raw|decrypted|unhashed)$/i
const kindOfColumn = (name: string): SecretName | undefined =>
  secretName(name) ?? (unhidden.test(name) ? secretName(name.replace(unhidden, "")) : undefined)

/** Whether a name that ends at `end` may be one of those, for a first look. */
export const isNamedPlain = (text: string, end: number): boolean => {
  const c = text.charCodeAt(end - 1)
  return (
    (c === 110 || c === 116 || c === 114 || c === 119 || c === 100) &&
    unhidden.test(text.slice(end - 16, end))
  )
}

export const columnsOf = (cells: readonly Cell[], strict?: Strict): readonly Column[] =>
  !cells.every(({ text }) => text.length <= 40 && title.test(text))
    ? []
    : cells.flatMap(({ text: name }, nth): Column[] => {
        const kind = kindOfColumn(name)
        return kind === undefined || kind === "cookie" || kind === "mnemonic"
          ? []
          : [{ nth, name, kind, strict }]
      })

/** A name of a variable, or words parted by dashes: what tables of settings and of documentation list. */
const named = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$|^[a-z]+\d*(?:[-_./][a-z]+\d*)*$|^v?\d+(?:\.\d+)*$/
const slug = /^[a-z]+\d*(?:[-_./](?:[a-z]+\d*|\d+))+$/
const chosen = /^[a-z]{4,}\d{2,}$/i

/** With a capital, and with a digit that more letters follow, or a sign. */
const mixed = /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)\S{0,60}(?:\d[A-Za-z]|[!@#$%^&*])\S{0,60}$/

const isSecret = ({ kind, name, strict }: Column, value: string): boolean => {
  if (strict !== undefined && !looksRandom(value) && (strict === "random" || !mixed.test(value))) return false
  if (value.length < 4 || value.length > 1024) return false
  if (/\s/.test(value)) return kind === "password" && strict === undefined && isPhrase(value)
  if (kind === "password") {
    if (named.test(value) && !chosen.test(value)) return false
    return looksSecret(kind, name, value, "loose", undefined)
  }
  if (named.test(value) || slug.test(value) || !/\d/.test(value) || value.length < 8) return false
  return (
    looksRandom(value) ||
    /^[\da-f]{24,}$/i.test(value) ||
    looksSecret("password", name, value, "loose", undefined)
  )
}

/** Several words that are one password. */
const isPhrase = (value: string): boolean =>
  value.length < 60 && /[\d\p{Lu}]/u.test(value) && !isMessageOf(value)

/** The last: blanks that align columns. */
const separators = ["|", "\t", ";", ",", "  "]
const longestLine = 4096

const lineAt = (text: string, from: number): { line: string; next: number } => {
  const end = text.indexOf("\n", from)
  const next = end === -1 ? text.length : end + 1
  const line = text.slice(from, end === -1 ? text.length : end)
  return { line: line.endsWith("\r") ? line.slice(0, -1) : line, next }
}

/** Reads the rows below a header; returns where they end. */
const rowsBelow = (
  text: string,
  from: number,
  width: number,
  separator: string,
  columns: readonly Column[],
  hit: Hit
): number => {
  let at = from
  while (at < text.length) {
    const { line, next } = lineAt(text, at)
    if (line.length > longestLine) break
    if (!rule.test(line)) {
      const cells = cellsOf(line, separator)
      while (cells.length > width && cells[0]?.text === "") cells.shift()
      if (cells.length !== width) break
      for (const column of columns) {
        const { start, text: value } = cells[column.nth] as Cell
        if (!isSecret(column, value)) continue
        const kind = column.kind === "random-key" ? "key" : column.kind
        hit(at + start, at + start + value.length, tokenKind(value) ?? kind)
      }
    }
    at = next
  }
  return at
}

/** A table may tell about passwords, or be none: code parts its names by a comma and a blank, and mostly indents them. */
const strictness = (line: string, cells: readonly Cell[], separator: string): Strict => {
  if (describing.test(cells.find(({ text }) => text !== "")?.text ?? "")) return "random"
  if (separator !== "," || !line.includes(", ")) return undefined
  return blank.test(line.charAt(0)) ? "random" : "mixed"
}

/** Where the line stands that `at` is in. */
const lineAround = (text: string, at: number): number => text.lastIndexOf("\n", at - 1) + 1

export const findInTables = (text: string, hit: Hit): void => {
  const lower = lowerCaseOf(text)
  const [searched, worth] = lower === undefined ? [text, worthReadingAnyCase] : [lower, worthReading]
  let at = 0
  for (;;) {
    worth.lastIndex = at
    const found = worth.exec(searched)
    if (found === null) return
    const { line, next } = lineAt(text, Math.max(at, lineAround(text, found.index)))
    let end = next
    if (line.length < 600)
      for (const separator of separators) {
        if (
          !line.includes(separator) ||
          (separator === "  " && !(line.includes("  ", 2) && isAligned.test(line)))
        )
          continue
        const cells = cellsOf(line, separator)
        // Tabs that indent a table part nothing.
        while (separator === "\t" && cells[0]?.text === "") cells.shift()
        const columns = cells.length < 2 ? [] : columnsOf(cells, strictness(line, cells, separator))
        if (columns.length === 0) continue
        end = rowsBelow(text, next, cells.length, separator, columns, hit)
        break
      }
    at = Math.max(end, next)
  }
}
