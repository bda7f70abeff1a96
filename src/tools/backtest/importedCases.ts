/** The calls that a transcript tells, as cases: each as a hook would have been given it before and after. Pure. */
import type { CallObserved } from "../../../events/observedFacts.ts"
import type { Recorded } from "../../../events/Recorded.ts"
import { adapters } from "../../agents/adapters.ts"
import { isTranscribed, type Rebuilt, rebuiltAfter, rebuiltBefore } from "../../agents/transcripts/rebuilt.ts"
import { describeObserved } from "../../features/transcripts/describe.ts"
import type { Case, Rulings } from "./Case.ts"
import { shapeOf } from "./commandShape.ts"

const nothing: Rulings = new Map()

/** None where the transcript is of an agent that no hook event is known of. */
export const importedCases = ({ agent, at, data, id, project, session }: Recorded): readonly Case[] => {
  if (!isTranscribed(agent)) return []
  const fact = data as CallObserved
  const adapter = adapters[agent]
  const caseOf = ({ agentEvent, payload }: Rebuilt, nth: number): Case => {
    const { tool } = adapter.decode(agentEvent, payload)
    const cwd = fact.cwd ?? project ?? "/"
    return {
      id,
      source: "transcript",
      at: nth === 0 ? at : Math.max(at, fact.ended ?? at),
      agent,
      agentEvent,
      payload: JSON.stringify(payload),
      cwd,
      project: project ?? cwd,
      session,
      turn: fact.turn ?? null,
      subagent: fact.subagent ?? null,
      subject: describeObserved(fact),
      shape: shapeOf(agentEvent, tool),
      before: nth === 0 && fact.told === "denied" ? undefined : nothing,
      recorded: []
    }
  }
  const after = rebuiltAfter(agent, fact, session)
  return [rebuiltBefore(agent, fact, session), ...(after === undefined ? [] : [after])].map(caseOf)
}
