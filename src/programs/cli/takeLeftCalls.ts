/** Handles the calls that clients left for a host, where no host is there to do it. */
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { EventLog } from "../../log/EventLog.ts"
import { hostLock, takeLock } from "../../log/hostLock.ts"
import { noteTo } from "../../runtime/host/hostLog.ts"
import { progressOf } from "../../runtime/host/progress.ts"
import { takeDeferredCalls } from "../../runtime/leftCalls/takeDeferredCalls.ts"
import { privateDirectory } from "../../state/state.ts"

/** Two seconds of somebody who waits for an answer. */
const patienceMs = 2000

/** With the host's place taken, so that none comes to the same calls at the same moment. */
export const takeLeftCalls = Effect.fn("cli.takeLeftCalls")(function* (state: string) {
  const log = yield* EventLog
  yield* takeLock(hostLock(state), 0)
  yield* Effect.sync(() => privateDirectory(join(state, "logs")))
  yield* Effect.tryPromise(() =>
    takeDeferredCalls({
      state,
      progress: (call) => Effect.runPromise(progressOf(log, state, call)),
      note: noteTo(state),
      patienceMs
    })
  )
}, Effect.scoped)
