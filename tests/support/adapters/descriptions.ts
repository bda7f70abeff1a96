/** What the adapters are made of, by agent: the fields of each payload, and where each wish goes in the answer. */
import type { SettingsAgent } from "../../../src/agents/about.ts"
import { claudeCodePayloads } from "../../../src/agents/claude-code/payloads.ts"
import { claudeCodeRules } from "../../../src/agents/claude-code/rules.ts"
import { clinePayloads } from "../../../src/agents/cline/payloads.ts"
import { clineRules } from "../../../src/agents/cline/rules.ts"
import { codexPayloads } from "../../../src/agents/codex/payloads.ts"
import { codexRules } from "../../../src/agents/codex/rules.ts"
import { copilotPayloads } from "../../../src/agents/copilot/payloads.ts"
import { copilotRules } from "../../../src/agents/copilot/rules.ts"
import { cursorPayloads } from "../../../src/agents/cursor/payloads.ts"
import { cursorRules } from "../../../src/agents/cursor/rules.ts"
import { droidPayloads } from "../../../src/agents/droid/payloads.ts"
import { droidRules } from "../../../src/agents/droid/rules.ts"
import { geminiCliPayloads } from "../../../src/agents/gemini-cli/payloads.ts"
import { geminiCliRules } from "../../../src/agents/gemini-cli/rules.ts"
import { kiroPayloads } from "../../../src/agents/kiro/payloads.ts"
import { kiroRules } from "../../../src/agents/kiro/rules.ts"
import { opencodePayloads } from "../../../src/agents/opencode/payloads.ts"
import { opencodeRules } from "../../../src/agents/opencode/rules.ts"
import { qwenCodePayloads } from "../../../src/agents/qwen-code/payloads.ts"
import { qwenCodeRules } from "../../../src/agents/qwen-code/rules.ts"
import type { Fields } from "../../../src/agents/shape.ts"
import { vscodePayloads } from "../../../src/agents/vscode/payloads.ts"
import { vscodeRules } from "../../../src/agents/vscode/rules.ts"
import type { Rules } from "../../../src/agents/ways.ts"
import { windsurfInfo } from "../../../src/agents/windsurf/payloads.ts"
import { windsurfRules } from "../../../src/agents/windsurf/rules.ts"

interface Description {
  readonly payloads: Readonly<Record<string, Fields>>
  readonly rules: Readonly<Record<string, Rules>>
}

export const descriptions: Readonly<Record<SettingsAgent, Description>> = {
  "claude-code": { payloads: claudeCodePayloads, rules: claudeCodeRules },
  codex: { payloads: codexPayloads, rules: codexRules },
  "gemini-cli": { payloads: geminiCliPayloads, rules: geminiCliRules },
  "qwen-code": { payloads: qwenCodePayloads, rules: qwenCodeRules },
  copilot: { payloads: copilotPayloads, rules: copilotRules },
  opencode: { payloads: opencodePayloads, rules: opencodeRules },
  cline: { payloads: clinePayloads, rules: clineRules },
  cursor: { payloads: cursorPayloads, rules: cursorRules },
  windsurf: { payloads: windsurfInfo, rules: windsurfRules },
  droid: { payloads: droidPayloads, rules: droidRules },
  vscode: { payloads: vscodePayloads, rules: vscodeRules },
  kiro: { payloads: kiroPayloads, rules: kiroRules }
}

export const rulesOf = (agent: string, event: string): Rules | undefined => {
  const rules = Object.hasOwn(descriptions, agent) ? descriptions[agent as SettingsAgent].rules : {}
  return Object.hasOwn(rules, event) ? rules[event] : undefined
}
