/** What went on after the reply of an invocation. Pure. */
import type { Backgrounded, InvocationFact } from "../../../events/facts.ts"
import type { Recorded } from "../../../events/Recorded.ts"
import type { Job } from "../../jobs/Job.ts"

export interface DescribedJob {
  readonly job: string
  readonly handler: string
  readonly event: string
  /** Null where the job is not on the log. */
  readonly state: Job["state"] | null
  readonly attempts: number
  /** Of the attempt that ended last. */
  readonly ms: number | null
  /** Of its last failure. */
  readonly error?: NonNullable<Job["error"]>
}

/** The handlers of an invocation that run as jobs. */
export const backgroundOf = (recorded: readonly Recorded[]): readonly Backgrounded[] =>
  recorded.flatMap(({ data, known, type }) =>
    known && type === "HANDLERS_PLANNED"
      ? ((data as Extract<InvocationFact, { type: "HANDLERS_PLANNED" }>).background ?? [])
      : []
  )

type Named = Pick<DescribedJob, "event" | "handler" | "job">

const describedJob = ({ event, handler, job }: Named, found: Job | undefined): DescribedJob => ({
  job,
  handler,
  event,
  state: found?.state ?? null,
  attempts: found?.attempts ?? 0,
  ms: found?.history.findLast(({ ms }) => ms !== null)?.ms ?? null,
  ...(found?.error ? { error: found.error } : {})
})

/** Those that were planned, on the log or not, then those that handlers asked for as they ran. */
export const describedJobs = (
  planned: readonly Backgrounded[],
  jobs: readonly Job[]
): readonly DescribedJob[] => {
  const asked = jobs
    .filter(({ job }) => !planned.some((one) => one.job === job))
    .map(({ event, handler, job, kind }): Named => ({ job, handler: handler ?? kind, event: event ?? "" }))
  return [...planned, ...asked].map((one) =>
    describedJob(
      one,
      jobs.find(({ job }) => job === one.job)
    )
  )
}
