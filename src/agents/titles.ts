/** What agents are called on pages. */
import type { Agent } from "../../events/agentEvents.ts"

export const titles: { readonly [A in Agent]: string } = {
  "claude-code": "Claude Code",
  codex: "Codex",
  "gemini-cli": "Gemini CLI",
  "qwen-code": "Qwen Code",
  opencode: "OpenCode",
  copilot: "GitHub Copilot CLI",
  cursor: "Cursor",
  windsurf: "Windsurf",
  raw: "raw"
}

/** Adapters made from a vendor's pages alone. */
export const documentedOnly: readonly Agent[] = ["cursor", "windsurf"]
