/**
 * Brings the tables of a projection up to the end of the log: in small transactions, the checkpoint in the same one, as often as one
 * likes, by whoever has time.
 */
import Sqlite, { type Database } from "better-sqlite3"
import type { Fact } from "../../events/facts.ts"
import { eachFact, ofTypes } from "./factReader.ts"
import { markOf, type Versioned } from "./projectionMark.ts"
import { keepStatements } from "./sqlite/keepStatements.ts"
import { isBusy, isTableDamage } from "./sqlite/sqliteErrors.ts"

/** Where a fact stands. */
export interface FactPlace {
  readonly position: number
  readonly stream: string
  readonly at: number
  readonly agent: string | null
  readonly project: string | null
  readonly session: string | null
}

/** What its user wants nothing left of. */
export interface Forgotten {
  readonly session?: string
  readonly text?: string
}

export interface Projection extends Versioned {
  /** The types of facts that mean anything to it. */
  readonly types: readonly string[]
  /** One of its tables. */
  readonly table: string
  /** What takes away whatever there was, then what makes empty tables. */
  readonly anew: readonly string[]
  /** Takes out of its tables what must outlast a log that was shortened: facts before this position may be gone. Before they are made anew. */
  readonly keep?: (db: Database, before: number) => void
  /**
   * Takes out of its tables what was of facts that are gone for their age or their size. Without it all is made anew of those that
   * are left, which takes its time and finds other things where the beginning of a session is gone.
   */
  readonly shorten?: (db: Database) => void
  /** Takes out of what it has kept what was forgotten: it is in no fact any more. Before its tables are made anew. */
  readonly forget?: (db: Database, forgotten: Forgotten) => void
  /** Inside the caller's transaction. */
  readonly makeFold: (db: Database) => FactFold
}

/** Takes one fact after the other into the tables. */
export interface FactFold {
  (fact: Fact, place: FactPlace): void
  /** Writes what it held back, after the last of a round. */
  readonly finish?: () => void
  /** Once all of the log is in: a piece of what is left to do, so many facts' worth. True while there is more. */
  readonly rest?: (most: number) => boolean
}

/** How far the log was looked through for facts that say it was shortened: after one of them all is made anew. */
const shortenedOf = (projection: Projection): string => `${markOf(projection)}/shortened`
const shortening = ["LOG_TRUNCATED", "FACT_REDACTED"]

const usualBusyMs = 500
const perRound = 500
/** Of somebody who waits for all of it: fewer transactions, and no writer waits noticeably longer. */
const perLongRound = 2000

const numberOf = (db: Database, sql: string, ...params: readonly unknown[]): number =>
  Number(
    db
      .prepare(sql)
      .pluck()
      .get(...params) ?? 0
  )

const setMark = (db: Database, name: string, position: number): void =>
  void db
    .prepare(
      "INSERT INTO checkpoints VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET position = excluded.position"
    )
    .run(name, position)

const positionOf = (db: Database, name: string): number =>
  numberOf(db, "SELECT position FROM checkpoints WHERE name = ?", name)

const hasTable = (db: Database, name: string): boolean =>
  db.prepare("SELECT 1 FROM sqlite_schema WHERE name = ?").get(name) !== undefined

/** Whether there is something to ask: tables of this version, however much of the log they tell. */
const isMade = (db: Database, projection: Projection): boolean =>
  hasTable(db, projection.table) &&
  db.prepare("SELECT 1 FROM checkpoints WHERE name = ?").get(markOf(projection)) !== undefined

const isAtEnd = (db: Database, projection: Projection): boolean => {
  const last = numberOf(db, "SELECT max(position) FROM recorded")
  return (
    isMade(db, projection) &&
    positionOf(db, markOf(projection)) === last &&
    positionOf(db, shortenedOf(projection)) === last
  )
}

/** A version that comes back after another one had its turn finds tables that are not its own. */
const renew = (db: Database, projection: Projection): void => {
  for (const statement of projection.anew) db.exec(statement)
  db.prepare("DELETE FROM checkpoints WHERE name GLOB ?").run(`projection/${projection.name}/*`)
  setMark(db, markOf(projection), 0)
}

/** Up to which position facts went, as what was recorded between these two says; 0 where none went for their age or their size. */
const shortenedTo = (db: Database, after: number, last: number): number =>
  numberOf(
    db,
    `SELECT max(json_extract(data, '$.before')) FROM recorded
      WHERE position > ? AND position <= ? AND data IS NOT NULL AND ${ofTypes(["LOG_TRUNCATED"])}`,
    after,
    last
  )

/** Which facts between these two say that others went. Each position is looked at once: there is no index by type, and a log may be long. */
const shorteningIn = (db: Database, after: number, last: number): ReadonlySet<string> =>
  new Set(
    db
      .prepare<[number, number], string>(
        `SELECT type FROM kinds WHERE id IN
          (SELECT kind FROM recorded WHERE position > ? AND position <= ? AND ${ofTypes(shortening)})`
      )
      .pluck()
      .all(after, last)
  )

/** One transaction; true while there is more. */
const round = (db: Database, projection: Projection, most: number): boolean => {
  const { makeFold, types } = projection
  const mark = markOf(projection)
  const last = numberOf(db, "SELECT max(position) FROM recorded")
  const looked = positionOf(db, shortenedOf(projection))
  const isThere = isMade(db, projection)
  const told = shorteningIn(db, looked, last)
  const isSpoilt = told.has("FACT_REDACTED") || (told.size > 0 && projection.shorten === undefined)
  if (isThere && isSpoilt) projection.keep?.(db, shortenedTo(db, looked, last))
  if (!isThere || isSpoilt) renew(db, projection)
  else if (told.size > 0) projection.shorten?.(db)
  setMark(db, shortenedOf(projection), last)
  const from = positionOf(db, mark)
  const upTo = Math.min(last, from + most)
  const fold = makeFold(db)
  eachFact(db, types, [from, upTo], fold)
  fold.finish?.()
  setMark(db, mark, upTo)
  return upTo < last || (fold.rest?.(Math.ceil(most / 5)) ?? false)
}

export interface Steps {
  /** One step towards the end of the log. True while there is more to do. */
  readonly step: () => boolean
  /** Whether a step may have something to do; asking costs next to nothing. */
  readonly isBehind: () => boolean
  /** Another value when somebody else has written to the log: SQLite's own count of that, which reads a few bytes and no table. */
  readonly version: () => unknown
  /** Whether the tables can be asked, though a step failed. */
  readonly isMade: () => boolean
  readonly close: () => void
}

export interface Round {
  /** How many facts at most. */
  readonly most?: number
  /** How long it waits for another writer, and nothing else happens in the process. */
  readonly busyMs?: number
}

/** A connection of its own to the log's file, which is there. */
export const openProjection = (
  file: string,
  projection: Projection,
  { busyMs = usualBusyMs, most = perRound }: Round = {}
): Steps => {
  const db = keepStatements(new Sqlite(file, { fileMustExist: true, timeout: busyMs }))
  try {
    // What a power cut takes away follows from the log once more.
    db.pragma("synchronous = NORMAL")
    // Of one of several connections in a process that lives for days; the system keeps the file's pages as well.
    db.pragma("cache_size = -500")
  } catch (error) {
    // A file that is no log: whoever asks again and again would run out of descriptors.
    db.close()
    throw error
  }
  const turn = db.transaction(() => round(db, projection, most))
  const look = db.transaction(() => isAtEnd(db, projection))
  const turnAnew = db.transaction(() => {
    renew(db, projection)
    return round(db, projection, most)
  })
  let isRenewed = false
  /** Who writes for long is in nobody's way who has nothing to do: what there is to do is looked at before anybody waits. */
  const atOnceOrWaiting = (): boolean => {
    db.pragma("busy_timeout = 0")
    try {
      return turn.immediate()
    } catch (error) {
      if (!isBusy(error)) throw error
      if (look()) return false
    } finally {
      db.pragma(`busy_timeout = ${busyMs}`)
    }
    return turn.immediate()
  }
  /** All of it follows from the log: what is damaged is made anew, once. */
  const taken = (): boolean => {
    try {
      return atOnceOrWaiting()
    } catch (error) {
      if (isBusy(error) && look()) return false
      if (isRenewed || !isTableDamage(error)) throw error
      isRenewed = true
      return turnAnew.immediate()
    }
  }
  let more = true
  let seen: unknown
  const version = (): unknown => db.pragma("data_version", { simple: true })
  return {
    step: () => {
      // Taken before: what others write meanwhile is another version.
      seen = version()
      more = true
      more = taken()
      return more
    },
    isBehind: () => more || version() !== seen,
    version,
    isMade: () => isMade(db, projection),
    close: () => void db.close()
  }
}

/** Empty tables, for whoever found those there damaged, or has taken facts out of the log. */
export const renewProjection = (file: string, projection: Projection, forgotten: Forgotten = {}): void => {
  const db = new Sqlite(file, { fileMustExist: true, timeout: usualBusyMs })
  try {
    db.transaction(() => {
      projection.forget?.(db, forgotten)
      renew(db, projection)
    }).immediate()
  } finally {
    db.close()
  }
}

/** What comes of it, for whoever does all rounds at once. */
const atOnce = <A>(rounds: Generator<void, A>): A => {
  for (;;) {
    const { done, value } = rounds.next()
    if (done) return value
  }
}

/** Round after round. False where somebody else writes all the while: the tables that are there tell less than the log does. */
export function* catchingUpProjection(file: string, projection: Projection): Generator<void, boolean> {
  const steps = openProjection(file, projection, { most: perLongRound })
  try {
    while (steps.step()) yield
    return true
  } catch (error) {
    if (!isBusy(error) || !steps.isMade()) throw error
    return false
  } finally {
    steps.close()
  }
}

/** All of it, now. */
export const catchUpProjection = (file: string, projection: Projection): boolean =>
  atOnce(catchingUpProjection(file, projection))

/** The tables as they would be, in memory, round after round. The caller closes it. */
export function* projectingInMemory(file: string, projection: Projection): Generator<void, Database> {
  const db = new Sqlite(":memory:")
  let isDone = false
  try {
    db.prepare("ATTACH ? AS log").run(file)
    db.exec(
      "CREATE TABLE checkpoints (name TEXT NOT NULL PRIMARY KEY, position INTEGER NOT NULL) WITHOUT ROWID"
    )
    // What takes tables away would find those of the log, which are another's to make anew.
    for (const statement of projection.anew) if (!statement.startsWith("DROP")) db.exec(statement)
    setMark(db, markOf(projection), 0)
    while (db.transaction(() => round(db, projection, perLongRound))()) yield
    isDone = true
    return db
  } finally {
    // Also where nobody asks for the next round.
    if (!isDone) db.close()
  }
}

/** The same, now: for whoever cannot write them. */
export const projectInMemory = (file: string, projection: Projection): Database =>
  atOnce(projectingInMemory(file, projection))
