/** What an observed call was about, in one line. Pure. */
import type { CallObserved } from "../../../events/observedFacts.ts"

/** The command, the file, or else the tool's name. */
export const describeObserved = (fact: CallObserved): string => {
  const { input, name } = fact
  if (typeof input !== "object" || input === null || Array.isArray(input)) return name
  for (const field of [
    "command",
    "file_path",
    "path",
    "absolute_path",
    "pattern",
    "url",
    "query",
    "prompt"
  ]) {
    const value = (input as { readonly [key: string]: unknown })[field]
    if (typeof value === "string" && value.trim() !== "") return `${name} ${value}`
  }
  return name
}
