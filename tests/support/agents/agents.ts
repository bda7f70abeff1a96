/** Which real agents are driven, and which of their hook events exist. */

export type Agent = "claude-code" | "codex" | "gemini-cli"

/** Those with a file of tests of their own are driven as well. */
export type Exercised = Agent | "qwen-code" | "copilot" | "opencode" | "cline"

export const agents: ReadonlyArray<Agent> = ["claude-code", "codex", "gemini-cli"]

export const exercised: ReadonlyArray<Exercised> = [...agents, "qwen-code", "copilot", "opencode", "cline"]

export const nativeEvents: Readonly<Record<Agent, ReadonlyArray<string>>> = {
  "claude-code": [
    "SessionStart",
    "Setup",
    "InstructionsLoaded",
    "UserPromptSubmit",
    "UserPromptExpansion",
    "MessageDisplay",
    "PreToolUse",
    "PreSkillShellCommand",
    "PermissionRequest",
    "PermissionDenied",
    "PostToolUse",
    "PostToolUseFailure",
    "PostToolBatch",
    "Notification",
    "SubagentStart",
    "SubagentStop",
    "TaskCreated",
    "TaskCompleted",
    "TeammateIdle",
    "Stop",
    "StopFailure",
    "PreCompact",
    "PostCompact",
    "PreModelSwitch",
    "PostModelSwitch",
    "ConfigChange",
    "CwdChanged",
    "DirectoryAdded",
    "FileChanged",
    "WorktreeCreate",
    "WorktreeRemove",
    "Elicitation",
    "ElicitationResult",
    "SessionEnd"
  ],
  codex: [
    "SessionStart",
    "UserPromptSubmit",
    "PreModelRequest",
    "PostModelRequest",
    "PreToolUse",
    "PermissionRequest",
    "PostToolUse",
    "PreCompact",
    "PostCompact",
    "SubagentStart",
    "SubagentStop",
    "Stop",
    "Interrupt",
    "SessionEnd"
  ],
  "gemini-cli": [
    "SessionStart",
    "BeforeAgent",
    "BeforeModel",
    "BeforeToolSelection",
    "AfterModel",
    "BeforeTool",
    "AfterTool",
    "AfterAgent",
    "Notification",
    "PreCompress",
    "SessionEnd"
  ]
}

/** A call of the agent's own shell tool, and what the agent's hooks call that tool. */
export const shellTool: Readonly<Record<Agent, (command: string) => { name: string; input: object }>> = {
  "claude-code": (command) => ({ name: "Bash", input: { command, description: "run a command" } }),
  codex: (cmd) => ({ name: "exec_command", input: { cmd } }),
  "gemini-cli": (command) => ({ name: "run_shell_command", input: { command } })
}

/** A call which creates a file; Codex edits through a patch, so it is a plain string there. */
export const writeTool: Readonly<
  Record<Agent, (path: string, content: string) => { name: string; input: object | string }>
> = {
  "claude-code": (file_path, content) => ({ name: "Write", input: { file_path, content } }),
  codex: (path, content) => ({
    name: "apply_patch",
    input: `*** Begin Patch\n*** Add File: ${path}\n${content
      .replace(/\n$/, "")
      .split("\n")
      .map((line) => `+${line}\n`)
      .join("")}*** End Patch\n`
  }),
  "gemini-cli": (file_path, content) => ({ name: "write_file", input: { file_path, content } })
}
