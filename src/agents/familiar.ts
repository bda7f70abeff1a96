/** The events that Claude Code and Codex report under the same field names. */
import type { CanonicalEvent, Dispatched, PassedEvent } from "../../events/agentEvents.ts"
import { type Given, present, type Reading, responseGiven } from "./decode.ts"
import { derivedFrom, dispatched } from "./derive.ts"
import type { Call } from "./toolCall.ts"

const calling = (fields: Given) => present("toolUseId", fields.text("tool_use_id"))
const stopping = (fields: Given) => ({
  stopHookActive: fields.flag("stop_hook_active"),
  ...present("lastMessage", fields.text("last_assistant_message"))
})
const subagent = (fields: Given) => ({
  agentId: fields.text("agent_id") ?? "",
  agentType: fields.text("agent_type") ?? ""
})

/** What an event says beyond its tool call; nothing for one that only its own agent has. */
const told = (event: CanonicalEvent | PassedEvent, fields: Given): Dispatched => {
  const durationMs = present("durationMs", fields.number("duration_ms"))
  switch (event) {
    case "session.start":
      return dispatched(event, {
        source: fields.text("source") ?? "unknown",
        ...present("model", fields.text("model"))
      })
    case "session.setup":
      return dispatched(event, { trigger: fields.text("trigger") ?? "unknown" })
    case "session.end":
      return dispatched(event, { reason: fields.text("reason") ?? "unknown" })
    case "prompt.submit":
      return dispatched(event, { prompt: fields.text("prompt") ?? "" })
    case "prompt.expand":
      return dispatched(event, {
        prompt: fields.text("prompt") ?? "",
        command: fields.text("command_name") ?? "",
        arguments: fields.text("command_args") ?? ""
      })
    case "model.before":
      return dispatched(event, present("model", fields.text("model")))
    case "model.after":
      return dispatched(event, { text: fields.text("delta") ?? "", final: fields.flag("final") })
    case "tool.before":
      return dispatched(event, calling(fields))
    case "tool.permission": {
      const reason = fields.text("reason")
      return dispatched(event, {
        ...calling(fields),
        denied: reason !== undefined,
        ...present("reason", reason)
      })
    }
    case "tool.after":
      return dispatched(event, { ...calling(fields), ...durationMs })
    case "tool.failure":
      return dispatched(event, {
        ...calling(fields),
        error: fields.text("error") ?? "",
        interrupted: fields.flag("is_interrupt"),
        ...durationMs
      })
    case "turn.stop":
      return dispatched(event, stopping(fields))
    case "turn.error":
      return dispatched(event, {
        error: fields.text("error") ?? "unknown",
        ...present("details", fields.text("error_details"))
      })
    case "subagent.start":
      return dispatched(event, subagent(fields))
    case "subagent.stop":
      return dispatched(event, { ...subagent(fields), ...stopping(fields) })
    case "compact.before":
      return dispatched(event, {
        trigger: fields.text("trigger") ?? "unknown",
        ...present("instructions", fields.text("custom_instructions"))
      })
    case "compact.after":
      return dispatched(event, {
        trigger: fields.text("trigger") ?? "unknown",
        ...present("summary", fields.text("compact_summary"))
      })
    case "notify":
      return dispatched(event, {
        message: fields.text("message") ?? "",
        ...present("kind", fields.text("notification_type")),
        ...present("title", fields.text("title"))
      })
    default:
      return { event, data: {} }
  }
}

const ran = new Set<string>(["tool.after", "tool.failure"])

/** Reads an event with the agent's own way of reading its tool calls. */
export const readFamiliar = (
  event: CanonicalEvent | PassedEvent,
  fields: Given,
  readCall: (fields: Given) => Call | undefined
): Reading => {
  const call = readCall(fields)
  const own = told(event, fields)
  if (event === "turn.stop")
    return { event: own, derived: responseGiven(fields.text("last_assistant_message")) }
  if (event === "session.end")
    return {
      event: own,
      derived: [dispatched("session.ending", { reason: fields.text("reason") ?? "unknown" })]
    }
  return { event: own, tool: call?.tool, derived: call && ran.has(event) ? derivedFrom(call) : [] }
}
