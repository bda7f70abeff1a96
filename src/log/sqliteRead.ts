/** Makes facts of the SQLite log's rows: what their numbers stand for, looked up once and remembered. */
import type { Connection } from "@effect/sql/SqlConnection"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import type { Recorded } from "../../events/Recorded.ts"
import { EventLogError, type Filter } from "./EventLog.ts"
import { type Stored, select } from "./sqliteSelect.ts"
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
  let before: Stored | undefined
  // Facts of one invocation stand together: what the one before had needs no look-up.
  for (const row of stored) {
    if (row[2] !== before?.[2]) streams.add(row[2])
    if (!known.kinds.has(row[4])) kinds.add(row[4])
    if (row[8] !== before?.[8] && !known.marks.has(row[8])) marks.add(row[8])
    before = row
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

/** Data that lies elsewhere, for as many of the rows as hold together at most so much of it. */
const loadBlobs = Effect.fnUntraced(function* (db: Connection, stored: readonly Stored[], most: number) {
  const blobs = new Map<string, string>()
  let length = 0
  for (const [at, row] of stored.entries()) {
    const hash = row[11]
    if (hash === null) continue
    const text = blobs.get(hash) ?? (yield* blobText(db, hash))
    blobs.set(hash, text)
    length += text.length
    if (length > most) return { blobs, end: at + 1 }
  }
  return { blobs, end: stored.length }
})

const textOf = (row: Stored, blobs: ReadonlyMap<string, string>): string =>
  (row[11] === null ? row[10] : blobs.get(row[11])) as string

/** Member by member in a literal: the fastest way there is to make a million of them. */
const toFact = (s: Stored, streams: ReadonlyMap<number, string>, known: Known, text: string): Recorded => {
  const kind = known.kinds.get(s[4]) as Kind
  const marks = known.marks.get(s[8]) as SharedMarks
  const decoded = decodeText(kind.type, kind.schemaVersion, text)
  return {
    position: s[0],
    id: s[1],
    source: marks.source,
    stream: streams.get(s[2]),
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
    known: decoded.known,
    data: decoded.data
  } as Recorded
}

const storedRows = (db: Connection, sql: string, params: readonly unknown[]) =>
  values(db, sql, params) as unknown as Effect.Effect<readonly Stored[], SqlError>

/** The tables refer to each other; that they lead nowhere was done to the file from outside. */
const whole = <A>(make: () => A): Effect.Effect<A, EventLogError> =>
  Effect.try({
    try: make,
    catch: (cause) =>
      new EventLogError({
        op: "read",
        reason: "io",
        detail: "the log is damaged: what a fact refers to is not there",
        cause
      })
  })

/** One page of what a filter asks for, and whether there may be more. */
export const readPage = Effect.fnUntraced(function* (
  db: Connection,
  known: Known,
  filter: Filter,
  limit: number
) {
  const { sql, values: params } = select(filter, limit)
  const stored = yield* storedRows(db, sql, params)
  const streams = yield* lookUp(db, known, stored)
  const { blobs, end } = yield* loadBlobs(db, stored, pageLength)
  const rows = end < stored.length ? stored.slice(0, end) : stored
  const facts = yield* whole(() => rows.map((row) => toFact(row, streams, known, textOf(row, blobs))))
  return { facts, more: stored.length === limit || end < stored.length }
})
