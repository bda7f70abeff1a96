/** What Windsurf documents that it sends to a hook, event by event: types and check come from this one description. */
import type { Fields, Struct } from "../shape.ts"

/** Beside `tool_info`. */
export const windsurfEnvelope = {
  agent_action_name: "string",
  "trajectory_id?": "string",
  "execution_id?": "string",
  "timestamp?": "string",
  "model_name?": "string"
} as const satisfies Fields

const file = { file_path: "string" } as const satisfies Fields
const edits = {
  ...file,
  edits: { listOf: { fields: { old_string: "string", new_string: "string" } } }
} as const satisfies Fields
const command = { command_line: "string", "cwd?": "string" } as const satisfies Fields
const mcp = {
  mcp_server_name: "string",
  mcp_tool_name: "string",
  "mcp_tool_arguments?": "json"
} as const satisfies Fields

/** `tool_info` by native event. */
export const windsurfInfo = {
  pre_user_prompt: { user_prompt: "string" },
  pre_read_code: file,
  post_read_code: file,
  pre_write_code: edits,
  post_write_code: edits,
  pre_run_command: command,
  post_run_command: command,
  pre_mcp_tool_use: mcp,
  post_mcp_tool_use: { ...mcp, "mcp_result?": "json" },
  // Older clients call it `cascade_response`.
  post_cascade_response: { "response?": "string", "cascade_response?": "string" },
  post_cascade_response_with_transcript: { transcript_path: "string" },
  post_setup_worktree: { worktree_path: "string", root_workspace_path: "string" }
} as const satisfies { readonly [event: string]: Fields }

export type WindsurfEvent = keyof typeof windsurfInfo

/** The payload of one native event, such as `WindsurfPayload<"pre_run_command">`. Newer versions may send more fields. */
export type WindsurfPayload<E extends WindsurfEvent> = Struct<typeof windsurfEnvelope> & {
  readonly tool_info: Struct<(typeof windsurfInfo)[E]>
}
