/** Whose tables a log's file has: this version's, or those of an earlier or a later one, which are that one's to change. */
import Sqlite, { type Database } from "better-sqlite3"
import { attempt } from "./attempt.ts"
import { isBusy } from "./sqlite/sqliteErrors.ts"
import { applicationId, tables } from "./sqlite/sqliteSchema.ts"

/** Versions come one by one: a number far above is a damaged one. */
const furthest = 100

const numberOf = (db: Database, name: string): number => Number(db.pragma(name, { simple: true }))

const isOurs = (db: Database): boolean => numberOf(db, "application_id") === applicationId

export const isOfToday = (db: Database): boolean => isOurs(db) && numberOf(db, "user_version") === tables

export const isOlder = (db: Database): boolean => {
  const version = numberOf(db, "user_version")
  return isOurs(db) && version > 0 && version < tables
}

export const isNewer = (db: Database): boolean => {
  const version = numberOf(db, "user_version")
  return isOurs(db) && version > tables && version <= tables + furthest
}

export const hasTable = (db: Database, name: string): boolean =>
  db.prepare("SELECT 1 FROM sqlite_schema WHERE name = ?").get(name) !== undefined

/**
 * False where it is too damaged to be asked; throws where another program has it for itself. Without a connection that may write: closing
 * one would already change a file with a journal beside it.
 */
export const askFile = (file: string, ask: (db: Database) => boolean): boolean => {
  const db = attempt(() => new Sqlite(file, { readonly: true, fileMustExist: true, timeout: 500 }))
  try {
    return db !== undefined && ask(db)
  } catch (cause) {
    if (isBusy(cause)) throw cause
    return false
  } finally {
    db?.close()
  }
}

/** False where it cannot be asked. */
export const fileIs = (file: string, ask: (db: Database) => boolean): boolean =>
  attempt(() => askFile(file, ask), false)
