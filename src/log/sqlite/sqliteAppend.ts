/** Appends to the SQLite log. On every hook's time: prepared statements, run one after the other, with nothing between them. */
import Sqlite, { type Database, type Statement } from "better-sqlite3"
import type { Recorded } from "../../../events/Recorded.ts"
import { type Admitted, admit, type Row } from "../admit.ts"
import { type Batch, EventLogError } from "../EventLog.ts"
import { rowSum, textSum } from "../rowSum.ts"
import type { SealedRow } from "../seals.ts"
import { decodeText } from "../validity.ts"
import { factOf, namesOf, type RowWithTexts, selectWithTexts } from "./decodeRow.ts"
import { blobHash, insertRow, isLong, makeKindText, makeMarksText } from "./sqliteRows.ts"
import { makeSealer } from "./sqliteSeal.ts"

export interface Appender {
  /** One transaction. Throws an `EventLogError`, or what the database says; then nothing of it is there. */
  readonly append: (batches: readonly Batch[], now: number) => readonly Recorded[]
  readonly close: () => void
}

export interface AppenderOptions {
  readonly file: string
  /** Random id of this installation. */
  readonly source: string
  /** Pragmas with their values. */
  readonly settings: Readonly<Record<string, string | number>>
}

/** Numbers of names. Those of streams and marks for one transaction only: another process could forget them. */
type Numbers = Map<string, number>

const statements = (db: Database) => {
  const one = (sql: string): Statement<unknown[]> => db.prepare<unknown[]>(sql).raw()
  const run = (sql: string): Statement<unknown[]> => db.prepare<unknown[]>(sql)
  return {
    begin: run("BEGIN IMMEDIATE"),
    commit: run("COMMIT"),
    rollback: run("ROLLBACK"),
    last: one("SELECT seq FROM sqlite_sequence WHERE name = 'recorded'"),
    stream: one(
      "SELECT id, (SELECT max(stream_version) FROM recorded WHERE stream = streams.id) FROM streams WHERE name = ?"
    ),
    addStream: run("INSERT INTO streams (name) VALUES (?)"),
    kind: one("SELECT id FROM kinds WHERE kind = ?"),
    addKind: run("INSERT INTO kinds (kind) VALUES (?)"),
    marks: one("SELECT id FROM marks WHERE marks = ?"),
    addMarks: run("INSERT INTO marks (marks) VALUES (?)"),
    addBlob: run("INSERT OR IGNORE INTO blobs VALUES (?, ?)"),
    insert: run(insertRow),
    byId: one(`${selectWithTexts} WHERE recorded.id = ?`)
  }
}

/** As the database stores it: half a character becomes a mark of replacement. */
const wellFormed = <A extends string>(text: A): A =>
  (text as A & { readonly toWellFormed: () => A }).toWellFormed()

/** The sum of a text that mostly is the one before. */
const makeTextSum = () => {
  let last = ""
  let sum = textSum(last)
  return (text: string): number => {
    if (text !== last) sum = textSum(wellFormed(text))
    last = text
    return sum
  }
}

/** An id that is taken: the database says so before we have looked. */
const isTaken = (error: unknown): boolean =>
  (error as { readonly code?: unknown }).code === "SQLITE_CONSTRAINT_UNIQUE"

export const openAppender = ({ file, source, settings }: AppenderOptions): Appender => {
  const db = new Sqlite(file)
  for (const [name, value] of Object.entries(settings)) db.pragma(`${name} = ${value}`)
  const say = statements(db)
  /** Kinds are never taken away. */
  const lastingKinds: Numbers = new Map()
  const kindSums: Numbers = new Map()
  const sealer = makeSealer(db, file)

  const found = (id: string): Row | undefined => {
    const row = say.byId.get(id) as RowWithTexts | undefined
    const names = row && namesOf(row)
    if (row === undefined || names === undefined) return undefined
    const { kind, marks, stream } = names
    const text = String(row[10])
    return { fact: factOf(row, stream, kind, marks, decodeText(kind.type, kind.schemaVersion, text)), text }
  }

  const numberOf = (
    numbers: Numbers,
    name: string,
    find: Statement<unknown[]>,
    add: Statement<unknown[]>,
    lasting?: Numbers
  ) => {
    const known = numbers.get(name) ?? lasting?.get(name)
    if (known !== undefined) return known
    const there = find.get(name) as readonly [number] | undefined
    const number = there === undefined ? Number(add.run(name).lastInsertRowid) : there[0]
    numbers.set(name, number)
    // One that was just added goes again if the transaction is undone.
    if (there !== undefined) lasting?.set(name, number)
    return number
  }

  const kindSum = (text: string): number => {
    const known = kindSums.get(text)
    if (known !== undefined) return known
    const sum = textSum(wellFormed(text))
    kindSums.set(text, sum)
    return sum
  }

  const insert = (rows: readonly Row[], streams: Numbers): readonly SealedRow[] => {
    const streamSum = makeTextSum()
    const marksSum = makeTextSum()
    const sealed: SealedRow[] = []
    const kindText = makeKindText()
    const marksText = makeMarksText(source)
    const kinds: Numbers = new Map()
    const marks: Numbers = new Map()
    for (const { fact, text } of rows) {
      const stream = numberOf(streams, fact.stream, say.stream, say.addStream)
      const kindIs = kindText(fact)
      const marksAre = marksText(fact)
      const kind = numberOf(kinds, kindIs, say.kind, say.addKind, lastingKinds)
      const mark = numberOf(marks, marksAre, say.marks, say.addMarks)
      const blob = isLong(text) ? blobHash(text) : null
      if (blob !== null) say.addBlob.run(blob, text)
      const sum = rowSum(
        fact.position,
        fact.version,
        fact.at,
        fact.recordedAt,
        wellFormed(fact.id),
        fact.cause && wellFormed(fact.cause),
        fact.toolUseId && wellFormed(fact.toolUseId),
        streamSum(fact.stream),
        kindSum(kindIs),
        marksSum(marksAre),
        text
      )
      sealed.push({ position: fact.position, sum })
      say.insert.run(
        fact.position,
        fact.id,
        stream,
        fact.version,
        kind,
        fact.at,
        fact.recordedAt,
        fact.cause,
        mark,
        fact.toolUseId,
        blob === null ? text : null,
        blob,
        sum
      )
    }
    return sealed
  }

  /** What the log is asked while it is decided what is appended; looked up as it is asked. */
  const decide = (batches: readonly Batch[], now: number, streams: Numbers, looking: boolean): Admitted => {
    const versions = new Map<string, number>()
    const [last] = (say.last.get() ?? [0]) as readonly [number]
    const version = (stream: string): number => {
      const known = versions.get(stream)
      if (known !== undefined) return known
      const there = say.stream.get(stream) as readonly [number, number | null] | undefined
      if (there) streams.set(stream, there[0])
      versions.set(stream, there?.[1] ?? 0)
      return there?.[1] ?? 0
    }
    const byId = looking ? found : () => undefined
    const admitted = admit(batches, { version, byId, last, source, now })
    if (admitted instanceof EventLogError) throw admitted
    return admitted
  }

  const attempt = (batches: readonly Batch[], now: number, looking: boolean): readonly Recorded[] => {
    say.begin.run()
    try {
      const streams: Numbers = new Map()
      const { rows, recorded } = decide(batches, now, streams, looking)
      sealer.seal(insert(rows, streams), now)
      say.commit.run()
      sealer.committed()
      return recorded
    } catch (error) {
      // A full disk has undone it already.
      if (db.inTransaction) say.rollback.run()
      throw error
    }
  }

  return {
    append: (batches, now) => {
      try {
        return attempt(batches, now, false)
      } catch (error) {
        // Perhaps the facts are there already: then they are at no expected version, and it is still no error.
        if (!isTaken(error) && !(error instanceof EventLogError && error.reason === "version")) throw error
        return attempt(batches, now, true)
      }
    },
    close: () => {
      sealer.close()
      db.close()
    }
  }
}
