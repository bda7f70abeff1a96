/** How Claude Code was told of a block before it went as JSON: by exit code, and over HTTP in one way at every event. */
import type { Adapter } from "../Adapter.ts"
import { blockedFormerly, formerAdapter, plainBlock } from "../formerly.ts"
import { claudeCode, dialect, inputWithheld } from "./claudeCode.ts"
import { claudeCodeRules } from "./rules.ts"

export const claudeCodeFormerly: Adapter = formerAdapter(
  claudeCode,
  { ...dialect, withheld: inputWithheld },
  claudeCodeRules,
  (rules) => blockedFormerly(rules, plainBlock)
)
