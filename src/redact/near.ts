/** Stretches of a text around what a finder needs: the rest of it is not looked at. */
import type { Line } from "./linesWith.ts"

/** So far from where one should begin its line is looked for. */
const longestLine = 2000

const lineStart = (text: string, from: number, least: number): number => {
  const floor = Math.max(least, from - longestLine)
  for (let at = from; at > floor; at--) if (text.charCodeAt(at - 1) === 10) return at - 1
  return floor
}

/**
 * Those from `before` characters before each match of `sign`, a global pattern, to `after` behind it, in whole lines. The first
 * character of each is the end of the line before.
 */
export function* near(text: string, sign: RegExp, before: number, after: number): Generator<Line> {
  let start = -1
  let end = 0
  sign.lastIndex = 0
  for (let found = sign.exec(text); found !== null; found = sign.exec(text)) {
    if (found[0] === "") sign.lastIndex++
    if (start !== -1 && found.index + after <= end) continue
    if (start === -1 || found.index - before > end) {
      const last = sign.lastIndex
      if (start !== -1) yield { start, end }
      // Whoever was told may have used the pattern on the way.
      sign.lastIndex = last
      start = lineStart(text, Math.max(0, found.index - before), end)
    }
    const next = text.indexOf("\n", found.index + after)
    end = next === -1 ? text.length : Math.min(next, found.index + after + longestLine)
  }
  if (start !== -1) yield { start, end }
}

/** Matches of `pattern` in them, as in the text itself. */
export function* matchesNear(
  text: string,
  sign: RegExp,
  pattern: RegExp,
  before: number,
  after: number
): Generator<{ readonly at: number; readonly match: RegExpExecArray }> {
  for (const { start, end } of near(text, sign, before, after)) {
    const part = start === 0 && end === text.length ? text : text.slice(start, end)
    for (const match of part.matchAll(pattern)) yield { at: start + match.index, match }
  }
}
