/**
 * What GitHub Copilot CLI sends to a hook whose event is spelled as other agents spell it (as of 1.0.102): types and check come from
 * this one description.
 */
import type { Fields, Struct } from "../shape.ts"

const common = {
  hook_event_name: "string",
  session_id: "string",
  "timestamp?": "string",
  "cwd?": "string"
} as const satisfies Fields

/** No event names the call that it is about. */
const tool = { ...common, tool_name: "string", tool_input: "json" } as const satisfies Fields

const stop = {
  ...common,
  "transcript_path?": "string",
  "stop_reason?": "string",
  "stop_hook_active?": "boolean"
} as const satisfies Fields

/** By native event. */
export const copilotPayloads = {
  SessionStart: {
    ...common,
    source: { word: ["startup", "resume", "new"] },
    "initial_prompt?": "string"
  },
  UserPromptSubmit: { ...common, prompt: "string" },
  PreToolUse: tool,
  PostToolUse: {
    ...tool,
    tool_result: { fields: { "result_type?": "string", "text_result_for_llm?": "string" } }
  },
  PostToolUseFailure: { ...tool, error: "string" },
  SubagentStop: {
    ...stop,
    "agent_id?": "string",
    "agent_type?": "string",
    "agent_name?": "string",
    "agent_display_name?": "string",
    "last_assistant_message?": "string"
  },
  Stop: stop,
  ErrorOccurred: {
    ...common,
    error: { fields: { message: "string", "name?": "string", "stack?": "string" } },
    "error_context?": { word: ["model_call", "tool_execution", "system", "user_input"] },
    "recoverable?": "boolean"
  },
  PreCompact: {
    ...common,
    "transcript_path?": "string",
    trigger: { word: ["manual", "auto"] },
    "custom_instructions?": "string"
  },
  SessionEnd: { ...common, reason: { word: ["complete", "error", "abort", "timeout", "user_exit"] } }
} as const satisfies { readonly [event: string]: Fields }

export type CopilotEvent = keyof typeof copilotPayloads

/** The payload of one native event, such as `CopilotPayload<"PreToolUse">`. Newer versions may send more fields. */
export type CopilotPayload<E extends CopilotEvent> = Struct<(typeof copilotPayloads)[E]>
