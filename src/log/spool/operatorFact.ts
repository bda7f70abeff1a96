/** A fact about the installation itself, on its own stream. By the spool, like every other fact: no database is opened for it. */
import { randomBytes } from "node:crypto"
import type { OperatorFact } from "../../../events/facts.ts"
import { type FactId, type InvocationId, newFactId, uuidv7 } from "../../../events/ids.ts"
import { makeDraft } from "../../../events/makeDraft.ts"
import { redactDraft } from "../../redact/redact.ts"
import { installationId } from "../../state/state.ts"
import { openSpool } from "./spoolWriter.ts"

/** `id`: the same one again is the same fact, which the log keeps once. */
export const spoolOperatorFact = (
  state: string,
  fact: OperatorFact,
  at: number,
  id: FactId = newFactId(at, randomBytes)
): void => {
  const draft = makeDraft(fact, {
    id,
    stream: `operator/${installationId(state)}`,
    at,
    marks: {
      agent: "agent" in fact ? fact.agent : null,
      project: "project" in fact ? (fact.project ?? null) : null
    }
  })
  const spool = openSpool(state, uuidv7(at, randomBytes(10)) as InvocationId)
  try {
    spool.append(redactDraft(draft))
    spool.close()
  } catch (error) {
    // On a full disk nothing is left behind.
    spool.discard()
    throw error
  }
}
