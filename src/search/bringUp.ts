/** Brings the search tables up to the end of the log: in small transactions, as often as one likes, by whoever has time. */
import Sqlite, { type Database } from "better-sqlite3"
import type { Fact } from "../../events/facts.ts"
import { decodeText } from "../log/validity.ts"
import { searchedTypes } from "./documents.ts"
import { hasTables, makeFold, renew, searchMark } from "./tables.ts"

/** How far the log was looked through for facts that say it was shortened: after one of them all is made anew. */
const shortenedMark = `${searchMark}/shortened`
const shortening = ["LOG_TRUNCATED", "FACT_REDACTED"]

export interface Round {
  /** How many facts at most. */
  readonly most?: number
}

const busyMs = 500
const perRound = 500

const ofTypes = (types: readonly string[]): string =>
  `kind IN (SELECT id FROM kinds WHERE type IN (${types.map((type) => `'${type}'`).join(", ")}))`

type Row = readonly [
  type: string,
  schemaVersion: number,
  at: number,
  project: string | null,
  session: string | null,
  data: string
]

const positions = `SELECT position FROM recorded WHERE position > ? AND position <= ? AND ${ofTypes(searchedTypes)}
  ORDER BY position`

const factAt = `SELECT kinds.type, kinds.schema_version, occurred_at, marks.project, marks.session,
    coalesce(recorded.data, blobs.data)
  FROM recorded
  JOIN kinds ON kinds.id = recorded.kind
  JOIN marks ON marks.id = recorded.marks
  LEFT JOIN blobs ON blobs.hash = recorded.blob
  WHERE position = ?`

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

const markOf = (db: Database, name: string): number =>
  numberOf(db, "SELECT position FROM checkpoints WHERE name = ?", name)

/** One transaction; true while there is more. */
const round = (db: Database, most: number): boolean => {
  const last = numberOf(db, "SELECT max(position) FROM recorded")
  // Each position is looked at once: there is no index by type, and a log may be long.
  const wasShortened =
    numberOf(
      db,
      `SELECT count(*) FROM recorded WHERE position > ? AND position <= ? AND ${ofTypes(shortening)}`,
      markOf(db, shortenedMark),
      last
    ) > 0
  if (!hasTables(db) || markOf(db, searchMark) === 0 || wasShortened) {
    renew(db)
    setMark(db, searchMark, 0)
  }
  setMark(db, shortenedMark, last)
  const from = markOf(db, searchMark)
  const upTo = Math.min(last, from + most)
  const fold = makeFold(db)
  const read = db.prepare<[number], Row>(factAt).raw()
  // One by one: a payload may be large, and hundreds of them need not be held at once.
  for (const position of db.prepare<[number, number], number>(positions).pluck().all(from, upTo)) {
    const [type, schemaVersion, at, project, session, data] = read.get(position) as Row
    const { data: fact, known } = decodeText(type, schemaVersion, data)
    if (known) fold(fact as Fact, { position, at, project, session })
  }
  setMark(db, searchMark, upTo)
  return upTo < last
}

export interface SearchIndex {
  /** One step towards the end of the log. True while there is more to do. */
  readonly step: () => boolean
  /** Whether a step may have something to do; asking costs next to nothing. */
  readonly isBehind: () => boolean
  readonly close: () => void
}

/** A connection of its own to the log's file, which is there. */
export const openSearchIndex = (file: string, { most = perRound }: Round = {}): SearchIndex => {
  const db = new Sqlite(file, { fileMustExist: true, timeout: busyMs })
  const turn = db.transaction(() => round(db, most))
  let more = true
  let seen: unknown
  const dataVersion = (): unknown => db.pragma("data_version", { simple: true })
  return {
    step: () => {
      // Taken before: what others write meanwhile is another version.
      seen = dataVersion()
      more = true
      more = turn.immediate()
      return more
    },
    isBehind: () => more || dataVersion() !== seen,
    close: () => void db.close()
  }
}

/** All of it, now. */
export const bringUp = (file: string): void => {
  const index = openSearchIndex(file)
  try {
    while (index.step());
  } finally {
    index.close()
  }
}
