/** What Gemini CLI sends to a hook, event by event (as of 0.61.0): types and check come from this one description. */
import type { Fields, Struct } from "../shape.ts"

const common = {
  session_id: "string",
  "transcript_path?": "string",
  "cwd?": "string",
  hook_event_name: "string",
  "timestamp?": "string"
} as const satisfies Fields

const tool = {
  ...common,
  tool_name: "string",
  tool_input: "object",
  "mcp_context?": "object",
  "original_request_name?": "string"
} as const satisfies Fields

const model = { ...common, llm_request: { fields: { "model?": "string" } } } as const satisfies Fields

/** By native event. */
export const geminiCliPayloads = {
  SessionStart: { ...common, source: { word: ["startup", "resume", "clear"] } },
  SessionEnd: { ...common, reason: { word: ["exit", "clear", "logout", "prompt_input_exit", "other"] } },
  BeforeAgent: { ...common, prompt: "string" },
  AfterAgent: {
    ...common,
    "prompt?": "string",
    "prompt_response?": "string",
    "stop_hook_active?": "boolean"
  },
  BeforeModel: model,
  AfterModel: { ...model, llm_response: { fields: { "text?": "string" } } },
  BeforeToolSelection: model,
  BeforeTool: tool,
  AfterTool: { ...tool, tool_response: "json" },
  Notification: {
    ...common,
    notification_type: { word: ["ToolPermission"] },
    message: "string",
    "details?": "object"
  },
  PreCompress: { ...common, trigger: { word: ["auto", "manual"] } }
} as const satisfies { readonly [event: string]: Fields }

export type GeminiCliEvent = keyof typeof geminiCliPayloads

/** The payload of one native event, such as `GeminiCliPayload<"BeforeTool">`. Newer versions may send more fields. */
export type GeminiCliPayload<E extends GeminiCliEvent> = Struct<(typeof geminiCliPayloads)[E]>
