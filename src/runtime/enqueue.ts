/** Jobs on their way to the log, as drafts: light enough for whoever answers an agent, who puts them beside the plan. */
import type { InvocationFact, JobFact, ServiceCalled } from "../../events/facts.ts"
import {
  derivedId,
  type FactId,
  type InvocationId,
  type JobId,
  newFactId,
  type Sources,
  uuidv7
} from "../../events/ids.ts"
import type { JsonObject } from "../../events/intents.ts"
import { makeDraft } from "../../events/makeDraft.ts"
import type { Draft, Marks } from "../../events/Recorded.ts"

type Enqueued = Extract<JobFact, { type: "JOB_ENQUEUED" }>

/** The kind of the jobs that background hooks become. */
export const hookKind = "hook"

/** The kind of the jobs that store what handlers want remembered. */
export const noteKind = "note"

/** A job that failed so often is dead until somebody wants it again. */
export const defaultMaxAttempts = 5

/** Nobody waits for a job; this keeps one that hangs from holding its place for long. */
const defaultDeadlineMs = 60_000

export const jobStream = (job: string): string => `job/${job}`

/** What a job is to be; whatever is left out is as usual. */
export type NewJob = Pick<Enqueued, "kind" | "input"> &
  Partial<Omit<Enqueued, "type" | "job">> & {
    readonly marks?: Partial<Marks>
    readonly cause?: FactId | null
  }

/** A job that follows from no plan. Appended to its stream where there is none. */
export const enqueue = (
  { marks, cause = null, maxAttempts = defaultMaxAttempts, deadlineMs = defaultDeadlineMs, ...job }: NewJob,
  { now, random }: Sources
): Draft<Enqueued> => {
  const at = now()
  const id = uuidv7(at, random(10)) as JobId
  return makeDraft(
    { type: "JOB_ENQUEUED", ...job, job: id, maxAttempts, deadlineMs },
    { id: newFactId(at, random), stream: jobStream(id), at, cause, marks }
  )
}

type Planned = Extract<InvocationFact, { type: "HANDLERS_PLANNED" }>

/** What a handler asked of `notes.add` as a job, named after whatever it was recorded with: the same fact gives the same job. */
export const noteJob = (
  { attempt, call, error, event, handler, index, input, service }: ServiceCalled,
  {
    at,
    id,
    invocation,
    marks
  }: { readonly id: string; readonly at: number; readonly marks: Marks; readonly invocation: InvocationId }
): readonly Draft<Enqueued>[] => {
  if (service !== "notes.add" || error !== undefined) return []
  // Away from the ids that a plan's jobs are given.
  const nth = 1_000_000 + (index * 100 + attempt) * 20_000 + call * 2
  const job = derivedId(id, nth + 1) as JobId
  return [
    makeDraft(
      {
        type: "JOB_ENQUEUED",
        job,
        kind: noteKind,
        maxAttempts: defaultMaxAttempts,
        deadlineMs: defaultDeadlineMs,
        input: { ...(input as JsonObject), source: `hook ${handler}` },
        invocation,
        handler,
        event
      },
      {
        id: derivedId(id, nth) as FactId,
        stream: jobStream(job),
        at,
        cause: id as FactId,
        marks: { ...marks, event }
      }
    )
  ]
}

/**
 * The jobs that a plan asks for, in its order, as drafts to be recorded with it. The same plan gives the same drafts, so that
 * doing it again changes nothing. One hook's jobs of one project run one at a time.
 */
export const jobsOf = (draft: Draft<InvocationFact>): readonly Draft<Enqueued>[] => {
  const { id, stream, at, agent, agentEvent, event, session, project, toolUseId } = draft
  const invocation = stream.slice("invocation/".length) as InvocationId
  const marks = { agent, agentEvent, event, session, project, toolUseId }
  if (draft.type === "SERVICE_CALLED")
    return noteJob(draft.data as ServiceCalled, { id, at, marks, invocation })
  if (draft.type !== "HANDLERS_PLANNED") return []
  const { background = [] } = draft.data as Planned
  return background.map(({ job, handler, event, deadlineMs, retry, whenFull }, nth) =>
    makeDraft(
      {
        type: "JOB_ENQUEUED",
        job,
        kind: hookKind,
        key: `${handler} ${project ?? ""}`,
        ...(whenFull === undefined ? {} : { whenFull }),
        maxAttempts: retry?.attempts ?? defaultMaxAttempts,
        deadlineMs,
        input: null,
        invocation,
        handler,
        event
      },
      {
        id: derivedId(id, nth) as FactId,
        stream: jobStream(job),
        at,
        cause: id,
        marks: { ...marks, event }
      }
    )
  )
}
