/** How far a sink is on the log, and what waits for it. */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { EventLog, type EventLogShape } from "../../log/EventLog.ts"
import type { ShippedUpTo } from "../../log/upkeep.ts"
import { readSinks, type Sink } from "./Sink.ts"
import { shippedTypes } from "./shape.ts"
import { wholeTypes } from "./whole.ts"

export const markOf = ({ name }: Pick<Sink, "name">): string => `ship/${name}`

/** Where a sink stands: behind its mark, or behind the newest fact when it was added. A log that was begun anew has neither. */
export const positionOf = Effect.fn("ship.position")(function* (log: EventLogShape, sink: Sink) {
  const mark = yield* log.checkpoint(markOf(sink))
  const { last } = yield* log.stats
  return Math.max(mark, sink.after > last ? 0 : sink.after)
})

/** Where the sink stands that is furthest behind; undefined without any. Where that cannot be told, all of it waits. */
export const shippedUpTo = (state: string): ShippedUpTo =>
  Effect.gen(function* () {
    const log = yield* EventLog
    const sinks = yield* Effect.try(() => readSinks(state))
    const positions = yield* Effect.forEach(sinks, (sink) => positionOf(log, sink))
    return positions.length === 0 ? undefined : Math.min(...positions)
  }).pipe(Effect.catchAll(() => Effect.succeed(0)))

/** What a sink has not got yet. */
export interface Backlog {
  readonly facts: number
  /** There are more than were counted. */
  readonly more: boolean
  /** When the oldest was recorded, milliseconds since 1970; undefined where none waits. */
  readonly since: number | undefined
}

/** More are not counted: whoever asks waits for it. */
const mostCounted = 1000

export const backlogOf = Effect.fn("ship.backlog")(function* (log: EventLogShape, sink: Sink) {
  const waiting = yield* waitingAfter(log, sink, yield* positionOf(log, sink), mostCounted + 1)
  return {
    facts: Math.min(waiting.length, mostCounted),
    more: waiting.length > mostCounted,
    since: waiting[0]?.recordedAt
  } satisfies Backlog
})

export const waitingAfter = (log: EventLogShape, sink: Sink, after: number, limit: number) => {
  const types = sink.payloads === undefined ? shippedTypes : wholeTypes
  return Stream.runCollect(log.read({ after, types, limit })).pipe(Effect.map(Chunk.toReadonlyArray))
}
