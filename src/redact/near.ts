/** Stretches of a text around what a finder needs: the rest of it is not looked at. */

export interface Stretch {
  readonly start: number
  readonly end: number
}

/** So far from where one should begin its line is looked for. */
const longestLine = 2000

const lineStart = (text: string, from: number, least: number): number => {
  const floor = Math.max(least, from - longestLine)
  for (let at = from; at > floor; at--) if (text.charCodeAt(at - 1) === 10) return at - 1
  return floor
}

/** Those from `before` characters before each place to `after` behind it, in whole lines, beginning with the end of the line before. */
export function* near(
  text: string,
  places: readonly number[],
  before: number,
  after: number
): Generator<Stretch> {
  let start = -1
  let end = 0
  for (const place of places) {
    if (start !== -1 && place + after <= end) continue
    if (start === -1 || place - before > end) {
      if (start !== -1) yield { start, end }
      start = lineStart(text, Math.max(0, place - before), end)
    }
    const next = text.indexOf("\n", place + after)
    end = next === -1 ? text.length : Math.min(next, place + after + longestLine)
  }
  if (start !== -1) yield { start, end: Math.min(end, text.length) }
}
