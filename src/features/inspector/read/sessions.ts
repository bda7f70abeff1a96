/** Sessions, those that hooks saw and those that only a transcript tells of. */
import type { SessionRow, Sessions, SessionsQuery } from "../contract/session.ts"
import { numberOf, ofSession, part, row, rows, type Source } from "./Source.ts"
import { givenUpIn } from "./tools.ts"

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
  readonly given_up: string | null
  readonly waited: number | null
  readonly title: string | null
  readonly ended: number | null
  readonly observed: number
}

/** hooktape's own events name the session of the agent that they were made for: of the rows of a session, the agent's is meant. */
export const isAgents = (
  row: string
): string => `${row}.agent = (SELECT coalesce(calls.agent, '') FROM timeline_calls AS calls
    WHERE calls.session = ${row}.session AND own = 0 ORDER BY position DESC LIMIT 1)`

const all = `SELECT session, agent, project, began, last, calls, 0 AS observed FROM timeline_sessions AS hooked
    WHERE ${isAgents("hooked")}
  UNION ALL SELECT session, max(agent), max(project), min(at), max(coalesce(ended, at)), 0, 1 FROM timeline_observed AS seen
    WHERE session IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM timeline_calls AS calls WHERE calls.session = seen.session AND own = 0)
    GROUP BY session`

const firstPrompt = `coalesce(
    (SELECT prompt FROM timeline_turns AS turns WHERE turns.session = sessions.session AND prompt IS NOT NULL ORDER BY began LIMIT 1),
    (SELECT subject FROM timeline_observed AS seen WHERE seen.session = sessions.session AND seen.event = 'prompt.submit'
      ORDER BY at LIMIT 1))`

const observedOf = (event: string): string =>
  `(SELECT count(*) FROM timeline_observed AS seen WHERE seen.session = sessions.session AND seen.event = '${event}')`

const columns = `SELECT sessions.*,
    CASE observed WHEN 1 THEN ${observedOf("prompt.submit")}
      ELSE (SELECT count(*) FROM timeline_turns AS turns WHERE turns.session = sessions.session) END AS turns,
    CASE observed WHEN 1 THEN ${observedOf("tool.before")}
      ELSE (SELECT count(*) FROM timeline_tools AS tools WHERE tools.session = sessions.session) END AS tools,
    counts.blocked, coalesce(counts.failed, 0) + coalesce(given.up, 0) AS failed, newest.given_up, counts.waited, counts.ended, ${firstPrompt} AS title
  FROM (${all}) AS sessions LEFT JOIN
    (SELECT session AS of, sum(decision IS 'block') AS blocked, sum(failures > 0) AS failed, sum(wait) AS waited,
      max(event IS 'session.end') AS ended FROM timeline_calls WHERE own = 0 GROUP BY session) AS counts
  ON counts.of = sessions.session LEFT JOIN
    (SELECT session AS of, count(DISTINCT calls.position) AS up FROM timeline_jobs AS jobs
      JOIN timeline_calls AS calls ON calls.invocation = jobs.invocation
      WHERE jobs.state = 'dead' AND own = 0 AND failures = 0 GROUP BY +session) AS given
  ON given.of = sessions.session LEFT JOIN
    (SELECT session AS of, json_object('by', hook, 'reason', error) AS given_up, max(jobs.position) FROM timeline_jobs AS jobs
      JOIN timeline_calls AS calls ON calls.invocation = jobs.invocation
      WHERE jobs.state = 'dead' AND own = 0 GROUP BY +session) AS newest
  ON newest.of = sessions.session`

const stateOf = ({ ended, last }: Pick<Row, "ended" | "last">, now: number): SessionRow["state"] =>
  (ended ?? 0) > 0 ? "ended" : now - last > quietMs ? "quiet" : "working"

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
  ...givenUpIn(one.given_up),
  waitedMs: one.waited ?? 0,
  title: one.title,
  ...(one.observed === 1 ? { source: "transcript" as const } : {})
})

/** Undefined where nothing was seen of it. */
export const sessionCalled = (source: Source, session: string): SessionRow | undefined => {
  const found = row<Row>(source, `${columns} WHERE sessions.session = ?`, session)
  return found && sessionOf(found, source.now)
}

/** hooktape's own are none: those that doctor asks the registered commands with. */
const ofAgents = `EXISTS (SELECT 1 FROM timeline_calls AS calls WHERE calls.session = sessions.session AND own = 0)`

/** Whether each session goes on, by its id; or only the one. */
export const sessionStates = (
  source: Source,
  since: number,
  session?: string
): ReadonlyMap<string, SessionRow["state"]> => {
  const of = ofSession(session)
  const found = rows<{ readonly session: string; readonly last: number; readonly ended: number }>(
    source,
    `SELECT session, last, EXISTS (SELECT 1 FROM timeline_calls AS calls WHERE calls.session = sessions.session
      AND event = 'session.end') AS ended FROM timeline_sessions AS sessions WHERE last >= ? AND ${isAgents("sessions")}${of.sql}`,
    since,
    ...of.values
  )
  return new Map(found.map((one) => [one.session, stateOf(one, source.now)]))
}

const escaped = (text: string): string => `%${text.replace(/[\\%_]/g, (char) => `\\${char}`)}%`

const dayMs = 86_400_000

export const countSessions = (source: Source): number =>
  numberOf(
    source,
    `SELECT count(*) AS n FROM (SELECT DISTINCT session FROM timeline_sessions) AS sessions WHERE ${ofAgents}`
  )

/** How many go on: of those of the last day. */
export const openSessions = (source: Source): number =>
  [...sessionStates(source, source.now - dayMs).values()].filter((state) => state !== "ended").length

export const listSessions = (source: Source, query: typeof SessionsQuery.Type): Sessions => {
  const { limit, offset } = part(query)
  const pattern = query.text === undefined || query.text === "" ? null : escaped(query.text)
  const upTo = query.upTo ?? numberOf(source, "SELECT max(position) AS n FROM timeline_calls")
  const matching = `(? IS NULL OR sessions.session LIKE ? ESCAPE '\\' OR sessions.project LIKE ? ESCAPE '\\'
    OR EXISTS (SELECT 1 FROM timeline_turns AS turns WHERE turns.session = sessions.session AND prompt LIKE ? ESCAPE '\\')
    OR EXISTS (SELECT 1 FROM timeline_observed AS seen WHERE seen.session = sessions.session AND seen.event = 'prompt.submit'
      AND subject LIKE ? ESCAPE '\\'))`
  const values = [pattern, pattern, pattern, pattern, pattern]
  return {
    total: numberOf(source, `SELECT count(*) AS n FROM (${all}) AS sessions WHERE ${matching}`, ...values),
    upTo,
    offset,
    sessions: rows<Row>(
      source,
      `${columns} WHERE ${matching} ORDER BY sessions.last DESC LIMIT ? OFFSET ?`,
      ...values,
      limit,
      offset
    ).map((one) => sessionOf(one, source.now))
  }
}
