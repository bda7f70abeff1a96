/** What Claude Code sends to a hook, event by event (as of 2.1.332): types and check come from this one description. */
import type { Fields, Struct } from "../shape.ts"

const common = {
  session_id: "string",
  "transcript_path?": "string",
  "cwd?": "string",
  hook_event_name: "string",
  "prompt_id?": "string",
  "permission_mode?": { word: ["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions", "auto"] },
  "agent_id?": "string",
  "agent_type?": "string",
  "effort?": { fields: { "level?": "string" } }
} as const satisfies Fields

const tool = {
  ...common,
  tool_name: "string",
  tool_input: "object",
  "tool_use_id?": "string",
  "mcp_server?": { fields: { name: "string", "source?": "string" } }
} as const satisfies Fields

const stop = {
  ...common,
  "stop_hook_active?": "boolean",
  "last_assistant_message?": "string",
  "background_tasks?": {
    listOf: { fields: { id: "string", type: "string", status: "string", description: "string" } }
  },
  "session_crons?": {
    listOf: { fields: { id: "string", schedule: "string", recurring: "boolean", prompt: "string" } }
  }
} as const satisfies Fields

const task = {
  ...common,
  task_id: "string",
  task_subject: "string",
  "task_description?": "string",
  "teammate_name?": "string",
  "team_name?": "string"
} as const satisfies Fields

const modelSwitch = {
  ...common,
  from_model: "string",
  to_model: "string",
  requested_model: { nullOr: "string" },
  source: { word: ["command", "picker", "sdk", "auto", "resume"] },
  "context_tokens?": "number",
  "prompt_cache_warm?": "boolean",
  "cache_ttl?": { word: ["5m", "1h"] },
  "estimated_cache_write_usd?": "number",
  "pricing?": { word: ["configured", "catalog", "default"] }
} as const satisfies Fields

/** By native event. */
export const claudeCodePayloads = {
  SessionStart: {
    ...common,
    source: { word: ["startup", "resume", "clear", "compact", "fork"] },
    "model?": "string",
    "session_title?": "string",
    "seconds_since_last_response?": "number",
    "context_tokens?": "number",
    "prompt_cache_likely_expired?": "boolean",
    "estimated_cache_write_usd?": "number"
  },
  Setup: { ...common, trigger: { word: ["init", "maintenance"] } },
  InstructionsLoaded: {
    ...common,
    file_path: "string",
    memory_type: { word: ["User", "Project", "Local", "Managed"] },
    load_reason: { word: ["session_start", "nested_traversal", "path_glob_match", "include", "compact"] },
    "globs?": { listOf: "string" },
    "trigger_file_path?": "string",
    "parent_file_path?": "string"
  },
  UserPromptSubmit: {
    ...common,
    prompt: "string",
    "source?": { word: ["user", "sdk", "system", "loop_wakeup", "schedule_wakeup", "poll_event"] },
    "session_title?": "string"
  },
  UserPromptExpansion: {
    ...common,
    expansion_type: { word: ["slash_command", "mcp_prompt"] },
    command_name: "string",
    command_args: "string",
    "command_source?": "string",
    prompt: "string"
  },
  MessageDisplay: {
    ...common,
    turn_id: "string",
    message_id: "string",
    index: "number",
    final: "boolean",
    delta: "string"
  },
  PreToolUse: tool,
  PreSkillShellCommand: {
    ...tool,
    command_name: "string",
    "command_source?": "string",
    "invoked_by?": { word: ["user", "claude", "other"] }
  },
  PermissionRequest: { ...tool, "permission_suggestions?": { listOf: "object" } },
  PermissionDenied: { ...tool, reason: "string" },
  PostToolUse: { ...tool, tool_response: "json", "duration_ms?": "number" },
  PostToolUseFailure: { ...tool, error: "string", "is_interrupt?": "boolean", "duration_ms?": "number" },
  PostToolBatch: {
    ...common,
    tool_calls: {
      listOf: {
        fields: {
          tool_name: "string",
          tool_input: "object",
          "tool_use_id?": "string",
          "tool_response?": "json"
        }
      }
    }
  },
  Notification: { ...common, message: "string", "title?": "string", "notification_type?": "string" },
  SubagentStart: { ...common, agent_id: "string", agent_type: "string" },
  SubagentStop: { ...stop, agent_id: "string", agent_type: "string", "agent_transcript_path?": "string" },
  TaskCreated: task,
  TaskCompleted: task,
  TeammateIdle: { ...common, teammate_name: "string", "team_name?": "string" },
  Stop: stop,
  StopFailure: {
    ...common,
    error: "string",
    "error_details?": "string",
    "last_assistant_message?": "string"
  },
  PreCompact: {
    ...common,
    trigger: { word: ["manual", "auto"] },
    "custom_instructions?": { nullOr: "string" }
  },
  PostCompact: { ...common, trigger: { word: ["manual", "auto"] }, "compact_summary?": "string" },
  PreModelSwitch: modelSwitch,
  PostModelSwitch: modelSwitch,
  ConfigChange: { ...common, source: "string", "file_path?": "string" },
  CwdChanged: { ...common, old_cwd: "string", new_cwd: "string" },
  DirectoryAdded: {
    ...common,
    directory: "string",
    source: { word: ["slash_command", "register_repo_root"] }
  },
  FileChanged: { ...common, file_path: "string", event: { word: ["change", "add", "unlink"] } },
  WorktreeCreate: { ...common, name: "string" },
  WorktreeRemove: { ...common, worktree_path: "string" },
  Elicitation: {
    ...common,
    mcp_server_name: "string",
    message: "string",
    "mode?": { word: ["form", "url"] },
    "url?": "string",
    "elicitation_id?": "string",
    "requested_schema?": "object"
  },
  ElicitationResult: {
    ...common,
    mcp_server_name: "string",
    action: { word: ["accept", "decline", "cancel"] },
    "mode?": { word: ["form", "url"] },
    "elicitation_id?": "string",
    "content?": "object"
  },
  SessionEnd: { ...common, reason: { word: ["clear", "resume", "logout", "prompt_input_exit", "other"] } }
} as const satisfies { readonly [event: string]: Fields }

export type ClaudeCodeEvent = keyof typeof claudeCodePayloads

/** The payload of one native event, such as `ClaudeCodePayload<"PreToolUse">`. Newer versions may send more fields. */
export type ClaudeCodePayload<E extends ClaudeCodeEvent> = Struct<(typeof claudeCodePayloads)[E]>
