/** What was said in a session, from the file that the agent itself keeps: Claude Code, Codex, Gemini CLI, told apart by their lines. */
import { isAbsolute } from "node:path"
import type { Json } from "../../../events/intents.ts"
import type { Transcript, TranscriptEntry } from "../../hooks/Services.ts"
import { messageOf } from "../../state/messageOf.ts"
import { bounded, readPart } from "../../state/readFiles.ts"

const usualLast = 50
const maxLast = 1000
/** From the end of the file. */
export const maxBytes = 4_194_304
const longestText = 8000
/** Of one answer, in characters. */
const maxText = 524_288

type Plain = { readonly [key: string]: unknown }
type Said = TranscriptEntry & {
  /** Of a call and its answer. */
  readonly call?: string
}

const isPlain = (value: unknown): value is Plain =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const text = (value: unknown): string => (typeof value === "string" ? value : "")

const clipped = (value: string): string =>
  value.length > longestText ? `${value.slice(0, longestText)}…` : value

const clip = (value: unknown): Json => {
  const json = JSON.stringify(value ?? null)
  return json.length > longestText ? `${json.slice(0, longestText)}…` : (JSON.parse(json) as Json)
}

const list = (value: unknown): readonly Plain[] => (Array.isArray(value) ? value.filter(isPlain) : [])

/** The texts of a content that is one, or a list of parts. */
const contentText = (content: unknown): string =>
  typeof content === "string"
    ? content
    : list(content)
        .map((part) => text(part["text"]))
        .filter((part) => part !== "")
        .join("\n")

const stamped = (at: unknown): { readonly at?: string } => (typeof at === "string" ? { at } : {})

const spoken = (role: "user" | "assistant", content: string, at: unknown): readonly Said[] =>
  content.trim() === "" ? [] : [{ role, text: content, ...stamped(at) }]

/** Text that the agent puts before the user's own words. */
const isContext = (content: string): boolean =>
  /^\s*(<(environment_context|session_context|user_instructions|system-reminder)\b|# AGENTS\.md)/.test(
    content
  )

const claude = (line: Plain): readonly Said[] => {
  const { isMeta, isSidechain, message, timestamp, type } = line
  if (isSidechain === true || isMeta === true || !isPlain(message)) return []
  if (type !== "user" && type !== "assistant") return []
  const { content } = message
  if (typeof content === "string") return isContext(content) ? [] : spoken(type, content, timestamp)
  return list(content).flatMap((block): readonly Said[] => {
    if (block["type"] === "text") {
      const said = text(block["text"])
      return isContext(said) ? [] : spoken(type, said, timestamp)
    }
    if (block["type"] === "tool_use")
      return [
        {
          role: "assistant",
          text: "",
          tool: text(block["name"]),
          input: clip(block["input"]),
          call: text(block["id"]),
          ...stamped(timestamp)
        }
      ]
    if (block["type"] === "tool_result")
      return [
        {
          role: "tool",
          text: contentText(block["content"]),
          call: text(block["tool_use_id"]),
          ...stamped(timestamp)
        }
      ]
    return []
  })
}

const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json)
  } catch {
    return json
  }
}

const codex = ({ payload, timestamp }: Plain): readonly Said[] => {
  if (!isPlain(payload)) return []
  const { call_id: call, name, role, type } = payload
  const common = { call: text(call), ...stamped(timestamp) }
  switch (type) {
    case "message": {
      const said = contentText(payload["content"])
      return (role !== "user" && role !== "assistant") || isContext(said) ? [] : spoken(role, said, timestamp)
    }
    case "function_call":
      return [
        {
          role: "assistant",
          text: "",
          tool: text(name),
          input: clip(parsed(text(payload["arguments"]))),
          ...common
        }
      ]
    case "custom_tool_call":
      return [{ role: "assistant", text: "", tool: text(name), input: clip(payload["input"]), ...common }]
    case "local_shell_call":
      return [{ role: "assistant", text: "", tool: "local_shell", input: clip(payload["action"]), ...common }]
    case "function_call_output":
    case "custom_tool_call_output": {
      const { output } = payload
      return [
        { role: "tool", text: isPlain(output) ? text(output["content"]) : contentText(output), ...common }
      ]
    }
    default:
      return []
  }
}

const gemini = ({ content, timestamp, toolCalls, type }: Plain): readonly Said[] => {
  const said = contentText(content)
  if (type === "gemini") {
    const calls = list(toolCalls).map(
      (call): Said => ({
        role: "assistant",
        text: "",
        tool: text(call["name"]),
        input: clip(call["args"]),
        call: text(call["id"]),
        ...stamped(call["timestamp"] ?? timestamp)
      })
    )
    return [...spoken("assistant", said, timestamp), ...calls]
  }
  const answers = list(content).flatMap((part): readonly Said[] => {
    const { functionResponse: answer } = part
    if (!isPlain(answer)) return []
    const { response } = answer
    const output = isPlain(response) ? (response["output"] ?? response["error"] ?? response) : response
    return [
      {
        role: "tool",
        text: typeof output === "string" ? output : JSON.stringify(output ?? null),
        tool: text(answer["name"]),
        call: text(answer["id"]),
        ...stamped(timestamp)
      }
    ]
  })
  return [...(isContext(said) ? [] : spoken("user", said, timestamp)), ...answers]
}

const isGemini = ({ content, type }: Plain): boolean =>
  (type === "user" || type === "gemini") && content !== undefined

/** The messages of one line; Gemini CLI writes the same one again as it grows, and at times all of them anew. */
const messagesOf = (line: Plain): readonly { readonly id?: string; readonly said: readonly Said[] }[] => {
  const whole = isPlain(line["$set"]) ? line["$set"] : line
  if (Array.isArray(whole["messages"])) return list(whole["messages"]).flatMap(messagesOf)
  if (line["type"] === "response_item") return [{ said: codex(line) }]
  if (isPlain(line["message"])) return [{ said: claude(line) }]
  return isGemini(line) ? [{ id: text(line["id"]), said: gemini(line) }] : []
}

/** All that was said, in order. Pure. Lines that are no JSON, or say nothing, are passed over. */
export const entriesOf = (content: string): readonly TranscriptEntry[] => {
  const messages = new Map<string, readonly Said[]>()
  const take = (value: unknown): void => {
    if (!isPlain(value)) return
    for (const { id, said } of messagesOf(value)) messages.set(id || `#${messages.size}`, said)
  }
  // An older Gemini CLI keeps one document.
  const whole = parsed(content)
  if (isPlain(whole)) take(whole)
  else for (const line of content.split("\n")) if (line.startsWith("{")) take(parsed(line))
  const all = [...messages.values()].flat()
  const tools = new Map(all.flatMap(({ call, tool }) => (call && tool ? [[call, tool] as const] : [])))
  return all.map(({ call, ...entry }) => {
    const tool = entry.tool ?? (call === undefined ? undefined : tools.get(call))
    return { ...entry, text: clipped(entry.text), ...(tool === undefined ? {} : { tool }) }
  })
}

/** Only the end of the file is read, and only when a handler asks. `path`: as the payload says it. */
export const readTranscript = (path: unknown, last: number | undefined): Transcript => {
  const none = { entries: [], truncated: false }
  if (typeof path !== "string" || path === "")
    return { ...none, problem: "the agent does not say where its transcript is" }
  if (!isAbsolute(path)) return { ...none, problem: `${path} is no absolute path` }
  let part: ReturnType<typeof readPart>
  try {
    part = readPart(path, maxBytes, "end")
  } catch (cause) {
    return { ...none, problem: messageOf(cause) }
  }
  if (part === undefined) return { ...none, problem: `${path} is not there (yet)` }
  const cutOff = part.bytes.length < part.size
  const whole = part.bytes.toString("utf8")
  const all = entriesOf(cutOff ? whole.slice(whole.indexOf("\n") + 1) : whole)
  const kept: TranscriptEntry[] = []
  let length = 0
  for (const entry of all.slice(-Math.max(1, bounded(last, usualLast, maxLast))).reverse()) {
    length += JSON.stringify(entry).length
    if (length > maxText) break
    kept.unshift(entry)
  }
  const problem = all.length === 0 && part.size > 0 ? "no entry of it is of a known shape" : undefined
  return {
    entries: kept,
    truncated: cutOff || kept.length < all.length,
    ...(problem === undefined ? {} : { problem })
  }
}
