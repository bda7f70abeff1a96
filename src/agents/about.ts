/** What is said of each agent: its name for people, and the variables by which it says where things are. */
import { type Agent, agents } from "../../events/agentEvents.ts"

export interface About {
  /** What it is called on pages. */
  readonly title: string
  /** Its adapter was made from the vendor's pages alone. */
  readonly isDocumentedOnly?: true
  /** Where it keeps its settings, in place of a folder in the home directory: who sets it leads it away from its hooks. */
  readonly home?: string
  /** The project, for what it starts. */
  readonly project?: string
}

export const about: { readonly [A in Agent]: About } = {
  "claude-code": { title: "Claude Code", home: "CLAUDE_CONFIG_DIR", project: "CLAUDE_PROJECT_DIR" },
  codex: { title: "Codex", home: "CODEX_HOME" },
  "gemini-cli": { title: "Gemini CLI", home: "GEMINI_CLI_HOME", project: "GEMINI_PROJECT_DIR" },
  "qwen-code": { title: "Qwen Code", home: "QWEN_HOME", project: "QWEN_PROJECT_DIR" },
  copilot: { title: "GitHub Copilot CLI", home: "COPILOT_HOME" },
  // Our plugins in these two say the project.
  opencode: { title: "OpenCode", home: "OPENCODE_CONFIG_DIR", project: "OPENCODE_PROJECT_DIR" },
  cline: { title: "Cline", home: "CLINE_DIR", project: "CLINE_PROJECT_DIR" },
  cursor: { title: "Cursor", isDocumentedOnly: true, project: "CURSOR_PROJECT_DIR" },
  windsurf: { title: "Windsurf", isDocumentedOnly: true },
  droid: { title: "Droid", isDocumentedOnly: true, project: "FACTORY_PROJECT_DIR" },
  vscode: { title: "VS Code", isDocumentedOnly: true },
  kiro: { title: "Kiro", isDocumentedOnly: true },
  raw: { title: "raw" }
}

/** Of those that have one. */
export const projectVariables: readonly string[] = agents.flatMap((agent) => about[agent].project ?? [])

/** Those that have settings in which hooks can be registered. */
export type SettingsAgent = Exclude<Agent, "raw">
export const settingsAgents: readonly SettingsAgent[] = agents.filter((agent) => agent !== "raw")
