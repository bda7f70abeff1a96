/** Dresses facts as drafts: ids, cause, time and the look-up columns of the invocation they belong to. */
import type { InvocationFact } from "../../events/facts.ts"
import { type FactId, type InvocationId, type Sources, uuidv7 } from "../../events/ids.ts"
import { type Draft, type Marks, noMarks } from "../../events/Recorded.ts"

const version = 1

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
    const id = uuidv7(at, sources.random(10)) as FactId
    const draft: Draft<InvocationFact> = {
      id,
      stream,
      type: fact.type,
      schemaVersion: version,
      at,
      cause,
      ...marks,
      data: fact
    }
    cause = id
    return draft
  }
}
