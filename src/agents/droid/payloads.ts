/**
 * What Factory's Droid sends to a hook, event by event, as its pages have it (August 2026): types and check come from this one
 * description. Its pages write the common fields in camel case now and wrote them in snake case before; both are read.
 */
import type { Fields, Struct } from "../shape.ts"

const modes = { word: ["off", "spec", "auto-low", "auto-medium", "auto-high"] } as const

const common = {
  "sessionId?": "string",
  "session_id?": "string",
  "transcriptPath?": "string",
  "transcript_path?": "string",
  "cwd?": "string",
  "permissionMode?": modes,
  "permission_mode?": "string",
  "hookEventName?": "string",
  "hook_event_name?": "string"
} as const satisfies Fields

const tool = {
  ...common,
  tool_name: "string",
  tool_input: "json",
  "tool_use_id?": "string"
} as const satisfies Fields

const stop = {
  ...common,
  "stopHookActive?": "boolean",
  "stop_hook_active?": "boolean"
} as const satisfies Fields

/** By native event. */
export const droidPayloads = {
  SessionStart: { ...common, source: { word: ["startup", "resume", "clear", "compact"] } },
  UserPromptSubmit: { ...common, prompt: "string" },
  PreToolUse: tool,
  PostToolUse: { ...tool, tool_response: "json" },
  Notification: { ...common, message: "string" },
  Stop: stop,
  SubagentStop: stop,
  PreCompact: {
    ...common,
    trigger: { word: ["manual", "auto"] },
    "customInstructions?": "string",
    "custom_instructions?": "string"
  },
  SessionEnd: { ...common, reason: { word: ["clear", "logout", "prompt_input_exit", "other"] } }
} as const satisfies { readonly [event: string]: Fields }

export type DroidEvent = keyof typeof droidPayloads

/** The payload of one native event, such as `DroidPayload<"PreToolUse">`. Newer versions may send more fields. */
export type DroidPayload<E extends DroidEvent> = Struct<(typeof droidPayloads)[E]>
