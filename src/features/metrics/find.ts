/** Asks the tables of metrics, and the timeline's for what hooks cost. Only asks: whoever wants the newest brings both up to date before. */
import type { Asked } from "../../log/reader.ts"
import type { HookCall, HookCalls, HookRunRow } from "./hookFigures.ts"
import type { Moment, Placed, SessionMoments, Source } from "./Moment.ts"

export interface MetricsQuery {
  /** Milliseconds since 1970. */
  readonly since?: number | undefined
  readonly until?: number | undefined
  readonly project?: string | undefined
  readonly session?: string | undefined
  readonly agent?: string | undefined
}

interface Row {
  readonly at: number
  readonly agent: string | null
  readonly session: string
  readonly project: string | null
  readonly subagent: string | null
  readonly source: Source
  readonly moment: string
}

const fits = `at >= ? AND at < ? AND (? IS NULL OR project = ?) AND (? IS NULL OR session = ?) AND (? IS NULL OR agent = ?)`

const valuesOf = ({ agent, project, session, since, until }: MetricsQuery): readonly unknown[] => [
  since ?? 0,
  until ?? Number.MAX_SAFE_INTEGER,
  ...[project, project, session, session, agent, agent].map((value) => value ?? null)
]

/** A session is one agent's: two agents may give the same id. */
export const findSessions = (db: Asked, query: MetricsQuery): readonly SessionMoments[] => {
  const sql = `SELECT at, agent, session, project, subagent, source, moment FROM metrics_moments
    WHERE ${fits} ORDER BY at, position, nth`
  const sessions = new Map<string, SessionMoments & { readonly moments: Placed[] }>()
  for (const row of db.prepare(sql).all(...valuesOf(query)) as readonly Row[]) {
    const { agent, at, project, session, source, subagent } = row
    const key = `${agent ?? ""}\n${session}`
    const known = sessions.get(key) ?? { agent, session, project, moments: [] }
    sessions.set(key, known)
    known.moments.push({ moment: JSON.parse(row.moment) as Moment, at, source, subagent })
  }
  return [...sessions.values()]
}

export interface CheckpointRow {
  readonly at: number
  readonly session: string | null
  readonly project: string
  readonly quality: number
  readonly evident: number
}

export const findCheckpoints = (
  db: Asked,
  { project, session, since, until }: MetricsQuery
): readonly CheckpointRow[] => {
  const sql = `SELECT at, session, project, quality, evident FROM metrics_checkpoints
    WHERE at >= ? AND at < ? AND (? IS NULL OR project = ?) AND (? IS NULL OR session = ?) ORDER BY at, position`
  const values = [
    since ?? 0,
    until ?? Number.MAX_SAFE_INTEGER,
    ...[project, project, session, session].map((value) => value ?? null)
  ]
  return db.prepare(sql).all(...values) as readonly CheckpointRow[]
}

const ofCalls = "own = 0 AND session IS NOT NULL"

export const findHookCalls = (db: Asked, query: MetricsQuery): HookCalls => {
  const values = valuesOf(query)
  const calls = `SELECT at, session, event, tool, subject, decision, decided_by AS "by", wait AS waitMs FROM timeline_calls
    WHERE ${ofCalls} AND ${fits} ORDER BY position`
  const runs = `SELECT hook, session, timeline_runs.outcome AS outcome, ms, timeline_calls.at AS at FROM timeline_calls
    JOIN timeline_runs ON timeline_runs.call = timeline_calls.position
    WHERE ${ofCalls} AND ${fits.replace(/\b(at|project|session|agent)\b(?= (?:[=<>]))/g, "timeline_calls.$1")} ORDER BY position, nth`
  return {
    calls: db.prepare(calls).all(...values) as readonly HookCall[],
    runs: db.prepare(runs).all(...values) as readonly HookRunRow[]
  }
}
