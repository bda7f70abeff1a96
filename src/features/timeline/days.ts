/** What calls and hooks came to on each day: sums that stay when the calls themselves are too old for the log. */
import type { Database } from "better-sqlite3"
import type { Asked } from "../../log/reader.ts"

export interface CallDay {
  /** `2026-03-02`, of UTC: the same wherever it is read. */
  readonly day: string
  readonly project: string
  readonly agent: string
  readonly calls: number
  readonly blocked: number
  readonly failed: number
  readonly late: number
  /** What agents waited. */
  readonly waited: number
}

export interface HookDay extends Omit<CallDay, "calls" | "waited"> {
  readonly hook: string
  readonly runs: number
  readonly ms: number
}

const tables = [
  `CREATE TABLE IF NOT EXISTS timeline_days (day TEXT NOT NULL, project TEXT NOT NULL, agent TEXT NOT NULL, calls INTEGER NOT NULL,
    blocked INTEGER NOT NULL, failed INTEGER NOT NULL, late INTEGER NOT NULL, waited REAL NOT NULL,
    PRIMARY KEY (day, project, agent)) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS timeline_hook_days (day TEXT NOT NULL, project TEXT NOT NULL, agent TEXT NOT NULL, hook TEXT NOT NULL,
    runs INTEGER NOT NULL, blocked INTEGER NOT NULL, failed INTEGER NOT NULL, late INTEGER NOT NULL, ms REAL NOT NULL,
    PRIMARY KEY (day, project, agent, hook)) WITHOUT ROWID`
]

const dayOf = "date(calls.at / 1000, 'unixepoch')"
const place = `${dayOf} AS day, coalesce(calls.project, '') AS project, coalesce(calls.agent, '') AS agent`

const callSums = `SELECT ${place}, count(*) AS calls, coalesce(sum(decision IS 'block'), 0) AS blocked,
    coalesce(sum(failures > 0), 0) AS failed, coalesce(sum(outcome IS 'late'), 0) AS late, coalesce(sum(wait), 0) AS waited
  FROM timeline_calls AS calls WHERE own = 0 AND calls.at < ? GROUP BY 1, 2, 3`

const hookSums = `SELECT ${place}, hook, count(*) AS runs, coalesce(sum(runs.decision IS 'block'), 0) AS blocked,
    coalesce(sum(runs.outcome IS 'failed'), 0) AS failed, coalesce(sum(runs.outcome IS 'timed-out'), 0) AS late,
    coalesce(sum(runs.ms), 0) AS ms
  FROM timeline_calls AS calls JOIN timeline_runs AS runs ON runs.call = calls.position
  WHERE own = 0 AND runs.outcome <> 'skipped' AND calls.at >= ? AND calls.at < ? GROUP BY 1, 2, 3, 4`

const dayMs = 86_400_000

/** The end of the last day of which something before this position is known. */
export const endOfDays = (newest: number): number => (Math.floor(newest / dayMs) + 1) * dayMs

/** A day that lost calls already stands on fewer than it was kept with: the fuller sum stays. */
export const keepCallDays = (db: Database, before: number): void => {
  for (const table of tables) db.exec(table)
  const newest = db
    .prepare<[number], number | null>("SELECT max(at) FROM timeline_calls WHERE position < ?")
    .pluck()
    .get(before)
  if (newest === null || newest === undefined) return
  const until = endOfDays(newest)
  db.prepare(
    `INSERT INTO timeline_days (day, project, agent, calls, blocked, failed, late, waited) SELECT * FROM (${callSums}) WHERE true
      ON CONFLICT (day, project, agent) DO UPDATE SET calls = excluded.calls, blocked = excluded.blocked, failed = excluded.failed,
        late = excluded.late, waited = excluded.waited WHERE excluded.calls >= calls`
  ).run(until)
  db.prepare(
    `INSERT INTO timeline_hook_days (day, project, agent, hook, runs, blocked, failed, late, ms) SELECT * FROM (${hookSums}) WHERE true
      ON CONFLICT (day, project, agent, hook) DO UPDATE SET runs = excluded.runs, blocked = excluded.blocked, failed = excluded.failed,
        late = excluded.late, ms = excluded.ms WHERE excluded.runs >= runs`
  ).run(0, until)
}

export const hasTable = (db: Asked, name: string): boolean =>
  db.prepare("SELECT 1 FROM sqlite_schema WHERE name = ?").all(name).length > 0

/** Of each place and day the fuller of two sums: what was kept, and what the log still tells. */
export const fuller = <A>(
  rows: readonly A[],
  keyOf: (row: A) => string,
  sizeOf: (row: A) => number
): readonly A[] => {
  const best = new Map<string, A>()
  for (const row of rows) {
    const there = best.get(keyOf(row))
    if (there === undefined || sizeOf(row) > sizeOf(there)) best.set(keyOf(row), row)
  }
  return [...best.values()]
}

const all = Number.MAX_SAFE_INTEGER

export const findCallDays = (db: Asked): readonly CallDay[] => {
  const kept = hasTable(db, "timeline_days") ? db.prepare("SELECT * FROM timeline_days").all() : []
  return fuller(
    [...kept, ...db.prepare(callSums).all(all)] as readonly CallDay[],
    ({ agent, day, project }) => JSON.stringify([day, project, agent]),
    ({ calls }) => calls
  )
}

/** `since`: of the day of this time and those after it; days are whole, or what was kept would seem the fuller. */
export const findHookDays = (db: Asked, since = 0): readonly HookDay[] => {
  const from = Math.floor(since / dayMs) * dayMs
  const first = new Date(from).toISOString().slice(0, 10)
  const kept = hasTable(db, "timeline_hook_days")
    ? db.prepare("SELECT * FROM timeline_hook_days WHERE day >= ?").all(first)
    : []
  return fuller(
    [...kept, ...db.prepare(hookSums).all(from, all)] as readonly HookDay[],
    ({ agent, day, hook, project }) => JSON.stringify([day, project, agent, hook]),
    ({ runs }) => runs
  )
}
