/** What one place may know of alone: facts and seals that were taken off the end together. */
const maxAhead = 100_000

/**
 * How far a log goes, by what several places of its file say. One of them may be damaged and say any number: one that is far ahead
 * of all others does not count, so that nobody looks for facts at a billion positions that never were.
 */
export const lastConfirmed = (said: readonly number[]): number => {
  const [first = 0, second = first] = said.toSorted((a, b) => b - a)
  return Math.max(0, first - second > maxAhead ? second : first)
}
