/** What our plugin in OpenCode sends to a hook, event by event (with 1.18.33): types and check come from this one description. */
import type { Fields, Struct } from "../shape.ts"

const common = {
  hook_event_name: "string",
  session_id: "string",
  "cwd?": "string",
  /** The prompt that began the turn. */
  "turn_id?": "string",
  /** A subagent is a session of its own to OpenCode; here it is told beside the session that started it. */
  "agent_id?": "string",
  "agent_type?": "string"
} as const satisfies Fields

const tool = {
  ...common,
  tool_name: "string",
  tool_input: "json",
  "tool_use_id?": "string"
} as const satisfies Fields

const subagent = { ...common, agent_id: "string", agent_type: "string" } as const satisfies Fields

/** By native event. */
export const opencodePayloads = {
  SessionStart: { ...common, source: { word: ["startup", "resume"] }, "model?": "string" },
  UserPromptSubmit: { ...common, prompt: "string" },
  PreToolUse: tool,
  PostToolUse: {
    ...tool,
    tool_response: { fields: { "output?": "string", "metadata?": "object", "content?": { listOf: "json" } } }
  },
  PostToolUseFailure: { ...tool, error: "string", "is_interrupt?": "boolean" },
  Notification: { ...common, message: "string", "notification_type?": "string" },
  SubagentStart: subagent,
  SubagentStop: { ...subagent, "last_assistant_message?": "string" },
  Stop: { ...common, "stop_hook_active?": "boolean", "last_assistant_message?": "string" },
  StopFailure: { ...common, error: "string", "error_details?": "string" },
  Interrupt: common,
  PreCompact: common,
  PostCompact: common,
  SessionEnd: { ...common, reason: "string" }
} as const satisfies { readonly [event: string]: Fields }

export type OpencodeEvent = keyof typeof opencodePayloads

/** The payload of one native event, such as `OpencodePayload<"PreToolUse">`. Newer versions may send more fields. */
export type OpencodePayload<E extends OpencodeEvent> = Struct<(typeof opencodePayloads)[E]>
