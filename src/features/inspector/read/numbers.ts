/** The numbers at the top, and who serves. */

import { findCalls } from "../../timeline/find.ts"
import { healthOf } from "../../timeline/standing.ts"
import type { Numbers, NumbersQuery } from "../contract/live.ts"
import { failingHooks, slowMs } from "./calls.ts"
import { numberOf, row, type Source } from "./Source.ts"
import { openSessions } from "./sessions.ts"

interface Sums {
  readonly calls: number
  readonly sessions: number
  readonly blocked: number
  readonly failed: number
  readonly late: number
  readonly slow: number
  readonly waitedMs: number
}

export const numbers = (source: Source, { from = 0, session, to }: typeof NumbersQuery.Type): Numbers => {
  const until = to ?? Number.MAX_SAFE_INTEGER
  const where = "at >= ? AND at < ? AND own = 0 AND (? IS NULL OR session = ?)"
  const values = [from, until, session ?? null, session ?? null]
  const sums = row<Sums>(
    source,
    `SELECT count(*) AS calls, count(DISTINCT session) AS sessions, coalesce(sum(decision IS 'block'), 0) AS blocked,
        coalesce(sum(failures > 0 AND outcome <> 'late'), 0) AS failed, coalesce(sum(outcome = 'late'), 0) AS late,
        coalesce(sum(wait >= ${slowMs}), 0) AS slow, coalesce(sum(wait), 0) AS waitedMs
      FROM timeline_calls WHERE ${where}`,
    ...values
  ) as Sums
  const blocked = row<{ readonly by: string | null }>(
    source,
    `SELECT decided_by AS 'by' FROM timeline_calls WHERE ${where} AND decision = 'block' ORDER BY position DESC LIMIT 1`,
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
  const [costliest] = healthOf(source.db, { since: from })
  return {
    ...sums,
    openSessions: openSessions(source),
    lastBlockedBy: blocked?.by ?? null,
    lost,
    failing: failingHooks(source),
    waitedShare: busy > 0 ? Math.min(1, sums.waitedMs / busy) : null,
    costliest:
      costliest === undefined || costliest.share === null
        ? null
        : { hook: costliest.hook, share: costliest.share, p95: costliest.p95 }
  }
}
