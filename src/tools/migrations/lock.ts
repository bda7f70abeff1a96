/** One migration at a time. */
import { join } from "node:path"
import Sqlite from "better-sqlite3"
import { takeFileLock } from "../../log/fileLock.ts"
import { privateDirectory } from "../../state/state.ts"
import { MigrationError } from "./MigrationError.ts"

/** A log is copied in seconds. */
const usualWaitMs = 30_000

/** Gives the lock back. */
export const takeMigrationLock = (state: string, waitMs: number = usualWaitMs): (() => void) => {
  const file = join(privateDirectory(join(state, "run")), "migrate.lock")
  const release = takeFileLock(file, { library: Sqlite, waitMs })
  if (release === undefined)
    throw new MigrationError("another process is migrating", "Wait for it, then run the command again.")
  return release
}
