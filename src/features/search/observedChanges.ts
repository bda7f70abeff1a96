/** What a transcript tells, as what can be found again: read as a hook would have been given it. Pure. */
import type { Dispatched, Tool } from "../../../events/agentEvents.ts"
import type { CallObserved } from "../../../events/observedFacts.ts"
import { adapters } from "../../agents/adapters.ts"
import { isTranscribed, rebuiltAfter } from "../../agents/transcripts/rebuilt.ts"

export interface ReadCall {
  readonly events: readonly Dispatched[]
  readonly tool: Tool | undefined
}

/** The transcript knows how a command ended where the answer does not say it. */
const codeOf = ({ exitCode, told }: CallObserved): number | undefined =>
  exitCode ?? (told === "failed" ? 1 : told === "ok" ? 0 : undefined)

/** Undefined where nothing is known of its end. */
export const readCall = (fact: CallObserved, agent: string | null): ReadCall | undefined => {
  if (!isTranscribed(agent) || fact.told === "running") return undefined
  const after = rebuiltAfter(agent, fact, null)
  if (after === undefined) return undefined
  const { events, tool } = adapters[agent].decode(after.agentEvent, after.payload)
  const exitCode = codeOf(fact)
  if (exitCode === undefined) return { events, tool }
  return {
    tool,
    events: events.map((one) =>
      one.event === "command.ran" ? { ...one, data: { exitCode, ...one.data } } : one
    )
  }
}
