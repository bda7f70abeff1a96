/** How each hook does: what it ran, stopped and cost, and whether it is on. */
import { byKey } from "../../../state/byKey.ts"
import type { HookHealth, Hooks, HooksQuery } from "../contract/hooks.ts"
import { type Described, describedHooks } from "./describedHooks.ts"
import { row, rows, type Source } from "./Source.ts"

const perDecade = 10
const manyBins = 60
const stretches = 24

interface Run {
  readonly hook: string
  /** Null for work after the reply. */
  readonly event: string | null
  readonly at: number
  readonly ms: number | null
  readonly outcome: string
  readonly decision: string | null
  readonly reason: string | null
  readonly invocation: string | null
}

/** More are not needed to tell how a hook does. */
const maxRuns = 200_000

/** Of jobs no index tells the time: those of the newest ids are read, which begin with it. */
const maxJobs = 10_000

/** On a log axis from 0.1 ms on. */
const binOf = (ms: number): number =>
  Math.max(0, Math.min(manyBins - 1, Math.floor((Math.log10(Math.max(ms, 0.1)) + 1) * perDecade)))

const quantile = (sorted: readonly number[], share: number): number | null =>
  sorted.length === 0
    ? null
    : (sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? null)

type Outcome = "ok" | "blocked" | "failed" | "late"
const severity: readonly Outcome[] = ["ok", "late", "failed", "blocked"]

const outcomeOf = ({ decision, outcome }: Run): Outcome => {
  if (outcome === "failed") return "failed"
  if (outcome === "timed-out") return "late"
  return decision === "block" ? "blocked" : "ok"
}

const trendOf = (runs: readonly Run[], from: number, to: number): HookHealth["trend"] => {
  const step = Math.max(1, (to - from) / stretches)
  const found = Array.from({ length: stretches }, (): { ms: number | null; outcome: Outcome | null } => ({
    ms: null,
    outcome: null
  }))
  for (const run of runs) {
    const one = found[Math.min(stretches - 1, Math.max(0, Math.floor((run.at - from) / step)))]
    if (one === undefined) continue
    if (run.ms !== null) one.ms = Math.max(one.ms ?? 0, run.ms)
    const outcome = outcomeOf(run)
    if (one.outcome === null || severity.indexOf(outcome) > severity.indexOf(one.outcome))
      one.outcome = outcome
  }
  return found
}

interface Planned {
  readonly source: string | null
  readonly priority: number | null
}

const none: Planned = { source: null, priority: null }

const plannedLast = (source: Source, invocation: string, hook: string): Planned => {
  const found = row<{ readonly source: string | null; readonly priority: number | null }>(
    source,
    `SELECT one.value ->> 'source' AS source, one.value ->> 'priority' AS priority
      FROM recorded JOIN kinds ON kinds.id = recorded.kind LEFT JOIN blobs ON blobs.hash = recorded.blob,
        json_each(coalesce(recorded.data, blobs.data), '$.handlers') AS one
      WHERE recorded.stream = (SELECT id FROM streams WHERE name = ?) AND kinds.type = 'HANDLERS_PLANNED'
        AND one.value ->> 'handler' = ? LIMIT 1`,
    `invocation/${invocation}`,
    hook
  )
  return found ?? none
}

const originOf = (source: string | null, described: Described | undefined): HookHealth["origin"] => {
  if (described !== undefined) return described.origin
  if (source === null) return "unknown"
  if (source.startsWith("hooktape:")) return "shipped"
  return source.includes("/.hooktape/") ? "project" : "user"
}

const healthOf = (
  source: Source,
  hook: string,
  runs: readonly Run[],
  {
    described,
    from,
    to,
    waitedMs
  }: {
    readonly described: Described | undefined
    readonly from: number
    readonly to: number
    readonly waitedMs: number
  }
): HookHealth => {
  const times = runs.flatMap(({ ms }) => (ms === null ? [] : [ms])).sort((a, b) => a - b)
  const histogram = Array.from({ length: manyBins }, () => 0)
  for (const ms of times) histogram[binOf(ms)] = (histogram[binOf(ms)] ?? 0) + 1
  const last = runs.findLast(({ event }) => event !== null)
  const planned = last?.invocation ? plannedLast(source, last.invocation, hook) : none
  const isBackground = described?.background ?? last === undefined
  const events = [...new Set(runs.flatMap(({ event }) => event ?? []))]
  const broken = runs.findLast((run) => ["failed", "late"].includes(outcomeOf(run)))
  const countOf = (wanted: Outcome): number => runs.filter((run) => outcomeOf(run) === wanted).length
  return {
    hook,
    events: events.length > 0 ? events : (described?.events ?? []),
    origin: originOf(planned.source, described),
    source: planned.source ?? described?.source ?? null,
    priority: planned.priority ?? described?.priority ?? null,
    background: isBackground,
    runs: runs.length,
    blocked: countOf("blocked"),
    failed: countOf("failed"),
    late: countOf("late"),
    p50: quantile(times, 0.5),
    p95: quantile(times, 0.95),
    max: times.at(-1) ?? null,
    share:
      isBackground || last === undefined || waitedMs === 0
        ? null
        : Math.min(1, times.reduce((sum, ms) => sum + ms, 0) / waitedMs),
    histogram,
    trend: trendOf(runs, from, to),
    on: described?.on ?? null,
    why: described?.why ?? null,
    lastError:
      broken === undefined
        ? null
        : { at: broken.at, message: broken.reason ?? broken.outcome, invocation: broken.invocation }
  }
}

/** Work after the reply, each job as a run: one that waits for its next attempt failed at the last. */
const jobRuns = (source: Source, from: number, project: string | null): readonly Run[] =>
  rows<Run>(
    source,
    `SELECT hook, NULL AS event, at, ms, CASE state WHEN 'done' THEN 'succeeded' ELSE 'failed' END AS outcome, NULL AS decision,
        error AS reason, invocation
      FROM timeline_jobs WHERE state IN ('done', 'dead', 'waiting') AND at >= ? AND (? IS NULL OR project = ?)
      ORDER BY job DESC LIMIT ${maxJobs}`,
    from,
    project,
    project
  ).toReversed()

export const listHooks = (source: Source, { from = 0, project }: typeof HooksQuery.Type): Hooks => {
  const values = [from, project ?? null, project ?? null]
  const where = "calls.at >= ? AND calls.own = 0 AND (? IS NULL OR calls.project = ?)"
  const runs = rows<Run>(
    source,
    `SELECT hook, runs.event, calls.at, ms, runs.outcome, runs.decision, runs.reason, calls.invocation
      FROM timeline_calls AS calls JOIN timeline_runs AS runs ON runs.call = calls.position
      WHERE ${where} AND runs.outcome <> 'skipped' ORDER BY calls.position DESC LIMIT ${maxRuns}`,
    ...values
  ).toReversed()
  const waits = rows<{ readonly at: number; readonly wait: number; readonly own: number }>(
    source,
    `SELECT at, wait, max(0, wait - coalesce((SELECT sum(ms) FROM timeline_runs AS runs WHERE runs.call = calls.position), 0)) AS own
      FROM timeline_calls AS calls WHERE ${where} AND wait IS NOT NULL`,
    ...values
  )
  const waitedMs = waits.reduce((sum, { wait }) => sum + wait, 0)
  const own = waits.map((one) => one.own).sort((a, b) => a - b)
  const ownMs = own.reduce((sum, ms) => sum + ms, 0)
  const first = runs[0]?.at ?? waits[0]?.at ?? null
  const to = source.now
  const described = describedHooks(source.state, project)
  // A hook that became one after the reply has both: the last of them tells how it does.
  const all = [...runs, ...jobRuns(source, from, project ?? null)].sort((a, b) => a.at - b.at)
  const byHook = byKey(all, ({ hook }) => hook)
  const hooks = [...new Set([...byHook.keys(), ...described.keys()])].map((hook) =>
    healthOf(source, hook, byHook.get(hook) ?? [], {
      described: described.get(hook),
      from: from === 0 ? (first ?? to) : from,
      to,
      waitedMs
    })
  )
  return {
    from: from === 0 ? first : from,
    to,
    waitedMs,
    hooks: hooks.sort((a, b) => (b.share ?? 0) - (a.share ?? 0) || a.hook.localeCompare(b.hook)),
    own: {
      calls: waits.length,
      ms: ownMs,
      share: waitedMs > 0 ? Math.min(1, ownMs / waitedMs) : null,
      p50: quantile(own, 0.5),
      p95: quantile(own, 0.95)
    }
  }
}
