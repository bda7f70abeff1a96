/** Who is the host: at most one process for each state directory, for as long as it holds the lock. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import { hostLock, LockError, takeLock } from "../../log/hostLock.ts"
import { hostStatus } from "../../runtime/host/askHost.ts"
import { bringUpToDate } from "./bringUpToDate.ts"
import { HostPlace } from "./HostPlace.ts"

/** A successor waits for its predecessor to let go. */
const handOverWait = "10 seconds"

/** Waits for a predecessor that is about to go; one that serves and is of this build is what was wanted. */
const takeHostLock = (state: string, build: string) => {
  const file = hostLock(state)
  return takeLock(file, 0).pipe(
    Effect.catchIf(
      ({ reason }) => reason === "held",
      (held) =>
        Effect.flatMap(Effect.option(hostStatus(state)), (there) => {
          const served = Option.exists(there, (other) => other.build === build)
          return Effect.fail(served ? new LockError({ file, reason: "served" }) : held)
        })
    ),
    Effect.retry({
      schedule: Schedule.spaced("50 millis").pipe(Schedule.upTo(handOverWait)),
      while: ({ reason }) => reason === "held"
    })
  )
}

/** This process is the host until the layer's scope closes, and what an earlier version left is up to date. */
export const becomeHost = Layer.scopedDiscard(
  Effect.gen(function* () {
    const { build, home, note, state } = yield* HostPlace
    yield* takeHostLock(state, build)
    yield* bringUpToDate(state, home, note)
  })
)
