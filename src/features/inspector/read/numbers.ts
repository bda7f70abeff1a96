/** The numbers at the top, and who serves. */

import { callsOfDeadJobs } from "../../timeline/failedJobs.ts"
import { type Condition, findCalls } from "../../timeline/find.ts"
import { allCalls, type CallSums, callSums, costliestHook } from "../../timeline/runningSums.ts"
import { healthOf } from "../../timeline/standing.ts"
import type { Numbers, NumbersQuery } from "../contract/live.ts"
import { failingHooks } from "./calls.ts"
import { numberOf, ofSession, row, rows, type Source } from "./Source.ts"
import { countSessions, openSessions, sessionStates } from "./sessions.ts"

interface Sums extends CallSums {
  readonly sessions: number
}

const among = ({ from = 0, session, to = Number.MAX_SAFE_INTEGER }: typeof NumbersQuery.Type): Condition => {
  const of = ofSession(session, from)
  return { sql: `at >= ? AND at < ? AND own = 0${of.sql}`, values: [from, to, ...of.values] }
}

/** What all calls came to is kept; of some of them it is summed up. */
const sumsOf = (source: Source, query: typeof NumbersQuery.Type, all: CallSums): Sums => {
  const { from = 0, session, to } = query
  if (from === 0 && to === undefined && session === undefined)
    return { ...all, sessions: countSessions(source) }
  const { sql, values } = among(query)
  return row<Sums>(
    source,
    `SELECT ${callSums}, count(DISTINCT session) AS sessions FROM timeline_calls WHERE ${sql}`,
    ...values
  ) as Sums
}

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

/** A hook's newest runs say how it does. */
const newestRuns = 1000

/** The same, of one session. */
const costliestIn = (
  source: Source,
  { sql, values }: Condition,
  { from, waitedMs }: { readonly from: number; readonly waitedMs: number }
): Numbers["costliest"] => {
  const ran = `FROM (SELECT position FROM timeline_calls WHERE ${sql}) AS calls
      CROSS JOIN timeline_runs AS runs ON runs.call = calls.position WHERE runs.outcome <> 'skipped' AND ms IS NOT NULL`
  const found = row<{ readonly hook: string; readonly ms: number }>(
    source,
    `SELECT hook, sum(ms) AS ms ${ran} GROUP BY hook ORDER BY 2 DESC, hook LIMIT 1`,
    ...values
  )
  if (found === undefined || waitedMs === 0) return null
  const times = rows<{ readonly ms: number }>(
    source,
    `SELECT ms ${ran} AND hook = ? ORDER BY calls.position DESC LIMIT ?`,
    ...values,
    found.hook,
    from === 0 ? newestRuns : -1
  )
    .map(({ ms }) => ms)
    .sort((a, b) => a - b)
  return {
    hook: found.hook,
    share: Math.min(1, found.ms / waitedMs),
    p95: times[Math.ceil(times.length * 0.95) - 1] ?? null
  }
}

/** Calls in which nothing failed but work after the reply, which was given up. */
const givenUp = (source: Source, { sql, values }: Condition): number =>
  numberOf(
    source,
    `SELECT count(*) AS n FROM (SELECT DISTINCT position FROM (${callsOfDeadJobs})) AS dead
      CROSS JOIN timeline_calls AS calls ON calls.position = dead.position
      WHERE failures = 0 AND outcome NOT IN ('late', 'open') AND ${sql}`,
    ...values
  )

/** Hooks that failed in a session, whichever failed last first; then those whose work after the reply did. */
const failingIn = (source: Source, calls: Condition): readonly string[] => [
  ...new Set([...failingCallsIn(source, calls), ...failingJobsIn(source, calls)])
]

const failingJobsIn = (source: Source, { sql, values }: Condition): readonly string[] =>
  rows<{ readonly hook: string }>(
    source,
    `SELECT hook FROM timeline_jobs AS jobs
      CROSS JOIN (SELECT invocation FROM timeline_calls WHERE ${sql}) AS calls ON calls.invocation = jobs.invocation
      WHERE jobs.state = 'dead' GROUP BY hook ORDER BY max(jobs.position) DESC`,
    ...values
  ).map(({ hook }) => hook)

const failingCallsIn = (source: Source, { sql, values }: Condition): readonly string[] =>
  rows<{ readonly hook: string }>(
    source,
    // Through those in which something failed, not through all of the session.
    `SELECT hook FROM (SELECT position FROM timeline_calls INDEXED BY timeline_calls_failed WHERE ${sql} AND failures > 0) AS calls
      CROSS JOIN timeline_runs AS runs ON runs.call = calls.position WHERE runs.outcome IN ('failed', 'timed-out') GROUP BY hook ORDER BY max(runs.call) DESC`,
    ...values
  ).map(({ hook }) => hook)

/** Those that go on: of all sessions, or whether the one does. */
const openOf = (source: Source, session: string | undefined): number => {
  if (session === undefined) return openSessions(source)
  const state = sessionStates(source, 0, session).get(session)
  return state === undefined || state === "ended" ? 0 : 1
}

export const numbers = (source: Source, query: typeof NumbersQuery.Type): Numbers => {
  const { from = 0, session, to } = query
  const calls = among(query)
  const all = allCalls(source.db)
  const sums = sumsOf(source, query, all)
  const blocked = row<{ readonly by: string | null }>(
    source,
    // Backwards through those that were blocked, not through all of that time.
    `SELECT decided_by AS 'by' FROM timeline_calls INDEXED BY timeline_calls_blocked
      WHERE ${calls.sql} AND decision = 'block' ORDER BY position DESC LIMIT 1`,
    ...calls.values
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
    `SELECT sum(last - began) AS n FROM timeline_turns WHERE last >= ? AND began < ?${ofSession(session).sql}`,
    ...calls.values
  )
  return {
    ...sums,
    failed: sums.failed + givenUp(source, calls),
    openSessions: openOf(source, session),
    lastBlockedBy: blocked?.by ?? null,
    lost,
    failing: session === undefined ? failingHooks(source) : failingIn(source, calls),
    waitedShare: busy > 0 ? Math.min(1, sums.waitedMs / busy) : null,
    costliest:
      session === undefined
        ? costliestOf(source, from, all)
        : costliestIn(source, calls, { from, waitedMs: sums.waitedMs })
  }
}
