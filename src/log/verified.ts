/** The last good mark: up to where the log was found sound, for whoever need not look at all of it again. */
import Sqlite from "better-sqlite3"
import { fileIs, isOfToday } from "./tablesOf.ts"

const name = "verified/seals"

const attempt = <A>(file: string, readonly: boolean, use: (db: Sqlite.Database) => A): A | undefined => {
  let db: Sqlite.Database | undefined
  try {
    db = new Sqlite(file, { readonly, fileMustExist: true, timeout: 500 })
    return use(db)
  } catch {
    // It is looked at again from the beginning, or from an earlier mark.
    return undefined
  } finally {
    db?.close()
  }
}

export const verifiedUpTo = (file: string): number =>
  attempt(file, true, (db) =>
    Number(db.prepare("SELECT position FROM checkpoints WHERE name = ?").pluck().get(name) ?? 0)
  ) ?? 0

/** Nowhere but in a log of this version: one that waits to be migrated, or that is another version's, stays as it is to the byte. */
export const setVerified = (file: string, position: number): void => {
  if (!fileIs(file, isOfToday)) return
  attempt(file, false, (db) =>
    db
      .prepare(
        "INSERT INTO checkpoints VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET position = excluded.position"
      )
      .run(name, position)
  )
}
