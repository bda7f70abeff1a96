/** What the queue reads and writes: facts of jobs, each appended at exactly the version that was seen. */
import { randomBytes } from "node:crypto"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import type { JobFact } from "../../events/facts.ts"
import { newFactId } from "../../events/ids.ts"
import { makeDraft } from "../../events/makeDraft.ts"
import type { Recorded } from "../../events/Recorded.ts"
import { EventLog, type EventLogError, type EventLogShape, type Filter } from "../log/EventLog.ts"
import { type RedactedDraft, redactDraft } from "../redact/redact.ts"
import { contextOf, follows, type JobObserver, type OpenJob } from "./openJobs.ts"

export const jobTypes: readonly JobFact["type"][] = [
  "JOB_ENQUEUED",
  "JOB_STARTED",
  "JOB_SUCCEEDED",
  "JOB_FAILED",
  "JOB_RELEASED",
  "JOB_DIED",
  "JOB_HELD",
  "JOB_DROPPED",
  "JOB_RETRIED"
]

/** A log that cannot be written now can be in a moment; one that still cannot is not asked in a loop. */
const patiently = Schedule.intersect(Schedule.exponential("200 millis"), Schedule.recurs(5))

type NonEmpty<A> = readonly [A, ...A[]]

/** `again`: when it is asked once more, beyond what the log itself waits for others. */
const jobLogOn = (log: EventLogShape, again: Schedule.Schedule<unknown>) => {
  const dressed = Effect.fnUntraced(function* (open: OpenJob, facts: NonEmpty<JobFact>) {
    const at = yield* Clock.currentTimeMillis
    const { invocation } = contextOf(open).enqueued ?? {}
    let { cause } = open
    const toDraft = (fact: JobFact): RedactedDraft => {
      const { marks, stream } = open
      const id = newFactId(at, randomBytes)
      const data = invocation === undefined ? fact : { ...fact, invocation }
      const draft = redactDraft(makeDraft(data, { id, stream, at, cause, marks }))
      cause = id
      return draft
    }
    const [first, ...rest] = facts
    return [toDraft(first), ...rest.map(toDraft)] as const
  })

  const all = (filter: Filter): Effect.Effect<readonly Recorded[], EventLogError> =>
    Effect.map(Stream.runCollect(log.read(filter)), (found) => [...found])

  return {
    read: (filter: Filter) => log.read(filter),
    /** Nothing where somebody else went on with the job meanwhile. */
    append: Effect.fn("jobs.append")(function* (open: OpenJob, ...facts: NonEmpty<JobFact>) {
      const drafts = yield* dressed(open, facts)
      return yield* log.append(open.stream, { exact: open.version }, drafts).pipe(
        Effect.retry({ schedule: again, while: ({ reason }) => reason === "io" }),
        Effect.asSome,
        Effect.catchIf(
          ({ reason }) => reason === "version",
          () => Effect.succeedNone
        )
      )
    }),
    /** A job as all its facts say. Nothing where it has none. Told of are those after a version that were not taken in yet. */
    load: (
      stream: string,
      after = 0,
      observe: JobObserver = () => undefined
    ): Effect.Effect<Option.Option<OpenJob>, EventLogError> =>
      Effect.map(all({ stream }), (facts) => {
        let open: OpenJob | undefined
        for (const fact of facts) {
          if (fact.version > after) observe(open, fact)
          open = follows(open, fact)
        }
        return Option.fromNullable(open)
      }),
    /** Position of the newest fact. */
    newest: Effect.map(all({ reverse: true, limit: 1 }), ([fact]) => fact?.position ?? 0),
    follow: (after: number) => log.follow(after, { types: jobTypes }),
    checkpoint: log.checkpoint("jobs"),
    setCheckpoint: (position: number) => log.setCheckpoint("jobs", position)
  }
}

export const makeJobLog = Effect.map(EventLog, (log) => jobLogOn(log, patiently))
/** For somebody who waits for the answer, and can ask again. */
export const makeBriefJobLog = Effect.map(EventLog, (log) => jobLogOn(log, Schedule.stop))
