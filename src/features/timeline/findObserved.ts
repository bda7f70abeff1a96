/** Asks the timeline for what transcripts tell, as calls, without those that a hook saw as well. */
import type { CallEnd } from "../../../events/observedFacts.ts"
import type { Asked } from "../../log/reader.ts"
import type { Call } from "./Call.ts"
import type { CallQuery } from "./find.ts"

export interface ObservedRow {
  readonly position: number
  readonly at: number
  readonly agent: string | null
  readonly event: string
  readonly project: string | null
  readonly session: string | null
  readonly subagent: string | null
  readonly turn: string | null
  readonly tool: string | null
  readonly tool_kind: string | null
  readonly tool_use: string | null
  readonly subject: string | null
  readonly told: CallEnd | null
  readonly exit_code: number | null
  readonly ended: number | null
}

/** By it a fact of a transcript is named: no digits of an id begin so. */
export const observedRef = (position: number): string => `t${position}`

export const positionIn = (ref: string): number | undefined =>
  /^t\d{1,15}$/.test(ref) ? Number(ref.slice(1)) : undefined

/** So near to each other, what a hook saw and what the transcript has of the same kind are one. */
const nearMs = 5000

/** A hook's call of the same name is the same; of an agent that gives hooks none, the one nearby with the same subject. */
const isSeenByHook = `(seen.tool_use IS NOT NULL AND EXISTS (SELECT 1 FROM timeline_tools AS tools
      WHERE tools.session = seen.session AND tools.use = seen.tool_use))
  OR (seen.agent = 'gemini-cli' AND EXISTS (SELECT 1 FROM timeline_tools AS tools WHERE tools.session = seen.session
      AND tools.name = seen.tool AND tools.subject IS seen.subject AND abs(tools.began - seen.at) < ${nearMs}))
  OR (seen.tool_use IS NULL AND EXISTS (SELECT 1 FROM timeline_calls AS calls WHERE calls.session = seen.session
      AND calls.event = 'prompt.submit' AND (calls.turn = seen.turn OR abs(calls.at - seen.at) < ${nearMs})))`

/** What only calls of hooks have. */
const isOfHooks = ({
  blocked,
  effect,
  endedAfter,
  failed,
  hook,
  invocation,
  open,
  slowerThan,
  trouble
}: CallQuery) =>
  [blocked, effect, failed, open, trouble].includes(true) ||
  [endedAfter, hook, invocation, slowerThan].some((one) => one !== undefined)

const callOf = (row: ObservedRow): Call => ({
  invocation: observedRef(row.position),
  position: row.position,
  at: row.at,
  agent: row.agent,
  agentEvent: null,
  event: row.event,
  project: row.project,
  session: row.session,
  subagent: row.subagent,
  turn: row.turn,
  tool: row.tool === null ? null : { name: row.tool, kind: row.tool_kind ?? "other", use: row.tool_use },
  subject: row.subject,
  outcome: "silent",
  decision: null,
  by: null,
  reason: null,
  waitMs: null,
  own: false,
  answeredBy: null,
  hooks: [],
  jobs: [],
  source: "transcript",
  ...(row.told === null ? {} : { told: row.told }),
  ...(row.exit_code === null ? {} : { exitCode: row.exit_code })
})

const given = (query: CallQuery): readonly (readonly [string, unknown])[] => [
  ["session = ?", query.session],
  ["agent = ?", query.agent],
  ["project = ?", query.project],
  ["event = ?", query.event],
  ["at >= ?", query.since],
  ["at < ?", query.until],
  ["position <= ?", query.upTo],
  ["instr(lower(coalesce(tool, '') || char(10) || coalesce(subject, '')), lower(?)) > 0", query.text]
]

const whereOf = (query: CallQuery) => {
  const conditions = given(query).filter(([, value]) => value !== undefined)
  return {
    sql: [...conditions.map(([sql]) => sql), `NOT (${isSeenByHook})`].join(" AND "),
    values: conditions.map(([, value]) => value)
  }
}

/** As they are kept: in the order in which they happened, the newest so many. */
export const findObservedRows = (db: Asked, query: CallQuery): readonly ObservedRow[] => {
  if (isOfHooks(query)) return []
  const { sql, values } = whereOf(query)
  const rows = db
    .prepare(
      `SELECT * FROM timeline_observed AS seen WHERE ${sql} ORDER BY at DESC, position DESC LIMIT ? OFFSET ?`
    )
    .all(...values, query.limit ?? -1, query.offset ?? 0)
  return (rows as readonly ObservedRow[]).toReversed()
}

/** In the order in which they happened; the newest so many. */
export const findObserved = (db: Asked, query: CallQuery): readonly Call[] =>
  findObservedRows(db, query).map(callOf)

export const countObserved = (db: Asked, query: CallQuery): number => {
  if (isOfHooks(query)) return 0
  const { sql, values } = whereOf(query)
  const [found] = db
    .prepare(`SELECT count(*) AS n FROM timeline_observed AS seen WHERE ${sql}`)
    .all(...values) as readonly { readonly n: number }[]
  return found?.n ?? 0
}
