/** Takes a text out of data, in whatever writing it stands there: as it is, escaped once or more as JSON within JSON, percent-encoded. */

export const forgotten = "‹forgotten›"

/** JSON in a string of a JSON document in a string: deeper than agents nest it. */
const deepestJson = 3

/** Longest first, so that one that holds another is taken whole. */
export const writingsOf = (text: string): readonly string[] => {
  const writings = [text]
  for (let depth = 0; depth < deepestJson; depth++)
    writings.push(JSON.stringify(writings.at(-1)).slice(1, -1))
  try {
    writings.push(encodeURIComponent(text), encodeURIComponent(text).replaceAll("%20", "+"))
  } catch {
    // Half a surrogate pair: it has no such writing.
  }
  return [...new Set(writings)].sort((a, b) => b.length - a.length)
}

/** The longest part of a text that is written the same everywhere: what does not hold it need not be looked at closely. */
export const plainPart = (text: string): string =>
  text.split(/[^\w.~-]+/).reduce((longest, part) => (part.length > longest.length ? part : longest), "")

const inText = (text: string, writings: readonly string[]): string =>
  writings.reduce((left, writing) => left.replaceAll(writing, forgotten), text)

/** The same value where the text is not in it. Names of members count as well. */
export const withoutText = (value: unknown, writings: readonly string[]): unknown => {
  if (typeof value === "string") return inText(value, writings)
  if (Array.isArray(value)) return value.map((one) => withoutText(one, writings))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [inText(name, writings), withoutText(one, writings)])
  )
}
