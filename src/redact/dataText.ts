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

/** Forgotten at once: left to the collector, texts would stay for long. */
const takeText = (data: object): string | undefined => {
  const text = texts.get(data)
  texts.delete(data)
  return text
}

/** The same for the last who asks. */
export const takeDataText = (data: unknown): string | undefined =>
  (typeof data === "object" && data !== null ? takeText(data) : undefined) ?? JSON.stringify(data)

/** Data with a member that it did not have. Where its text is kept, it is not made anew. */
export const dataWith = <A extends object>(data: A, name: string, value: string): A => {
  const more = { ...data, [name]: value }
  const text = takeText(data)
  if (text !== undefined)
    texts.set(
      more,
      `${text.slice(0, -1)}${text === "{}" ? "" : ","}${JSON.stringify(name)}:${JSON.stringify(value)}}`
    )
  return more
}
