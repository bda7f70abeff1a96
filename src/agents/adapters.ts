/** Every adapter, by the agent's name. */
import type { Agent } from "../../events/agentEvents.ts"
import type { Adapter } from "./Adapter.ts"
import { claudeCode } from "./claude-code/claudeCode.ts"
import { cline } from "./cline/cline.ts"
import { codex } from "./codex/codex.ts"
import { copilot } from "./copilot/copilot.ts"
import { cursor } from "./cursor/cursor.ts"
import { droid } from "./droid/droid.ts"
import { geminiCli } from "./gemini-cli/geminiCli.ts"
import { kiro } from "./kiro/kiro.ts"
import { opencode } from "./opencode/opencode.ts"
import { qwenCode } from "./qwen-code/qwenCode.ts"
import { raw } from "./raw/raw.ts"
import { vscode } from "./vscode/vscode.ts"
import { windsurf } from "./windsurf/windsurf.ts"

export const adapters: { readonly [A in Agent]: Adapter } = {
  "claude-code": claudeCode,
  codex,
  "gemini-cli": geminiCli,
  "qwen-code": qwenCode,
  copilot,
  opencode,
  cline,
  cursor,
  windsurf,
  droid,
  vscode,
  kiro,
  raw
}
