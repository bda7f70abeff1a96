/** Sessions: a list, and one with its turns and tools. */
import { checkpointsIn, checkpointTypes } from "../../checkpoints/Checkpoint.ts"
import type { SessionDetail, SessionRow, Sessions, SessionsQuery, SessionTool } from "../contract/session.ts"
import { factsOf } from "./facts.ts"
import { NotThere, numberOf, part, row, rows, type Source } from "./Source.ts"
import { toolBars } from "./tools.ts"

/** A session of which nothing was heard for so long is quiet. */
export const quietMs = 2 * 60_000

interface Row {
  readonly session: string
  readonly agent: string
  readonly project: string | null
  readonly began: number
  readonly last: number
  readonly calls: number
  readonly turns: number
  readonly tools: number
  readonly blocked: number
  readonly failed: number
  readonly waited: number | null
  readonly title: string | null
  readonly ended: number
}

const columns = `SELECT sessions.session, sessions.agent, sessions.project, sessions.began, sessions.last, sessions.calls,
    (SELECT count(*) FROM timeline_turns AS turns WHERE turns.session = sessions.session) AS turns,
    (SELECT count(*) FROM timeline_tools AS tools WHERE tools.session = sessions.session) AS tools,
    counts.blocked, counts.failed, counts.waited, counts.ended,
    (SELECT prompt FROM timeline_turns AS turns WHERE turns.session = sessions.session AND prompt IS NOT NULL
      ORDER BY began LIMIT 1) AS title
  FROM timeline_sessions AS sessions,
    (SELECT session AS of, sum(decision IS 'block') AS blocked, sum(failures > 0) AS failed, sum(wait) AS waited,
      max(event IS 'session.end') AS ended FROM timeline_calls WHERE own = 0 GROUP BY session) AS counts
  WHERE counts.of = sessions.session`

const stateOf = ({ ended, last }: Pick<Row, "ended" | "last">, now: number): SessionRow["state"] =>
  ended > 0 ? "ended" : now - last > quietMs ? "quiet" : "working"

const sessionOf = (one: Row, now: number): SessionRow => ({
  session: one.session,
  agent: one.agent,
  project: one.project,
  began: one.began,
  last: one.last,
  state: stateOf(one, now),
  calls: one.calls,
  turns: one.turns,
  tools: one.tools,
  blocked: one.blocked ?? 0,
  failed: one.failed ?? 0,
  waitedMs: one.waited ?? 0,
  title: one.title
})

/** Whether each session goes on, by its id. */
export const sessionStates = (source: Source, since: number): ReadonlyMap<string, SessionRow["state"]> => {
  const found = rows<{ readonly session: string; readonly last: number; readonly ended: number }>(
    source,
    `SELECT session, last, EXISTS (SELECT 1 FROM timeline_calls AS calls WHERE calls.session = timeline_sessions.session
      AND event = 'session.end') AS ended FROM timeline_sessions WHERE last >= ?`,
    since
  )
  return new Map(found.map((one) => [one.session, stateOf(one, source.now)]))
}

const escaped = (text: string): string => `%${text.replace(/[\\%_]/g, (char) => `\\${char}`)}%`

const dayMs = 86_400_000

/** How many go on: of those of the last day. */
export const openSessions = (source: Source): number =>
  [...sessionStates(source, source.now - dayMs).values()].filter((state) => state !== "ended").length

export const listSessions = (source: Source, query: typeof SessionsQuery.Type): Sessions => {
  const { limit, offset } = part(query)
  const pattern = query.text === undefined || query.text === "" ? null : escaped(query.text)
  const upTo = query.upTo ?? numberOf(source, "SELECT max(position) AS n FROM timeline_calls")
  const matching = `(? IS NULL OR sessions.session LIKE ? ESCAPE '\\' OR sessions.project LIKE ? ESCAPE '\\'
    OR EXISTS (SELECT 1 FROM timeline_turns AS turns WHERE turns.session = sessions.session AND prompt LIKE ? ESCAPE '\\'))`
  const values = [pattern, pattern, pattern, pattern]
  return {
    total: numberOf(
      source,
      `SELECT count(*) AS n FROM timeline_sessions AS sessions WHERE ${matching}
        AND EXISTS (SELECT 1 FROM timeline_calls AS calls WHERE calls.session = sessions.session AND own = 0)`,
      ...values
    ),
    upTo,
    offset,
    sessions: rows<Row>(
      source,
      `${columns} AND ${matching} ORDER BY sessions.last DESC LIMIT ? OFFSET ?`,
      ...values,
      limit,
      offset
    ).map((one) => sessionOf(one, source.now))
  }
}

interface TurnRow {
  readonly turn: string
  readonly prompt: string | null
  readonly began: number
  readonly last: number
  readonly calls: number
  readonly tools: number
  readonly waitedMs: number
}

const turnsOf = (source: Source, session: string): readonly TurnRow[] =>
  rows<TurnRow>(
    source,
    `SELECT turn, prompt, began, last, calls,
      (SELECT count(*) FROM timeline_tools AS tools WHERE tools.session = turns.session AND tools.turn = turns.turn) AS tools,
      (SELECT coalesce(sum(wait), 0) FROM timeline_calls AS calls WHERE calls.session = turns.session AND calls.turn = turns.turn)
        AS waitedMs
    FROM timeline_turns AS turns WHERE session = ? ORDER BY began`,
    session
  )

const maxTools = 2000

const toolsOf = (source: Source, session: string): readonly SessionTool[] =>
  toolBars(source, { session, limit: maxTools }).map(({ bar, turn }) => ({
    ...bar,
    turn,
    waitedMs: [...bar.before, ...bar.after].reduce((sum, { waitMs }) => sum + (waitMs ?? 0), 0)
  }))

const checkpointsOf = (source: Source, session: string): SessionDetail["checkpoints"] => {
  const streams = rows<{ readonly name: string }>(
    source,
    `SELECT DISTINCT streams.name FROM recorded JOIN streams ON streams.id = recorded.stream
      WHERE recorded.marks IN (SELECT id FROM marks WHERE session = ?)
        AND recorded.kind IN (SELECT id FROM kinds WHERE type IN (${checkpointTypes.map(() => "?").join(", ")}))`,
    session,
    ...checkpointTypes
  )
  return checkpointsIn(streams.flatMap(({ name }) => factsOf(source, name))).map(
    ({ at, checkpoint, components, quality, trigger }) => ({
      checkpoint,
      at: Date.parse(at),
      quality,
      trigger,
      reasons: components.map(({ name, reason }) => `${name}: ${reason}`)
    })
  )
}

/** Of the time between prompts and ends of turns. */
const shareOf = (waitedMs: number, turns: readonly TurnRow[]): number | null => {
  const busy = turns.reduce((sum, { began, last }) => sum + (last - began), 0)
  return busy > 0 ? Math.min(1, waitedMs / busy) : null
}

export const sessionDetail = (source: Source, session: string): SessionDetail => {
  const found = row<Row>(source, `${columns} AND sessions.session = ?`, session)
  if (found === undefined) throw new NotThere(`no session is called ${session}`)
  const turns = turnsOf(source, session)
  const tools = toolsOf(source, session)
  const verdicts = tools.map(({ verdict }) => verdict).filter((verdict) => verdict !== null)
  const countOf = (wanted: string): number => verdicts.filter((verdict) => verdict === wanted).length
  const waitedMs = found.waited ?? 0
  return {
    session: sessionOf(found, source.now),
    waitedShare: shareOf(waitedMs, turns),
    checks: { green: countOf("green"), red: countOf("red"), unknown: countOf("unknown") },
    turns,
    tools,
    omitted: Math.max(0, found.tools - tools.length),
    subagents: rows(
      source,
      `SELECT subagent, min(at) AS began, max(last_at) AS last, count(*) AS calls FROM timeline_calls
        WHERE session = ? AND subagent IS NOT NULL GROUP BY subagent ORDER BY began`,
      session
    ),
    checkpoints: checkpointsOf(source, session),
    hooks: rows(
      source,
      `SELECT hook, count(*) AS runs, coalesce(sum(runs.decision IS 'block'), 0) AS blocked,
          coalesce(sum(runs.outcome IN ('failed', 'timed-out')), 0) AS failed, coalesce(sum(ms), 0) AS ms,
          coalesce(max(ms), 0) AS slowestMs
        FROM timeline_calls AS calls JOIN timeline_runs AS runs ON runs.call = calls.position
        WHERE calls.session = ? AND runs.outcome <> 'skipped' GROUP BY hook ORDER BY ms DESC`,
      session
    )
  }
}
