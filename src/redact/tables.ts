/** Secrets in the columns of tables: CSV, Markdown, what databases print, and rows that a statement inserts. */
import { looksRandom, looksSecret, type SecretName, secretName } from "./secretNames.ts"
import { type Hit, tokenKind } from "./secretTokens.ts"

/** Where a cell stands in its line, without blanks, quotes and emphasis around it. */
interface Cell {
  readonly start: number
  readonly text: string
}

const cell = /[ \t]*(?:"((?:[^"]|"")*)"|'([^']*)'|([^\n]*?))[ \t]*$/
const emphasis = /^[`*_\s]+|[`*_\s]+$/g

const trimmed = (text: string, at: number): Cell => {
  const found = cell.exec(text)
  const inner = found?.[1] ?? found?.[2] ?? found?.[3] ?? ""
  const plain = inner.replace(emphasis, "")
  return { start: at + Math.max(0, text.indexOf(plain)), text: plain }
}

/** Parted by the separator, though not within quotes. */
const cellsOf = (line: string, separator: string): Cell[] => {
  const cells: Cell[] = []
  let from = 0
  let quote = ""
  for (let at = 0; at <= line.length; at++) {
    const c = line[at]
    if (quote !== "") {
      if (c === quote) quote = ""
    } else if ((c === '"' || c === "'") && separator !== "|" && line.slice(from, at).trim() === "") quote = c
    if (at < line.length && (quote !== "" || c !== separator)) continue
    cells.push(trimmed(line.slice(from, at), from))
    from = at + 1
  }
  return cells
}

/** What a column is called: words, and none too many. */
const title = /^(?:[\p{L}_#][\p{L}\d_.#/()-]*(?: [\p{L}\d_.#/()-]+){0,3})?$/u
const worthReading = /pass|pwd|pw\b|secret|token|key|kennwort|contrase|senha|credential/i
const rule = /^[\s|+:=─┼-]+$/

interface Column {
  readonly nth: number
  readonly name: string
  readonly kind: SecretName
}

const columnsOf = (cells: readonly Cell[]): readonly Column[] =>
  cells.length < 2 || !cells.every(({ text }) => text.length <= 40 && title.test(text))
    ? []
    : cells.flatMap(({ text: name }, nth): Column[] => {
        const kind = secretName(name)
        return kind === undefined || kind === "cookie" || kind === "mnemonic" ? [] : [{ nth, name, kind }]
      })

/** A name of a variable, or words parted by dashes: what tables of settings and of documentation list. */
const named = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$|^[a-z]+\d*(?:[-_./][a-z]+\d*)*$|^v?\d+(?:\.\d+)*$/
const slug = /^[a-z]+\d*(?:[-_./](?:[a-z]+\d*|\d+))+$/
const chosen = /^[a-z]{4,}\d{2,}$/i

const isSecret = ({ kind, name }: Column, value: string): boolean => {
  if (/\s/.test(value) || value.length < 4 || value.length > 1024) return false
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

const separators = ["|", "\t", ";", ","]
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

const insert =
  /\b(?:insert|replace)\s{1,8}(?:ignore\s{1,8})?into\s{1,8}[\w."`[\]]{1,120}\s{0,8}\(([^()]{1,600})\)\s{0,20}values\s{0,20}((?:\((?:[^()']|'(?:[^'\n]|'')*'){0,2000}\)[\s,]{0,8}){1,100})/gi
const tuple = /\(((?:[^()']|'(?:[^'\n]|'')*'){0,2000})\)/g

const findInserted = (text: string, hit: Hit): void => {
  for (const found of text.matchAll(insert)) {
    const [whole, head = "", rows = ""] = found
    const columns = columnsOf(cellsOf(head, ","))
    if (columns.length === 0) continue
    const from = found.index + whole.length - rows.length
    for (const row of rows.matchAll(tuple)) {
      const cells = cellsOf(row[1] as string, ",")
      for (const { kind, name, nth } of columns) {
        const value = cells[nth]
        if (value === undefined || !looksSecret(kind, name, value.text, "quoted", undefined)) continue
        const start = from + row.index + 1 + value.start
        hit(start, start + value.text.length, tokenKind(value.text) ?? (kind === "random-key" ? "key" : kind))
      }
    }
  }
}

export const findInTables = (text: string, hit: Hit): void => {
  if (!worthReading.test(text)) return
  let at = 0
  while (at < text.length) {
    const { line, next } = lineAt(text, at)
    let end = next
    if (line.length < 600 && worthReading.test(line))
      for (const separator of separators) {
        if (!line.includes(separator)) continue
        const cells = cellsOf(line, separator)
        // Tabs that indent a table part nothing.
        while (separator === "\t" && cells[0]?.text === "") cells.shift()
        const columns = columnsOf(cells)
        if (columns.length === 0) continue
        end = rowsBelow(text, next, cells.length, separator, columns, hit)
        break
      }
    at = Math.max(end, next)
  }
  if (/into/i.test(text) && /values/i.test(text)) findInserted(text, hit)
}
