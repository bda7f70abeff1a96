/** Puts facts that are no invocation's on their way to the log: by the spool, as whole files, like everything else. */
import type { MemoryFact } from "../../../events/facts.ts"
import { type FactId, newFactId, type Sources } from "../../../events/ids.ts"
import { makeDraft } from "../../../events/makeDraft.ts"
import type { Draft, Marks } from "../../../events/Recorded.ts"
import { spoolName } from "../../log/spool/spoolName.ts"
import { openSpool } from "../../log/spool/spoolWriter.ts"
import { redactDraft } from "../../redact/redact.ts"

export interface Kept<F> {
  readonly stream: string
  readonly fact: F
  readonly cause?: FactId | null
  readonly marks?: Partial<Marks>
}

/** Returns the fact as it will stand on the log, with secrets blackened. */
export const keep = <F extends MemoryFact>(
  state: string,
  { cause, fact, marks, stream }: Kept<F>,
  sources: Sources
): Draft<F> => {
  const at = sources.now()
  const draft = redactDraft(makeDraft(fact, { id: newFactId(at, sources.random), stream, at, cause, marks }))
  const spool = openSpool(state, spoolName(sources))
  try {
    spool.append(draft)
    spool.close()
  } catch (error) {
    spool.discard()
    throw error
  }
  return draft
}
