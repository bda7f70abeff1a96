/** Rewrites the log's file, so that nothing of what was taken out of it is left in pages that nobody uses any more. */
import Sqlite from "better-sqlite3"
import { isBusy } from "./sqlite/sqliteErrors.ts"

/** For readers that are at work; a reader that stays is told of. */
const patienceMs = 3000

/** False where somebody reads or writes all the while: then pages of before are still there. */
export const compact = (file: string): boolean => {
  const db = new Sqlite(file, { fileMustExist: true, timeout: patienceMs })
  try {
    db.pragma("secure_delete = ON")
    db.exec("VACUUM")
    // Into the file itself, and the write-ahead log emptied: it has the old pages.
    const [checkpoint] = db.pragma("wal_checkpoint(TRUNCATE)") as readonly { readonly busy: number }[]
    return checkpoint?.busy === 0
  } catch (error) {
    if (isBusy(error)) return false
    throw error
  } finally {
    db.close()
  }
}
