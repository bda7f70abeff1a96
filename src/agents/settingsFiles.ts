/** Where each agent keeps the settings that say which hooks it calls: what `install` writes to, and what an agent must not. */
import { basename, dirname, join } from "node:path"

/** Everything that decides which file is meant. `env` honours the agents' own variables for their home. */
export interface SettingsPlace {
  readonly home: string
  readonly project: string
  readonly env: Readonly<Record<string, string | undefined>>
}

type At = (place: SettingsPlace) => string

export const claudeHome: At = ({ env, home }) => env["CLAUDE_CONFIG_DIR"] || join(home, ".claude")
export const codexHome: At = ({ env, home }) => env["CODEX_HOME"] || join(home, ".codex")
export const geminiHome: At = ({ env, home }) => join(env["GEMINI_CLI_HOME"] || home, ".gemini")
export const qwenHome: At = ({ env, home }) => env["QWEN_HOME"] || join(home, ".qwen")
export const opencodeHome: At = ({ env, home }) =>
  env["OPENCODE_CONFIG_DIR"] || join(env["XDG_CONFIG_HOME"] || join(home, ".config"), "opencode")
export const clineHome: At = ({ env, home }) => env["CLINE_DIR"] || join(home, ".cline")
export const copilotHome: At = ({ env, home }) => env["COPILOT_HOME"] || join(home, ".copilot")

/** By agent and scope; a scope that is missing is one the agent does not have. */
export const settingsFiles = {
  "claude-code": {
    user: (place) => join(claudeHome(place), "settings.json"),
    project: ({ project }) => join(project, ".claude", "settings.json"),
    local: ({ project }) => join(project, ".claude", "settings.local.json")
  },
  codex: {
    user: (place) => join(codexHome(place), "hooks.json"),
    project: ({ project }) => join(project, ".codex", "hooks.json")
  },
  "gemini-cli": {
    user: (place) => join(geminiHome(place), "settings.json"),
    project: ({ project }) => join(project, ".gemini", "settings.json")
  },
  "qwen-code": {
    user: (place) => join(qwenHome(place), "settings.json"),
    project: ({ project }) => join(project, ".qwen", "settings.json")
  },
  copilot: {
    user: (place) => join(copilotHome(place), "hooks", "hooktape.json"),
    project: ({ project }) => join(project, ".github", "hooks", "hooktape.json")
  },
  // OpenCode and Cline themselves read none of these: our plugins do, which lie beside.
  opencode: {
    user: (place) => join(opencodeHome(place), "hooktape.json"),
    project: ({ project }) => join(project, ".opencode", "hooktape.json")
  },
  cline: {
    user: (place) => join(clineHome(place), "hooktape.json"),
    project: ({ project }) => join(project, ".cline", "hooktape.json")
  },
  cursor: {
    user: ({ home }) => join(home, ".cursor", "hooks.json"),
    project: ({ project }) => join(project, ".cursor", "hooks.json")
  },
  windsurf: {
    user: ({ home }) => join(home, ".codeium", "windsurf", "hooks.json"),
    project: ({ project }) => join(project, ".windsurf", "hooks.json")
  },
  droid: {
    user: ({ home }) => join(home, ".factory", "settings.json"),
    project: ({ project }) => join(project, ".factory", "settings.json"),
    local: ({ project }) => join(project, ".factory", "settings.local.json")
  },
  // In the folders that Copilot CLI reads as well; VS Code has no others for hooks alone.
  vscode: {
    user: ({ home }) => join(home, ".copilot", "hooks", "hooktape-vscode.json"),
    project: ({ project }) => join(project, ".github", "hooks", "hooktape-vscode.json")
  },
  kiro: {
    user: ({ home }) => join(home, ".kiro", "hooks", "hooktape.json"),
    project: ({ project }) => join(project, ".kiro", "hooks", "hooktape.json")
  }
} as const satisfies Readonly<Record<string, Readonly<Partial<Record<"user" | "project" | "local", At>>>>>

/** Agents without command hooks: a plugin of ours reads their settings file. */
export const byPlugin = ["opencode", "cline"] as const

/** The plugin that reads such a file, in a folder of which the agent loads every module. */
export const pluginBeside = (settings: string): string => join(dirname(settings), "plugins", "hooktape.js")

/** The other file of ours in a folder of which both Copilot CLI and VS Code run every file. */
export const besideShared = (settings: string): string =>
  join(dirname(settings), basename(settings) === "hooktape.json" ? "hooktape-vscode.json" : "hooktape.json")

/** Droid reads hooks here, where there is such a file, and not in the settings beside it. */
export const droidHooks = (settings: string): string => join(dirname(settings), "hooks.json")

/** Where Codex keeps the switches that its hooks.json has not, and the environment of its commands. */
export const codexConfigs = {
  user: (place: SettingsPlace) => join(codexHome(place), "config.toml"),
  project: ({ project }: SettingsPlace) => join(project, ".codex", "config.toml")
} as const

/** Where agents keep the plugin or extension of hooktape that they installed, and which of theirs is on. */
export const pluginFolders = {
  "claude-code": (place: SettingsPlace) => join(claudeHome(place), "plugins", "cache", "hooktape"),
  codex: (place: SettingsPlace) => join(codexHome(place), "plugins", "cache", "hooktape"),
  "gemini-cli": (place: SettingsPlace) => join(geminiHome(place), "extensions", "hooktape")
} as const

export const pluginSwitches = {
  "claude-code": (place: SettingsPlace) => join(claudeHome(place), "plugins", "installed_plugins.json"),
  "gemini-cli": (place: SettingsPlace) => join(geminiHome(place), "extensions", "extension-enablement.json")
} as const
