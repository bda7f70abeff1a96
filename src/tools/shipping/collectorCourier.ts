/** Hands facts to a collector: gzip, many in a request, and heeds what the collector says of how far it is. */
import { readFileSync } from "node:fs"
import { promisify } from "node:util"
import { gzip } from "node:zlib"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { EventLogShape } from "../../log/EventLog.ts"
import * as Wire from "./Batch.ts"
import type { Batch, Courier } from "./Courier.ts"
import { failure, retryAfter, ShipError } from "./deliver.ts"
import { keepEpoch, readEpoch } from "./epoch.ts"
import { eventsOf, lastOf } from "./eventCourier.ts"
import { type Sink, targetProblem } from "./Sink.ts"

export interface CollectorCourierOptions {
  readonly sink: Sink
  readonly log: EventLogShape
  readonly key: Buffer
  readonly state: string
  readonly timeoutMs: number
  /** So many are worth a request, or fewer that have waited so long. */
  readonly enough?: number
  readonly longestMs?: number
}

/** Of one that is far behind. */
const most = 500
/** More of an answer is not read. */
const longestAnswer = 1_000_000

const pack = promisify(gzip)

const inConflict = Schema.decodeUnknownSync(Schema.parseJson(Wire.Conflict))
const encode = Schema.encodeSync(Schema.parseJson(Wire.Batch))

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
  const answer = await fetch(sink.to, {
    method: "POST",
    // Whoever answers decides nothing about where else it goes.
    redirect: "error",
    headers: {
      "content-type": "application/json",
      "content-encoding": "gzip",
      authorization: `Bearer ${readFileSync(sink.tokenFile, "utf8").trim()}`
    },
    body: await pack(encode(batch)),
    signal
  })
  const text = (await answer.text()).slice(0, longestAnswer)
  if (answer.ok) return undefined
  if (answer.status === 409) return inConflict(text)
  const wait = retryAfter(answer.headers.get("retry-after"), Date.now())
  throw new ShipError({
    detail: `the collector answered ${answer.status}${reasonIn(text)}`,
    tooLarge: answer.status === 413,
    ...(wait === undefined ? {} : { retryAfterMs: wait })
  })
}

/** Which fact stands there, as long as it does. */
const idAt = (log: EventLogShape, position: number) =>
  Stream.runHead(log.read({ after: position - 1, before: position + 1, limit: 1 })).pipe(
    Effect.map((found) => (found._tag === "Some" ? found.value.id : null))
  )

export const collectorCourier = (options: CollectorCourierOptions): Courier => {
  const { enough = 60, key, log, longestMs = 30_000, sink, state, timeoutMs } = options
  const request = (batch: Wire.Batch) =>
    Effect.tryPromise({ try: (signal) => post(sink, batch, signal), catch: failure }).pipe(
      Effect.timeoutFail({
        duration: timeoutMs,
        onTimeout: () => new ShipError({ detail: `no answer within ${timeoutMs} ms`, tooLarge: false })
      })
    )
  const send = Effect.fn("ship.collector")(function* (facts: Batch, after: number) {
    // What was added may have been edited since.
    const problem = targetProblem(sink.to)
    if (problem !== undefined)
      return yield* new ShipError({ detail: `${sink.to} ${problem}`, tooLarge: false })
    const epoch = yield* Effect.try({ try: () => readEpoch(state, sink.name), catch: failure })
    const afterId = after === 0 ? null : yield* idAt(log, after)
    const upto = lastOf(facts)
    const conflict = yield* request({ epoch, after, afterId, upto, facts: eventsOf(facts, key) })
    if (conflict === undefined) return upto
    // It was put back to an earlier state than ours: what it lost is handed over once more.
    if (conflict.reason === "gap" && conflict.head < after) return conflict.head
    yield* Effect.try({ try: () => keepEpoch(state, sink.name, conflict.newest + 1), catch: failure })
    return after
  })
  return {
    most,
    isDue: (facts, now) => facts.length >= enough || now - facts[0].recordedAt >= longestMs,
    send
  }
}
