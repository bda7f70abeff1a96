/** Ends the running host, and waits until it has let go. */
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { hostLock, isLocked } from "../../log/hostLock.ts"
import { askHost } from "../../runtime/host/askHost.ts"
import { CliError } from "./CliError.ts"

const every = Schedule.spaced("25 millis")

/** False where none was running. */
export const stopHost = Effect.fn("cli.stopHost")(function* (state: string) {
  if (!(yield* isLocked(hostLock(state)))) return false
  yield* askHost(state, "stop").pipe(
    Effect.mapError(
      (cause) =>
        new CliError({
          what: "the host cannot be stopped",
          reason: cause.message,
          remedy: "It ends by itself when it gets SIGTERM.",
          cause
        })
    )
  )
  yield* Effect.repeat(isLocked(hostLock(state)), { schedule: every, while: (locked) => locked }).pipe(
    Effect.timeoutFail({
      duration: "15 seconds",
      onTimeout: () =>
        new CliError({
          what: "the host is still there",
          reason:
            "it finishes the calls and jobs that it has, or waits for a log that another process keeps locked",
          remedy: 'Look again with "hooktape host status".'
        })
    })
  )
  return true
})
