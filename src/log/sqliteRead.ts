/** Makes facts of the SQLite log's rows: what their numbers stand for, looked up once and remembered. */
import type { Connection } from "@effect/sql/SqlConnection"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import type { Recorded } from "../../events/Recorded.ts"
import type { Row } from "./admit.ts"
import type { Filter } from "./EventLog.ts"
import { byIds, type Stored, select } from "./sqliteRows.ts"
import { decodeText } from "./validity.ts"

/** A page ends early rather than hold many large facts at once. */
const pageLength = 16_000_000
/** Sessions come and go; a reader that lives long need not remember all of them. */
const mostRemembered = 10_000

type Kind = Pick<Recorded, "type" | "schemaVersion">
type SharedMarks = Pick<Recorded, "source" | "agent" | "agentEvent" | "event" | "session" | "project">

/** Of one connection. What is remembered was read in a transaction that wrote nothing of it, so it cannot be undone. */
export interface Known {
  readonly kinds: Map<number, Kind>
  readonly marks: Map<number, SharedMarks>
}

export const nothingKnown = (): Known => ({ kinds: new Map(), marks: new Map() })

export const values = (
  db: Connection,
  sql: string,
  params: readonly unknown[] = []
): Effect.Effect<readonly (readonly unknown[])[], SqlError> => db.executeValues(sql, params)

export const single = (db: Connection, sql: string, params: readonly unknown[] = []) =>
  Effect.map(values(db, sql, params), ([row]) => row?.[0])

const blobText = (db: Connection, hash: string) =>
  Effect.map(single(db, "SELECT data FROM blobs WHERE hash = ?", [hash]), String)

const lookUp = Effect.fnUntraced(function* (
  db: Connection,
  known: Known,
  stored: readonly Stored[]
): Effect.fn.Return<ReadonlyMap<number, string>, SqlError> {
  for (const numbers of [known.kinds, known.marks]) if (numbers.size > mostRemembered) numbers.clear()
  const streams = new Set<number>()
  const kinds = new Set<number>()
  const marks = new Set<number>()
  for (const row of stored) {
    streams.add(row[2])
    if (!known.kinds.has(row[4])) kinds.add(row[4])
    if (!known.marks.has(row[8])) marks.add(row[8])
  }
  const rowsOf = (table: string, ids: ReadonlySet<number>) =>
    ids.size === 0
      ? Effect.succeed([])
      : values(db, `SELECT ${table} WHERE id IN (SELECT value FROM json_each(?))`, [JSON.stringify([...ids])])
  for (const [id, text] of yield* rowsOf("id, kind FROM kinds", kinds)) {
    const [type, schemaVersion] = JSON.parse(text as string)
    known.kinds.set(id as number, { type, schemaVersion })
  }
  for (const [id, text] of yield* rowsOf("id, marks FROM marks", marks)) {
    const [source, agent, agentEvent, event, session, project] = JSON.parse(text as string)
    known.marks.set(id as number, { source, agent, agentEvent, event, session, project })
  }
  return new Map((yield* rowsOf("id, name FROM streams", streams)) as readonly (readonly [number, string])[])
})

/** Member by member in a literal: the fastest way there is to make a million of them. */
const toFact = (s: Stored, stream: string, kind: Kind, marks: SharedMarks, text: string): Recorded => {
  const { known, data } = decodeText(kind.type, kind.schemaVersion, text)
  return {
    position: s[0],
    id: s[1],
    source: marks.source,
    stream,
    version: s[3],
    type: kind.type,
    schemaVersion: kind.schemaVersion,
    at: s[5],
    recordedAt: s[6],
    cause: s[7],
    agent: marks.agent,
    agentEvent: marks.agentEvent,
    event: marks.event,
    session: marks.session,
    project: marks.project,
    toolUseId: s[9],
    known,
    data
  } as Recorded
}

/** The facts of these rows with their texts; ends early once the blobs among them are more than `most` characters. */
const decode = Effect.fnUntraced(function* (
  db: Connection,
  known: Known,
  stored: readonly Stored[],
  most: number
) {
  const streams = yield* lookUp(db, known, stored)
  const facts: Recorded[] = []
  const texts: string[] = []
  let length = 0
  for (const row of stored) {
    const text = row[11] === null ? (row[10] as string) : yield* blobText(db, row[11])
    const kind = known.kinds.get(row[4]) as Kind
    const marks = known.marks.get(row[8]) as SharedMarks
    facts.push(toFact(row, streams.get(row[2]) as string, kind, marks, text))
    texts.push(text)
    if (row[11] !== null) length += text.length
    if (length > most) break
  }
  return { facts, texts }
})

const storedRows = (db: Connection, sql: string, params: readonly unknown[]) =>
  values(db, sql, params) as unknown as Effect.Effect<readonly Stored[], SqlError>

/** One page of what a filter asks for, and whether there may be more. */
export const readPage = Effect.fnUntraced(function* (
  db: Connection,
  known: Known,
  filter: Filter,
  limit: number
) {
  const { sql, values: params } = select(filter, limit)
  const stored = yield* storedRows(db, sql, params)
  const { facts } = yield* decode(db, known, stored, pageLength)
  return { facts, more: stored.length === limit || facts.length < stored.length }
})

/** What is recorded under these ids. */
export const readByIds = Effect.fnUntraced(function* (db: Connection, known: Known, ids: readonly string[]) {
  const stored = yield* storedRows(db, byIds, [JSON.stringify(ids)])
  const { facts, texts } = yield* decode(db, known, stored, Number.POSITIVE_INFINITY)
  return new Map(facts.map((fact, at): [string, Row] => [fact.id, { fact, text: texts[at] as string }]))
})
