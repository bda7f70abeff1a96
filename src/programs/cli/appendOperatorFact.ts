/** A fact about the installation itself, by the spool. */
import { randomBytes } from "node:crypto"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { OperatorFact } from "../../../events/facts.ts"
import { type FactId, type InvocationId, uuidv7 } from "../../../events/ids.ts"
import { type Draft, noMarks } from "../../../events/Recorded.ts"
import { schemaVersion } from "../../../events/schemaVersion.ts"
import { openSpool } from "../../log/spool/spoolWriter.ts"
import { redact } from "../../redact/redact.ts"
import { messageOf } from "../../state/messageOf.ts"
import { installationId } from "../../state/state.ts"
import { CliError } from "./CliError.ts"

/** On the installation's own stream. */
export const appendOperatorFact = Effect.fn("cli.appendOperatorFact")(function* (
  state: string,
  fact: OperatorFact
) {
  const at = yield* Clock.currentTimeMillis
  const draft: Draft<OperatorFact> = {
    ...noMarks,
    id: uuidv7(at, randomBytes(10)) as FactId,
    stream: `operator/${installationId(state)}`,
    type: fact.type,
    schemaVersion,
    at,
    cause: null,
    agent: "agent" in fact ? fact.agent : null,
    project: "project" in fact ? fact.project : null,
    data: fact
  }
  // By the spool, like every other fact: no database is opened for it, and readers take it in first.
  yield* Effect.try({
    try: () => {
      const spool = openSpool(state, uuidv7(at, randomBytes(10)) as InvocationId)
      try {
        spool.append(redact(draft))
        spool.close()
      } catch (error) {
        // On a full disk nothing is left behind.
        spool.discard()
        throw error
      }
    },
    catch: (cause) =>
      new CliError({
        what: "not recorded",
        reason: messageOf(cause),
        remedy: 'Run "hooktape doctor".',
        cause
      })
  })
})
