/**
 * What Kiro sends to a hook, event by event, as its pages and people who looked have it (September 2026): types and check come from
 * this one description. Kiro CLI 2 sends the same fields, often without a session.
 */
import type { Fields, Struct } from "../shape.ts"

const common = {
  "hook_event_name?": "string",
  "session_id?": "string",
  "cwd?": "string"
} as const satisfies Fields

/** No event names the call that it is about. */
const tool = { ...common, tool_name: "string", tool_input: "json" } as const satisfies Fields

/** By native event, as Kiro CLI 3 spells it. */
export const kiroPayloads = {
  // Kiro CLI 2 tells the first prompt here already.
  SessionStart: { ...common, "prompt?": "string" },
  UserPromptSubmit: { ...common, prompt: "string" },
  PreToolUse: tool,
  PostToolUse: { ...tool, tool_response: "json" },
  Stop: { ...common, "assistant_response?": "string" }
} as const satisfies { readonly [event: string]: Fields }

export type KiroEvent = keyof typeof kiroPayloads

/** The payload of one native event, such as `KiroPayload<"PreToolUse">`. Newer versions may send more fields. */
export type KiroPayload<E extends KiroEvent> = Struct<(typeof kiroPayloads)[E]>
