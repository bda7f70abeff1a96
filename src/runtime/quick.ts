/** Which patterns come to an end by themselves, so that nobody has to watch them: watching costs more than they do. */

const known = new WeakMap<RegExp, boolean>()

/** Longer texts are watched whatever meets them: what is left may take the square of their length. */
const longest = 2000

/** Outside of classes and escapes, where a quantifier is one. */
const bare = (source: string): string =>
  source
    .replace(/\\[1-9]|\\k/g, "{")
    .replace(/\\./g, "x")
    .replace(/\[[^\]]*\]/g, "x")

/** One open quantifier at most, on a single character, and few optional ones: no two ways to match the same text multiply. */
const isQuick = (pattern: RegExp): boolean => {
  const text = bare(pattern.source)
  const count = (what: RegExp): number => text.match(what)?.length ?? 0
  return !/[{]|\)[*+?]/.test(text) && count(/[*+]/g) <= 1 && count(/\?/g) <= 3
}

export const endsByItself = (pattern: RegExp, text: string | undefined): boolean => {
  if (text === undefined) return true
  let quick = known.get(pattern)
  if (quick === undefined) {
    quick = isQuick(pattern)
    known.set(pattern, quick)
  }
  return quick && text.length <= longest
}
