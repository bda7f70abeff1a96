/** The JSON of a fact's data, made once: it is looked through for secrets, and it is what is stored. */

const texts = new WeakMap<object, string>()

/** What `JSON.stringify` says of it; data that is no JSON throws or is undefined, as there. */
export const dataText = (data: unknown): string | undefined => {
  // Nothing that another could be held to be.
  if (typeof data !== "object" || data === null) return JSON.stringify(data)
  const known = texts.get(data)
  if (known !== undefined) return known
  const text = JSON.stringify(data) as string | undefined
  if (text !== undefined) texts.set(data, text)
  return text
}
