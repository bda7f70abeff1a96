/** One migration at a time: held by the kernel for an open file, and so free the moment its process is gone, however it went. */
import { closeSync, openSync } from "node:fs"
import { join } from "node:path"
import Sqlite from "better-sqlite3"
import { privateDirectory } from "../../state/state.ts"
import { MigrationError } from "./MigrationError.ts"

/** A log is copied in seconds. */
const waitMs = 30_000

/** Gives the lock back. */
export const takeMigrationLock = (state: string, wait: number = waitMs): (() => void) => {
  const file = join(privateDirectory(join(state, "run")), "migrate.lock")
  // SQLite would make it for everybody.
  closeSync(openSync(file, "a", 0o600))
  const db = new Sqlite(file, { timeout: wait })
  try {
    // Not in WAL mode: there an exclusive transaction excludes nobody but writers.
    db.pragma("journal_mode = DELETE")
    db.exec("BEGIN EXCLUSIVE")
  } catch (cause) {
    db.close()
    throw new MigrationError("another process is migrating", "Wait for it, then run the command again.", {
      cause
    })
  }
  return () => db.close()
}
