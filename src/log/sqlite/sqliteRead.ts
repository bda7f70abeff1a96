/** Makes facts of the SQLite log's rows: what their numbers stand for, looked up once and remembered. */
import type { Connection } from "@effect/sql/SqlConnection"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import type { Recorded } from "../../../events/Recorded.ts"
import type { Damage } from "../Damage.ts"
import type { Filter } from "../EventLog.ts"
import { matches } from "../matches.ts"
import { decodeText } from "../validity.ts"
import {
  factOf,
  isWhole,
  type Kind,
  kindOf,
  marksOf,
  type SharedMarks,
  type StreamName,
  streamNameOf
} from "./decodeRow.ts"
import { isFileDamage } from "./sqliteErrors.ts"
import { lastPosition, missing } from "./sqliteMissing.ts"
import { columns, isInBatch, type Stored, select } from "./sqliteSelect.ts"

/** A page ends early rather than hold many large facts at once. */
const pageLength = 16_000_000
/** Sessions come and go; a reader that lives long need not remember all of them. */
const maxRemembered = 10_000
/** Positions that are tried one by one before the log is read as usual again. */
const damagedWindow = 1000

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
  Effect.map(single(db, "SELECT data FROM blobs WHERE hash = ?", [hash]), (data) => String(data ?? ""))

const lookUp = Effect.fnUntraced(function* (
  db: Connection,
  known: Known,
  stored: readonly Stored[]
): Effect.fn.Return<ReadonlyMap<number, StreamName>, SqlError> {
  for (const numbers of [known.kinds, known.marks]) if (numbers.size > maxRemembered) numbers.clear()
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
    const kind = kindOf(text)
    if (kind !== undefined) known.kinds.set(id as number, kind)
  }
  for (const [id, text] of yield* rowsOf("id, marks FROM marks", marks)) {
    const shared = marksOf(text)
    if (shared !== undefined) known.marks.set(id as number, shared)
  }
  const names = new Map<number, StreamName>()
  for (const [id, text] of yield* rowsOf("id, name FROM streams", streams)) {
    const name = streamNameOf(text)
    if (name !== undefined) names.set(id as number, name)
  }
  return names
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

const textOf = (row: Stored, blobs: ReadonlyMap<string, string>): string | null =>
  row[11] === null ? row[10] : (blobs.get(row[11]) as string)

/** The fact, or undefined where it is not what was recorded. */
const toFact = (
  s: Stored,
  streams: ReadonlyMap<number, StreamName>,
  known: Known,
  text: string | null
): Recorded | undefined => {
  const kind = known.kinds.get(s[4])
  const marks = known.marks.get(s[8])
  const stream = streams.get(s[2])
  if (kind === undefined || marks === undefined || stream === undefined || typeof text !== "string")
    return undefined
  return isWhole(s, stream, kind, marks, text)
    ? factOf(s, stream, kind, marks, decodeText(kind.type, kind.schemaVersion, text))
    : undefined
}

const storedRows = (db: Connection, sql: string, params: readonly unknown[]) =>
  values(db, sql, params) as unknown as Effect.Effect<readonly Stored[], SqlError>

export interface ReadPage {
  readonly facts: readonly Recorded[]
  readonly more: boolean
  /** The position up to which it was looked, whatever was found there; undefined where nothing was. */
  readonly end: number | undefined
  readonly damage: readonly Damage[]
}

/** Positions that follow each other as one. */
const damagedAt = (positions: readonly number[]): readonly Damage[] => {
  const runs: Damage[] = []
  for (const position of positions.toSorted((a, b) => a - b)) {
    const before = runs.at(-1)
    if (before?.last === position - 1)
      runs[runs.length - 1] = { ...before, last: position, facts: before.facts + 1 }
    else runs.push({ kind: "damaged", first: position, last: position, facts: 1 })
  }
  return runs
}

const noPositions: ReadonlySet<unknown> = new Set()

/** Positions whose sum was taken away: without one are facts from before the chain, of which no batch speaks. */
const withoutTheirSum = Effect.fnUntraced(function* (
  db: Connection,
  rows: readonly Stored[]
): Effect.fn.Return<ReadonlySet<unknown>, SqlError> {
  const bare = rows.flatMap((row) => (row[12] === null ? [row[0]] : []))
  if (bare.length === 0) return noPositions
  const sql = `SELECT value FROM json_each(?) WHERE ${isInBatch("value")}`
  return new Set((yield* values(db, sql, [JSON.stringify(bare)])).map(([position]) => position))
})

const factsOf = Effect.fnUntraced(function* (db: Connection, known: Known, stored: readonly Stored[]) {
  const streams = yield* lookUp(db, known, stored)
  const { blobs, end } = yield* loadBlobs(db, stored, pageLength)
  const rows = end < stored.length ? stored.slice(0, end) : stored
  const bare = yield* withoutTheirSum(db, rows)
  const facts: Recorded[] = []
  const damaged: number[] = []
  for (const row of rows) {
    const fact = bare.has(row[0]) ? undefined : toFact(row, streams, known, textOf(row, blobs))
    if (fact === undefined) damaged.push(row[0])
    else facts.push(fact)
  }
  return { facts, damaged, rows }
})

/** One page of what a filter asks for, and whether there may be more. */
const readSound = Effect.fnUntraced(function* (db: Connection, known: Known, filter: Filter, limit: number) {
  const { sql, values: params } = select(filter, limit)
  const stored = yield* storedRows(db, sql, params)
  const { facts, damaged, rows } = yield* factsOf(db, known, stored)
  const more = stored.length === limit || rows.length < stored.length
  const end = rows.at(-1)?.[0]
  const lost = yield* missing(db, filter, rows, more ? end : undefined)
  return {
    facts,
    more,
    end,
    damage: damaged.length + lost.length === 0 ? none : [...damagedAt(damaged), ...lost]
  }
})

const none: readonly Damage[] = []

/** Where the file is damaged: position by position, so that what can be read is read. */
const readDamaged = Effect.fnUntraced(function* (db: Connection, known: Known, filter: Filter) {
  const last = yield* lastPosition(db)
  const reverse = filter.reverse === true
  const low = filter.after ?? 0
  const high = Math.min(last, (filter.before ?? Number.POSITIVE_INFINITY) - 1)
  const first = reverse ? Math.max(low + 1, high - damagedWindow + 1) : low + 1
  const upTo = reverse ? high : Math.min(high, low + damagedWindow)
  const facts: Recorded[] = []
  const damaged: number[] = []
  for (let position = first; position <= upTo; position++) {
    const found = yield* storedRows(db, `SELECT ${columns} FROM recorded WHERE position = ?`, [
      position
    ]).pipe(
      Effect.flatMap((stored) => factsOf(db, known, stored)),
      Effect.catchIf(isFileDamage, () => Effect.succeed({ facts: [], damaged: [position] }))
    )
    damaged.push(...found.damaged)
    facts.push(...found.facts.filter((fact) => matches(filter, fact)))
  }
  if (reverse) facts.reverse()
  return {
    facts,
    more: reverse ? first > low + 1 : upTo < high,
    end: upTo < first ? undefined : reverse ? first : upTo,
    damage: damagedAt(damaged)
  }
})

/** A page of at most `limit` facts, what is damaged left out of it and told. */
export const readPage = (
  db: Connection,
  known: Known,
  filter: Filter,
  limit: number
): Effect.Effect<ReadPage, SqlError> =>
  Effect.catchIf(readSound(db, known, filter, limit), isFileDamage, () =>
    Effect.map(readDamaged(db, known, filter), (page) =>
      page.facts.length <= limit
        ? page
        : { ...page, facts: page.facts.slice(0, limit), more: true, end: page.facts[limit - 1]?.position }
    )
  )
