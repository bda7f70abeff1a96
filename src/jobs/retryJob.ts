/** Tries a job again because somebody wants it: from the dead with all its attempts anew, or now in place of later. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { JobFact } from "../../events/facts.ts"
import { job as machine } from "../../machines/job.ts"
import { evolve } from "../../machines/step.ts"
import type { EventLog, EventLogError } from "../log/EventLog.ts"
import { jobStream } from "../runtime/enqueue.ts"
import { makeBriefJobLog } from "./jobLog.ts"

/** False where the job is neither dead nor waiting, or is none. */
export const retryJob = Effect.fn("jobs.retryJob")(function* (
  job: string,
  by: string
): Effect.fn.Return<boolean, EventLogError, EventLog> {
  const log = yield* makeBriefJobLog
  const retried: JobFact = { type: "JOB_RETRIED", by }
  for (;;) {
    const open = yield* log.load(jobStream(job))
    if (Option.isNone(open) || evolve(machine, open.value.snapshot, retried).refused) return false
    // A queue may have gone on with it since we looked.
    if (Option.isSome(yield* log.append(open.value, retried))) return true
  }
})
