/** The numbers at the top, and who serves. */

import { byKey } from "../../../state/byKey.ts"
import { findCalls } from "../../timeline/find.ts"
import { allCalls, type CallSums, callSums, costliestHook } from "../../timeline/runningSums.ts"
import { healthOf } from "../../timeline/standing.ts"
import type { Numbers, NumbersQuery } from "../contract/live.ts"
import { failingHooks } from "./calls.ts"
import { numberOf, row, rows, type Source } from "./Source.ts"
import { countSessions, openSessions, sessionCalled } from "./sessions.ts"

interface Sums extends CallSums {
  readonly sessions: number
}

const where = "at >= ? AND at < ? AND own = 0 AND (? IS NULL OR session = ?)"
const valuesOf = (from: number, to: number | undefined, session: string | undefined): readonly unknown[] => [
  from,
  to ?? Number.MAX_SAFE_INTEGER,
  session ?? null,
  session ?? null
]

/** What all calls came to is kept; of some of them it is summed up. */
const sumsOf = (source: Source, { from = 0, session, to }: typeof NumbersQuery.Type, all: CallSums): Sums =>
  from === 0 && to === undefined && session === undefined
    ? { ...all, sessions: countSessions(source) }
    : (row<Sums>(
        source,
        `SELECT ${callSums}, count(DISTINCT session) AS sessions FROM timeline_calls WHERE ${where}`,
        ...valuesOf(from, to, session)
      ) as Sums)

/** Of all that agents waited since then, whatever session. */
const costliestOf = (source: Source, from: number, all: CallSums): Numbers["costliest"] => {
  if (from > 0) {
    const [found] = healthOf(source.db, { since: from })
    return found === undefined || found.share === null
      ? null
      : { hook: found.hook, share: found.share, p95: found.p95 }
  }
  const found = costliestHook(source.db)
  return found === undefined || all.waitedMs === 0
    ? null
    : { hook: found.hook, share: Math.min(1, found.ms / all.waitedMs), p95: found.p95 }
}

/** The same, of one session. */
const costliestIn = (source: Source, values: readonly unknown[], waitedMs: number): Numbers["costliest"] => {
  const times = rows<{ readonly hook: string; readonly ms: number }>(
    source,
    `SELECT hook, ms FROM (SELECT position FROM timeline_calls WHERE ${where}) AS calls
      CROSS JOIN timeline_runs AS runs ON runs.call = calls.position WHERE runs.outcome <> 'skipped' AND ms IS NOT NULL ORDER BY ms`,
    ...values
  )
  const [found] = [...byKey(times, ({ hook }) => hook)]
    .map(([hook, its]) => ({
      hook,
      ms: its.reduce((sum, { ms }) => sum + ms, 0),
      p95: its[Math.ceil(its.length * 0.95) - 1]?.ms ?? null
    }))
    .sort((a, b) => b.ms - a.ms)
  return found === undefined || waitedMs === 0
    ? null
    : { hook: found.hook, share: Math.min(1, found.ms / waitedMs), p95: found.p95 }
}

/** Hooks that failed in a session, whichever failed last first. */
const failingIn = (source: Source, values: readonly unknown[]): readonly string[] =>
  rows<{ readonly hook: string }>(
    source,
    `SELECT hook FROM (SELECT position FROM timeline_calls WHERE ${where} AND failures > 0) AS calls
      CROSS JOIN timeline_runs AS runs ON runs.call = calls.position WHERE runs.outcome IN ('failed', 'timed-out') GROUP BY hook ORDER BY max(runs.call) DESC`,
    ...values
  ).map(({ hook }) => hook)

/** Those that go on: of all sessions, or whether the one does. */
const openOf = (source: Source, session: string | undefined): number => {
  if (session === undefined) return openSessions(source)
  const found = sessionCalled(source, session)
  return found === undefined || found.state === "ended" ? 0 : 1
}

export const numbers = (source: Source, query: typeof NumbersQuery.Type): Numbers => {
  const { from = 0, session, to } = query
  const values = valuesOf(from, to, session)
  const all = allCalls(source.db)
  const sums = sumsOf(source, query, all)
  const blocked = row<{ readonly by: string | null }>(
    source,
    // Backwards through those that were blocked, not through all of that time.
    `SELECT decided_by AS 'by' FROM timeline_calls INDEXED BY timeline_calls_blocked
      WHERE ${where} AND decision = 'block' ORDER BY position DESC LIMIT 1`,
    ...values
  )
  // Who is lost is told as everywhere: by the process that is gone, or by a time that no call takes.
  const lost = findCalls(
    source.db,
    {
      since: from,
      open: true,
      ...(to === undefined ? {} : { until: to }),
      ...(session === undefined ? {} : { session })
    },
    source.now
  ).filter(({ outcome }) => outcome === "lost").length
  const busy = numberOf(
    source,
    "SELECT sum(last - began) AS n FROM timeline_turns WHERE last >= ? AND began < ? AND (? IS NULL OR session = ?)",
    ...values
  )
  return {
    ...sums,
    openSessions: openOf(source, session),
    lastBlockedBy: blocked?.by ?? null,
    lost,
    failing: session === undefined ? failingHooks(source) : failingIn(source, values),
    waitedShare: busy > 0 ? Math.min(1, sums.waitedMs / busy) : null,
    costliest:
      session === undefined ? costliestOf(source, from, all) : costliestIn(source, values, sums.waitedMs)
  }
}
