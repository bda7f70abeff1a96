/** Hands facts to a collector: gzip, many in a request, and heeds what the collector says of how far it is. */
import { promisify } from "node:util"
import { gzip } from "node:zlib"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { EventLogShape } from "../../log/EventLog.ts"
import * as Wire from "./Batch.ts"
import type { Batch, Courier } from "./Courier.ts"
import { keepEpoch, readEpoch } from "./epoch.ts"
import { eventsOf, lastOf } from "./eventCourier.ts"
import { asking, beginningOf, failure, refusal, request, unfit } from "./request.ts"
import { type Sink, targetProblem } from "./Sink.ts"
import type { Worked } from "./worked.ts"

export interface CollectorCourierOptions {
  readonly sink: Sink
  readonly log: EventLogShape
  readonly key: Buffer
  readonly state: string
  readonly timeoutMs: number
  /** What goes along with payloads that stay; undefined: nothing does. */
  readonly worked?: Worked | undefined
  /** So many are worth a request, or fewer that have waited so long. */
  readonly enough?: number
  readonly longestMs?: number
}

/** Of one that is far behind. */
const most = 500
/** Of one that is sent payloads: these are large. */
const mostWhole = 100
/** More of an answer is not read. */
const longestAnswer = 1_000_000

const pack = promisify(gzip)

const asTheyAre: Worked = (facts) => Effect.succeed(facts)

const inConflict = Schema.decodeUnknownSync(Schema.parseJson(Wire.Conflict))
const encode = Schema.encodeSync(Schema.parseJson(Wire.Batch))

/** One of the event loop. */
const turn = Effect.async<void>((resume) => {
  const waiting = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(waiting))
})

/** Payloads are large, and this is the host's thread: whoever waits for an answer of it comes in between. */
const eventsInTurn = (facts: Batch, key: Buffer) =>
  Effect.map(
    Effect.forEach(facts, (fact) =>
      Effect.zipLeft(
        Effect.sync(() => eventsOf([fact], key, true)),
        turn
      )
    ),
    (events) => events.flat()
  )

const reasonIn = (text: string): string => {
  try {
    const { reason } = JSON.parse(text)
    return typeof reason === "string" ? `: ${reason.slice(0, 200)}` : ""
  } catch {
    return ""
  }
}

/** Undefined where it was taken. */
const post = async (
  sink: Sink,
  batch: Wire.Batch,
  signal: AbortSignal
): Promise<Wire.Conflict | undefined> => {
  if (sink.tokenFile === undefined) throw new Error("a collector wants a token: add it with --token-file")
  const { to, tokenFile } = sink
  const body = await pack(encode(batch))
  const answer = await request({ to, tokenFile, type: "application/json", body, packed: true }, signal)
  const text = await beginningOf(answer, longestAnswer)
  if (answer.ok) return undefined
  if (answer.status === 409) return inConflict(text)
  throw refusal(answer, "the collector", reasonIn(text))
}

/** Which fact stands there, as long as it does. */
const idAt = (log: EventLogShape, position: number) =>
  Stream.runHead(log.read({ after: position - 1, before: position + 1, limit: 1 })).pipe(
    Effect.map((found) => (found._tag === "Some" ? found.value.id : null))
  )

export const collectorCourier = (options: CollectorCourierOptions): Courier => {
  const { enough = 60, key, log, longestMs = 30_000, sink, state, timeoutMs, worked = asTheyAre } = options
  const withPayloads = sink.payloads !== undefined
  const handOver = (batch: Wire.Batch) => asking((signal) => post(sink, batch, signal), timeoutMs)
  const send = Effect.fn("ship.collector")(function* (facts: Batch, after: number) {
    const problem = targetProblem(sink.to)
    if (problem !== undefined) return yield* unfit(sink, problem)
    const told = yield* worked(facts, after)
    // Some are still being worked out: they are looked at again.
    if (told === undefined) return after
    const epoch = yield* Effect.try({ try: () => readEpoch(state, sink.name), catch: failure })
    const afterId = after === 0 ? null : yield* idAt(log, after)
    const upto = lastOf(facts)
    const events = withPayloads ? yield* eventsInTurn(told, key) : eventsOf(told, key)
    const conflict = yield* handOver({ epoch, after, afterId, upto, facts: events })
    if (conflict === undefined) return upto
    // It was put back to an earlier state than ours: what it lost is handed over once more.
    if (conflict.reason === "gap" && conflict.head < after) return conflict.head
    yield* Effect.try({ try: () => keepEpoch(state, sink.name, conflict.newest + 1), catch: failure })
    return after
  })
  return {
    most: withPayloads ? mostWhole : most,
    isDue: (facts, now) => facts.length >= enough || now - facts[0].recordedAt >= longestMs,
    send
  }
}
