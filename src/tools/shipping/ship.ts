/** Follows the log for one sink: in order, from its mark on, each fact at least once, a batch in memory at a time. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import type * as Scope from "effect/Scope"
import type { EventLogError, EventLogShape } from "../../log/EventLog.ts"
import type { Courier } from "./Courier.ts"
import { collectorCourier } from "./collectorCourier.ts"
import { eventCourier } from "./eventCourier.ts"
import { otlpCourier } from "./otlpCourier.ts"
import { markOf, positionOf, waitingAfter } from "./position.ts"
import type { ShipError } from "./request.ts"
import type { Sink } from "./Sink.ts"
import type { Worked } from "./worked.ts"

const longestPauseMs = 300_000

interface Size {
  /** Facts in a batch. */
  readonly most: number
  /** More than so many were refused. */
  readonly bound: number
}

/** `sent`: how many there were. What was too late once may be in time later, what was too large stays so. */
const sizeAfter = (size: Size, sent: number, { tooLarge, tooLate = false }: ShipError): Size => {
  if (!tooLarge && !tooLate) return size
  const most = Math.max(1, Math.floor(sent / 2))
  return { most, bound: tooLarge ? most : size.bound }
}

/** Slowly, since where the way is narrow the next that is too many costs a whole wait: in fifty steps at most. */
const grown = ({ bound, most }: Size, usual: number): Size => ({
  most: Math.min(bound, most + Math.ceil(usual / 50)),
  bound
})

/** Half of it is chance, so that many machines do not come back at the same moment. */
const pauseAfter = (firstMs: number, failures: number, { retryAfterMs = 0 }: ShipError) =>
  Effect.map(Random.nextRange(0.5, 1), (share) =>
    Math.max(retryAfterMs, share * Math.min(longestPauseMs, firstMs * 2 ** (failures - 1)))
  )

export interface Shipping {
  readonly log: EventLogShape
  readonly sink: Sink
  readonly key: Buffer
  readonly state: string
  /** Ends when nobody waits for an answer. */
  readonly untilQuiet: Effect.Effect<void>
  /** How the last attempt ended; undefined: well. Called when that changes, and at each failure. */
  readonly report: (error: string | undefined) => Effect.Effect<void>
  readonly lookMs?: number
  readonly timeoutMs?: number
  /** How long facts wait at most for others to go along with, where the receiver takes many. */
  readonly longestMs?: number
  readonly firstPauseMs?: number
  /** What is worked out of payloads for a collector. */
  readonly worked?: Worked | undefined
}

const courierTo = async ({
  key,
  log,
  longestMs,
  report,
  sink,
  state,
  timeoutMs = 10_000,
  worked
}: Shipping): Promise<Courier> => {
  if (sink.kind === "collector") return collectorCourier({ sink, log, key, state, timeoutMs, worked })
  if (sink.kind === "otlp") return otlpCourier({ sink, log, key, timeoutMs, longestMs, complain: report })
  if (sink.kind === "prometheus") {
    // It brings a server along.
    const { prometheusCourier } = await import("./prometheusCourier.ts")
    return prometheusCourier({ sink, log, state })
  }
  return eventCourier(sink, key, timeoutMs)
}

export const ship = Effect.fn("ship.sink")(function* (shipping: Shipping) {
  const { firstPauseMs = 1000, log, lookMs = 2000, report, sink, untilQuiet } = shipping
  const courier = yield* Effect.promise(() => courierTo(shipping))
  let position = yield* positionOf(log, sink)
  let failures = 0
  const failed = Effect.fn("ship.failed")(function* (error: ShipError) {
    failures++
    yield* report(error.message)
    return yield* pauseAfter(firstPauseMs, failures, error)
  })
  const reached = Effect.suspend(() => {
    if (failures === 0) return Effect.void
    failures = 0
    return report(undefined)
  })
  const open: Effect.Effect<void, EventLogError, Scope.Scope> = (courier.open ?? Effect.void).pipe(
    Effect.catchTag("ShipError", (error) =>
      Effect.flatMap(failed(error), (ms) => Effect.zipRight(Effect.sleep(ms), open))
    )
  )
  yield* open
  yield* reached
  let size: Size = { most: courier.most, bound: courier.most }
  const round: Effect.Effect<number, EventLogError> = Effect.gen(function* () {
    yield* untilQuiet
    const [first, ...others] = yield* waitingAfter(log, sink, position, size.most)
    if (first === undefined) return lookMs
    if (!courier.isDue([first, ...others], yield* Clock.currentTimeMillis)) return lookMs
    const sent = yield* courier.send([first, ...others], position).pipe(
      Effect.map((reached) => ({ reached })),
      Effect.catchTag("ShipError", (error) => Effect.succeed({ error }))
    )
    if ("error" in sent) {
      const { error } = sent
      size = sizeAfter(size, 1 + others.length, error)
      return yield* failed(error)
    }
    const isStuck = sent.reached === position
    yield* log.setCheckpoint(markOf(sink), sent.reached)
    position = sent.reached
    if (!isStuck) size = grown(size, courier.most)
    yield* reached
    // One that took nothing, and refused nothing, is not asked without a pause.
    return isStuck ? firstPauseMs : 0
  })
  return yield* Effect.forever(Effect.flatMap(round, (ms) => Effect.sleep(ms)))
}, Effect.scoped)
