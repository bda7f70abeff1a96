/** The work that went on after the reply of a call. */
import type { Backgrounded } from "../../../../events/facts.ts"
import type { Recorded } from "../../../../events/Recorded.ts"
import { jobOf } from "../../../jobs/Job.ts"
import { jobStream } from "../../../runtime/enqueue.ts"
import type { Call } from "../../timeline/Call.ts"
import type { CallDetail } from "../contract/call.ts"
import { errorOf } from "./errorOf.ts"

type CallJob = CallDetail["jobs"][number]

const stateNames: Readonly<Record<string, string>> = {
  JOB_ENQUEUED: "queued",
  JOB_STARTED: "running",
  JOB_SUCCEEDED: "done",
  JOB_FAILED: "waiting",
  JOB_RELEASED: "queued",
  JOB_RETRIED: "queued",
  JOB_HELD: "queued",
  JOB_DIED: "dead",
  JOB_DROPPED: "dropped"
}

/** How long it was in each state. */
const runsOf = (facts: readonly Recorded[], openedAt: number): CallJob["runs"] => {
  const moves = facts.filter(({ type }) => type in stateNames)
  return moves.map(({ at, type }, nth) => {
    const next = moves[nth + 1]
    return {
      state: stateNames[type] ?? type,
      startMs: Math.max(0, at - openedAt),
      ms: next === undefined ? null : next.at - at
    }
  })
}

const failureOf = (facts: readonly Recorded[]): CallJob["failure"] => {
  // Another attempt may run by now.
  const last = jobOf(facts)?.history.findLast(({ error }) => error !== undefined)
  const failure = last?.error && errorOf(last.error, Date.parse(last.startedAt))
  return failure && last ? { ...failure, attempt: last.attempt } : null
}

/** Those of its row, and those that are planned and not on the log yet. `facts`: all of these jobs. */
export const jobsOf = (
  known: Call["jobs"],
  planned: readonly Backgrounded[],
  facts: readonly Recorded[],
  openedAt: number
): CallDetail["jobs"] => {
  const coming = planned
    .filter(({ job }) => !known.some((one) => one.job === job))
    .map(({ handler, job }) => ({
      job,
      hook: handler,
      state: "queued" as const,
      attempts: 0,
      ms: null,
      error: null
    }))
  return [...known, ...coming].map((one) => {
    const own = facts.filter(({ stream }) => stream === jobStream(one.job))
    return { ...one, failure: failureOf(own), runs: runsOf(own, openedAt) }
  })
}
