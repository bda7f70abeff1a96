/** Who does the work of a job: a port, one runner for each kind of job. */
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type { JobFact, ServiceCalled } from "../../events/facts.ts"
import type { JobId } from "../../events/ids.ts"
import type { Json } from "../../events/intents.ts"
import type { Enqueued } from "../../machines/job.ts"

type Failed = Extract<JobFact, { type: "JOB_FAILED" }>

/** What was printed while an attempt ran. */
type Noise = Extract<JobFact, { type: "JOB_SUCCEEDED" }>["noise"]

/** What was seen of an attempt, however it ended. */
export interface Observed {
  readonly noise?: NonNullable<Noise>
  /** What its handler asked services for. */
  readonly called?: readonly ServiceCalled[]
}

export interface Work {
  /** The same in every attempt: by it, work that must not be done twice is recognised. */
  readonly job: JobId
  readonly attempt: number
  readonly enqueued: Enqueued
  /** Aborts at the deadline and when the queue stops; the Effect is interrupted then as well. */
  readonly signal: AbortSignal
}

export interface Done extends Observed {
  readonly result?: Json
}

/** An attempt that failed. `final`: trying again is no use. */
export class JobError extends Data.TaggedError("JobError")<
  {
    readonly error: Failed["error"]
    readonly final?: boolean
  } & Observed
> {
  override get message(): string {
    return this.error.message
  }
}

/** Ends soon once it is interrupted: what goes on after that is not waited for. */
export type Runner = (work: Work) => Effect.Effect<Done, JobError>
