/** The adapter of Cursor: from its documentation, not exercised with Cursor itself. */
import type { CanonicalEvent, PassedEvent } from "../../../events/agentEvents.ts"
import { type Given, present, type Reading, responseGiven } from "../decode.ts"
import { derivedFrom, dispatched } from "../derive.ts"
import { exitMeansBlock } from "../encode.ts"
import { type EventRow, makeAdapter } from "../makeAdapter.ts"
import { type CursorEvent, cursorPayloads } from "./payloads.ts"
import { cursorRules } from "./rules.ts"
import { readCall } from "./tools.ts"

/** Cursor tells of one call several times over; by default the events that tell of every tool are listened to. */
const rows: { readonly [E in CursorEvent]: EventRow } = {
  sessionStart: { event: "session.start" },
  sessionEnd: { event: "session.end" },
  beforeSubmitPrompt: { event: "prompt.submit" },
  preToolUse: { event: "tool.before" },
  postToolUse: { event: "tool.after" },
  postToolUseFailure: { event: "tool.failure" },
  beforeShellExecution: { event: "tool.before", register: "never" },
  afterShellExecution: { event: "tool.after", register: "never" },
  beforeMCPExecution: { event: "tool.before", register: "never" },
  afterMCPExecution: { event: "tool.after", register: "never" },
  beforeReadFile: { event: "tool.before", register: "never" },
  afterFileEdit: { event: "tool.after", register: "never" },
  beforeTabFileRead: { event: "agent.beforeTabFileRead", register: "on demand" },
  afterTabFileEdit: { event: "agent.afterTabFileEdit", register: "on demand" },
  subagentStart: { event: "subagent.start" },
  subagentStop: { event: "subagent.stop" },
  preCompact: { event: "compact.before" },
  stop: { event: "turn.stop" },
  afterAgentResponse: { event: "model.after" },
  afterAgentThought: { event: "agent.afterAgentThought", register: "on demand" },
  workspaceOpen: { event: "session.setup", register: "on demand" }
}

/** Where the one text for the model is the reason of a denial. */
const denying = new Set<string>(["preToolUse", "beforeShellExecution", "beforeMCPExecution"])

/** `loop_count` is how often a hook has made the agent go on. */
const stopHookActive = (fields: Given): boolean => (fields.number("loop_count") ?? 0) > 0

const stopped = (fields: Given): Reading => {
  switch (fields.text("status")) {
    case "error":
      return { event: dispatched("turn.error", { error: "unknown" }) }
    case "aborted":
      return { event: dispatched("turn.interrupt", {}) }
    default:
      return { event: dispatched("turn.stop", { stopHookActive: stopHookActive(fields) }) }
  }
}

const readEvent = (event: CanonicalEvent | PassedEvent, fields: Given, native: string): Reading => {
  const call = readCall(native, fields)
  const toolUseId = present("toolUseId", fields.text("tool_use_id"))
  const durationMs = present("durationMs", fields.number("duration"))
  const derived = call ? derivedFrom(call) : []
  switch (event) {
    case "session.start": {
      const source = fields.flag("is_background_agent") ? "background" : "unknown"
      return { event: dispatched(event, { source, ...present("model", fields.text("model")) }) }
    }
    case "session.setup":
      return { event: dispatched(event, { trigger: "workspace" }) }
    case "session.end": {
      const reason = fields.text("reason") ?? "unknown"
      return { event: dispatched(event, { reason }), derived: [dispatched("session.ending", { reason })] }
    }
    case "prompt.submit":
      return { event: dispatched(event, { prompt: fields.text("prompt") ?? "" }) }
    case "model.after": {
      const text = fields.text("text")
      return { event: dispatched(event, { text: text ?? "" }), derived: responseGiven(text) }
    }
    case "tool.before":
      return { event: dispatched(event, toolUseId), tool: call?.tool }
    case "tool.after":
      return { event: dispatched(event, { ...toolUseId, ...durationMs }), tool: call?.tool, derived }
    case "tool.failure": {
      const error = fields.text("error_message") ?? ""
      const interrupted = fields.flag("is_interrupt")
      const data = { ...toolUseId, error, interrupted, ...durationMs }
      return { event: dispatched(event, data), tool: call?.tool, derived }
    }
    case "turn.stop":
      return stopped(fields)
    case "subagent.start":
    case "subagent.stop": {
      const agentType = fields.text("subagent_type") ?? ""
      const who = { agentId: fields.text("subagent_id") ?? "", agentType }
      if (event === "subagent.start") return { event: dispatched(event, who) }
      const lastMessage = present("lastMessage", fields.text("summary"))
      return { event: dispatched(event, { ...who, stopHookActive: stopHookActive(fields), ...lastMessage }) }
    }
    case "compact.before":
      return { event: dispatched(event, { trigger: fields.text("trigger") ?? "unknown" }) }
    default:
      return { event: { event, data: {} } }
  }
}

export const cursor = makeAdapter({
  agent: "cursor",
  rows,
  payloads: cursorPayloads,
  readEvent,
  cwd: (fields) => {
    const [root] = (fields.json("workspace_roots") ?? []) as readonly string[]
    return root
  },
  rules: cursorRules,
  dialect: {
    // With exit code 0 Cursor reads JSON; nothing at all might count as a broken hook.
    neutral: {},
    withheld: (wish, { blocks }, tool, native) => {
      if (wish === "context" && denying.has(native) && blocks.length === 0)
        return "Cursor hands the model a message here only with a denial"
      return wish === "output" && tool?.kind !== "mcp"
        ? "Cursor takes a changed output of MCP tools only"
        : undefined
    },
    exit: exitMeansBlock
  }
})
