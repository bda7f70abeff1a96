/** A fact about the installation itself, on its own stream. By the spool, like every other fact: no database is opened for it. */
import { randomBytes } from "node:crypto"
import type { OperatorFact } from "../../../events/facts.ts"
import { type FactId, type InvocationId, uuidv7 } from "../../../events/ids.ts"
import { type Draft, noMarks } from "../../../events/Recorded.ts"
import { schemaVersion } from "../../../events/schemaVersion.ts"
import { redact } from "../../redact/redact.ts"
import { installationId } from "../../state/state.ts"
import { openSpool } from "./spoolWriter.ts"

export const newFactId = (at: number): FactId => uuidv7(at, randomBytes(10)) as FactId

/** `id`: the same one again is the same fact, which the log keeps once. */
export const spoolOperatorFact = (
  state: string,
  fact: OperatorFact,
  at: number,
  id: FactId = newFactId(at)
): void => {
  const draft: Draft<OperatorFact> = {
    ...noMarks,
    id,
    stream: `operator/${installationId(state)}`,
    type: fact.type,
    schemaVersion,
    at,
    cause: null,
    agent: "agent" in fact ? fact.agent : null,
    project: "project" in fact ? (fact.project ?? null) : null,
    data: fact
  }
  const spool = openSpool(state, uuidv7(at, randomBytes(10)) as InvocationId)
  try {
    spool.append(redact(draft))
    spool.close()
  } catch (error) {
    // On a full disk nothing is left behind.
    spool.discard()
    throw error
  }
}
