/** Whatever was thrown, made into an error and into data: without trusting a single field of it. */

/** Objects may refuse to become text: no prototype, a throwing `toString`. */
const textOf = (value: unknown): string => {
  try {
    return String(value)
  } catch {
    return Object.prototype.toString.call(value)
  }
}

const longestThrown = 200

/** An object whose text says nothing is told by what is in it. */
const thrownOf = (value: unknown): string => {
  const text = textOf(value)
  if (text !== "[object Object]") return text
  try {
    const json = JSON.stringify(value)
    if (typeof json !== "string" || json === "{}") return text
    return json.length > longestThrown ? `${json.slice(0, longestThrown)}…` : json
  } catch {
    return text
  }
}

export const asError = (value: unknown): Error =>
  value instanceof Error ? value : new Error(typeof value === "string" ? value : `threw ${thrownOf(value)}`)

const stackChars = 4000

const field = (error: Error, name: "name" | "message" | "stack"): string | undefined => {
  try {
    const value = error[name] as unknown
    return value === undefined ? undefined : textOf(value)
  } catch {
    return undefined
  }
}

/** An error as a fact carries it. */
export const errorOf = (error: Error): { name: string; message: string; stack?: string } => {
  const stack = field(error, "stack")
  return {
    name: field(error, "name") ?? "Error",
    message: field(error, "message") ?? "",
    ...(stack === undefined ? {} : { stack: stack.slice(0, stackChars) })
  }
}
