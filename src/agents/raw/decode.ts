/** Reads canonical JSON: what is there is taken as it is, what an event needs and was not sent gets its plain default. */
import {
  canonicalEvents,
  type Dispatched,
  derivedEvents,
  type HookEvent,
  type Tool,
  type ToolKind
} from "../../../events/agentEvents.ts"
import type { SessionId } from "../../../events/ids.ts"
import type { Json, JsonObject } from "../../../events/intents.ts"
import type { Decoded } from "../Adapter.ts"
import { feedbackGiven, given, keyOf, passed, present, responseGiven } from "../decode.ts"
import { derivedFrom, dispatched } from "../derive.ts"
import { languageOf } from "../language.ts"
import { type Fields, fieldOf, isObject, read, type Shape } from "../shape.ts"
import { signatureOf } from "../signature.ts"
import { asObject, textOf } from "../toolCall.ts"
import { rawEventFields, rawPayload } from "./payload.ts"

const named = new Set<string>([...canonicalEvents, ...derivedEvents])

/** The event that a name on the command line means. */
export const rawEvent = (name: string): HookEvent =>
  named.has(name) || name.startsWith("agent.") ? (name as HookEvent) : passed(name)

const toolOf = (value: Json | undefined): Tool | undefined => {
  if (!isObject(value)) return undefined
  const fields = given(value)
  const guess: ToolKind = fields.text("command") === undefined ? "other" : "shell"
  return {
    input: null,
    ...(read(rawPayload["tool?"].fields, value).fields as unknown as Pick<Tool, "name">),
    kind: (fields.text("kind") as ToolKind | undefined) ?? guess
  }
}

const plain = (shape: Shape): Json => {
  if (shape === "boolean") return false
  if (shape === "number") return 0
  if (typeof shape === "object" && "listOf" in shape) return []
  if (typeof shape === "object" && "oneOf" in shape)
    return shape.oneOf.includes("update") ? "update" : (shape.oneOf[0] ?? "")
  return ""
}

/** Every field that the event promises to its handlers, and whatever else was sent. */
const dataOf = (event: HookEvent, described: Fields, sent: JsonObject, own: JsonObject): JsonObject => {
  const missing: Record<string, Json> = {}
  for (const key of Object.keys(described)) {
    const { name, optional } = fieldOf(key)
    if (!optional && !Object.hasOwn(sent, name)) missing[name] = plain(described[key] as Shape)
  }
  const data = { ...missing, ...sent }
  if (event === "file.edited" && !Object.hasOwn(sent, "language"))
    return { ...data, language: languageOf(given(sent).text("path") ?? "") }
  if (event === "error.observed" && !Object.hasOwn(sent, "signature"))
    return { ...data, signature: signatureOf(given(sent).text("message") ?? "") }
  return { ...data, ...own }
}

const derivedOf = (event: HookEvent, data: JsonObject, tool: Tool | undefined): readonly Dispatched[] => {
  const fields = given(data)
  if (event === "prompt.submit") return feedbackGiven(fields.text("prompt"))
  if (event === "turn.stop") return responseGiven(fields.text("lastMessage"))
  if (event === "session.end") return [dispatched("session.ending", { reason: fields.text("reason") ?? "" })]
  if (tool === undefined || (event !== "tool.after" && event !== "tool.failure")) return []
  const failed = event === "tool.failure" || tool.ok === false || (tool.exitCode ?? 0) !== 0
  const output = textOf(tool.response)
  const said = fields.text("error") ?? ""
  const paths = tool.paths ?? (tool.path === undefined ? [] : [tool.path])
  return derivedFrom({
    tool,
    output,
    changed: !failed && tool.kind === "edit" ? paths.map((path) => ({ path, change: "update" })) : [],
    ...(failed ? { error: said === "" ? output : said } : {})
  })
}

const reserved = new Set(["event", "session", "cwd", "tool", "toolUseId"])

const without = (payload: JsonObject, left: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(payload).filter(([name]) => !reserved.has(name) && !left.includes(name)))

export const decodeRaw = (name: string, payload: JsonObject): Decoded => {
  const event = rawEvent(name)
  const described = Object.hasOwn(rawEventFields, event)
    ? rawEventFields[event as keyof typeof rawEventFields]
    : {}
  const envelope = read(rawPayload, payload)
  // An error names its tool by `tool`, where the envelope has the call.
  const ownTool = event === "error.observed" && typeof payload["tool"] === "string"
  const { fields, drift } = read(described, payload)
  const wrong = [...(ownTool ? [] : envelope.drift), ...drift]
  const heads = wrong.map((path) => path.split(/[.[]/, 1)[0] ?? path)
  const common = given(envelope.fields)
  const toolUseId = common.text("toolUseId")
  const tool = toolOf(common.json("tool"))
  const sent = { ...without(payload, heads), ...fields }
  const data = dataOf(
    event,
    described,
    sent,
    event.startsWith("tool.") ? present("toolUseId", toolUseId) : {}
  )
  const odd = [...wrong]
  return {
    session: keyOf(common.text("session") || null, "session", odd) as SessionId | null,
    cwd: common.text("cwd") || null,
    toolUseId: keyOf(toolUseId ?? null, "toolUseId", odd),
    tool,
    events: [{ event, data: asObject(data) }, ...derivedOf(event, data, tool)],
    drift: odd
  }
}
