/** From the rows of the SQLite log back: what is read, and where it is looked for. Light: hooks read the log too. */
import { followsFromCalls } from "../../../events/agentEvents.ts"
import { invocationStream } from "../../../events/invocationOf.ts"
import type { Filter } from "../EventLog.ts"

/** Of the table `recorded`, in the order in which rows are written and read. */
export const columns = [
  "position",
  "id",
  "stream",
  "stream_version",
  "kind",
  "occurred_at",
  "recorded_at",
  "causation_id",
  "marks",
  "tool_use_id",
  "data",
  "blob",
  "sum"
].join(",")

/** A row as the database gives it, in the order of the columns. */
export type Stored = readonly [
  position: number,
  id: string,
  stream: number,
  version: number,
  kind: number,
  at: number,
  recordedAt: number,
  cause: string | null,
  marks: number,
  toolUseId: string | null,
  data: string | null,
  blob: string | null,
  /** Of rowSum.ts; null where it was recorded before there were sums. */
  sum: number | null
]

/** Whether a seal speaks of this position. */
export const isInBatch = (position: string): string =>
  `${position} >= (SELECT first FROM seals WHERE last >= ${position} ORDER BY last LIMIT 1)`

/** The end of a range of texts that begin with a prefix. */
const above = (prefix: string): string => `${prefix}\u{10ffff}`

/** Jobs begin with the plan that asks for them, or while its handlers run. */
const soonAfter = 10_000

/** Of an invocation, and of the jobs that it led to: by what their first fact says, which stands not far behind. */
const ofInvocation = `stream IN (WITH own AS (SELECT id FROM streams WHERE name = ?)
    SELECT id FROM own
    UNION SELECT stream FROM recorded WHERE stream_version = 1
      AND position > (SELECT min(position) FROM recorded WHERE stream = (SELECT id FROM own))
      AND position < (SELECT max(position) FROM recorded WHERE stream = (SELECT id FROM own)) + ${soonAfter}
      AND +kind IN (SELECT id FROM kinds WHERE type = 'JOB_ENQUEUED')
      AND CASE WHEN json_valid(coalesce(data, (SELECT data FROM blobs WHERE hash = blob)))
        THEN coalesce(data, (SELECT data FROM blobs WHERE hash = blob)) ->> '$.invocation' END = ?)`

/** Statement and parameters for the rows that a filter asks for, in order. */
export const select = (
  filter: Filter,
  limit: number
): { readonly sql: string; readonly values: readonly unknown[] } => {
  const clauses: string[] = []
  const values: unknown[] = []
  const add = (clause: string, ...given: readonly unknown[]) => {
    clauses.push(clause)
    values.push(...given)
  }
  if (filter.after !== undefined) add("position > ?", filter.after)
  if (filter.before !== undefined) add("position < ?", filter.before)
  const ofStream = (clause: string, ...given: readonly unknown[]) =>
    add(`stream IN (SELECT id FROM streams WHERE ${clause})`, ...given)
  if (filter.stream !== undefined) ofStream("name = ?", filter.stream)
  const { invocation } = filter
  if (invocation !== undefined) add(ofInvocation, invocationStream(invocation), invocation)
  if (filter.streamPrefix !== undefined)
    ofStream("name >= ? AND name < ?", filter.streamPrefix, above(filter.streamPrefix))
  if (filter.types !== undefined)
    add(
      "kind IN (SELECT id FROM kinds WHERE type IN (SELECT value FROM json_each(?)))",
      JSON.stringify(filter.types)
    )
  const { session, agent, event, project } = filter
  const marks = Object.entries({ session, agent, project }).filter(([, value]) => value !== undefined)
  const narrow = filter.stream ?? filter.invocation ?? filter.streamPrefix
  if (marks.length > 0) {
    const given = marks.map(([name]) => `${name} = ?`).join(" AND ")
    // A session is worth its index; half the log may have the same agent, which is better found in passing (`+`).
    const column = session !== undefined && narrow === undefined ? "marks" : "+marks"
    add(`${column} IN (SELECT id FROM marks WHERE ${given})`, ...marks.map(([, value]) => value))
  }
  if (event !== undefined) {
    if (followsFromCalls(event)) add("CASE WHEN json_valid(data) THEN data ->> '$.event' END = ?", event)
    else add("+marks IN (SELECT id FROM marks WHERE event = ? OR agent_event = ?)", event, event)
  }
  // Whatever names a hook is small enough to stand in its row.
  if (filter.handler !== undefined)
    add("CASE WHEN json_valid(data) THEN data ->> '$.handler' END = ?", filter.handler)
  if (filter.since !== undefined) add("occurred_at >= ?", filter.since)
  const end = `ORDER BY position ${filter.reverse === true ? "DESC" : "ASC"} LIMIT ?`
  const found = `FROM recorded ${clauses.length === 0 ? "" : `WHERE ${clauses.join(" AND ")}`} ${end}`
  values.push(limit)
  // What an index finds has to be sorted: positions first, so that no data is carried along.
  return session === undefined && narrow === undefined
    ? { sql: `SELECT ${columns} ${found}`, values }
    : {
        sql: `SELECT ${columns} FROM recorded WHERE position IN (SELECT position ${found}) ${end}`,
        values: [...values, limit]
      }
}
