/** Between facts and the rows of the SQLite log: what is written, what is read, and where it is looked for. */
import { createHash } from "node:crypto"
import type { Recorded } from "../../events/Recorded.ts"
import type { Row } from "./admit.ts"
import type { Filter } from "./EventLog.ts"

/** Longer data goes to the blob table, once however many facts carry it. */
const inlineBytes = 65_536

export const blobHash = (text: string): string => createHash("sha256").update(text).digest("hex")

export const isLong = (text: string): boolean =>
  text.length > inlineBytes || (text.length > inlineBytes / 3 && Buffer.byteLength(text) > inlineBytes)

/** The text that stands for a fact's type and schema version; of each type mostly one version comes. */
export const makeKindText = () => {
  const made = new Map<string, { readonly schemaVersion: number; readonly text: string }>()
  return ({ type, schemaVersion }: Recorded): string => {
    const there = made.get(type)
    if (there?.schemaVersion === schemaVersion) return there.text
    const text = JSON.stringify([type, schemaVersion])
    made.set(type, { schemaVersion, text })
    return text
  }
}

/** The text that stands for a fact's marks; the same for a run of facts, which is what mostly comes. */
export const makeMarksText = (source: string) => {
  let last: Recorded | undefined
  let text = ""
  return (fact: Recorded): string => {
    if (
      last === undefined ||
      last.session !== fact.session ||
      last.event !== fact.event ||
      last.agentEvent !== fact.agentEvent ||
      last.agent !== fact.agent ||
      last.project !== fact.project
    ) {
      const { agent, agentEvent, event, session, project } = fact
      text = JSON.stringify([source, agent, agentEvent, event, session, project])
    }
    last = fact
    return text
  }
}

const columns = [
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
  "blob"
].join(",")

const oneRow = `(${columns.replace(/\w+/g, "?")})`

const inserts = new Map<number, string>()

/** The statement that inserts so many rows; one string for each, since it is by its text that it is found prepared. */
export const insertRows = (count: number): string => {
  const there = inserts.get(count)
  if (there !== undefined) return there
  const made = `INSERT INTO recorded (${columns}) VALUES ${Array(count).fill(oneRow).join(",")}`
  inserts.set(count, made)
  return made
}

/** The numbers that stand for what a fact shares with others. */
export interface Numbers {
  readonly stream: number
  readonly kind: number
  readonly marks: number
}

/** Adds a row's parameters; `blob` is the hash under which its data is kept elsewhere. */
export const pushRow = (
  params: unknown[],
  { fact, text }: Row,
  { stream, kind, marks }: Numbers,
  blob: string | null
): void => {
  params.push(
    fact.position,
    fact.id,
    stream,
    fact.version,
    kind,
    fact.at,
    fact.recordedAt,
    fact.cause,
    marks,
    fact.toolUseId,
    blob === null ? text : null,
    blob
  )
}

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
  blob: string | null
]

export const byIds = `SELECT ${columns} FROM recorded WHERE id IN (SELECT value FROM json_each(?))`

/** The end of a range of texts that begin with a prefix. */
const above = (prefix: string): string => `${prefix}\u{10ffff}`

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
  if (filter.invocation !== undefined) ofStream("name = ?", `invocation/${filter.invocation}`)
  if (filter.streamPrefix !== undefined)
    ofStream("name >= ? AND name < ?", filter.streamPrefix, above(filter.streamPrefix))
  if (filter.types !== undefined)
    add(
      "kind IN (SELECT id FROM kinds WHERE type IN (SELECT value FROM json_each(?)))",
      JSON.stringify(filter.types)
    )
  const { session, agent, event, project } = filter
  const marks = Object.entries({ session, agent, event, project }).filter(([, value]) => value !== undefined)
  const narrow = filter.stream ?? filter.invocation ?? filter.streamPrefix
  if (marks.length > 0) {
    const given = marks.map(([name]) => `${name} = ?`).join(" AND ")
    // A session is worth its index; half the log may have the same agent, which is better found in passing (`+`).
    const column = session !== undefined && narrow === undefined ? "marks" : "+marks"
    add(`${column} IN (SELECT id FROM marks WHERE ${given})`, ...marks.map(([, value]) => value))
  }
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
