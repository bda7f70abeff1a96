/** Reads one word of a command line: quotes, escapes, variables and substitutions. Every character is read once. */
import type { Budget, Part, Script, Word } from "./script.ts"

/** Where the reading is, and how what stands in brackets is read. */
export interface Cursor {
  readonly text: string
  at: number
  /** How deep in brackets. */
  depth: number
  readonly readScript: (end: ")" | "}" | undefined) => Script
  /** Reads a text of its own, such as what stands between backticks. */
  readonly readApart: (text: string) => Script
  readonly budget: Budget
}

/** Brackets within brackets beyond this are text. */
export const deepest = 40

const plain = /[^\s\\'"$`;&|()<>]+/y
const name = /[A-Za-z_]\w*|[0-9@*#?$!-]/y

const match = (pattern: RegExp, { text, at }: Cursor): string => {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ""
}

const literal = (text: string, quoted: boolean): Part => ({ kind: "text", text, quoted })

const untilQuote = (cursor: Cursor): string => {
  const { text, at } = cursor
  const found = text.indexOf("'", at)
  const end = found < 0 ? text.length : found
  cursor.at = end + 1
  return text.slice(at, end)
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" }

/** `$'…'` */
const ansiQuote = (cursor: Cursor): string => {
  const { text } = cursor
  let said = ""
  while (cursor.at < text.length) {
    const char = text[cursor.at++] as string
    if (char === "'") break
    if (char !== "\\") {
      said += char
      continue
    }
    const code = /^(?:x[0-9a-fA-F]{1,2}|[0-7]{1,3})/.exec(text.slice(cursor.at, cursor.at + 3))?.[0]
    const next = text[cursor.at] ?? ""
    cursor.at += code?.length ?? 1
    if (code === undefined) said += escapes[next] ?? next
    else
      said += String.fromCharCode(
        code[0] === "x" ? Number.parseInt(code.slice(1), 16) : Number.parseInt(code, 8)
      )
  }
  return said
}

const backticks = (cursor: Cursor): Part => {
  const { text } = cursor
  const start = ++cursor.at
  while (cursor.at < text.length && text[cursor.at] !== "`") cursor.at += text[cursor.at] === "\\" ? 2 : 1
  const inner = text.slice(start, cursor.at).replaceAll(/\\([\\`$])/g, "$1")
  cursor.at++
  return { kind: "output", script: cursor.readApart(inner) }
}

/** The `[@]` or `[0]` of an array: which of its values is meant makes no difference here. */
const index = /\[[^\]}\s]*\]/y

/** `${…}`, from behind the opening bracket. */
const braced = (cursor: Cursor, quoted: boolean): Part => {
  const called = match(name, cursor)
  cursor.at += called.length
  if (called !== "") cursor.at += match(index, cursor).length
  const rest = cursor.text.slice(cursor.at, cursor.at + 2)
  if (rest[0] === "}") {
    cursor.at++
    return { kind: "variable", name: called, quoted }
  }
  const operator = /^(?::?[-=?+]|%\/)/.exec(rest)?.[0]
  cursor.at += operator?.length ?? 0
  // Within double quotes single ones mean nothing in a value, and quote in a pattern.
  const fallback = quotedParts(cursor, "}", !quoted || operator === undefined || operator === "%/")
  if (operator === undefined || called === "") return { kind: "variable", name: "", quoted }
  // What stands behind `?` is what is said where there is no value; a slash at the end says nothing.
  if (operator.endsWith("?") || operator.endsWith("/")) return { kind: "variable", name: called, quoted }
  return { kind: "variable", name: operator.endsWith("+") ? "" : called, quoted, fallback }
}

/** At a dollar sign. */
const dollar = (cursor: Cursor, quoted: boolean): Part => {
  const next = cursor.text[cursor.at + 1]
  cursor.at++
  if (next === "(" || next === "{") {
    if (cursor.depth >= deepest) {
      cursor.budget.unread = true
      return literal("$", quoted)
    }
    cursor.at++
    cursor.depth++
    const part: Part =
      next === "(" ? { kind: "output", script: cursor.readScript(")") } : braced(cursor, quoted)
    cursor.depth--
    return part
  }
  if (next === "'" && !quoted) {
    cursor.at++
    return literal(ansiQuote(cursor), true)
  }
  if (next === '"' && !quoted) return literal("", true)
  const called = match(name, cursor)
  cursor.at += called.length
  return called === "" ? literal("$", quoted) : { kind: "variable", name: called, quoted }
}

const inQuotes = /[^\\"'$`}]+/y

/** What stands up to an end, as in double quotes. */
export const quotedParts = (cursor: Cursor, end: '"' | "}", single = false): Word => {
  const { text } = cursor
  const parts: Part[] = [literal("", true)]
  while (cursor.at < text.length) {
    const char = text[cursor.at] as string
    if (char === end) {
      cursor.at++
      break
    }
    if (char === "$") parts.push(dollar(cursor, true))
    else if (char === "`") parts.push(backticks(cursor))
    else if (char === '"') {
      cursor.at++
      for (const part of quotedParts(cursor, '"')) parts.push(part)
    } else if (char === "'" && single) {
      cursor.at++
      parts.push(literal(untilQuote(cursor), true))
    } else if (char === "\\") {
      const next = text[cursor.at + 1] ?? ""
      if (next !== "\n") parts.push(literal('$`"\\'.includes(next) ? next : `\\${next}`, true))
      cursor.at += 2
    } else {
      const run = match(inQuotes, cursor) || char
      parts.push(literal(run, true))
      cursor.at += run.length
    }
  }
  return parts
}

/** At the first character of a word. */
export const readWord = (cursor: Cursor): Word => {
  const { text } = cursor
  const parts: Part[] = []
  while (cursor.at < text.length) {
    const run = match(plain, cursor)
    if (run !== "") {
      parts.push(literal(run, false))
      cursor.at += run.length
      continue
    }
    const char = text[cursor.at] as string
    if (char === "\\") {
      const next = text[cursor.at + 1] ?? ""
      if (next !== "\n") parts.push(literal(next, true))
      cursor.at += 2
    } else if (char === "'") {
      cursor.at++
      parts.push(literal(untilQuote(cursor), true))
    } else if (char === '"') {
      cursor.at++
      for (const part of quotedParts(cursor, '"')) parts.push(part)
    } else if (char === "$") parts.push(dollar(cursor, false))
    else if (char === "`") parts.push(backticks(cursor))
    else break
  }
  return parts
}
