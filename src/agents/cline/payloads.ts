/** What our plugin in Cline sends to a hook, event by event (with 3.0.65): types and check come from this one description. */
import type { Fields, Struct } from "../shape.ts"

const common = {
  hook_event_name: "string",
  session_id: "string",
  "cwd?": "string",
  /** The run that the human's prompt began. */
  "turn_id?": "string",
  /** Cline starts subagents without a name. */
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
export const clinePayloads = {
  SessionStart: { ...common, source: { word: ["startup", "resume"] } },
  UserPromptSubmit: { ...common, prompt: "string" },
  PreToolUse: tool,
  PostToolUse: { ...tool, "duration_ms?": "number", tool_response: "json" },
  PostToolUseFailure: { ...tool, "duration_ms?": "number", error: "string", "is_interrupt?": "boolean" },
  SubagentStart: subagent,
  SubagentStop: { ...subagent, "last_assistant_message?": "string" },
  Stop: { ...common, "stop_hook_active?": "boolean", "last_assistant_message?": "string" },
  StopFailure: { ...common, error: "string", "error_details?": "string" },
  Interrupt: common
} as const satisfies { readonly [event: string]: Fields }

export type ClineEvent = keyof typeof clinePayloads

/** The payload of one native event, such as `ClinePayload<"PreToolUse">`. Newer versions may send more fields. */
export type ClinePayload<E extends ClineEvent> = Struct<(typeof clinePayloads)[E]>
