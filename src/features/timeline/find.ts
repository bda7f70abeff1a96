/** Asks the timeline. Only asks: whoever wants the newest brings it up to date before. */

import { followsFromCalls } from "../../../events/agentEvents.ts"
import type { Asked } from "../../log/reader.ts"
import { isAlive } from "../../state/isAlive.ts"
import type { Call, CallJob, CallOutcome, Decision, HookRun } from "./Call.ts"
import { callsOfDeadJobs } from "./failedJobs.ts"

export interface CallQuery {
  readonly invocation?: string
  readonly session?: string
  readonly agent?: string
  readonly project?: string
  /** The canonical name or the agent's own. */
  readonly event?: string
  /** Calls that this hook ran in. */
  readonly hook?: string
  /** Only those in which `hook` itself did so. */
  readonly did?: "block" | "fail"
  /** Milliseconds since 1970. */
  readonly since?: number
  /** In which something failed, work after the reply that is given up among it. */
  readonly failed?: boolean
  /** In which something failed before the reply was given. */
  readonly failedItself?: boolean
  readonly blocked?: boolean
  /** Calls that have not ended, lost ones among them. */
  readonly open?: boolean
  /** Somewhere in its subject, the hooks that spoke, the reason or the id; upper and lower case are the same. */
  readonly text?: string
  /** Calls of hooktape itself as well. */
  readonly own?: boolean
  /** All but those in which no hook had anything to say. */
  readonly effect?: boolean
  /** What failed, was late or is open; work after the reply that is given up among it. */
  readonly trouble?: boolean
  /** Calls that the agent waited for at least so many milliseconds. */
  readonly slowerThan?: number
  /** Milliseconds since 1970: calls that began before. */
  readonly until?: number
  /** Calls that began before this position. */
  readonly before?: number
  /** Those that began after this one. */
  readonly after?: number
  /** Those that began at this one or before. */
  readonly upTo?: number
  /** Only those that ended after this position, in the order in which they ended. */
  readonly endedAfter?: number
  /** The newest so many. */
  readonly limit?: number
  /** Without the newest so many. */
  readonly offset?: number
}

interface Row {
  readonly position: number
  readonly invocation: string
  readonly at: number
  readonly agent: string | null
  readonly agent_event: string | null
  readonly event: string | null
  readonly project: string | null
  readonly session: string | null
  readonly subagent: string | null
  readonly turn: string | null
  readonly tool: string | null
  readonly tool_kind: string | null
  readonly tool_use: string | null
  readonly subject: string | null
  readonly outcome: Exclude<CallOutcome, "lost" | "replaced">
  readonly decision: Decision | null
  readonly decided_by: string | null
  readonly reason: string | null
  readonly wait: number | null
  readonly client: number | null
  readonly answered: "allowed" | "refused" | null
  readonly own: number
  readonly pid: number | null
  readonly last_at: number
  readonly ended: number | null
  readonly hooks: string
  readonly jobs: string
  readonly answered_by: string | null
}

const jobsOfCall = `(SELECT json_group_array(json_object('job', job, 'hook', hook, 'state', state, 'attempts', attempts, 'ms', ms,
    'error', error)) FROM (SELECT * FROM timeline_jobs WHERE timeline_jobs.invocation = calls.invocation ORDER BY position, job))`

const hooksOfCall = `(SELECT json_group_array(json_object('hook', hook, 'event', event, 'outcome', outcome, 'attempts', attempts,
    'at', at, 'ms', ms, 'process', process, 'decision', decision, 'reason', reason, 'said', json(coalesce(said, '[]')),
    'services', json(coalesce(services, '[]'))))
  FROM (SELECT * FROM timeline_runs WHERE timeline_runs.call = calls.position ORDER BY nth))`

/** The entrypoint's stands for the call, else the later one: see history/calls. */
const answeredBy = `(SELECT invocation FROM timeline_calls AS other
    WHERE other.call = calls.call AND other.position <> calls.position
      AND (other.entry > calls.entry OR (other.entry = calls.entry AND other.position > calls.position))
    ORDER BY other.entry DESC, other.position DESC LIMIT 1)`

/** A tool call that came to its end after the question was let pass; one that had not when the turn was over was not. */
const answerOfHuman = `CASE WHEN decision = 'ask' AND tool_use IS NOT NULL THEN CASE
    WHEN EXISTS (SELECT 1 FROM timeline_tools WHERE timeline_tools.session = calls.session AND use = calls.tool_use AND ended IS NOT NULL)
      THEN 'allowed'
    WHEN EXISTS (SELECT 1 FROM timeline_calls AS later WHERE later.session = calls.session AND later.position > calls.position
      AND later.event IN ('turn.stop', 'prompt.submit', 'session.end')) THEN 'refused' END END`

const columns = `position, invocation, at, agent, agent_event, event, project, session, subagent, turn, tool, tool_kind, tool_use,
  subject, outcome, decision, decided_by, reason, wait, client, ${answerOfHuman} AS answered, own, pid, last_at, ended, ${hooksOfCall} AS hooks, ${jobsOfCall} AS jobs,
  ${answeredBy} AS answered_by`

/** As they stand in a row: what is lost or replaced is told when it is asked. */
const outcomes: ReadonlySet<string> = new Set([
  "silent",
  "spoke",
  "blocked",
  "asked",
  "failed",
  "late",
  "unheard",
  "undelivered",
  "rejected",
  "open"
] satisfies readonly Row["outcome"][])

/** No call takes so long. */
const longestCallMs = 10 * 60_000

/** Whoever asked has the tables made anew of the facts, as for any other damage of theirs. */
const requireKnown = (outcome: string): void => {
  if (!outcomes.has(outcome)) throw new SyntaxError(`the timeline has a call with the outcome "${outcome}"`)
}

const outcomeOf = (row: Row, now: number): CallOutcome => {
  requireKnown(row.outcome)
  if (row.answered_by !== null) return "replaced"
  if (row.outcome !== "open") return row.outcome
  const isGone = row.pid !== null && !isAlive(row.pid)
  return isGone || now - row.last_at > longestCallMs ? "lost" : "open"
}

const callOf = (row: Row, now: number): Call => ({
  invocation: row.invocation,
  position: row.position,
  at: row.at,
  agent: row.agent,
  agentEvent: row.agent_event,
  event: row.event,
  project: row.project,
  session: row.session,
  subagent: row.subagent,
  turn: row.turn,
  tool: row.tool === null ? null : { name: row.tool, kind: row.tool_kind ?? "other", use: row.tool_use },
  subject: row.subject,
  outcome: outcomeOf(row, now),
  decision: row.decision,
  by: row.decided_by,
  reason: row.reason,
  waitMs: row.wait,
  ...(row.client === null ? {} : { clientMs: row.client }),
  ...(row.answered === null ? {} : { answered: row.answered }),
  own: row.own === 1,
  answeredBy: row.answered_by,
  hooks: (JSON.parse(row.hooks) as readonly (HookRun & { readonly process: string | null })[]).map(
    ({ process, ...run }) => (process === null ? run : { ...run, process })
  ),
  jobs: JSON.parse(row.jobs) as readonly CallJob[]
})

export interface Condition {
  readonly sql: string
  readonly values: readonly unknown[]
}

const condition = (sql: string, ...values: readonly unknown[]): readonly Condition[] => [{ sql, values }]

const whenGiven = <A>(
  value: A | undefined,
  make: (value: A) => readonly Condition[]
): readonly Condition[] => (value === undefined ? [] : make(value))

/** The first text that comes after all that begin with this one; of digits and dashes of ids. */
const after = (prefix: string): string => `${prefix}g`

/** Ids are found by their beginning, or by that of their short form. */
const named = (text: string): Condition | undefined =>
  /^[0-9a-f][0-9a-f-]{3,}$/i.test(text)
    ? {
        sql: `SELECT position FROM timeline_calls WHERE short >= ? AND short < ?
          UNION ALL SELECT position FROM timeline_calls WHERE invocation >= ? AND invocation < ?`,
        values: [text, after(text), text, after(text)].map((one) => one.toLowerCase())
      }
    : undefined

/** What follows from a call stands in its payload's fact: looked up for one call after the other, as far as somebody reads. */
const derived = (event: string): readonly Condition[] =>
  condition(
    `EXISTS (SELECT 1 FROM facts LEFT JOIN blobs ON blobs.hash = facts.blob
      WHERE facts.stream = 'invocation/' || calls.invocation AND facts.type = 'PAYLOAD_BUFFERED'
      AND EXISTS (SELECT 1 FROM json_each(coalesce(facts.data, blobs.data), '$.events') AS told
        WHERE told.value ->> '$.event' = ?))`,
    event
  )

const ofEvent = (event: string): readonly Condition[] =>
  followsFromCalls(event) ? derived(event) : condition("(event = ? OR agent_event = ?)", event, event)

/** Three characters at least are in the index; for fewer every call is looked at. */
const containing = (text: string): readonly Condition[] => {
  const pattern = `%${text.replace(/[\\%_]/g, (char) => `\\${char}`)}%`
  const isIndexed = [...text].length >= 3 && !/[\\%_]/.test(text)
  const words = isIndexed
    ? "SELECT rowid FROM timeline_words WHERE words LIKE ?"
    : "SELECT position FROM timeline_texts WHERE words LIKE ? ESCAPE '\\'"
  const id = named(text)
  return condition(
    `position IN (${words}${id === undefined ? "" : ` UNION ALL ${id.sql}`})`,
    pattern,
    ...(id?.values ?? [])
  )
}

const deeds = { block: "decision = 'block'", fail: "outcome IN ('failed', 'timed-out')" } as const

/** In the call, or in the work that went on after its reply. */
const failing = `position IN (SELECT position FROM timeline_calls WHERE failures > 0 UNION ALL ${callsOfDeadJobs})`

/** Each by an index of its own. */
const troubled = `position IN (SELECT position FROM timeline_calls WHERE failures > 0
    UNION ALL SELECT position FROM timeline_calls WHERE ended IS NULL UNION ALL ${callsOfDeadJobs})`

/** The same: what came to nothing after the reply is no silence. */
const telling = `position IN (SELECT position FROM timeline_calls WHERE outcome <> 'silent' AND own = 0 UNION ALL ${callsOfDeadJobs})`

const conditionsOf = (query: CallQuery): readonly Condition[] => [
  ...whenGiven(query.invocation, (id) => condition("invocation = ?", id)),
  ...whenGiven(query.session, (session) => condition("session = ?", session)),
  ...whenGiven(query.agent, (agent) => condition("agent = ?", agent)),
  ...whenGiven(query.project, (project) => condition("project = ?", project)),
  ...whenGiven(query.event, ofEvent),
  ...whenGiven(query.hook, (hook) =>
    condition(
      `position IN (SELECT call FROM timeline_runs WHERE hook = ?${query.did === undefined ? "" : ` AND ${deeds[query.did]}`})`,
      hook
    )
  ),
  ...whenGiven(query.since, (since) => condition("at >= ?", since)),
  ...(query.failed ? condition(failing) : []),
  ...(query.failedItself ? condition("failures > 0") : []),
  ...(query.open ? condition("ended IS NULL") : []),
  ...(query.effect ? condition(telling) : []),
  ...(query.trouble ? condition(troubled) : []),
  ...whenGiven(query.slowerThan, (ms) => condition("wait >= ?", ms)),
  ...whenGiven(query.until, (until) => condition("at < ?", until)),
  ...(query.blocked ? condition("decision = 'block'") : []),
  ...whenGiven(query.text, containing),
  ...(query.own ? [] : condition("own = 0")),
  ...whenGiven(query.before, (position) => condition("position < ?", position)),
  ...whenGiven(query.after, (position) => condition("position > ?", position)),
  ...whenGiven(query.upTo, (position) => condition("position <= ?", position)),
  ...whenGiven(query.endedAfter, (position) => condition("ended > ?", position))
]

/** What holds of the calls that are looked for, for a question of one's own to `timeline_calls AS calls`. */
export const callsWhere = (query: CallQuery): Condition => {
  const conditions = conditionsOf(query)
  const sql = conditions.map((one) => one.sql).join(" AND ")
  return { sql: sql === "" ? "1" : sql, values: conditions.flatMap(({ values }) => values) }
}

/** In the order in which they began. Throws where there is no timeline yet. */
export const findCalls = (db: Asked, query: CallQuery, now: number): readonly Call[] => {
  const where = callsWhere(query)
  const order = query.endedAfter === undefined ? "position DESC" : "ended ASC"
  const sql = `SELECT ${columns} FROM timeline_calls AS calls WHERE ${where.sql} ORDER BY ${order} LIMIT ? OFFSET ?`
  const values = [...where.values, query.limit ?? -1, query.offset ?? 0]
  const calls = (db.prepare(sql).all(...values) as readonly Row[]).map((row) => callOf(row, now))
  return query.endedAfter === undefined ? [...calls].reverse() : calls
}

/** The names of all hooks that a call or a job ran. */
export const hooksThatRan = (db: Asked): readonly string[] =>
  (db.prepare("SELECT DISTINCT hook FROM timeline_runs").all() as readonly { readonly hook: string }[]).map(
    ({ hook }) => hook
  )

/** What a reference may mean: enough to tell which, and to name several. */
export interface Candidate {
  readonly invocation: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly agent: string | null
  readonly agentEvent: string | null
}

const candidates = "SELECT invocation, at, agent, agent_event AS agentEvent FROM timeline_calls"

const dashed = (digits: string): string =>
  [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)]
    .filter((part) => part !== "")
    .join("-")

/** Calls whose id begins or ends with these hexadecimal digits, or whose short form begins with them. In order. */
export const callsNamed = (db: Asked, digits: string): readonly Candidate[] => {
  const end = digits.slice(-8)
  const id = dashed(digits)
  const sql = `${candidates} WHERE position IN (
      SELECT position FROM timeline_calls WHERE invocation >= ? AND invocation < ?
      UNION ALL SELECT position FROM timeline_calls WHERE short >= ? AND short < ?
      UNION ALL SELECT position FROM timeline_calls WHERE short LIKE ?) ORDER BY position`
  return db.prepare(sql).all(id, after(id), digits, after(digits), `%${end}`) as readonly Candidate[]
}

/** Whether a hook had something to say in it, or came to no good end. No hook ran for a payload that was refused. */
export const hadWord = ({ by, outcome, own }: Call): boolean =>
  outcome !== "silent" && outcome !== "open" && outcome !== "rejected" && !own && by !== "hooktape"

/** The newest call in which a hook had something to say; where none had, the newest of all but hooktape's own. */
export const lastCall = (db: Asked): { readonly invocation: string; readonly spoke: boolean } | undefined => {
  const newest = (where: string): string | undefined => {
    const sql = `SELECT invocation FROM timeline_calls WHERE ${where} ORDER BY position DESC LIMIT 1`
    return (db.prepare(sql).all() as readonly { readonly invocation: string }[])[0]?.invocation
  }
  const spoke = newest(
    // As `hadWord` has it.
    "outcome NOT IN ('silent', 'open', 'rejected') AND own = 0 AND decided_by IS NOT 'hooktape'"
  )
  if (spoke !== undefined) return { invocation: spoke, spoke: true }
  const any = newest("own = 0") ?? newest("1")
  return any === undefined ? undefined : { invocation: any, spoke: false }
}

/** The session that was heard of last, probes of doctor aside. */
export const newestSession = (db: Asked): string | undefined =>
  (
    db
      .prepare(
        "SELECT session FROM timeline_calls WHERE own = 0 AND session IS NOT NULL ORDER BY position DESC LIMIT 1"
      )
      .all() as readonly { readonly session: string }[]
  )[0]?.session

/** Sessions whose id begins or ends so, the newest first. */
export const sessionsNamed = (db: Asked, part: string): readonly string[] => {
  const pattern = part.replace(/[\\%_]/g, (char) => `\\${char}`)
  const sql = `SELECT session, max(last) AS last FROM (
      SELECT session, last FROM timeline_sessions UNION ALL
      SELECT session, max(at) AS last FROM timeline_observed WHERE session IS NOT NULL GROUP BY session
    ) WHERE session = ? OR session LIKE ? ESCAPE '\\' OR session LIKE ? ESCAPE '\\'
    GROUP BY session ORDER BY session = ? DESC, last DESC`
  const rows = db.prepare(sql).all(part, `${pattern}%`, `%${pattern}`, part)
  return (rows as readonly { readonly session: string }[]).map(({ session }) => session)
}

/** Where the log ends, as far as the timeline goes: calls that end later have a greater position. */
export const lastEnded = (db: Asked): number =>
  (
    db.prepare("SELECT coalesce(max(ended), 0) AS last FROM timeline_calls").all() as readonly [
      { readonly last: number }
    ]
  )[0].last
