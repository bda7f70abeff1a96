/** What a command said to an agent, and what that means: the other direction of encoding a reply. */
import type { Intent, JsonObject } from "../../../events/intents.ts"
import { blockingFeedback, diagnostic } from "../../../events/intents.ts"
import { isObject } from "../shape.ts"

/** How a command ended, and what it wrote. */
export interface Answer {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** Its intents, or why its agent would call it failed. */
export type Meaning = { readonly intents: readonly Intent[] } | { readonly failed: string }

export type ReadAnswer = (nativeEvent: string, answer: Answer) => Meaning

export const means = (...intents: readonly (Intent | undefined)[]): Meaning => ({
  intents: intents.filter((one) => one !== undefined)
})

const firstLine = (text: string): string => text.trim().split("\n")[0]?.slice(0, 300) ?? ""

export const failedWith = ({ exitCode, stderr }: Answer): Meaning => {
  const said = firstLine(stderr)
  return { failed: `ended with exit code ${exitCode}${said === "" ? "" : `: ${said}`}` }
}

export const objectIn = (text: string): JsonObject | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value as never) ? (value as JsonObject) : undefined
  } catch {
    return undefined
  }
}

export const textAt = (object: JsonObject | undefined, key: string): string | undefined => {
  const value = object?.[key]
  return typeof value === "string" ? value : undefined
}

export const objectAt = (object: JsonObject | undefined, key: string): JsonObject | undefined => {
  const value = object?.[key]
  return isObject(value) ? value : undefined
}

/** Of agents that read one document, and take exit code 2 for a block whose reason stands on standard error. */
export const documented =
  (read: (document: JsonObject) => Meaning): ReadAnswer =>
  (_event, answer) => {
    const { exitCode, stderr, stdout } = answer
    if (exitCode === 2) return means(blockingFeedback(stderr.trim()))
    if (exitCode !== 0) return failedWith(answer)
    const document = objectIn(stdout)
    if (document !== undefined) return read(document)
    return stdout.trim() === "" ? means() : { failed: "answered with what is not a JSON object" }
  }

/** What nobody here can pass on is not lost without a word. */
export const unread = (object: JsonObject, known: readonly string[]): readonly Intent[] => {
  const left = Object.keys(object).filter((key) => !known.includes(key))
  return left.length === 0
    ? []
    : [diagnostic("warn", `of the command's answer this is not passed on: ${left.join(", ")}`)]
}
