/** Keeps the log bounded: whole closed invocations go, oldest first, and the log says that they went. */
import { randomBytes } from "node:crypto"
import * as Chunk from "effect/Chunk"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { type FactId, uuidv7 } from "../../events/ids.ts"
import { type Draft, noMarks, type Recorded } from "../../events/Recorded.ts"
import { EventLog } from "./EventLog.ts"
import { isLost } from "./lost.ts"
import { redact } from "./redact.ts"

export interface Retention {
  readonly maxAgeMs: number
  readonly maxBytes: number
}

/** Ninety days and one gigabyte. */
export const defaultRetention: Retention = { maxAgeMs: 90 * 86_400_000, maxBytes: 1_000_000_000 }

const perRound = 200

const isOver = (facts: readonly Recorded[], now: number): boolean =>
  facts.some(({ type }) => type === "EXITED") || isLost(facts, now)

const truncated = (source: string, at: number, before: number, invocations: number, reason: string) =>
  redact<Draft>({
    ...noMarks,
    id: uuidv7(at, randomBytes(10)) as FactId,
    stream: `operator/${source}`,
    type: "LOG_TRUNCATED",
    schemaVersion: 1,
    at,
    cause: null,
    data: { type: "LOG_TRUNCATED", before, invocations, reason } as Draft["data"]
  })

/** Forgets what is too old or too much; returns how many invocations went. A running one stays, however old. */
export const retain = Effect.fn("EventLog.retain")(function* (
  source: string,
  { maxAgeMs, maxBytes }: Retention = defaultRetention
) {
  const log = yield* EventLog
  const now = yield* Clock.currentTimeMillis
  const oldest = (after: number) =>
    Effect.map(
      Stream.runCollect(log.read({ after, types: ["INVOCATION_OPENED"], limit: perRound })),
      Chunk.toReadonlyArray
    )
  const facts = (stream: string) => Effect.map(Stream.runCollect(log.read({ stream })), Chunk.toReadonlyArray)
  let gone = 0
  let before = 0
  let reason = ""
  let { bytes } = yield* log.stats
  for (let after = 0; ; ) {
    const round = yield* oldest(after)
    const tooMuch = bytes > maxBytes
    const streams: string[] = []
    for (const opened of round) {
      after = opened.position
      if (!tooMuch && opened.at >= now - maxAgeMs) continue
      if (!isOver(yield* facts(opened.stream), now)) continue
      streams.push(opened.stream)
      before = opened.position + 1
    }
    if (streams.length > 0) {
      yield* log.forget(streams)
      gone += streams.length
      reason = tooMuch
        ? `more than ${maxBytes} bytes`
        : `older than ${Math.round(maxAgeMs / 86_400_000)} days`
      bytes = (yield* log.stats).bytes
    }
    const allYoung = round.every(({ at }) => at >= now - maxAgeMs)
    if (round.length < perRound || (allYoung && bytes <= maxBytes)) break
  }
  if (gone > 0) yield* log.append(`operator/${source}`, "any", [truncated(source, now, before, gone, reason)])
  return gone
})
