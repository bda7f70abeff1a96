/** Between facts and the rows of the SQLite log. */
import { createHash } from "node:crypto"
import type { Recorded } from "../../events/Recorded.ts"
import type { Row } from "./admit.ts"
import type { Filter } from "./EventLog.ts"
import { decodeText } from "./validity.ts"

/** Longer data goes to the blob table, once however many facts carry it. */
export const inlineBytes = 65_536

export const blobHash = (text: string): string => createHash("sha256").update(text).digest("hex")

const columns = [
  "position",
  "id",
  "source",
  "stream",
  "stream_version",
  "type",
  "schema_version",
  "occurred_at",
  "recorded_at",
  "correlation_id",
  "causation_id",
  "agent",
  "agent_event",
  "event",
  "session",
  "project",
  "tool_use_id",
  "data",
  "blob"
] as const

const oneRow = `(${columns.map(() => "?").join(",")})`

export const insertFacts = (count: number): string =>
  `INSERT INTO facts (${columns.join(",")}) VALUES ${Array(count).fill(oneRow).join(",")}`

export const isLong = (text: string): boolean =>
  text.length > inlineBytes || (text.length > inlineBytes / 3 && Buffer.byteLength(text) > inlineBytes)

/** A row's parameters; `blob` is the hash under which its data is kept elsewhere. */
export const parameters = (row: Row, blob: string | null): unknown[] => [
  row.position,
  row.id,
  row.source,
  row.stream,
  row.version,
  row.type,
  row.schemaVersion,
  row.at,
  row.recordedAt,
  row.session ?? row.stream,
  row.cause,
  row.agent,
  row.agentEvent,
  row.event,
  row.session,
  row.project,
  row.toolUseId,
  blob === null ? row.text : null,
  blob
]

/** A row as the database gives it, in the order of `columns`. */
export type Stored = readonly unknown[]

export const selected = columns.join(",")

const place = Object.fromEntries(columns.map((name, at) => [name, at])) as Record<
  (typeof columns)[number],
  number
>

export const blobOf = (stored: Stored): string | null => stored[place.blob] as string | null

/** Column by column in a literal: the fastest way there is to make a million of them. */
export const toRow = (s: Stored, blob?: string): Row =>
  ({
    position: s[0],
    id: s[1],
    source: s[2],
    stream: s[3],
    version: s[4],
    type: s[5],
    schemaVersion: s[6],
    at: s[7],
    recordedAt: s[8],
    cause: s[10],
    agent: s[11],
    agentEvent: s[12],
    event: s[13],
    session: s[14],
    project: s[15],
    toolUseId: s[16],
    text: blob ?? s[17]
  }) as Row

/**
 * What readers select: every text of a row in one, because handing over eleven small strings costs more than the query itself.
 * The separators are control characters that none of these texts has; a row that does is read column by column.
 */
const between = "\u001f"
const absent = "\u001e"
const packedTexts = [
  "id",
  "source",
  "stream",
  "type",
  ...["causation_id", "agent", "agent_event", "event", "session", "project", "tool_use_id"].map(
    (name) => `coalesce(${name}, char(30))`
  )
]

export const packed = `position, stream_version, schema_version, occurred_at, recorded_at, blob, data, concat_ws(char(31), ${packedTexts.join(",")})`

export const packedBlob = (stored: Stored): string | null => stored[5] as string | null

const orNull = (text: string | undefined): string | null =>
  text === absent || text === undefined ? null : text

/** A packed row as readers get it; undefined where its texts cannot be told apart. */
export const unpack = (s: Stored, blob?: string): Recorded | undefined => {
  const texts = (s[7] as string).split(between)
  if (texts.length !== packedTexts.length) return undefined
  const type = texts[3] as string
  const { data, known } = decodeText(type, s[2] as number, blob ?? (s[6] as string))
  return {
    position: s[0],
    id: texts[0],
    source: texts[1],
    stream: texts[2],
    version: s[1],
    type,
    schemaVersion: s[2],
    at: s[3],
    recordedAt: s[4],
    cause: orNull(texts[4]),
    agent: orNull(texts[5]),
    agentEvent: orNull(texts[6]),
    event: orNull(texts[7]),
    session: orNull(texts[8]),
    project: orNull(texts[9]),
    toolUseId: orNull(texts[10]),
    known,
    data
  } as Recorded
}

/** The end of a range of texts that begin with a prefix. */
const above = (prefix: string): string => `${prefix}\u{10ffff}`

export const where = (filter: Filter): { readonly sql: string; readonly values: unknown[] } => {
  const clauses: string[] = []
  const values: unknown[] = []
  const add = (clause: string, ...given: unknown[]) => {
    clauses.push(clause)
    values.push(...given)
  }
  if (filter.after !== undefined) add("position > ?", filter.after)
  if (filter.before !== undefined) add("position < ?", filter.before)
  if (filter.stream !== undefined) add("stream = ?", filter.stream)
  if (filter.invocation !== undefined) add("stream = ?", `invocation/${filter.invocation}`)
  if (filter.streamPrefix !== undefined)
    add("stream >= ? AND stream < ?", filter.streamPrefix, above(filter.streamPrefix))
  if (filter.types !== undefined)
    add(`type IN (SELECT value FROM json_each(?))`, JSON.stringify(filter.types))
  if (filter.session !== undefined) add("session = ?", filter.session)
  if (filter.agent !== undefined) add("agent = ?", filter.agent)
  if (filter.event !== undefined) add("event = ?", filter.event)
  if (filter.project !== undefined) add("project = ?", filter.project)
  if (filter.since !== undefined) add("occurred_at >= ?", filter.since)
  return { sql: clauses.length === 0 ? "" : `WHERE ${clauses.join(" AND ")}`, values }
}
