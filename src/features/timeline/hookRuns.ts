/** What became of each hook's runs in a project: in answer to calls, our own among them, and after the reply. */
import type { Asked } from "../../log/reader.ts"

export interface LastRun {
  readonly outcome: "succeeded" | "failed" | "timed-out" | "skipped"
  /** When its call came, or its work was put off; ISO 8601. */
  readonly at: string
  readonly ms: number | null
  readonly reason?: string
}

export interface HookRuns {
  /** Whichever attempt it took: one that succeeds at last has not failed. */
  readonly runs: number
  readonly failures: number
  /** Milliseconds of the runs that came to an end; null where there were none. */
  readonly p50: number | null
  readonly p95: number | null
  readonly last: LastRun | null
}

interface Row extends Omit<HookRuns, "last">, Pick<LastRun, "ms"> {
  readonly hook: string
  readonly at: number
  readonly outcome: LastRun["outcome"]
  readonly reason: string | null
}

const ofCalls = `SELECT hook, calls.at, runs.outcome, runs.ms,
    CASE WHEN runs.outcome <> 'succeeded' THEN runs.reason END AS reason
  FROM timeline_calls AS calls JOIN timeline_runs AS runs ON runs.call = calls.position
  WHERE calls.project = ? AND runs.outcome <> 'running'`

/** Work that waits for its next attempt failed at the last. */
const ofJobs = `SELECT hook, at, CASE state WHEN 'done' THEN 'succeeded' ELSE 'failed' END, ms,
    CASE WHEN state <> 'done' THEN error END
  FROM timeline_jobs WHERE project = ? AND state IN ('done', 'waiting', 'dead')`

/** By the name of the hook. */
export const hookRuns = (db: Asked, project: string): ReadonlyMap<string, HookRuns> => {
  const sql = `WITH runs AS (${ofCalls} UNION ALL ${ofJobs}),
    ranked AS (
      SELECT *, row_number() OVER (PARTITION BY hook, ms IS NULL ORDER BY ms) AS nth,
        count(ms) OVER (PARTITION BY hook, ms IS NULL) AS ended FROM runs
    ),
    sums AS (
      SELECT hook, sum(outcome <> 'skipped') AS runs, sum(outcome IN ('failed', 'timed-out')) AS failures,
        max(CASE WHEN nth = (ended + 1) / 2 THEN ms END) AS p50,
        max(CASE WHEN nth = (ended * 95 + 99) / 100 THEN ms END) AS p95
      FROM ranked GROUP BY hook
    )
    -- Beside max() the other columns are those of its row.
    SELECT sums.*, max(at) AS at, outcome, ms, reason FROM runs JOIN sums USING (hook) GROUP BY hook`
  const rows = db.prepare(sql).all(project, project) as readonly Row[]
  return new Map(
    rows.map(({ at, hook, ms, outcome, reason, ...sums }) => {
      const why = reason === null ? {} : { reason }
      return [hook, { ...sums, last: { outcome, at: new Date(at).toISOString(), ms, ...why } }]
    })
  )
}
