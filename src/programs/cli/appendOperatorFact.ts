/** A fact about the installation itself, as a command records it. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { OperatorFact } from "../../../events/facts.ts"
import { spoolOperatorFact } from "../../log/spool/operatorFact.ts"
import { messageOf } from "../../state/messageOf.ts"
import { CliError } from "./CliError.ts"

export const appendOperatorFact = Effect.fn("cli.appendOperatorFact")(function* (
  state: string,
  fact: OperatorFact
) {
  const at = yield* Clock.currentTimeMillis
  yield* Effect.try({
    try: () => spoolOperatorFact(state, fact, at),
    catch: (cause) =>
      new CliError({
        what: "not recorded",
        reason: messageOf(cause),
        remedy: 'Run "hooktape doctor".',
        cause
      })
  })
})
