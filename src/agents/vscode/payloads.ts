/**
 * What VS Code sends to a hook of its own agent, event by event (June to September 2026): types and check come from this one
 * description. Its pages write two of the common fields in camel case, the program itself in snake case; both are read.
 */
import type { Fields, Struct } from "../shape.ts"

const common = {
  "timestamp?": "string",
  "cwd?": "string",
  "sessionId?": "string",
  "session_id?": "string",
  "hookEventName?": "string",
  "hook_event_name?": "string",
  "transcript_path?": { nullOr: "string" },
  "model?": "string"
} as const satisfies Fields

const tool = {
  ...common,
  tool_name: "string",
  tool_input: "json",
  "tool_use_id?": "string"
} as const satisfies Fields

const subagent = { ...common, agent_id: "string", agent_type: "string" } as const satisfies Fields

/** By native event. */
export const vscodePayloads = {
  SessionStart: { ...common, source: { word: ["new"] }, "agent_type?": "string" },
  UserPromptSubmit: { ...common, prompt: "string" },
  PreToolUse: tool,
  PostToolUse: { ...tool, tool_response: "json" },
  SubagentStart: subagent,
  SubagentStop: { ...subagent, "stop_hook_active?": "boolean" },
  PreCompact: { ...common, trigger: { word: ["auto"] }, "custom_instructions?": "string" },
  Stop: { ...common, "stop_hook_active?": "boolean" }
} as const satisfies { readonly [event: string]: Fields }

export type VscodeEvent = keyof typeof vscodePayloads

/** The payload of one native event, such as `VscodePayload<"PreToolUse">`. Newer versions may send more fields. */
export type VscodePayload<E extends VscodeEvent> = Struct<(typeof vscodePayloads)[E]>
