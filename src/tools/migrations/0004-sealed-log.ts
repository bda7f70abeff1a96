/** The tables of the log get sums and seals: docs/decisions/0026-seals-of-the-log.md. Facts of before stay as they are, unsealed. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import Sqlite, { type Database } from "better-sqlite3"
import { applicationId, migrations, tables } from "../../log/sqlite/sqliteSchema.ts"

const busyMs = 3000

const versionOf = (db: Database): number => Number(db.pragma("user_version", { simple: true }))

export const sealedLog = {
  number: 4,
  about: "Facts of the log have checksums, and what is appended is sealed.",
  apply: (state: string): void => {
    const file = join(state, "log.sqlite")
    if (!existsSync(file)) return
    let db: Database | undefined
    try {
      db = new Sqlite(file, { fileMustExist: true, timeout: busyMs })
      const found = db
      if (found.pragma("application_id", { simple: true }) !== applicationId || versionOf(found) >= tables)
        return
      found
        .transaction(() => {
          for (const statement of migrations[versionOf(found)] ?? []) found.exec(statement)
        })
        .immediate()
    } catch {
      // Somebody writes it, or it is damaged: whoever opens it does this, or says why not.
    } finally {
      db?.close()
    }
  }
} as const
