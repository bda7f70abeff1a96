/** How the hooks have done, told from the outcomes on the log. Pure. */
import type { InvocationFact, JobFact } from "../../../events/facts.ts"
import type { Recorded } from "../../../events/Recorded.ts"
import { settled } from "../../history/settled.ts"

export interface HookRuns {
  readonly runs: number
  readonly failures: number
  /** Milliseconds of the runs that came to an end; null where there were none. */
  readonly p50: number | null
  readonly p95: number | null
  readonly last: LastRun | null
}

export interface LastRun {
  readonly outcome: "succeeded" | "failed" | "timed-out" | "skipped"
  /** ISO 8601. */
  readonly at: string
  readonly ms: number | null
  readonly reason?: string
}

export const runTypes = [
  "HANDLER_SUCCEEDED",
  "HANDLER_FAILED",
  "HANDLER_TIMED_OUT",
  "HANDLER_SKIPPED",
  "JOB_ENQUEUED",
  "JOB_SUCCEEDED",
  "JOB_FAILED"
] as const

interface Tally {
  runs: number
  failures: number
  readonly ms: number[]
  last: LastRun | null
}

const percentile = (sorted: readonly number[], share: number): number | null =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null

type Outcome = Pick<LastRun, "outcome" | "ms" | "reason">

const outcomeOf = (fact: InvocationFact | JobFact): Outcome | undefined => {
  switch (fact.type) {
    case "HANDLER_SUCCEEDED":
    case "JOB_SUCCEEDED":
      return { outcome: "succeeded", ms: fact.ms }
    case "HANDLER_FAILED":
    case "JOB_FAILED":
      return { outcome: "failed", ms: fact.ms ?? null, reason: fact.error.message }
    case "HANDLER_TIMED_OUT":
      return { outcome: "timed-out", ms: fact.ms, reason: `not done within ${fact.deadlineMs} ms` }
    case "HANDLER_SKIPPED":
      return { outcome: "skipped", ms: null, reason: fact.reason }
    default:
      return undefined
  }
}

/** By the name of the hook. `recorded` in order. */
export const runsOf = (recorded: Iterable<Recorded>): ReadonlyMap<string, HookRuns> => {
  const tallies = new Map<string, Tally>()
  const handlerOf = new Map<string, string>()
  for (const { at, data, known, stream } of settled([...recorded])) {
    if (!known) continue
    const fact = data as InvocationFact | JobFact
    if (fact.type === "JOB_ENQUEUED" && fact.handler !== undefined) handlerOf.set(stream, fact.handler)
    const outcome = outcomeOf(fact)
    const handler = "handler" in fact ? fact.handler : handlerOf.get(stream)
    if (outcome === undefined || handler === undefined) continue
    const tally = tallies.get(handler) ?? { runs: 0, failures: 0, ms: [], last: null }
    tallies.set(handler, tally)
    tally.last = { ...outcome, at: new Date(at).toISOString() }
    if (outcome.outcome === "skipped") continue
    tally.runs++
    if (outcome.outcome !== "succeeded") tally.failures++
    if (outcome.ms !== null) tally.ms.push(outcome.ms)
  }
  return new Map(
    [...tallies].map(([name, { failures, last, ms, runs }]) => {
      const sorted = ms.sort((a, b) => a - b)
      return [name, { runs, failures, p50: percentile(sorted, 0.5), p95: percentile(sorted, 0.95), last }]
    })
  )
}
