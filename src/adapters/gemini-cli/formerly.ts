/** How Gemini CLI was told of a block before it went as JSON: by exit code. For replies on older logs, never for a hook call. */
import type { Adapter } from "../Adapter.ts"
import { encodeWith } from "../encode.ts"
import { exit2, type Rules } from "../ways.ts"
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

const rules: { readonly [nativeEvent: string]: Rules } = geminiCliRules

const rulesOf = (nativeEvent: string): Rules | undefined => {
  const now = Object.hasOwn(rules, nativeEvent) ? rules[nativeEvent] : undefined
  const block = now?.command.block
  if (now === undefined || block === undefined || !("at" in block)) return now
  const { orExit: _, ...blockAsJson } = block
  return { ...now, command: { ...now.command, block: exit2 }, blockAsJson }
}

const { withheld: _, ...before } = dialect

export const geminiCliFormerly: Adapter = {
  ...geminiCli,
  encode: encodeWith({ ...before, misread: isJson }, rulesOf)
}
