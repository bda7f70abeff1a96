/** Brings what follows from the log up to its end before it is asked: step by step, so that a signal is heard between two. */
import * as Effect from "effect/Effect"
import type { Steps } from "../../log/projection.ts"
import { isBusy } from "../../log/sqlite/sqliteErrors.ts"
import { messageOf } from "../../state/messageOf.ts"
import { CliError } from "./CliError.ts"
import { tellBusy } from "./ingestSpool.ts"
import { Logbook } from "./logbook.ts"

export const cannotAsk = (what: string, cause: unknown): CliError =>
  isBusy(cause)
    ? new CliError({
        what,
        reason: "nothing was made ready to be asked yet, and another process is writing the log",
        remedy: "Try again when it is done.",
        cause
      })
    : new CliError({ what, reason: messageOf(cause), remedy: 'Run "hooktape doctor".', cause })

const attempt = <A>(what: string, act: () => A) =>
  Effect.try({ try: act, catch: (cause) => cannotAsk(what, cause) })

/** False where another process writes the log all the while: what there is to ask tells less than the log does. */
const madeReady = (what: string, open: () => Steps): Effect.Effect<boolean, CliError> =>
  Effect.acquireUseRelease(
    attempt(what, open),
    (steps) =>
      Effect.zipRight(
        Effect.yieldNow(),
        attempt(what, () => steps.step())
      ).pipe(
        Effect.repeat({ while: (more) => more }),
        Effect.as(true),
        Effect.catchIf(
          (error) => isBusy(error) && steps.isMade(),
          () => Effect.succeed(false)
        )
      ),
    (steps) => Effect.sync(steps.close)
  )

/** For a question that is asked while the logbook is open; says so where not all of it is there to be asked. */
export const readyToAsk = Effect.fn("cli.readyToAsk")(function* (what: string, open: () => Steps) {
  const isReady = yield* madeReady(what, open)
  const { waiting } = yield* Logbook
  // Who was told already that something is missing need not be told twice.
  if (!isReady && waiting === undefined) yield* tellBusy(0)
})
