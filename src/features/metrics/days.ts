/** What work came to on each day: sums that stay when the facts they are made of are too old for the log. */
import type { Database } from "better-sqlite3"
import type { Asked } from "../../log/reader.ts"
import { byKey } from "../../state/byKey.ts"
import { endOfDays, fuller, hasTable } from "../timeline/days.ts"
import { measuresOf } from "./compute.ts"
import { findSessions } from "./find.ts"
import type { SessionMoments } from "./Moment.ts"
import { traceOf } from "./trace.ts"

export const errorClasses = ["misuse", "environment", "check", "denied", "other"] as const

export interface WorkDay {
  /** `2026-03-02`, of UTC. */
  readonly day: string
  readonly project: string
  readonly agent: string
  /** Of how many moments it is made: a day that lost facts is made of fewer. */
  readonly seen: number
  readonly sessions: number
  readonly prompts: number
  /** Tool calls that ended. */
  readonly ended: number
  readonly errors: Readonly<Record<(typeof errorClasses)[number], number>>
  readonly activeMs: number
}

const table = `CREATE TABLE IF NOT EXISTS metrics_days (day TEXT NOT NULL, project TEXT NOT NULL, agent TEXT NOT NULL,
  seen INTEGER NOT NULL, sums TEXT NOT NULL, PRIMARY KEY (day, project, agent)) WITHOUT ROWID`

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** A session that goes on over midnight has a part in each of its days. */
const partsOf = (sessions: readonly SessionMoments[]): ReadonlyMap<string, readonly SessionMoments[]> => {
  const parts = new Map<string, SessionMoments[]>()
  for (const session of sessions) {
    for (const [day, moments] of byKey(session.moments, ({ at }) => dayOf(at))) {
      const key = JSON.stringify([day, session.project ?? "", session.agent ?? ""])
      parts.set(key, [...(parts.get(key) ?? []), { ...session, moments }])
    }
  }
  return parts
}

const sumsOf = (sessions: readonly SessionMoments[]): Omit<WorkDay, "day" | "project" | "agent"> => {
  const scope = { traces: sessions.map(traceOf), hooks: { calls: [], runs: [] }, checkpoints: [] }
  const of = new Map(measuresOf(scope, { hourOf: () => 0 }).map((one) => [one.id, one]))
  const hits = (id: string): number => Math.round((of.get(id)?.value ?? 0) * (of.get(id)?.n ?? 0))
  return {
    seen: sessions.reduce((all, { moments }) => all + moments.length, 0),
    sessions: sessions.length,
    prompts: of.get("prompts")?.value ?? 0,
    ended: of.get("errors-other")?.n ?? 0,
    errors: {
      misuse: hits("errors-misuse"),
      environment: hits("errors-environment"),
      check: hits("errors-check"),
      denied: hits("errors-denied"),
      other: hits("errors-other")
    },
    activeMs: of.get("active-time")?.value ?? 0
  }
}

const liveDays = (db: Asked, until?: number): readonly WorkDay[] =>
  [...partsOf(findSessions(db, { until }))].map(([key, sessions]) => {
    const [day = "", project = "", agent = ""] = JSON.parse(key) as readonly string[]
    return { day, project, agent, ...sumsOf(sessions) }
  })

/** The fuller sum of a day stays: one that lost facts already tells less. */
export const keepWorkDays = (db: Database, before: number): void => {
  db.exec(table)
  const newest = db
    .prepare<[number], number | null>(
      "SELECT max(at) FROM metrics_moments WHERE position < ? AND source = 'hooks'"
    )
    .pluck()
    .get(before)
  if (newest === null || newest === undefined) return
  const put = db.prepare(
    `INSERT INTO metrics_days (day, project, agent, seen, sums) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (day, project, agent) DO UPDATE SET seen = excluded.seen, sums = excluded.sums WHERE excluded.seen >= seen`
  )
  const asked: Asked = { prepare: (sql) => db.prepare<unknown[]>(sql) }
  for (const { agent, day, project, ...sums } of liveDays(asked, endOfDays(newest)))
    put.run(day, project, agent, sums.seen, JSON.stringify(sums))
}

interface Row {
  readonly day: string
  readonly project: string
  readonly agent: string
  readonly sums: string
}

export const findWorkDays = (db: Asked): readonly WorkDay[] => {
  const rows = hasTable(db, "metrics_days")
    ? (db.prepare("SELECT day, project, agent, sums FROM metrics_days").all() as readonly Row[])
    : []
  const kept = rows.map(
    ({ agent, day, project, sums }): WorkDay => ({
      day,
      project,
      agent,
      ...(JSON.parse(sums) as Omit<WorkDay, "day" | "project" | "agent">)
    })
  )
  return fuller(
    [...kept, ...liveDays(db)],
    ({ agent, day, project }) => JSON.stringify([day, project, agent]),
    ({ seen }) => seen
  )
}
