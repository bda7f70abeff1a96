/** How far a sink is on the log, and what waits for it. */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { EventLogShape } from "../../log/EventLog.ts"
import type { Sink } from "./Sink.ts"
import { shippedTypes } from "./shape.ts"

export const markOf = ({ name }: Pick<Sink, "name">): string => `ship/${name}`

/** Where a sink stands: behind its mark, or behind the newest fact when it was added. A log that was begun anew has neither. */
export const positionOf = Effect.fn("ship.position")(function* (log: EventLogShape, sink: Sink) {
  const mark = yield* log.checkpoint(markOf(sink))
  const { last } = yield* log.stats
  return Math.max(mark, sink.after > last ? 0 : sink.after)
})

export const waitingAfter = (log: EventLogShape, after: number, limit: number) =>
  Stream.runCollect(log.read({ after, types: shippedTypes, limit })).pipe(Effect.map(Chunk.toReadonlyArray))
