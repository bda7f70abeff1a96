/** The name that ends before a sign such as `:` or `=`. */
import { escapeBefore } from "./escapes.ts"
import { mayAnnounce, secretName } from "./secretNames.ts"

const isWord = (c: number): boolean =>
  (c >= 97 && c <= 122) || (c >= 65 && c <= 90) || (c >= 48 && c <= 57) || c === 95

export const isNameChar = (c: number): boolean => isWord(c) || c === 45 || c === 46

const longestName = 64
/** Of blanks that align a sign with those of other lines. */
const longestGap = 40
/** Words that name a secret only together with the one before: `API key`, `seed phrase`. */
const second = /^(?:keys?|phrase|words|code|token|secret)$/i
const first = /[A-Za-z]{2,16}[ \u00a0-]$/

/** Without an escape's letter before it, unless that was the name's own first one: `\token` of a path. */
const ownName = (text: string, start: number, name: string): string => {
  const skipped = escapeBefore(text, start, name)
  if (skipped === 0) return name
  const rest = name.slice(skipped)
  return secretName(rest) !== undefined || secretName(name) === undefined ? rest : name
}

/** The name whose last character stands at `end`; empty where none that announces a secret could end so. */
export const nameEndingAt = (text: string, end: number): string => {
  if (end < 1 || !mayAnnounce(text, end)) return ""
  let start = end
  while (start > 0 && end - start < longestName && isNameChar(text.charCodeAt(start - 1))) start--
  const name = ownName(text, start, text.slice(start, end + 1))
  start = end + 1 - name.length
  const before = text.charCodeAt(start - 1)
  // A blank, also one at which no line ends.
  if (name.length > 6 || (before !== 32 && before !== 160) || !second.test(name)) return name
  return (first.exec(text.slice(Math.max(0, start - 18), start))?.[0] ?? "") + name
}

/** The same before an assignment's sign at `at`, with quotes and brackets around the name left out. */
export const nameBefore = (text: string, at: number): string => {
  let end = at - 1
  for (let skipped = 0; skipped < longestGap && end >= 0; skipped++, end--) {
    const c = text.charCodeAt(end)
    // Blanks, quotes, a backslash, a closing bracket.
    if (!(c === 32 || c === 9 || c === 34 || c === 39 || c === 96 || c === 92 || c === 93 || c === 42)) break
  }
  return nameEndingAt(text, end)
}
