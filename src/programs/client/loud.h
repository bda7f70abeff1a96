/*
 * At which calls ("agent event") a call that nobody could handle is said to the human, and in which document. Made from the adapters:
 * npx vitest run -u tests/contract/programs/clientLoud.test.ts
 */
static const char *const loud_by_exit[] = {"Setup", "SessionStart", "PostToolUse"};
static const struct {
  const char *before, *after, *calls;
} loud_by_message[] = {
  {"{\"systemMessage\":\"hooktape: worker unreachable for ", " consecutive hooks. Run \\\"hooktape doctor\\\".\"}\n",
   "\nclaude-code UserPromptSubmit"
   "\nclaude-code UserPromptExpansion"
   "\nclaude-code MessageDisplay"
   "\nclaude-code PreToolUse"
   "\nclaude-code PreSkillShellCommand"
   "\nclaude-code PermissionRequest"
   "\nclaude-code PermissionDenied"
   "\nclaude-code PostToolUseFailure"
   "\nclaude-code PostToolBatch"
   "\nclaude-code SubagentStart"
   "\nclaude-code SubagentStop"
   "\nclaude-code TaskCreated"
   "\nclaude-code TaskCompleted"
   "\nclaude-code TeammateIdle"
   "\nclaude-code Stop"
   "\nclaude-code PreCompact"
   "\nclaude-code PreModelSwitch"
   "\nclaude-code PostModelSwitch"
   "\nclaude-code ConfigChange"
   "\nclaude-code CwdChanged"
   "\nclaude-code FileChanged"
   "\nclaude-code Elicitation"
   "\nclaude-code ElicitationResult"
   "\ncodex UserPromptSubmit"
   "\ncodex PreToolUse"
   "\ncodex PermissionRequest"
   "\ncodex PreCompact"
   "\ncodex PostCompact"
   "\ncodex SubagentStart"
   "\ncodex SubagentStop"
   "\ncodex Stop"
   "\ncodex Interrupt"
   "\ngemini-cli BeforeAgent"
   "\ngemini-cli BeforeModel"
   "\ngemini-cli AfterModel"
   "\ngemini-cli BeforeTool"
   "\ngemini-cli AfterTool"
   "\ngemini-cli AfterAgent"
   "\ngemini-cli Notification"
   "\ngemini-cli PreCompress"
   "\ngemini-cli SessionEnd"
   "\nqwen-code Stop"
   "\ndroid UserPromptSubmit"
   "\ndroid PreToolUse"
   "\ndroid Notification"
   "\ndroid Stop"
   "\ndroid SubagentStop"
   "\ndroid PreCompact"
   "\ndroid SessionEnd"
   "\nvscode UserPromptSubmit"
   "\nvscode PreToolUse"
   "\nvscode SubagentStart"
   "\nvscode SubagentStop"
   "\nvscode PreCompact"
   "\nvscode Stop" "\n"},
  {"{\"hint\":\"hooktape: worker unreachable for ", " consecutive hooks. Run \\\"hooktape doctor\\\".\"}\n",
   "\nopencode UserPromptSubmit"
   "\nopencode PreToolUse"
   "\nopencode PostToolUseFailure"
   "\nopencode Notification"
   "\nopencode SubagentStart"
   "\nopencode SubagentStop"
   "\nopencode Stop"
   "\nopencode StopFailure"
   "\nopencode Interrupt"
   "\nopencode PreCompact"
   "\nopencode PostCompact" "\n"},
  {"{\"user_message\":\"hooktape: worker unreachable for ", " consecutive hooks. Run \\\"hooktape doctor\\\".\"}\n",
   "\ncursor beforeSubmitPrompt"
   "\ncursor preToolUse"
   "\ncursor beforeShellExecution"
   "\ncursor beforeMCPExecution"
   "\ncursor beforeReadFile"
   "\ncursor subagentStart"
   "\ncursor preCompact" "\n"},
  {"{\"hints\":[\"hooktape: worker unreachable for ", " consecutive hooks. Run \\\"hooktape doctor\\\".\"]}\n",
   "\nraw session.start"
   "\nraw session.setup"
   "\nraw session.end"
   "\nraw prompt.submit"
   "\nraw prompt.expand"
   "\nraw model.before"
   "\nraw model.after"
   "\nraw tool.before"
   "\nraw tool.permission"
   "\nraw tool.after"
   "\nraw tool.failure"
   "\nraw tool.batch"
   "\nraw turn.stop"
   "\nraw turn.error"
   "\nraw turn.interrupt"
   "\nraw subagent.start"
   "\nraw subagent.stop"
   "\nraw compact.before"
   "\nraw compact.after"
   "\nraw notify"
   "\nraw checkpoint.before"
   "\nraw checkpoint.after"
   "\nraw search.before"
   "\nraw reflection.before" "\n"},
};

/* Calls at which a tool can be kept from running. */
static const char *const stopping[] = {
  "claude-code PreToolUse",
  "claude-code PreSkillShellCommand",
  "claude-code PermissionRequest",
  "claude-code PermissionDenied",
  "codex PreToolUse",
  "codex PermissionRequest",
  "gemini-cli BeforeTool",
  "qwen-code PreToolUse",
  "qwen-code PermissionRequest",
  "copilot PreToolUse",
  "opencode PreToolUse",
  "cline PreToolUse",
  "cursor preToolUse",
  "cursor beforeShellExecution",
  "cursor beforeMCPExecution",
  "cursor beforeReadFile",
  "windsurf pre_read_code",
  "windsurf pre_write_code",
  "windsurf pre_run_command",
  "windsurf pre_mcp_tool_use",
  "droid PreToolUse",
  "vscode PreToolUse",
  "kiro PreToolUse",
  "raw tool.before",
  "raw tool.permission"
};
