/** Appends to the SQLite log, inside a transaction that has the write lock. */
import type { Connection } from "@effect/sql/SqlConnection"
import * as Effect from "effect/Effect"
import { type Admitted, admit, type Row } from "./admit.ts"
import { type Batch, EventLogError } from "./EventLog.ts"
import { type Known, readByIds, values } from "./sqliteRead.ts"
import { blobHash, insertRows, isLong, makeKindText, makeMarksText, pushRow } from "./sqliteRows.ts"

/** Rows of one statement: more make it no faster. */
const perStatement = 128

/**
 * Names of a table with their numbers. Asked for anew in each transaction: what was remembered could have been undone, or
 * forgotten by another process since.
 */
interface Directory {
  readonly columns: string
  readonly numbers: Map<string, number>
  /** The greatest number given so far. */
  readonly last: number
  readonly added: string[]
}

const makeDirectory = (columns: string, last: unknown): Directory => ({
  columns,
  numbers: new Map(),
  last: Number(last ?? 0),
  added: []
})

/** The number of a name, a new one where it has none. */
const numberOf = ({ numbers, last, added }: Directory, name: string): number => {
  const there = numbers.get(name)
  if (there !== undefined) return there
  added.push(name)
  const number = last + added.length
  numbers.set(name, number)
  return number
}

const save = (db: Connection, { added, columns, last }: Directory) =>
  added.length === 0
    ? Effect.void
    : db.executeRaw(`INSERT INTO ${columns} SELECT ? + 1 + key, value FROM json_each(?)`, [
        last,
        JSON.stringify(added)
      ])

const lastOf = (table: string): string => `(SELECT seq FROM sqlite_sequence WHERE name = '${table}')`

/** One statement for all there is to know before: each costs more than what it asks for. */
const standing = `SELECT value, streams.id, (SELECT max(stream_version) FROM recorded WHERE stream = streams.id)
    FROM json_each(?) JOIN streams ON name = value
  UNION ALL SELECT NULL, ${lastOf("recorded")}, (SELECT max(id) FROM streams)`

const shared = `SELECT 0, value, kinds.id FROM json_each(?) JOIN kinds ON kind = value
  UNION ALL SELECT 1, value, marks.id FROM json_each(?) JOIN marks ON marks = value
  UNION ALL SELECT 2, (SELECT max(id) FROM kinds), ${lastOf("marks")}`

const insert = Effect.fnUntraced(function* (
  db: Connection,
  rows: readonly Row[],
  streams: Directory,
  source: string
) {
  const kindText = makeKindText()
  const marksText = makeMarksText(source)
  const kindTexts = rows.map(({ fact }) => kindText(fact))
  const marksTexts = rows.map(({ fact }) => marksText(fact))
  const found = yield* values(db, shared, [
    JSON.stringify([...new Set(kindTexts)]),
    JSON.stringify([...new Set(marksTexts)])
  ])
  const [, lastKind, lastMarks] = found.at(-1) ?? []
  const kinds = makeDirectory("kinds (id, kind)", lastKind)
  const marks = makeDirectory("marks (id, marks)", lastMarks)
  for (const [table, text, id] of found)
    if (table !== 2) (table === 0 ? kinds : marks).numbers.set(text as string, id as number)
  const numbers = rows.map(({ fact }, at) => ({
    stream: numberOf(streams, fact.stream),
    kind: numberOf(kinds, kindTexts[at] as string),
    marks: numberOf(marks, marksTexts[at] as string)
  }))
  for (const directory of [streams, kinds, marks]) yield* save(db, directory)
  for (let at = 0; at < rows.length; at += perStatement) {
    const params: unknown[] = []
    const end = Math.min(rows.length, at + perStatement)
    for (let n = at; n < end; n++) {
      const row = rows[n] as Row
      const blob = isLong(row.text) ? blobHash(row.text) : null
      if (blob !== null) yield* db.executeRaw("INSERT OR IGNORE INTO blobs VALUES (?, ?)", [blob, row.text])
      pushRow(params, row, numbers[n] as (typeof numbers)[number], blob)
    }
    yield* db.executeRaw(insertRows(end - at), params)
  }
})

/**
 * `anew` takes the facts for new without looking for their ids: the database refuses those that are not, and whoever called
 * begins again.
 */
export const appendIn = Effect.fnUntraced(function* (
  db: Connection,
  known: Known,
  batches: readonly Batch[],
  { source, now, anew }: { readonly source: string; readonly now: number; readonly anew: boolean }
) {
  const found = yield* values(db, standing, [
    JSON.stringify([...new Set(batches.map(({ stream }) => stream))])
  ])
  const [, last, lastStream] = found.at(-1) ?? []
  const streams = makeDirectory("streams (id, name)", lastStream)
  const versions = new Map<string, number>()
  for (const [name, id, version] of found) {
    if (name === null) continue
    streams.numbers.set(name as string, id as number)
    versions.set(name as string, Number(version ?? 0))
  }
  const decide = (there: ReadonlyMap<string, Row>) =>
    Effect.try({
      try: (): Admitted | EventLogError =>
        admit(batches, {
          version: (stream) => versions.get(stream) ?? 0,
          byId: (id) => there.get(id),
          last: Number(last ?? 0),
          source,
          now
        }),
      catch: (cause) =>
        new EventLogError({ op: "append", reason: "invalid", detail: "a fact is no JSON", cause })
    })
  let admitted = anew ? yield* decide(new Map()) : undefined
  // A fact that is there already is at no expected version and still no error.
  if (admitted === undefined || admitted instanceof EventLogError) {
    const ids = batches.flatMap(({ drafts }) => drafts.map(({ id }) => id))
    admitted = yield* decide(yield* readByIds(db, known, ids))
  }
  if (admitted instanceof EventLogError) return yield* admitted
  if (admitted.rows.length > 0) yield* insert(db, admitted.rows, streams, source)
  return admitted.recorded
})
