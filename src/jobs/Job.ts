/** One job as people and programs ask for it, told from its facts alone. Pure. */
import type { JobFact } from "../../events/facts.ts"
import type { Json } from "../../events/intents.ts"
import type { Recorded } from "../../events/Recorded.ts"
import { job as machine } from "../../machines/job.ts"
import { frames, stateOf } from "../../machines/step.ts"
import { contextOf, follows, type OpenJob } from "./openJobs.ts"

type FactOf<T extends JobFact["type"]> = Extract<JobFact, { type: T }>

export type JobState = "queued" | "running" | "waiting" | "done" | "dead" | "dropped"

export interface Attempt {
  readonly attempt: number
  /** ISO 8601. */
  readonly startedAt: string
  /** `running`: nothing is known of its end. `released`: given back unfinished. */
  readonly outcome: "running" | "succeeded" | "failed" | "released"
  readonly ms: number | null
  readonly error?: FactOf<"JOB_FAILED">["error"]
  readonly reason?: string
  readonly noise?: NonNullable<FactOf<"JOB_FAILED">["noise"]>
}

export interface Job {
  readonly job: string
  readonly kind: string
  readonly state: JobState
  readonly handler: string | null
  readonly event: string | null
  readonly project: string | null
  readonly session: string | null
  readonly invocation: string | null
  readonly attempts: number
  /** How many may fail until it is dead, and how many did since somebody wanted it again. */
  readonly maxAttempts: number
  readonly failures: number
  /** When it was enqueued, ISO 8601. */
  readonly at: string
  /** When its next attempt is due, where it waits for one. */
  readonly nextAt: string | null
  /** Of its last failure. */
  readonly error: FactOf<"JOB_FAILED">["error"] | null
  /** Why it cannot begin yet, or why it was dropped. */
  readonly reason: string | null
  readonly result: Json
  readonly history: readonly Attempt[]
}

const iso = (at: number): string => new Date(at).toISOString()

const historyOf = (recorded: readonly Recorded[]): readonly Attempt[] => {
  const history: Attempt[] = []
  const taken = frames(
    machine,
    recorded.map(({ data }) => data as JobFact)
  )
  recorded.forEach(({ at }, index) => {
    const { fact, refused } = taken[index] ?? {}
    const last = history.length - 1
    const current = history[last]
    if (fact === undefined || refused === true) return
    if (fact.type === "JOB_STARTED")
      history.push({ attempt: fact.attempt, startedAt: iso(at), outcome: "running", ms: null })
    if (current === undefined) return
    if (fact.type === "JOB_SUCCEEDED" || fact.type === "JOB_FAILED") {
      history[last] = {
        ...current,
        outcome: fact.type === "JOB_SUCCEEDED" ? "succeeded" : "failed",
        ms: fact.ms ?? null,
        ...("error" in fact ? { error: fact.error } : {}),
        ...(fact.noise === undefined ? {} : { noise: fact.noise })
      }
    }
    if (fact.type === "JOB_RELEASED") history[last] = { ...current, outcome: "released", reason: fact.reason }
  })
  return history
}

/** `recorded` are the facts of one stream, in order. Undefined where they are those of no job. */
export const jobOf = (recorded: readonly Recorded[]): Job | undefined => {
  const known = recorded.filter((one) => one.known)
  let open: OpenJob | undefined
  for (const one of known) open = follows(open, one)
  if (open === undefined) return undefined
  const { attempts, enqueued, error, failures, reason, until } = contextOf(open)
  if (enqueued === undefined) return undefined
  const { job, kind, maxAttempts, handler = null, event = null, invocation = null } = enqueued
  const succeeded = known.map(({ data }) => data as JobFact).find(({ type }) => type === "JOB_SUCCEEDED")
  return {
    job,
    kind,
    state: stateOf(open.snapshot) as JobState,
    handler,
    event,
    project: open.marks.project,
    session: open.marks.session,
    invocation,
    attempts,
    maxAttempts,
    failures,
    at: iso(known[0]?.at ?? 0),
    nextAt: open.command?.type === "WAIT" && until !== undefined ? iso(until) : null,
    error: error ?? null,
    reason: reason ?? null,
    result: (succeeded as FactOf<"JOB_SUCCEEDED"> | undefined)?.result ?? null,
    history: historyOf(known)
  }
}

/** Every job whose facts are among these, in the order in which they were enqueued. */
export const jobsIn = (recorded: Iterable<Recorded>): readonly Job[] => {
  const streams = new Map<string, Recorded[]>()
  for (const one of recorded) {
    const there = streams.get(one.stream)
    if (there === undefined) streams.set(one.stream, [one])
    else there.push(one)
  }
  return [...streams.values()].flatMap((facts) => jobOf(facts) ?? [])
}
