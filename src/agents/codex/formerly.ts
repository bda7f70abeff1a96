/** How Codex was told of a block before it went as JSON: by exit code. */
import type { Adapter } from "../Adapter.ts"
import { blockedFormerly, formerAdapter } from "../formerly.ts"
import { codex, dialect } from "./codex.ts"
import { codexRules } from "./rules.ts"

export const codexFormerly: Adapter = formerAdapter(codex, dialect, codexRules, (rules) =>
  blockedFormerly(rules)
)
