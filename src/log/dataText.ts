/** The JSON of a fact's data, made once: it is looked through for secrets, and then it is what is stored. */

const texts = new WeakMap<object, string>()

/** What `JSON.stringify` says of it, kept for whoever stores it; data that is no JSON throws or is undefined, as there. */
export const dataText = (data: object): string | undefined => {
  const text = JSON.stringify(data) as string | undefined
  if (text !== undefined) texts.set(data, text)
  return text
}

/** The same for whoever is not the last to ask. */
export const keptDataText = (data: object): string | undefined => texts.get(data) ?? dataText(data)

/** The same for the last who asks. Forgotten at once: left to the collector, texts would stay for long. */
export const takeDataText = (data: unknown): string | undefined => {
  if (typeof data !== "object" || data === null) return JSON.stringify(data)
  const text = texts.get(data)
  if (text === undefined) return JSON.stringify(data)
  texts.delete(data)
  return text
}
