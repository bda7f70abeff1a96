/** What a call was about, in one text: the command, the file, the prompt. Pure; what it is given has been redacted. */
import type { Dispatched, Tool } from "../../../events/agentEvents.ts"
import type { Json, JsonObject } from "../../../events/intents.ts"

/** Characters: more of it says no more in a list. */
const longest = 400

export const clipped = (text: string, most = longest): string =>
  text.length <= most ? text : `${text.slice(0, most - 1)}…`

/** What tools without a command or a file are about, the most telling first. */
const tellingInputs = ["url", "query", "pattern", "description", "prompt", "name"] as const
/** The same of events. */
const tellingData = [
  "prompt",
  "message",
  "command",
  "path",
  "query",
  "text",
  "error",
  "source",
  "agentType",
  "trigger",
  "reason"
] as const

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const firstText = (value: Json | undefined, names: readonly string[]): string | undefined =>
  isObject(value)
    ? names
        .map((name) => value[name])
        .find((one): one is string => typeof one === "string" && one.trim() !== "")
    : undefined

const ofTool = ({ command, path, paths = [] }: Tool, input: Json | undefined): string | undefined =>
  command ?? path ?? (paths.length > 0 ? paths.join(" ") : firstText(input, tellingInputs))

/** `input`: of the tool, as its payload has it. Null where the event says nothing but its name. */
export const subjectOf = (
  events: readonly Dispatched[],
  tool: Tool | undefined,
  input: Json | undefined
): string | null => {
  const text = tool === undefined ? firstText(events[0]?.data, tellingData) : ofTool(tool, input)
  return text === undefined ? null : clipped(text.trim())
}

const unshipped = "payload not shipped"

/** Of a call that a collector has. `about`: the digest of its own subject, by which a call that is made again is known. */
export const unshippedSubject = (machine: string | null, about: string | undefined): string =>
  `${machine}: ${unshipped}${about === undefined ? "" : ` #${about}`}`

/** It tells one call from another. */
export const isTelling = (subject: string | null): boolean => subject !== null && !subject.endsWith(unshipped)

/** What a payload has for the input of its tool; a fact has it there only. */
export const toolInputIn = (payload: JsonObject): Json | undefined => payload["tool_input"]

/** The object that a payload is, and an empty one where it is none. */
export const parsedPayload = (payload: string): JsonObject => {
  try {
    const value: unknown = JSON.parse(payload)
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}
  } catch {
    return {}
  }
}

/** What a service was asked, in one line. */
export const inputText = (input: Json): string => {
  const text =
    typeof input === "string"
      ? input
      : (firstText(input, ["command", "path", "file", ...tellingInputs]) ?? JSON.stringify(input) ?? "")
  return clipped(text.trim(), 200)
}
