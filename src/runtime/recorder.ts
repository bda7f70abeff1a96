/** Makes drafts of facts: ids, cause, time and the look-up columns of the invocation they belong to. */
import type { InvocationFact } from "../../events/facts.ts"
import { type FactId, type InvocationId, newFactId, type Sources } from "../../events/ids.ts"
import { makeDraft } from "../../events/makeDraft.ts"
import { type Draft, type Marks, noMarks } from "../../events/Recorded.ts"

/** Turns the facts of one invocation into drafts, each caused by the one before it. */
export const makeRecorder = (
  sources: Sources,
  invocation: InvocationId,
  known: Pick<Marks, "agent" | "agentEvent" | "project">
) => {
  const stream = `invocation/${invocation}`
  let cause: FactId | null = null
  let marks: Marks = { ...noMarks, ...known }
  return (fact: InvocationFact): Draft<InvocationFact> => {
    if (fact.type === "PAYLOAD_BUFFERED") {
      marks = {
        ...marks,
        session: fact.session,
        toolUseId: fact.toolUseId,
        event: fact.events[0]?.event ?? null
      }
    }
    const at = sources.now()
    const id = newFactId(at, sources.random)
    const draft = makeDraft(fact, { id, stream, at, cause, marks })
    cause = id
    return draft
  }
}
