/** What a handler returned, made into intents and a patch, or refused with the reason. */
import { types } from "node:util"
import type { Intent, JsonObject } from "../../events/intents.ts"
import { bounded } from "./bounded.ts"

export interface Outcome {
  readonly intents: readonly Intent[]
  readonly patch?: JsonObject
  readonly chain?: string
}

/** The handler returned something that is not in the vocabulary. */
export class NotAnIntent extends Error {
  override readonly name = "NotAnIntent"
}

type Plain = Record<string, unknown>

const isPlain = (value: unknown): value is Plain =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const levels = new Set(["debug", "info", "warn", "error"])
const optional = (value: unknown, type: string): boolean => value === undefined || typeof value === type

/** The same verdict as the schema of intents, without the schema: a law compares the two. */
export const isIntent = (value: unknown): value is Intent => {
  if (!isPlain(value)) return false
  switch (value["type"]) {
    case "DIAGNOSTIC":
      return levels.has(value["level"] as string) && typeof value["message"] === "string"
    case "MODEL_CONTEXT":
      return (
        optional(value["text"], "string") &&
        (value["permission"] === undefined ||
          value["permission"] === "allow" ||
          value["permission"] === "ask") &&
        optional(value["reason"], "string") &&
        (value["ifCannotAsk"] === undefined ||
          value["ifCannotAsk"] === "block" ||
          value["ifCannotAsk"] === "allow") &&
        (value["updatedInput"] === undefined || isPlain(value["updatedInput"])) &&
        optional(value["replacesInput"], "boolean")
      )
    case "USER_HINT":
      return typeof value["text"] === "string"
    case "BLOCKING_FEEDBACK":
      return typeof value["reason"] === "string"
    case "EXIT_SIGNAL":
      return (
        Number.isInteger(value["code"]) && (value["code"] as number) >= 0 && (value["code"] as number) <= 255
      )
    default:
      return false
  }
}

const shown = (value: unknown): string => {
  try {
    return (JSON.stringify(value) ?? String(value)).slice(0, 200)
  } catch {
    return Object.prototype.toString.call(value)
  }
}

/** What is larger is looked at under watch. */
const maxLooked = 20

/** Reading it runs nobody's code: plain data all through, so far as it is looked at. */
export const isInert = (value: unknown, depth = 0): boolean => {
  if (typeof value === "function") return false
  if (typeof value !== "object" || value === null)
    return typeof value !== "bigint" && typeof value !== "symbol"
  if (depth > 3 || types.isProxy(value) || "toJSON" in value) return false
  if (Object.getOwnPropertySymbols(value).length > 0) return false
  if (Array.isArray(value) && value.length > maxLooked) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== Array.prototype && prototype !== null) return false
  const members = Object.values(Object.getOwnPropertyDescriptors(value))
  return (
    members.length <= maxLooked &&
    members.every((one) => one.get === undefined && one.set === undefined && isInert(one.value, depth + 1))
  )
}

/** Characters of JSON, as many as a payload may have: what is no text for people, such as a tool's new input, cannot be cut. */
export const longestJson = 10 * 1024 * 1024

const withinBounds = (what: string, json: string): void => {
  if (json.length > longestJson)
    throw new NotAnIntent(`returned ${what} of ${json.length} characters; at most ${longestJson} are taken`)
}

/** One reply is read by a model and a human: more than this is a mistake. */
const maxIntents = 1000

const intentsFrom = (value: unknown): readonly Intent[] => {
  if (value === undefined || value === null) return []
  const list = Array.isArray(value) ? value : [value]
  if (list.length > maxIntents)
    throw new NotAnIntent(`returned ${list.length} intents; at most ${maxIntents} are taken`)
  // Plain data only, judged as it will stand on the log: what cannot be written there cannot be replayed from it.
  const json = JSON.stringify(list)
  const plain = JSON.parse(json) as readonly unknown[]
  plain.forEach((item, index) => {
    if (isIntent(item)) return
    // What a model is told is what most want that write a text alone.
    const instead = typeof item === "string" ? '; to tell the model, return modelContext("…")' : ""
    throw new NotAnIntent(`returned ${shown(list[index])}, which is not an intent${instead}`)
  })
  const kept = bounded(plain as readonly Intent[])
  if (json.length > longestJson) withinBounds("intents", JSON.stringify(kept))
  return kept
}

const patchFrom = (metadata: unknown): JsonObject => {
  const json = JSON.stringify(metadata) ?? "null"
  withinBounds("metadata", json)
  const patch: unknown = JSON.parse(json)
  if (!isPlain(patch)) throw new NotAnIntent(`returned metadata that is no object: ${shown(metadata)}`)
  return patch as JsonObject
}

const longestChain = 200

const chainFrom = (chain: unknown): string => {
  if (typeof chain !== "string" || chain === "" || chain.length > longestChain)
    throw new NotAnIntent(
      `returned a chain that is no text of 1 to ${longestChain} characters: ${shown(chain)}`
    )
  return chain
}

export const toOutcome = (value: unknown): Outcome => {
  if (!isPlain(value) || "type" in value || !("metadata" in value || "chain" in value))
    return { intents: intentsFrom(value) }
  const { chain, intents, metadata } = value
  return {
    intents: intentsFrom(intents),
    ...("metadata" in value && (metadata !== undefined || chain === undefined)
      ? { patch: patchFrom(metadata) }
      : {}),
    ...(chain === undefined ? {} : { chain: chainFrom(chain) })
  }
}
