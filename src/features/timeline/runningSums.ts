/**
 * What all calls came to, kept as they end: sums of each minute and of each hook, so that a long log is told in numbers without a look at
 * each call. Calls that have not ended are in none of them, and counted by whoever asks. What is fixed here stands in tables: whoever changes
 * it gives the timeline another version.
 */
import type { Asked } from "../../log/reader.ts"

/** A call that an agent notices, in milliseconds. */
export const slowMs = 250

export const minuteMs = 60_000

/** From the worst that can become of a call on; its place is its rank. */
export const worstFirst = ["blocked", "failed", "late", "slow", "spoke", "silent"] as const

/** Of a row of `timeline_calls`. */
export const rank = `CASE WHEN decision = 'block' THEN 0 WHEN outcome IN ('late') THEN 2
    WHEN failures > 0 OR outcome IN ('failed', 'undelivered', 'rejected', 'unheard') THEN 1
    WHEN wait >= ${slowMs} THEN 3 WHEN outcome IN ('silent', 'open') THEN 5 ELSE 4 END`

/** The sums of rows of `timeline_calls`. */
export const callSums = `count(*) AS calls, coalesce(sum(decision IS 'block'), 0) AS blocked,
    coalesce(sum(failures > 0 AND outcome <> 'late'), 0) AS failed, coalesce(sum(outcome = 'late'), 0) AS late,
    coalesce(sum(wait >= ${slowMs}), 0) AS slow, coalesce(sum(wait), 0) AS waitedMs`

export interface CallSums {
  readonly calls: number
  readonly blocked: number
  readonly failed: number
  readonly late: number
  readonly slow: number
  readonly waitedMs: number
}

export const sumTables = [
  `CREATE TABLE timeline_minutes (minute INTEGER PRIMARY KEY, calls INTEGER NOT NULL, blocked INTEGER NOT NULL, failed INTEGER NOT NULL,
    late INTEGER NOT NULL, slow INTEGER NOT NULL, waited REAL NOT NULL, rank INTEGER NOT NULL, longest REAL)`,
  "CREATE TABLE timeline_hooks (hook TEXT PRIMARY KEY, ms REAL NOT NULL) WITHOUT ROWID"
]

const open = "FROM timeline_calls WHERE ended IS NULL AND own = 0"

/** Of all calls there are. */
export const allCalls = (db: Asked): CallSums => {
  const [sums] = db
    .prepare(
      `SELECT sum(calls) AS calls, sum(blocked) AS blocked, sum(failed) AS failed, sum(late) AS late, sum(slow) AS slow,
          sum(waitedMs) AS waitedMs
        FROM (SELECT calls, blocked, failed, late, slow, waited AS waitedMs FROM timeline_minutes UNION ALL SELECT ${callSums} ${open})`
    )
    .all() as readonly [CallSums]
  return sums
}

export interface Bin {
  readonly nth: number
  readonly rank: number
  readonly calls: number
  readonly longest: number | null
}

/** All calls in bins of so many milliseconds, whole minutes as `from` is. */
export const binsOfAll = (db: Asked, from: number, stepMs: number): readonly Bin[] =>
  db
    .prepare(
      `SELECT nth, min(rank) AS rank, sum(calls) AS calls, max(longest) AS longest FROM (
          SELECT CAST((minute * ${minuteMs} - ?) / ? AS INTEGER) AS nth, rank, calls, longest FROM timeline_minutes
          UNION ALL SELECT CAST((at - ?) / ? AS INTEGER), ${rank}, 1, wait ${open}
        ) GROUP BY nth ORDER BY nth`
    )
    .all(from, stepMs, from, stepMs) as readonly Bin[]

/** A hook's newest runs say how it does. */
const newestRuns = 1000

export interface Costliest {
  readonly hook: string
  /** Milliseconds of all its runs together. */
  readonly ms: number
  /** Of its newest runs that came to an end. */
  readonly p95: number | null
}

/** The hook that took longest in all, as `healthOf` has it; hooktape's own calls are left out. */
export const costliestHook = (db: Asked): Costliest | undefined => {
  const ofOthers =
    "FROM timeline_runs AS runs JOIN timeline_calls AS calls ON calls.position = runs.call WHERE calls.own = 0"
  const [found] = db
    .prepare(
      `SELECT hook, sum(ms) AS ms FROM (
          SELECT hook, ms FROM timeline_hooks
          UNION ALL SELECT hook, coalesce(runs.ms, 0) ${ofOthers} AND calls.ended IS NULL AND runs.outcome <> 'skipped'
        ) GROUP BY hook ORDER BY ms DESC, hook LIMIT 1`
    )
    .all() as readonly Omit<Costliest, "p95">[]
  if (found === undefined) return undefined
  const newest = `SELECT ms ${ofOthers} AND hook = ? AND runs.outcome <> 'skipped' AND ms IS NOT NULL ORDER BY runs.call DESC LIMIT ?`
  const times = (db.prepare(newest).all(found.hook, newestRuns) as readonly { readonly ms: number }[])
    .map(({ ms }) => ms)
    .sort((a, b) => a - b)
  return { ...found, p95: times[Math.ceil(times.length * 0.95) - 1] ?? null }
}
