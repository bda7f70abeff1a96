/** What an observed call was about, as the agent's adapter reads it. Pure. */
import type { Agent, Tool } from "../../../events/agentEvents.ts"
import type { CallObserved } from "../../../events/observedFacts.ts"
import { adapters } from "../../agents/adapters.ts"
import { isTranscribed, rebuiltBefore } from "../../agents/transcripts/rebuilt.ts"

/** The tool with what was asked of it. */
export const toolOf = (agent: string | null, fact: CallObserved): Tool => {
  const nameless: Tool = { kind: "other", name: fact.name, input: fact.input }
  if (!isTranscribed(agent)) return nameless
  const { agentEvent, payload } = rebuiltBefore(agent, fact, null)
  return adapters[agent as Agent].decode(agentEvent, payload).tool ?? nameless
}

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
