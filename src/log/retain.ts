/** Keeps the log bounded: whole closed invocations and jobs go, oldest first, and the log says that they went. */
import { randomBytes } from "node:crypto"
import * as Chunk from "effect/Chunk"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { type FactId, uuidv7 } from "../../events/ids.ts"
import { type Draft, noMarks, type Recorded } from "../../events/Recorded.ts"
import { jobOf } from "../jobs/Job.ts"
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

const isJobOver = (facts: readonly Recorded[]): boolean => {
  const state = jobOf(facts)?.state
  return facts.length === 0 || state === "done" || state === "dead" || state === "dropped"
}

const isInvocationOver = (facts: readonly Recorded[], now: number): boolean =>
  facts.some(({ type }) => type === "EXITED") || isLost(facts, now)

/** The streams of the jobs that go on after an invocation. */
const jobsOf = (facts: readonly Recorded[]): readonly string[] =>
  facts.flatMap(({ data, known, type }) =>
    known && type === "HANDLERS_PLANNED"
      ? ((data as { background?: readonly { job: string }[] }).background ?? []).map(
          ({ job }) => `job/${job}`
        )
      : []
  )

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

/**
 * Forgets what is too old or too much; returns how many invocations went. A running one stays, however old, and so does one with
 * a job that is not over: the job is made of it.
 */
export const retain = Effect.fn("EventLog.retain")(function* (
  source: string,
  { maxAgeMs, maxBytes }: Retention = defaultRetention
) {
  const log = yield* EventLog
  const now = yield* Clock.currentTimeMillis
  const oldest = (after: number) =>
    Effect.map(
      Stream.runCollect(log.read({ after, types: ["INVOCATION_OPENED", "JOB_ENQUEUED"], limit: perRound })),
      Chunk.toReadonlyArray
    )
  const facts = (stream: string) => Effect.map(Stream.runCollect(log.read({ stream })), Chunk.toReadonlyArray)
  const isOver = Effect.fnUntraced(function* ({ stream, type }: Recorded) {
    const own = yield* facts(stream)
    if (type === "JOB_ENQUEUED") return isJobOver(own)
    if (!isInvocationOver(own, now)) return false
    for (const job of jobsOf(own)) if (!isJobOver(yield* facts(job))) return false
    return true
  })
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
      if (!(yield* isOver(opened))) continue
      streams.push(opened.stream)
      if (opened.type === "INVOCATION_OPENED") gone++
      before = opened.position + 1
    }
    if (streams.length > 0) {
      yield* log.forget(streams)
      reason = tooMuch
        ? `more than ${maxBytes} bytes`
        : `older than ${Math.round(maxAgeMs / 86_400_000)} days`
      bytes = (yield* log.stats).bytes
    }
    const allYoung = round.every(({ at }) => at >= now - maxAgeMs)
    if (round.length < perRound || (allYoung && bytes <= maxBytes)) break
  }
  if (before > 0)
    yield* log.append(`operator/${source}`, "any", [truncated(source, now, before, gone, reason)])
  return gone
})
