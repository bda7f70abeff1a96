/** Where each agent looks for hooks, in which unit it counts, and which of its events are worth a process. */
import { join } from "node:path"
import * as Either from "effect/Either"
import { type SettingsAgent, settingsAgents } from "../../agents/about.ts"
import {
  besideShared,
  codexConfigs,
  droidHooks,
  pluginBeside,
  type SettingsPlace,
  settingsFiles
} from "../../agents/settingsFiles.ts"
import { clinePluginText } from "./clinePlugin.ts"
import { InstallError } from "./InstallError.ts"
import { opencodePluginText } from "./opencodePlugin.ts"

export const installAgents = settingsAgents
export type InstallAgent = SettingsAgent

export const scopes = ["user", "project", "local"] as const
export type Scope = (typeof scopes)[number]

/** Everything that decides which file is meant. `env` honours the agents' own variables for their home. */
export interface Place extends SettingsPlace {
  readonly agent: InstallAgent
  readonly scope: Scope
}

/**
 * When an event is registered without being asked for:
 * `always`; `handled`, only where a hook wants it; `asked`, never but by name.
 */
export type Registered = "always" | "handled" | "asked"

export interface Dialect {
  readonly name: string
  /** Settings file per scope; a scope that is missing is one the agent does not have. */
  readonly files: Readonly<Partial<Record<Scope, (place: Place) => string>>>
  /** The folder of whoever has the agent, where that is not the one of the user's settings. */
  readonly folder?: (place: Pick<Place, "home">) => string
  /** Milliseconds in one of the agent's time-out units; none where an entry has no time-out. */
  readonly unit: 1 | 1000 | undefined
  /**
   * How entries stand, where not in groups under their event: `bare`, the commands themselves; `typed`, the same with a word that they are
   * commands; `listed`, all events' entries in one list, each with its event's name.
   */
  readonly entries?: "bare" | "typed" | "listed"
  /** Where the agent has HTTP hooks: events that are worth a process all the same, or that it sends to none but commands. */
  readonly commandOnly?: readonly string[]
  /** What a file that we make holds besides. */
  readonly opening?: { readonly [key: string]: number | string }
  /** A file that has to lie beside the settings for them to be read; the same bytes for everyone. */
  readonly companion?: { readonly file: (settings: string) => string; readonly text: string }
  /** In the order in which they happen. */
  readonly events: Readonly<Record<string, Registered>>
  /** What a repository registers for everyone, where that is not all of `always`: what shipped hooks, chains and metrics read. */
  readonly sharedEvents?: readonly string[]
  /** No time-out is longer, in milliseconds. */
  readonly longest?: number
  /** Time-out in milliseconds where the general one does not fit. */
  readonly timeouts: Readonly<Record<string, { readonly least: number; readonly most?: number }>>
}

/** Above the general deadline of 5 s, with room for starting a cold runtime on a busy machine. */
const general = { least: 10_000, above: 5_000 }

/** Both run every file of the folder that theirs lies in. */
const sharing: readonly InstallAgent[] = ["copilot", "vscode"]

/** Another file of the agent's that says what becomes of its hooks; `settings` is the one that we write to. */
export const fileBeside = (place: Place, settings: string): string | undefined => {
  if (place.agent === "codex") return codexConfigs[place.scope === "user" ? "user" : "project"](place)
  if (sharing.includes(place.agent)) return besideShared(settings)
  return place.agent === "droid" ? droidHooks(settings) : undefined
}

export const dialects: Readonly<Record<InstallAgent, Dialect>> = {
  "claude-code": {
    name: "Claude Code",
    files: settingsFiles["claude-code"],
    unit: 1000,
    events: {
      Setup: "always",
      SessionStart: "always",
      InstructionsLoaded: "always",
      UserPromptSubmit: "always",
      UserPromptExpansion: "always",
      // Fires for every piece of text on its way to the screen.
      MessageDisplay: "handled",
      PreToolUse: "always",
      PreSkillShellCommand: "always",
      PermissionRequest: "always",
      PermissionDenied: "always",
      PostToolUse: "always",
      PostToolUseFailure: "always",
      PostToolBatch: "always",
      Notification: "always",
      SubagentStart: "always",
      SubagentStop: "always",
      TaskCreated: "always",
      TaskCompleted: "always",
      TeammateIdle: "always",
      Stop: "always",
      StopFailure: "always",
      PreCompact: "always",
      PostCompact: "always",
      PreModelSwitch: "always",
      PostModelSwitch: "always",
      ConfigChange: "always",
      CwdChanged: "always",
      DirectoryAdded: "always",
      // Reports only files that a matcher or a SessionStart reply put on its watch list: silent without a hook for it.
      FileChanged: "handled",
      // The command's stdout becomes the path of the worktree: being registered replaces `git worktree add`.
      WorktreeCreate: "asked",
      // A command that succeeds counts as having removed the tree: Claude Code then leaves it where it is.
      WorktreeRemove: "asked",
      Elicitation: "always",
      ElicitationResult: "always",
      SessionEnd: "always"
    },
    sharedEvents: [
      "SessionStart",
      "UserPromptSubmit",
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
      "Stop",
      "StopFailure",
      "PreCompact",
      "SessionEnd"
    ],
    // Both are sent to commands only; and a session that could not be ended over HTTP is told to the user.
    commandOnly: ["SessionStart", "Setup", "SessionEnd"],
    // All SessionEnd hooks share 1.5 s unless one of them names more: room for our second and the start before it.
    timeouts: { SessionEnd: { least: 3_000 } }
  },
  codex: {
    name: "Codex",
    files: settingsFiles.codex,
    unit: 1000,
    events: {
      SessionStart: "always",
      UserPromptSubmit: "always",
      // One process each per request to the model, for a hook that can say nothing there.
      PreModelRequest: "handled",
      PostModelRequest: "handled",
      PreToolUse: "always",
      PermissionRequest: "always",
      PostToolUse: "always",
      PreCompact: "always",
      PostCompact: "always",
      SubagentStart: "always",
      SubagentStop: "always",
      Stop: "always",
      Interrupt: "always",
      SessionEnd: "always"
    },
    // Codex clamps both to 1–3 s and says so at every start when a file asks for more.
    timeouts: { Interrupt: { least: 3_000, most: 3_000 }, SessionEnd: { least: 3_000, most: 3_000 } }
  },
  "gemini-cli": {
    name: "Gemini CLI",
    files: settingsFiles["gemini-cli"],
    unit: 1,
    events: {
      SessionStart: "always",
      BeforeAgent: "always",
      // One process per model call, and AfterModel even per streamed chunk.
      BeforeModel: "handled",
      BeforeToolSelection: "handled",
      AfterModel: "handled",
      BeforeTool: "always",
      AfterTool: "always",
      AfterAgent: "always",
      Notification: "always",
      // Also announced before model calls that compact nothing, but Gemini CLI does not wait for it.
      PreCompress: "always",
      SessionEnd: "always"
    },
    timeouts: { SessionEnd: { least: 3_000 } }
  },
  "qwen-code": {
    name: "Qwen Code",
    files: settingsFiles["qwen-code"],
    unit: 1,
    events: {
      SessionStart: "always",
      UserPromptSubmit: "always",
      PreToolUse: "always",
      PermissionRequest: "always",
      PostToolUse: "always",
      PostToolUseFailure: "always",
      Notification: "always",
      SubagentStart: "always",
      SubagentStop: "always",
      Stop: "always",
      StopFailure: "always",
      PreCompact: "always",
      PostCompact: "always",
      SessionEnd: "always"
    },
    timeouts: { SessionEnd: { least: 3_000 } }
  },
  copilot: {
    name: "GitHub Copilot CLI",
    // A file of our own in a folder of which Copilot CLI reads every file.
    files: settingsFiles.copilot,
    unit: 1000,
    opening: { version: 1 },
    events: {
      SessionStart: "always",
      UserPromptSubmit: "always",
      PreToolUse: "always",
      PostToolUse: "always",
      PostToolUseFailure: "always",
      SubagentStop: "always",
      Stop: "always",
      ErrorOccurred: "always",
      PreCompact: "always",
      SessionEnd: "always"
    },
    timeouts: { SessionEnd: { least: 3_000 } }
  },
  opencode: {
    name: "OpenCode",
    files: settingsFiles.opencode,
    unit: 1,
    entries: "bare",
    companion: { file: pluginBeside, text: opencodePluginText },
    events: {
      SessionStart: "always",
      UserPromptSubmit: "always",
      PreToolUse: "always",
      PostToolUse: "always",
      PostToolUseFailure: "always",
      Notification: "always",
      SubagentStart: "always",
      SubagentStop: "always",
      Stop: "always",
      StopFailure: "always",
      Interrupt: "always",
      PreCompact: "always",
      PostCompact: "always",
      SessionEnd: "always"
    },
    timeouts: { SessionEnd: { least: 3_000 } }
  },
  cline: {
    name: "Cline",
    files: settingsFiles.cline,
    unit: 1,
    entries: "bare",
    companion: { file: pluginBeside, text: clinePluginText },
    // Cline gives a function of a plugin 3 s, and ends the run where it is not through.
    longest: 2_500,
    events: {
      SessionStart: "always",
      UserPromptSubmit: "always",
      PreToolUse: "always",
      PostToolUse: "always",
      PostToolUseFailure: "always",
      SubagentStart: "always",
      SubagentStop: "always",
      Stop: "always",
      StopFailure: "always",
      Interrupt: "always"
    },
    timeouts: {}
  },
  cursor: {
    name: "Cursor",
    files: settingsFiles.cursor,
    unit: 1000,
    entries: "bare",
    opening: { version: 1 },
    events: {
      workspaceOpen: "handled",
      sessionStart: "always",
      beforeSubmitPrompt: "always",
      preToolUse: "always",
      postToolUse: "always",
      postToolUseFailure: "always",
      // The events above tell of the same calls: with both, each hook would run twice.
      beforeShellExecution: "asked",
      afterShellExecution: "asked",
      beforeMCPExecution: "asked",
      afterMCPExecution: "asked",
      beforeReadFile: "asked",
      afterFileEdit: "asked",
      // One process per completion in the editor.
      beforeTabFileRead: "handled",
      afterTabFileEdit: "handled",
      subagentStart: "always",
      subagentStop: "always",
      preCompact: "always",
      afterAgentResponse: "always",
      afterAgentThought: "handled",
      stop: "always",
      sessionEnd: "always"
    },
    timeouts: { sessionEnd: { least: 3_000 } }
  },
  windsurf: {
    name: "Windsurf",
    files: settingsFiles.windsurf,
    unit: undefined,
    entries: "bare",
    events: {
      post_setup_worktree: "always",
      pre_user_prompt: "always",
      pre_read_code: "always",
      post_read_code: "always",
      pre_write_code: "always",
      post_write_code: "always",
      pre_run_command: "always",
      post_run_command: "always",
      pre_mcp_tool_use: "always",
      post_mcp_tool_use: "always",
      post_cascade_response: "always",
      // The same moment told once more, without the text.
      post_cascade_response_with_transcript: "asked"
    },
    timeouts: {}
  },
  droid: {
    name: "Droid",
    files: settingsFiles.droid,
    unit: 1000,
    events: {
      SessionStart: "always",
      UserPromptSubmit: "always",
      PreToolUse: "always",
      PostToolUse: "always",
      Notification: "always",
      Stop: "always",
      SubagentStop: "always",
      PreCompact: "always",
      SessionEnd: "always"
    },
    timeouts: { SessionEnd: { least: 3_000 } }
  },
  vscode: {
    name: "VS Code",
    files: settingsFiles.vscode,
    folder: ({ home }) => join(home, ".vscode"),
    unit: 1000,
    entries: "typed",
    events: {
      SessionStart: "always",
      UserPromptSubmit: "always",
      PreToolUse: "always",
      PostToolUse: "always",
      SubagentStart: "always",
      SubagentStop: "always",
      PreCompact: "always",
      Stop: "always"
    },
    timeouts: {}
  },
  kiro: {
    name: "Kiro",
    // A file of our own in a folder of which Kiro reads every file, for all agents that are made in it.
    files: settingsFiles.kiro,
    folder: ({ home }) => join(home, ".kiro"),
    unit: 1000,
    entries: "listed",
    opening: { version: "v1" },
    events: {
      SessionStart: "always",
      UserPromptSubmit: "always",
      PreToolUse: "always",
      PostToolUse: "always",
      Stop: "always"
    },
    timeouts: {}
  }
}

/** The time-out to write for an event, in the agent's unit, where it has one; above `deadlineMs` wherever the agent lets it be. */
export const timeoutOf = (agent: InstallAgent, event: string, deadlineMs = 5_000): number | undefined => {
  const { longest = Infinity, timeouts, unit } = dialects[agent]
  if (unit === undefined) return undefined
  const special = timeouts[event]
  const least = special?.least ?? Math.max(general.least, deadlineMs + general.above)
  return Math.ceil(Math.min(least, special?.most ?? least, longest) / unit)
}

export const settingsFile = (place: Place): Either.Either<string, InstallError> => {
  const { files, name } = dialects[place.agent]
  const file = files[place.scope]
  if (file !== undefined) return Either.right(file(place))
  return Either.left(
    new InstallError({
      op: "locate",
      file: "",
      reason: `${name} has no settings of scope "${place.scope}"`,
      remedy: `Use --scope ${Object.keys(files).join(" or --scope ")}.`
    })
  )
}
