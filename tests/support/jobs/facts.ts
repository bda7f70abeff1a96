/** Facts of a job for tests: one plausible value of each type, changed where a test cares. */
import type { JobFact } from "../../../events/facts.ts"

type FactOf<T extends JobFact["type"]> = Extract<JobFact, { type: T }>

export const anId = "01890000-0000-7000-8000-00000000000a"

export const anError = { name: "Error", message: "boom" }

export const enqueued = (more: Partial<FactOf<"JOB_ENQUEUED">> = {}): FactOf<"JOB_ENQUEUED"> => ({
  type: "JOB_ENQUEUED",
  job: anId,
  kind: "test",
  maxAttempts: 3,
  deadlineMs: 1000,
  input: null,
  ...more
})

export const started = (
  attempt: number,
  more: Partial<FactOf<"JOB_STARTED">> = {}
): FactOf<"JOB_STARTED"> => ({
  type: "JOB_STARTED",
  attempt,
  host: "elsewhere",
  pid: 4711,
  until: 60_000,
  ...more
})

export const succeeded = (attempt: number): FactOf<"JOB_SUCCEEDED"> => ({
  type: "JOB_SUCCEEDED",
  attempt,
  ms: 1
})

export const failed = (attempt: number, retryAt?: number): FactOf<"JOB_FAILED"> => ({
  type: "JOB_FAILED",
  attempt,
  error: anError,
  ...(retryAt === undefined ? {} : { retryAt }),
  ms: 1
})

export const released = (attempt: number): FactOf<"JOB_RELEASED"> => ({
  type: "JOB_RELEASED",
  attempt,
  reason: "the host stops"
})

export const died = (attempts: number): FactOf<"JOB_DIED"> => ({
  type: "JOB_DIED",
  attempts,
  error: anError
})

export const retried = (): FactOf<"JOB_RETRIED"> => ({ type: "JOB_RETRIED", by: "operator" })

export const held = (reason = "not trusted yet"): JobFact => ({ type: "JOB_HELD", reason })

export const dropped = (reason = "disabled"): JobFact => ({ type: "JOB_DROPPED", reason })
