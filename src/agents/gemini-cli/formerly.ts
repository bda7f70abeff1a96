/** How Gemini CLI was spoken to: a block by exit code in the first release, and a question that it may have nobody for. */
import type { Adapter } from "../Adapter.ts"
import { blockedFormerly, formerAdapter } from "../formerly.ts"
import { at, type Rules } from "../ways.ts"
import { dialect, geminiCli } from "./geminiCli.ts"
import { geminiCliRules } from "./rules.ts"

/** Gemini CLI parses standard error as the reply before it takes it for a reason. */
const isJson = (text: string): boolean => {
  const first = text.trim().charAt(0)
  if (!'{["-0123456789tfn'.includes(first)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const asking = (rules: Rules, nativeEvent: string): Rules =>
  nativeEvent === "BeforeTool"
    ? { ...rules, command: { ...rules.command, ask: at("decision", "ask") } }
    : rules

const { withheld: _, ...before } = dialect

export const geminiCliFormerly: readonly Adapter[] = [
  formerAdapter(geminiCli, dialect, geminiCliRules, asking),
  formerAdapter(geminiCli, { ...before, misread: isJson }, geminiCliRules, (rules, nativeEvent) =>
    blockedFormerly(asking(rules, nativeEvent))
  )
]
