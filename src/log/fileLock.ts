/** A file that one process at a time holds. The kernel has the lock, so it is free the moment its process is gone, however that ended. */
import { accessSync, closeSync, constants, lstatSync, openSync, truncateSync } from "node:fs"
import { StateError } from "../state/state.ts"
import { isBusy, isFileDamage } from "./sqlite/sqliteErrors.ts"

/** As much of SQLite as a lock needs. Whoever locks passes the copy that it has loaded. */
export type LockLibrary = new (
  file: string,
  options: { readonly timeout: number }
) => {
  readonly pragma: (text: string) => unknown
  readonly exec: (sql: string) => unknown
  readonly close: () => unknown
}

export interface FileLockOptions {
  readonly library: LockLibrary
  /** Milliseconds to wait for another process, with this one blocked; 0 where it is left out. */
  readonly waitMs?: number
}

/**
 * Makes the file where there is none. A file that is there is only looked at: closing any descriptor of it would drop the lock that this
 * process may have on it.
 */
const prepare = (file: string): void => {
  try {
    // SQLite would make it readable for everybody.
    closeSync(openSync(file, "ax", 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
    // The client, too, takes no link for the lock.
    if (!lstatSync(file).isFile()) throw new StateError(file, "kind", `${file} is not a file: move it away`)
    // SQLite would open it for reading, and then give an exclusive lock to everybody who asks.
    accessSync(file, constants.W_OK)
  }
}

const attempt = (file: string, { library: Library, waitMs = 0 }: FileLockOptions) => {
  const db = new Library(file, { timeout: waitMs })
  try {
    // In WAL mode an exclusive transaction excludes nobody but writers, and a journal file needs room on the disk.
    db.pragma("journal_mode = MEMORY")
    db.exec("BEGIN EXCLUSIVE")
    return (): void => void db.close()
  } catch (error) {
    db.close()
    if (isBusy(error)) return undefined
    throw error
  }
}

/**
 * What releases the lock; undefined where somebody holds it, which may be this process. The file stays when it is released: were it
 * removed, one process could lock the removed file and another a new one. Throws where the file cannot be made or opened for writing.
 */
export const takeFileLock = (file: string, options: FileLockOptions): (() => void) | undefined => {
  prepare(file)
  try {
    return attempt(file, options)
  } catch (error) {
    if (!isFileDamage(error)) throw error
    // Nobody holds a file that is no database, and nothing is kept in it.
    truncateSync(file, 0)
    return attempt(file, options)
  }
}
