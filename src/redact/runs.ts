/** Runs of characters, found by looking at every so manieth one: most texts have few that are long enough. */

/** For each of the first 128 characters, 1 where it belongs to a run. */
export type Characters = Uint8Array

/** `others`: whether characters beyond these belong to one as well. */
export interface RunsOf {
  readonly characters: Characters
  readonly others: boolean
  /** Shorter runs are not told. */
  readonly shortest: number
}

export const charactersOf = (pattern: RegExp): Characters =>
  Uint8Array.from({ length: 128 }, (_, c) => (pattern.test(String.fromCharCode(c)) ? 1 : 0))

/** Calls `found` with where each such run begins and ends. */
export const eachRun = (
  text: string,
  { characters, others, shortest }: RunsOf,
  found: (start: number, end: number) => void
): void => {
  const { length } = text
  const isIn = (at: number): boolean => {
    const c = text.charCodeAt(at)
    return c < 128 ? characters[c] === 1 : others
  }
  let done = 0
  for (let probe = shortest - 1; probe < length; probe += shortest) {
    if (!isIn(probe)) continue
    let start = probe
    while (start > done && isIn(start - 1)) start--
    let end = probe + 1
    while (end < length && isIn(end)) end++
    if (end - start >= shortest) found(start, end)
    done = end
    probe = end
  }
}
