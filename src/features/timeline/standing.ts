/** Where things stand, in figures: the calls since some time, and how each hook does. */
import type { Asked } from "../../log/reader.ts"
import { findHookDays, type HookDay } from "./days.ts"
import { deadSince } from "./failedJobs.ts"
import { findCalls } from "./find.ts"

export interface Standing {
  readonly calls: number
  readonly blocked: number
  readonly asked: number
  /** Calls in which a hook failed or was late, or that were not answered. */
  readonly failed: number
  readonly lost: number
  /** Work after replies that was given up. */
  readonly dead: number
  readonly sessions: number
  /** How long agents waited in all. */
  readonly waitMs: number
}

export const standingSince = (db: Asked, since: number, now: number): Standing => {
  const sql = `SELECT count(*) AS calls, coalesce(sum(decision = 'block'), 0) AS blocked, coalesce(sum(decision = 'ask'), 0) AS asked,
      coalesce(sum(failures > 0), 0) AS failed, count(DISTINCT session) AS sessions, coalesce(sum(wait), 0) AS waitMs
    FROM timeline_calls WHERE at >= ? AND own = 0`
  const [row] = db.prepare(sql).all(since) as readonly [Omit<Standing, "dead" | "lost">]
  const open = findCalls(db, { since, open: true }, now)
  const dead = deadSince(db, since)
  return { ...row, dead, lost: open.filter(({ outcome }) => outcome === "lost").length }
}

export interface HookHealth {
  readonly hook: string
  readonly runs: number
  readonly blocked: number
  readonly failed: number
  /** Milliseconds of the runs that came to an end; null where there were none. */
  readonly p50: number | null
  readonly p95: number | null
  /** All of them together. */
  readonly ms: number
  /** 0–1: what of the time that agents waited was spent in it. Null where nobody waited. */
  readonly share: number | null
}

/** Those of a project, or all, since some time; what takes longest in all comes first. */
export const healthOf = (
  db: Asked,
  { project, since }: { readonly project?: string; readonly since: number }
): readonly HookHealth[] => {
  const of = project ?? null
  const sql = `WITH runs AS (
      SELECT hook, timeline_runs.decision AS decision, timeline_runs.outcome AS outcome, ms,
        row_number() OVER (PARTITION BY hook, ms IS NULL ORDER BY ms) AS nth,
        count(ms) OVER (PARTITION BY hook, ms IS NULL) AS ended
      FROM timeline_calls JOIN timeline_runs ON timeline_runs.call = timeline_calls.position
      WHERE timeline_calls.at >= ? AND own = 0 AND timeline_runs.outcome <> 'skipped' AND (? IS NULL OR timeline_calls.project = ?)
    )
    SELECT hook, count(*) AS runs, sum(decision IS 'block') AS blocked, sum(outcome IN ('failed', 'timed-out')) AS failed,
      max(CASE WHEN nth = (ended + 1) / 2 THEN ms END) AS p50, max(CASE WHEN nth = (ended * 95 + 99) / 100 THEN ms END) AS p95,
      coalesce(sum(ms), 0) AS ms
    FROM runs GROUP BY hook ORDER BY ms DESC, hook`
  const waited = `SELECT coalesce(sum(wait), 0) AS wait FROM timeline_calls
    WHERE at >= ? AND own = 0 AND (? IS NULL OR project = ?)`
  const [{ wait }] = db.prepare(waited).all(since, of, of) as readonly [{ readonly wait: number }]
  return (db.prepare(sql).all(since, of, of) as readonly Omit<HookHealth, "share">[]).map((row) => ({
    ...row,
    share: wait > 0 ? Math.min(1, row.ms / wait) : null
  }))
}

const trendDays = 7
const dayMs = 86_400_000

/** How often a hook ran on each of its last days, the last of them today; days are those of UTC. */
export type HookTrend = readonly number[]

/** By the name of the hook; of one that did not run, days without a run. Runs after the reply are in it. */
export const trendsOf = (
  db: Asked,
  { now, project }: { readonly now: number; readonly project: string }
): ((hook: string) => HookTrend) => {
  const days = Array.from({ length: trendDays }, (_, nth) =>
    new Date(now - (trendDays - 1 - nth) * dayMs).toISOString().slice(0, 10)
  )
  const jobs = db
    .prepare(
      `SELECT hook, date(at / 1000, 'unixepoch') AS day, count(*) AS runs FROM timeline_jobs
        WHERE project = ? AND at >= ? AND state <> 'dropped' GROUP BY 1, 2`
    )
    .all(project, now - trendDays * dayMs) as readonly Pick<HookDay, "day" | "hook" | "runs">[]
  const since = now - (trendDays - 1) * dayMs
  const rows = [...findHookDays(db, since).filter((one) => one.project === project), ...jobs]
  return (hook) =>
    days.map((day) =>
      rows.filter((one) => one.day === day && one.hook === hook).reduce((sum, { runs }) => sum + runs, 0)
    )
}
