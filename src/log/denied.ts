/** What of the log this user may not write, in words: SQLite says no more than "readonly", and a reader has to write beside it too. */
import { accessSync, constants, statSync } from "node:fs"
import { dirname } from "node:path"
import { isDenied } from "./sqlite/sqliteErrors.ts"

export interface Denied {
  readonly reason: string
  readonly remedy: string
}

const mayWrite = (path: string): boolean => {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "ENOENT"
  }
}

/** Undefined where all of it can be written. */
export const deniedAt = (file: string, may: (path: string) => boolean = mayWrite): Denied | undefined => {
  const path = [dirname(file), file, `${file}-wal`, `${file}-shm`].find((one) => !may(one))
  if (path === undefined) return undefined
  const uid = statSync(path, { throwIfNoEntry: false })?.uid
  const isOurs = uid === undefined || process.getuid === undefined || uid === process.getuid()
  return {
    reason: `${path} cannot be written by this user${isOurs ? "" : `: it belongs to another (uid ${uid})`}`,
    remedy: isOurs
      ? `Make it writable (chmod u+w '${path}').`
      : "Run it as that user, or set HOOKTAPE_HOME to a directory of your own."
  }
}

/** Why SQLite refused, where that says nothing about what is in the file. */
export const deniedBy = (
  cause: unknown,
  file: string,
  may?: (path: string) => boolean
): Denied | undefined => (isDenied(cause) ? deniedAt(file, may) : undefined)
