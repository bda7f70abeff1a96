/** What Cursor documents that it sends to a hook, event by event (its pages of August 2026): types and check come from this. */
import type { Fields, Struct } from "../shape.ts"

const common = {
  hook_event_name: "string",
  "cursor_version?": "string",
  "workspace_roots?": { listOf: "string" },
  "user_email?": { nullOr: "string" }
} as const satisfies Fields

const turn = {
  ...common,
  "conversation_id?": "string",
  "generation_id?": "string",
  "model?": "string",
  "model_id?": "string",
  "model_params?": { listOf: { fields: { id: "string", value: "json" } } },
  "transcript_path?": { nullOr: "string" }
} as const satisfies Fields

const session = {
  ...turn,
  "session_id?": "string",
  "is_background_agent?": "boolean"
} as const satisfies Fields

const tool = {
  ...turn,
  tool_name: "string",
  tool_input: "json",
  "tool_use_id?": "string",
  "cwd?": "string"
} as const satisfies Fields

const shell = {
  ...turn,
  command: "string",
  "cwd?": "string",
  "sandbox?": "boolean"
} as const satisfies Fields
const mcp = { ...turn, tool_name: "string", tool_input: "json" } as const satisfies Fields
const read = { ...turn, file_path: "string", "content?": "string" } as const satisfies Fields
const attachments = {
  "attachments?": { listOf: { fields: { "type?": "string", "file_path?": "string" } } }
} as const satisfies Fields
const edit = { old_string: "string", new_string: "string" } as const satisfies Fields

/** By native event. */
export const cursorPayloads = {
  sessionStart: { ...session, "composer_mode?": { word: ["agent", "ask", "edit"] } },
  sessionEnd: {
    ...session,
    reason: { word: ["completed", "aborted", "error", "window_close", "user_close"] },
    "duration_ms?": "number",
    "final_status?": "string",
    "error_message?": "string"
  },
  beforeSubmitPrompt: { ...turn, ...attachments, prompt: "string" },
  preToolUse: { ...tool, "agent_message?": "string" },
  postToolUse: { ...tool, tool_output: "json", "duration?": "number" },
  postToolUseFailure: {
    ...tool,
    error_message: "string",
    "failure_type?": { word: ["error", "timeout", "permission_denied"] },
    "duration?": "number",
    "is_interrupt?": "boolean"
  },
  beforeShellExecution: shell,
  afterShellExecution: { ...shell, output: "string", "duration?": "number" },
  beforeMCPExecution: { ...mcp, "url?": "string", "command?": "string" },
  afterMCPExecution: { ...mcp, result_json: "json", "duration?": "number" },
  beforeReadFile: { ...read, ...attachments },
  afterFileEdit: { ...turn, file_path: "string", edits: { listOf: { fields: edit } } },
  beforeTabFileRead: read,
  afterTabFileEdit: {
    ...turn,
    file_path: "string",
    edits: {
      listOf: { fields: { ...edit, "range?": "object", "old_line?": "string", "new_line?": "string" } }
    }
  },
  subagentStart: {
    ...turn,
    subagent_id: "string",
    subagent_type: "string",
    "task?": "string",
    "parent_conversation_id?": "string",
    "tool_call_id?": "string",
    "subagent_model?": "string",
    "is_parallel_worker?": "boolean",
    "git_branch?": "string"
  },
  subagentStop: {
    ...turn,
    subagent_type: "string",
    status: { word: ["completed", "error", "aborted"] },
    "task?": "string",
    "description?": "string",
    "summary?": "string",
    "duration_ms?": "number",
    "message_count?": "number",
    "tool_call_count?": "number",
    "loop_count?": "number",
    "modified_files?": { listOf: "string" },
    "agent_transcript_path?": { nullOr: "string" }
  },
  preCompact: {
    ...turn,
    trigger: { word: ["auto", "manual"] },
    "context_usage_percent?": "number",
    "context_tokens?": "number",
    "context_window_size?": "number",
    "message_count?": "number",
    "messages_to_compact?": "number",
    "is_first_compaction?": "boolean"
  },
  stop: { ...turn, status: { word: ["completed", "aborted", "error"] }, "loop_count?": "number" },
  afterAgentResponse: { ...turn, text: "string" },
  afterAgentThought: { ...turn, text: "string", "duration_ms?": "number" },
  workspaceOpen: common
} as const satisfies { readonly [event: string]: Fields }

export type CursorEvent = keyof typeof cursorPayloads

/** The payload of one native event, such as `CursorPayload<"preToolUse">`. Newer versions may send more fields. */
export type CursorPayload<E extends CursorEvent> = Struct<(typeof cursorPayloads)[E]>
