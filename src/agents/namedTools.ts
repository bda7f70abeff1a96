/** The agents whose payloads name their tool at the top, in `tool_name`, and the tools that their adapters know by name. */
import type { Agent } from "../../events/agentEvents.ts"
import { toolNames as claudeCode } from "./claude-code/tools.ts"
import { toolNames as cline } from "./cline/tools.ts"
import { toolNames as codex } from "./codex/tools.ts"
import { toolNames as droid } from "./droid/tools.ts"
import { toolNames as geminiCli } from "./gemini-cli/tools.ts"
import { toolNames as kiro } from "./kiro/tools.ts"
import { toolNames as opencode } from "./opencode/tools.ts"
import { toolNames as qwenCode } from "./qwen-code/tools.ts"
import { toolNames as vscode } from "./vscode/tools.ts"

export const namedTools: Readonly<Partial<Record<Agent, readonly string[]>>> = {
  "claude-code": claudeCode,
  codex,
  "gemini-cli": geminiCli,
  "qwen-code": qwenCode,
  opencode,
  cline,
  droid,
  vscode,
  kiro
}

const names: ReadonlySet<string> = new Set(Object.values(namedTools).flat())

/** Whether some agent has a tool of this name for everybody; any other name may be a person's own. */
export const isAgentsTool = (name: string): boolean => names.has(name)
