/** How each hook does: what it ran, stopped and cost, and whether it is on. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type DescribedHook, readDescribed } from "../../../runtime/builds/described.ts"
import { byKey } from "../../../state/byKey.ts"
import type { Manifest } from "../../../state/manifest.ts"
import type { HookHealth, Hooks, HooksQuery } from "../contract/hooks.ts"
import { row, rows, type Source } from "./Source.ts"

const perDecade = 10
const manyBins = 60
const stretches = 24

interface Run {
  readonly hook: string
  readonly event: string
  readonly at: number
  readonly ms: number | null
  readonly outcome: string
  readonly decision: string | null
  readonly reason: string | null
  readonly invocation: string
}

/** More are not needed to tell how a hook does. */
const maxRuns = 200_000

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

interface Described {
  readonly origin: HookHealth["origin"]
  readonly on: boolean | null
  readonly why: string | null
  readonly background: boolean
}

const origins = { hooktape: "shipped", user: "user", project: "project" } as const

/** Whether it is on by itself; a switch of `hooktape hooks` is not known here. */
const describedBy = ({ background, enabled, owner, removed }: DescribedHook): Described => ({
  origin: origins[owner],
  on: enabled && !removed,
  why: removed ? "the configuration takes it out" : enabled ? null : "off by itself, or by the configuration",
  background
})

/** What the builds say of each hook; the first one that names it has the word. */
const describedHooks = (state: string): ReadonlyMap<string, Described> => {
  const found = new Map<string, Described>()
  let names: readonly string[] = []
  try {
    names = readdirSync(join(state, "projects")).filter((name) => name.endsWith(".json"))
  } catch {
    return found
  }
  for (const name of names) {
    try {
      const manifest = JSON.parse(readFileSync(join(state, "projects", name), "utf8")) as Manifest
      for (const hook of readDescribed(manifest.dir) ?? [])
        if (!found.has(hook.name)) found.set(hook.name, describedBy(hook))
    } catch {
      // Another build's words.
    }
  }
  return found
}

interface Planned {
  readonly source: string | null
  readonly priority: number | null
}

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
  return found ?? { source: null, priority: null }
}

const originOf = (source: string | null, described: Described | undefined): HookHealth["origin"] => {
  if (source?.startsWith("hooktape:") === true) return "shipped"
  if (source === null) return described?.origin ?? "unknown"
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
  const last = runs.at(-1)
  const planned =
    last === undefined ? { source: null, priority: null } : plannedLast(source, last.invocation, hook)
  const broken = runs.findLast((run) => ["failed", "late"].includes(outcomeOf(run)))
  const countOf = (wanted: Outcome): number => runs.filter((run) => outcomeOf(run) === wanted).length
  return {
    hook,
    events: [...new Set(runs.map(({ event }) => event))],
    origin: originOf(planned.source, described),
    source: planned.source,
    priority: planned.priority,
    background: described?.background ?? false,
    runs: runs.length,
    blocked: countOf("blocked"),
    failed: countOf("failed"),
    late: countOf("late"),
    p50: quantile(times, 0.5),
    p95: quantile(times, 0.95),
    max: times.at(-1) ?? null,
    share: waitedMs > 0 ? Math.min(1, times.reduce((sum, ms) => sum + ms, 0) / waitedMs) : null,
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
  const described = describedHooks(source.state)
  const hooks = [...byKey(runs, ({ hook }) => hook)].map(([hook, its]) =>
    healthOf(source, hook, its, {
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
