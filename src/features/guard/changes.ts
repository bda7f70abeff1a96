/** What an expansion makes of a value: a part cut off, replaced, taken out, in other letters. Undefined where only the run tells. */
import { fitsGlob } from "./history.ts"
import { type Change, unknown } from "./script.ts"

/** Longer values are not taken apart by a pattern: each place of one is tried with the other. */
export const longestOfPattern = 512
/** Nor longer ones by anything. */
const longest = 4096

const isGlob = (text: string): boolean => /[*?[]/.test(text)

/** The length of what a pattern fits at the beginning or the end: the shortest, or the longest. */
const fitted = (text: string, pattern: string, atEnd: boolean, most: boolean): number | undefined => {
  if (!isGlob(pattern)) {
    const fits = atEnd ? text.endsWith(pattern) : text.startsWith(pattern)
    return fits ? pattern.length : undefined
  }
  for (let at = 0; at <= text.length; at++) {
    const length = most ? text.length - at : at
    if (fitsGlob(pattern, atEnd ? text.slice(text.length - length) : text.slice(0, length))) return length
  }
  return undefined
}

const cut = (text: string, operator: string, pattern: string): string => {
  const atEnd = operator.startsWith("%")
  const length = fitted(text, pattern, atEnd, operator.length === 2) ?? 0
  return atEnd ? text.slice(0, text.length - length) : text.slice(length)
}

const replace = (
  text: string,
  operator: string,
  pattern: string,
  replacement: string
): string | undefined => {
  if (operator === "/#" || operator === "/%") {
    const atEnd = operator === "/%"
    const length = fitted(text, pattern, atEnd, true)
    if (length === undefined) return text
    return atEnd ? text.slice(0, text.length - length) + replacement : replacement + text.slice(length)
  }
  if (isGlob(pattern)) return undefined
  if (pattern === "") return text
  return operator === "//" ? text.split(pattern).join(replacement) : text.replace(pattern, () => replacement)
}

const slice = (text: string, offset: string, length: string | undefined): string | undefined => {
  const from = Number(offset.trim())
  const many = length === undefined ? undefined : Number(length.trim())
  if (!Number.isInteger(from) || (many !== undefined && !Number.isInteger(many))) return undefined
  const rest = text.slice(from < 0 ? Math.max(0, text.length + from) : from)
  return many === undefined ? rest : many < 0 ? rest.slice(0, many) : rest.slice(0, many)
}

const recase = (text: string, operator: string): string => {
  const change = (one: string): string => (operator.startsWith("^") ? one.toUpperCase() : one.toLowerCase())
  return operator.length === 2 ? change(text) : change(text.slice(0, 1)) + text.slice(1)
}

type Operands = Partial<Record<"pattern" | "replacement" | "offset" | "length", string>>

/** Whether a value is left as it is because of its length. */
const isTooLong = (all: readonly string[], isPattern: boolean): boolean =>
  all.some((one) => one.length > (isPattern ? longestOfPattern : longest))

/** `given`: what the words of the change come to. */
export const changed = (
  text: string,
  change: Exclude<Change, { readonly kind: "indirect" }>,
  given: Operands
): string | undefined => {
  const { length, offset = "", pattern = "", replacement = "" } = given
  const all = [text, ...Object.values(given)]
  if (all.some((one) => one.includes(unknown))) return undefined
  if (isTooLong(all, isGlob(pattern))) return undefined
  switch (change.kind) {
    case "cut":
      return cut(text, change.operator, pattern)
    case "replace":
      return replace(text, change.operator, pattern, replacement)
    case "slice":
      return slice(text, offset, length)
    case "case":
      return recase(text, change.operator)
  }
}
