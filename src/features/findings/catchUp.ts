/** Brings the tables of findings up to the end of the log, and asks them. */
import { existsSync } from "node:fs"
import Sqlite, { type Database } from "better-sqlite3"
import type { Findings } from "../../../events/findings.ts"
import { openProjection, type Round, type Steps } from "../../log/projection.ts"
import { markOf } from "../../log/projectionMark.ts"
import type { Hide } from "../metrics/foundMoments.ts"
import { findingsProjection } from "./tables.ts"
import { findingsTables, findingsVersion } from "./version.ts"

export interface FindingsOptions extends Round {
  readonly hide: Hide
  /** The mark of who ships them: far behind it they are not kept. */
  readonly shippedBy: string
}

export const openFindings = (file: string, { hide, shippedBy, ...round }: FindingsOptions): Steps =>
  openProjection(file, findingsProjection(hide, shippedBy), round)

export interface FindingsReader {
  /** How far they are worked out: a position; undefined where there are no tables. */
  readonly reached: () => number | undefined
  /** Behind `after`, up to `upto`, by position. */
  readonly between: (after: number, upto: number) => ReadonlyMap<number, Findings>
  readonly close: () => void
}

const isThere = (db: Database): boolean =>
  db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'findings'").get() !== undefined

/** A connection of its own, which writes nothing. */
export const readFindings = (file: string): FindingsReader => {
  const db = new Sqlite(file, { readonly: true, fileMustExist: true, timeout: 100 })
  db.pragma("cache_size = -200")
  const reached = (): number | undefined =>
    db
      .prepare<[string], number>("SELECT position FROM checkpoints WHERE name = ?")
      .pluck()
      .get(markOf(findingsVersion))
  return {
    reached,
    between: (after, upto) =>
      new Map(
        isThere(db)
          ? db
              .prepare<[number, number], { readonly position: number; readonly found: string }>(
                "SELECT position, found FROM findings WHERE position > ? AND position <= ?"
              )
              .all(after, upto)
              .map(({ found, position }) => [position, JSON.parse(found) as Findings])
          : []
      ),
    close: () => void db.close()
  }
}

const areKept = (file: string): boolean => {
  if (!existsSync(file)) return false
  const db = new Sqlite(file, { readonly: true, fileMustExist: true, timeout: 100 })
  try {
    return isThere(db)
  } finally {
    db.close()
  }
}

/** What was forgotten is in no fact, and may be in these, as is what nobody ships any more: whoever ships works them out anew. */
export const dropFindings = (file: string): void => {
  if (!areKept(file)) return
  const db = new Sqlite(file, { fileMustExist: true, timeout: 500 })
  try {
    db.transaction(() => {
      for (const table of findingsTables) db.exec(`DROP TABLE IF EXISTS ${table}`)
      db.prepare("DELETE FROM checkpoints WHERE name GLOB ?").run(`projection/${findingsVersion.name}/*`)
    }).immediate()
  } finally {
    db.close()
  }
}
