/** What Qwen Code sends to a hook, event by event (as of 0.24.4): types and check come from this one description. */
import type { Fields, Struct } from "../shape.ts"

const common = {
  session_id: "string",
  "transcript_path?": "string",
  "cwd?": "string",
  hook_event_name: "string",
  "timestamp?": "string"
} as const satisfies Fields

const modes = { word: ["default", "plan", "auto_edit", "yolo"] } as const

const asking = {
  ...common,
  "permission_mode?": modes,
  tool_name: "string",
  tool_input: "object"
} as const satisfies Fields

const tool = { ...asking, "tool_use_id?": "string" } as const satisfies Fields

const stop = {
  ...common,
  "stop_hook_active?": "boolean",
  "last_assistant_message?": "string"
} as const satisfies Fields

const subagent = {
  "permission_mode?": modes,
  agent_id: "string",
  agent_type: "string"
} as const satisfies Fields

/** By native event. */
export const qwenCodePayloads = {
  SessionStart: {
    ...common,
    "permission_mode?": modes,
    source: { word: ["startup", "resume", "clear", "compact", "branch"] },
    "model?": "string",
    "agent_type?": "string"
  },
  UserPromptSubmit: { ...common, prompt: "string" },
  PreToolUse: tool,
  PermissionRequest: { ...asking, "permission_suggestions?": { listOf: "object" } },
  PostToolUse: { ...tool, tool_response: "json" },
  PostToolUseFailure: { ...tool, error: "string", "is_interrupt?": "boolean" },
  Notification: {
    ...common,
    message: "string",
    notification_type: {
      word: ["permission_prompt", "idle_prompt", "auth_success", "elicitation_dialog"]
    },
    "title?": "string"
  },
  SubagentStart: { ...common, ...subagent },
  SubagentStop: { ...stop, ...subagent, "agent_transcript_path?": "string" },
  Stop: stop,
  StopFailure: {
    ...common,
    error: "string",
    "error_details?": "string",
    "last_assistant_message?": "string"
  },
  PreCompact: { ...common, trigger: { word: ["manual", "auto"] }, "custom_instructions?": "string" },
  PostCompact: { ...common, trigger: { word: ["manual", "auto"] }, "compact_summary?": "string" },
  SessionEnd: {
    ...common,
    reason: { word: ["clear", "logout", "prompt_input_exit", "bypass_permissions_disabled", "other"] }
  }
} as const satisfies { readonly [event: string]: Fields }

export type QwenCodeEvent = keyof typeof qwenCodePayloads

/** The payload of one native event, such as `QwenCodePayload<"PreToolUse">`. Newer versions may send more fields. */
export type QwenCodePayload<E extends QwenCodeEvent> = Struct<(typeof qwenCodePayloads)[E]>
