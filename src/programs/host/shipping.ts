/** Sends facts where their user wants them, an actor for each sink: one that fails or hangs holds up no other, and no call. */
import { statSync } from "node:fs"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FiberMap from "effect/FiberMap"
import type { EventLogShape } from "../../log/EventLog.ts"
import { messageOf } from "../../state/messageOf.ts"
import { digestKey } from "../../state/state.ts"
import { readSinks, type Sink, sinksFile } from "../../tools/shipping/Sink.ts"
import { ship } from "../../tools/shipping/ship.ts"
import { keepTrouble } from "../../tools/shipping/trouble.ts"
import { workedIn } from "../../tools/shipping/worked.ts"
import { logFile } from "./eventLogs.ts"
import { untilQuiet } from "./untilQuiet.ts"

export interface ShippingOptions {
  readonly state: string
  readonly log: EventLogShape
  readonly isIdle: () => boolean
  readonly note: (problem: string) => void
  /** How often it is seen whether sinks were added or removed. */
  readonly lookMs?: number
}

const againMs = 10_000

/** Lives as long as its scope. */
export const startShipping = Effect.fn("host.shipping")(function* (options: ShippingOptions) {
  const { isIdle, log, lookMs = 5000, note, state } = options
  const attended = (sink: Sink) =>
    Effect.suspend(() =>
      ship({
        log,
        sink,
        key: digestKey(state),
        state,
        worked: workedIn(logFile(state)),
        untilQuiet: untilQuiet(isIdle),
        report: (error) =>
          Effect.map(Clock.currentTimeMillis, (at) =>
            keepTrouble(state, sink.name, error === undefined ? undefined : { at, error })
          )
      })
    ).pipe(
      // Whatever it was: an actor that ended would never send again.
      Effect.catchAllCause((cause) =>
        Cause.isInterruptedOnly(cause)
          ? Effect.failCause(cause)
          : Effect.sync(() => note(`${sink.name} is not shipped to: ${messageOf(Cause.squash(cause))}`))
      ),
      Effect.zipRight(Effect.sleep(againMs)),
      Effect.forever
    )
  const running = yield* FiberMap.make<string>()
  let seen: string | undefined
  const look = Effect.gen(function* () {
    const stat = statSync(sinksFile(state), { throwIfNoEntry: false })
    const now = stat === undefined ? "" : `${stat.ino} ${stat.mtimeMs} ${stat.size}`
    if (now === seen) return
    // First: of a file that cannot be read it is said once.
    seen = now
    const wanted = new Map(readSinks(state).map((sink) => [JSON.stringify(sink), sink]))
    for (const [key] of [...running]) if (!wanted.has(key)) yield* FiberMap.remove(running, key)
    for (const [key, sink] of wanted)
      yield* FiberMap.run(running, key, attended(sink), { onlyIfMissing: true })
  })
  const tended = look.pipe(
    Effect.catchAllDefect((cause) => Effect.sync(() => note(`nothing is shipped: ${messageOf(cause)}`))),
    Effect.zipRight(Effect.sleep(lookMs)),
    Effect.forever
  )
  yield* Effect.forkScoped(tended)
})
