/** Follows the log for one sink: in order, from its mark on, each fact at least once, a batch in memory at a time. */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Stream from "effect/Stream"
import type { EventLogError, EventLogShape } from "../../log/EventLog.ts"
import { type CloudEvent, cloudEvent } from "./cloudEvent.ts"
import { deliver, type ShipError } from "./deliver.ts"
import type { Sink } from "./Sink.ts"
import { shippedTypes } from "./shape.ts"

const mostAtOnce = 100
const longestPauseMs = 300_000

export const markOf = ({ name }: Pick<Sink, "name">): string => `ship/${name}`

/** Where a sink stands: behind its mark, or behind the newest fact when it was added. A log that was begun anew has neither. */
export const positionOf = Effect.fn("ship.position")(function* (log: EventLogShape, sink: Sink) {
  const mark = yield* log.checkpoint(markOf(sink))
  const { last } = yield* log.stats
  return Math.max(mark, sink.after > last ? 0 : sink.after)
})

export const waitingAfter = (log: EventLogShape, after: number, limit = mostAtOnce) =>
  Stream.runCollect(log.read({ after, types: shippedTypes, limit })).pipe(Effect.map(Chunk.toReadonlyArray))

/** Half of it is chance, so that many machines do not come back at the same moment. */
const pauseAfter = (firstMs: number, failures: number, { retryAfterMs = 0 }: ShipError) =>
  Effect.map(Random.nextRange(0.5, 1), (share) =>
    Math.max(retryAfterMs, share * Math.min(longestPauseMs, firstMs * 2 ** (failures - 1)))
  )

export interface Shipping {
  readonly log: EventLogShape
  readonly sink: Sink
  readonly key: Buffer
  /** Ends when nobody waits for an answer. */
  readonly untilQuiet: Effect.Effect<void>
  /** How the last attempt ended; undefined: well. Called when that changes, and at each failure. */
  readonly report: (error: string | undefined) => Effect.Effect<void>
  readonly lookMs?: number
  readonly timeoutMs?: number
  readonly firstPauseMs?: number
}

export const ship = Effect.fn("ship.sink")(function* (shipping: Shipping) {
  const {
    firstPauseMs = 1000,
    key,
    log,
    lookMs = 2000,
    report,
    sink,
    timeoutMs = 10_000,
    untilQuiet
  } = shipping
  let position = yield* positionOf(log, sink)
  let failures = 0
  let most = mostAtOnce
  const round: Effect.Effect<number, EventLogError> = Effect.gen(function* () {
    yield* untilQuiet
    const facts = yield* waitingAfter(log, position, most)
    const last = facts.at(-1)
    if (last === undefined) return lookMs
    const events = facts.flatMap((fact): readonly CloudEvent[] => {
      const event = cloudEvent(fact, key)
      return event === undefined ? [] : [event]
    })
    const failed = yield* Effect.flip(deliver(sink, events, timeoutMs)).pipe(Effect.option)
    if (failed._tag === "Some") {
      failures++
      if (failed.value.tooLarge) most = Math.max(1, Math.floor(most / 2))
      yield* report(failed.value.message)
      return yield* pauseAfter(firstPauseMs, failures, failed.value)
    }
    yield* log.setCheckpoint(markOf(sink), last.position)
    position = last.position
    if (failures > 0) yield* report(undefined)
    failures = 0
    return 0
  })
  return yield* Effect.forever(Effect.flatMap(round, (ms) => Effect.sleep(ms)))
})
