/** What a fact of a transcript tells metrics. Pure. */
import type { Fact } from "../../../events/facts.ts"
import type { CallObserved } from "../../../events/observedFacts.ts"
import { observedCall } from "../checks/observe.ts"
import { callMoment } from "./callMoment.ts"
import type { Moment } from "./Moment.ts"

export interface Dated {
  readonly moment: Moment
  /** Milliseconds since 1970. */
  readonly at: number
}

/** The types of facts that tell something here. */
export const observedTypes = [
  "TOOL_CALL_OBSERVED",
  "TOOL_CALL_SETTLED",
  "PROMPT_OBSERVED",
  "ANSWER_OBSERVED",
  "USAGE_OBSERVED",
  "TURN_INTERRUPTED"
] as const

const ofCall = (fact: CallObserved, at: number, agent: string | null): readonly Dated[] => {
  const seen = observedCall(fact, agent)
  if (seen === undefined) return []
  const { ended, started, tool } = seen
  const begun: Dated = {
    moment: { kind: "call-started", use: fact.call, name: started.name, tool: started.kind },
    at
  }
  if (ended === undefined) return [begun]
  return [begun, { moment: callMoment(ended, tool, false), at: Math.max(at, fact.ended ?? at) }]
}

/** `at`: when it happened. `id`: what is the fact's alone. */
export const observedMoments = (
  fact: Fact,
  at: number,
  agent: string | null,
  id: string
): readonly Dated[] => {
  const told = (moment: Moment): readonly Dated[] => [{ moment, at }]
  switch (fact.type) {
    case "TOOL_CALL_OBSERVED":
      return ofCall(fact, at, agent)
    case "TOOL_CALL_SETTLED":
      return fact.told === "ok" || fact.told === "failed"
        ? told({ kind: "call-settled", use: fact.call, told: fact.told })
        : []
    case "PROMPT_OBSERVED":
      return told({ kind: "prompt", turn: fact.turn ?? null, isHuman: fact.automatic !== true })
    case "ANSWER_OBSERVED":
      return told({ kind: "seen" })
    case "USAGE_OBSERVED": {
      const { cacheRead = 0, cacheWrite = 0, input, model, output } = fact
      return told({ kind: "usage", message: id, model, input, output, cacheRead, cacheCreation: cacheWrite })
    }
    case "TURN_INTERRUPTED":
      return told({ kind: "interrupt" })
    default:
      return []
  }
}
