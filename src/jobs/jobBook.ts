/** The open jobs as the log has them, and the one way to add to it: at exactly the version that was seen. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { JobFact } from "../../events/facts.ts"
import type { Recorded } from "../../events/Recorded.ts"
import { job as machine } from "../../machines/job.ts"
import { evolve } from "../../machines/step.ts"
import type { EventLogError } from "../log/EventLog.ts"
import { jobTypes, makeJobLog } from "./jobLog.ts"
import { type JobObserver, makeOpenJobs } from "./openJobs.ts"

/** Nobody starts over from further back than so many facts. */
const checkpointEvery = 1000

export const makeJobBook = Effect.fn("jobs.makeJobBook")(function* (observe?: JobObserver) {
  const log = yield* makeJobLog
  const open = makeOpenJobs(observe)
  let saved = yield* log.checkpoint
  /** Every fact of a job up to here was taken in. */
  let seen = saved

  const reload = (stream: string) =>
    Effect.map(log.load(stream, open.get(stream)?.version ?? 0, observe), (loaded) => {
      if (Option.isSome(loaded) && loaded.value.version > (open.get(stream)?.version ?? 0))
        open.set(loaded.value)
    })

  const takeIn = Effect.fnUntraced(function* (fact: Recorded) {
    if (fact.position <= seen || open.apply(fact)) return
    // A job that is not among the open ones is over, unless it begins here with something strange, or is wanted again.
    const { stream, type } = fact
    if (open.get(stream) !== undefined || type === "JOB_RETRIED" || type === "JOB_ENQUEUED")
      yield* reload(stream)
  })

  const catchUp = Effect.fnUntraced(function* (upTo: number) {
    const facts = log.read({ types: jobTypes, after: seen, before: upTo + 1 })
    yield* Stream.runForEach(facts, takeIn)
    seen = Math.max(seen, upTo)
  })

  const record = (stream: string, fact: JobFact): Effect.Effect<Option.Option<Recorded>, EventLogError> =>
    Effect.suspend(() => {
      const job = open.get(stream)
      if (job === undefined) return Effect.succeedNone
      const { command, refused } = evolve(machine, job.snapshot, fact)
      if (refused) return Effect.succeedNone
      const end: JobFact[] =
        command?.type === "BURY"
          ? [{ type: "JOB_DIED", attempts: command.attempts, error: command.error }]
          : []
      return Effect.flatMap(log.append(job, fact, ...end), (recorded) => {
        // Somebody was faster. Whether there is still something to say is for the machine to tell, from where the job stands now.
        if (Option.isNone(recorded)) return Effect.zipRight(reload(stream), record(stream, fact))
        for (const one of recorded.value) open.apply(one)
        return Effect.succeed(Option.fromNullable(recorded.value[0]))
      })
    })

  return {
    open,
    /** Takes in what the log holds up to a position. */
    catchUp,
    /** The same up to its end. */
    catchUpAll: Effect.flatMap(log.newest, catchUp),
    /** Appends a fact, and the end of the job where its machine asks for that. Nothing where the job does not take it any more. */
    record,
    /** Takes in whatever comes, for as long as the log can be read. */
    listen: (heard: Effect.Effect<void>): Effect.Effect<void, EventLogError> =>
      Effect.suspend(() =>
        Stream.runForEachChunk(log.follow(seen), (facts) =>
          Effect.gen(function* () {
            for (const fact of facts) {
              yield* takeIn(fact)
              seen = Math.max(seen, fact.position)
            }
            yield* heard
          })
        )
      ),
    /** Notes from where on the next queue has to look. */
    save: Effect.fn("jobs.save")(function* (always: boolean) {
      const floor = open.floor(seen)
      if (floor <= saved || (!always && floor - saved < checkpointEvery)) return
      yield* log.setCheckpoint(floor)
      saved = floor
    })
  }
})
