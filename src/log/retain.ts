/** Keeps the log bounded: whole closed invocations, jobs, processes and sessions go, oldest first, and the log says that they went. */
import { randomBytes } from "node:crypto"
import * as Chunk from "effect/Chunk"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { JobFact, OperatorFact } from "../../events/facts.ts"
import { newFactId } from "../../events/ids.ts"
import { makeDraft } from "../../events/makeDraft.ts"
import type { Recorded } from "../../events/Recorded.ts"
import { job } from "../../machines/job.ts"
import { evolve, start, stateOf } from "../../machines/step.ts"
import { redactDraft } from "../redact/redact.ts"
import { type KnownAges, onlyDates } from "./ageMarks.ts"
import { EventLog } from "./EventLog.ts"
import { isLost, isProcessOver, isSessionOver } from "./lost.ts"
import { sharesOf } from "./retainImported.ts"
import { type Age, ageOf, isSteady, type SteadyClock } from "./steadyClock.ts"

export interface Retention {
  readonly maxAgeMs: number
  readonly maxBytes: number
}

/** Ninety days and one gigabyte. */
export const defaultRetention: Retention = { maxAgeMs: 90 * 86_400_000, maxBytes: 1_000_000_000 }

const perRound = 200

/** What begins a stream that may go as a whole. */
const beginnings = [
  "INVOCATION_OPENED",
  "JOB_ENQUEUED",
  "HOST_STARTED",
  "HANDLER_PROCESS_STARTED",
  "SESSION_OPENED"
]

/** Where a job stands that asks for nothing more by itself. */
const overStates = ["done", "dead", "dropped"]

const isJobOver = (facts: readonly Recorded[]): boolean => {
  let { snapshot } = start(job)
  for (const { data, known } of facts) if (known) snapshot = evolve(job, snapshot, data as JobFact).snapshot
  return facts.length === 0 || overStates.includes(stateOf(snapshot))
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

type Truncated = Extract<OperatorFact, { type: "LOG_TRUNCATED" }>

const truncated = (source: string, at: number, said: Omit<Truncated, "type">) =>
  redactDraft(
    makeDraft(
      { type: "LOG_TRUNCATED", ...said },
      { id: newFactId(at, randomBytes), stream: `operator/${source}`, at }
    )
  )

/** No clock and no setting is trusted with more at once. */
const mostOf = (streams: number): number => Math.max(1, Math.ceil(streams / 10))

export interface Retained {
  /** How many invocations went. */
  readonly gone: number
  /** Whether there is still more than there may be. */
  readonly more: boolean
}

/** Invocations with facts that are still to be sent somewhere: they may stay longer than others, and not for ever. */
export interface Unshipped {
  /** All up to this position was sent. */
  readonly after: number
  /** The same as for others, by the age that these may have. */
  readonly ages?: KnownAges
}

/** Thirty days more, and a quarter more of the place. */
export const unshippedRetention = ({ maxAgeMs, maxBytes }: Retention): Retention => ({
  maxAgeMs: maxAgeMs + 30 * 86_400_000,
  maxBytes: maxBytes * 1.25
})

export interface RetainOptions {
  readonly retention?: Retention
  /** What is known of ages beside dates. */
  readonly ages?: KnownAges
  readonly unshipped?: Unshipped | undefined
}

/** Where a fact stands in the log says more of its age than its date, which may be that of a wrong clock. */
const ageIn = (clock: SteadyClock, ages: KnownAges, fact: Recorded, maxAgeMs: number): Age => {
  if (fact.position > clock.upTo && fact.position <= ages.old) return "old"
  const isMarked = fact.position > Math.max(clock.upTo, ages.unmarked)
  return isMarked ? "young" : ageOf(clock, fact, maxAgeMs)
}

/**
 * Forgets what is too old or too much, a tenth of all at most. A running invocation stays, however old, and so does one with a
 * job that is not over: the job is made of it. In the order of the log: nothing is older than what came before it.
 */
export const retain = Effect.fn("EventLog.retain")(function* (
  source: string,
  clock: SteadyClock,
  { retention = defaultRetention, ages = onlyDates, unshipped }: RetainOptions = {}
) {
  const { maxAgeMs, maxBytes } = retention
  const longer = unshippedRetention(retention)
  const log = yield* EventLog
  const now = yield* Clock.currentTimeMillis
  const opened = (after: number) =>
    Effect.map(
      Stream.runCollect(log.read({ after, types: beginnings, limit: perRound })),
      Chunk.toReadonlyArray
    )
  const facts = (stream: string) => Effect.map(Stream.runCollect(log.read({ stream })), Chunk.toReadonlyArray)
  const isOver = Effect.fnUntraced(function* ({ stream, type }: Recorded) {
    const own = yield* facts(stream)
    if (type === "JOB_ENQUEUED") return isJobOver(own)
    if (type === "SESSION_OPENED") return isSessionOver(own, clock.at)
    if (type !== "INVOCATION_OPENED") return isProcessOver(own)
    if (!isInvocationOver(own, clock.at)) return false
    for (const job of jobsOf(own)) if (!isJobOver(yield* facts(job))) return false
    return true
  })
  /** Whether some of it was not sent yet, so that it may stay. */
  const waits = Effect.fnUntraced(function* (one: Recorded, bytes: number) {
    if (unshipped === undefined || one.type !== "INVOCATION_OPENED") return false
    const { after } = unshipped
    const isLeft = one.position > after || (yield* facts(one.stream)).some(({ position }) => position > after)
    if (isLeft) lacking.add(one.stream)
    const isOld = ageIn(clock, unshipped.ages ?? onlyDates, one, longer.maxAgeMs) === "old"
    return isLeft && bytes <= longer.maxBytes && !isOld
  })
  const lacking = new Set<string>()
  const all = yield* log.stats
  const most = mostOf(all.streams)
  let { recorded: bytes } = yield* sharesOf
  let [gone, taken, before, unsent, reason] = [0, 0, 0, 0, ""]
  for (let after = 0; taken < most; ) {
    const tooMuch = bytes > maxBytes
    if (!tooMuch && !isSteady(clock)) break
    const round = yield* opened(after)
    const streams: string[] = []
    let isYoung = false
    for (const one of round) {
      after = one.position
      const age = ageIn(clock, ages, one, maxAgeMs)
      isYoung = !tooMuch && age === "young"
      if (isYoung || taken === most) break
      if (!(tooMuch || age === "old") || (yield* waits(one, bytes)) || !(yield* isOver(one))) continue
      streams.push(one.stream)
      taken++
      if (one.type === "INVOCATION_OPENED") gone++
      if (lacking.has(one.stream)) unsent++
      before = one.position + 1
    }
    if (streams.length > 0) {
      yield* log.forget(streams)
      reason = tooMuch
        ? `more than ${maxBytes} bytes`
        : `older than ${Math.round(maxAgeMs / 86_400_000)} days`
      bytes = (yield* sharesOf).recorded
    }
    if (isYoung || round.length < perRound) break
  }
  if (before > 0)
    yield* log.append(`operator/${source}`, "any", [
      truncated(source, now, {
        before,
        invocations: gone,
        ...(unsent === 0 ? {} : { unshipped: unsent }),
        reason
      })
    ])
  return { gone, more: before > 0 && bytes > maxBytes } satisfies Retained
})
