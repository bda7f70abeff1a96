/** The tables of the log get sums and seals: docs/decisions/0026-seals-of-the-log.md. Facts of before stay as they are, unsealed. */
import { closeSync, constants, existsSync, openSync, readSync } from "node:fs"
import { join } from "node:path"
import Sqlite from "better-sqlite3"
import { applicationId, migrations, tables } from "../../log/sqlite/sqliteSchema.ts"
import { tablesVersion } from "./logChange.ts"
import type { Migration } from "./Migration.ts"

interface Marks {
  readonly application: number
  readonly version: number
}

/** Of a file that nobody has open: SQLite would make files beside it only to look. */
const marksInHeader = (file: string): Marks | undefined => {
  const header = Buffer.alloc(100)
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
  try {
    if (readSync(descriptor, header) < header.length) return undefined
    return { version: header.readUInt32BE(60), application: header.readUInt32BE(68) }
  } finally {
    closeSync(descriptor)
  }
}

const marksBySqlite = (file: string): Marks => {
  const db = new Sqlite(file, { readonly: true, fileMustExist: true })
  try {
    return { application: Number(db.pragma("application_id", { simple: true })), version: tablesVersion(db) }
  } finally {
    db.close()
  }
}

/** Undefined where it is no log, or of no version that leads here: whoever opens it says why. */
const olderVersion = (file: string): number | undefined => {
  try {
    const marks = existsSync(`${file}-wal`) ? marksBySqlite(file) : marksInHeader(file)
    if (marks?.application !== applicationId || marks.version >= tables) return undefined
    return migrations[marks.version] === undefined ? undefined : marks.version
  } catch {
    return undefined
  }
}

export const sealedLog: Migration = {
  number: 4,
  name: "sealed-log",
  from: "0.1.0",
  to: "0.2.0",
  of: "log",
  about: "Facts of the log have checksums, and what is appended is sealed.",
  plan: ({ project, state }) => {
    const file = join(state, "log.sqlite")
    if (project !== undefined || !existsSync(file)) return []
    const version = olderVersion(file)
    return version === undefined ? [] : [{ kind: "log", file, version }]
  }
}
