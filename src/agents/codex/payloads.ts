/** What Codex sends to a hook, event by event (as of 0.171.0): types and check come from this one description. */
import type { Fields, Struct } from "../shape.ts"

const session = {
  session_id: "string",
  "transcript_path?": { nullOr: "string" },
  "cwd?": "string",
  hook_event_name: "string"
} as const satisfies Fields

const mode = {
  "permission_mode?": { word: ["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"] }
} as const satisfies Fields

const turn = {
  ...session,
  "model?": "string",
  "turn_id?": "string",
  "agent_id?": "string",
  "agent_type?": "string"
} as const satisfies Fields

const tool = {
  ...turn,
  ...mode,
  tool_name: "string",
  tool_input: "json",
  "tool_use_id?": "string"
} as const satisfies Fields

const modelRequest = {
  ...turn,
  "kind?": "string",
  "request_id?": "string",
  "attempt_number?": "number",
  "thread_id?": "string"
} as const satisfies Fields

const compact = { ...turn, trigger: { word: ["manual", "auto"] } } as const satisfies Fields

const stop = {
  ...turn,
  ...mode,
  "stop_hook_active?": "boolean",
  "last_assistant_message?": { nullOr: "string" }
} as const satisfies Fields

/** By native event. */
export const codexPayloads = {
  SessionStart: {
    ...session,
    ...mode,
    "model?": "string",
    source: { word: ["startup", "resume", "clear", "compact", "fork"] }
  },
  SessionEnd: { ...session, reason: { word: ["other"] } },
  UserPromptSubmit: { ...turn, ...mode, prompt: "string" },
  PreModelRequest: modelRequest,
  PostModelRequest: {
    ...modelRequest,
    "response_id?": { nullOr: "string" },
    "status?": "string",
    "error?": "json",
    "token_usage?": "json"
  },
  PreToolUse: tool,
  PermissionRequest: tool,
  PostToolUse: { ...tool, tool_response: "json" },
  PreCompact: compact,
  PostCompact: compact,
  SubagentStart: { ...turn, ...mode, agent_id: "string", agent_type: "string" },
  SubagentStop: {
    ...stop,
    agent_id: "string",
    agent_type: "string",
    "agent_transcript_path?": { nullOr: "string" }
  },
  Stop: stop,
  Interrupt: { ...turn, ...mode }
} as const satisfies { readonly [event: string]: Fields }

export type CodexEvent = keyof typeof codexPayloads

/** The payload of one native event, such as `CodexPayload<"PreToolUse">`. Newer versions may send more fields. */
export type CodexPayload<E extends CodexEvent> = Struct<(typeof codexPayloads)[E]>
