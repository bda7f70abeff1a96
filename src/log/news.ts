/** Whether somebody wrote to a log since it was last asked: SQLite's own count of that, which reads a few bytes and no table. */
import { statSync } from "node:fs"
import Sqlite, { type Database } from "better-sqlite3"

export interface News {
  /** True once for all that was committed before: what comes from here on is news again. Where it cannot be told, always. */
  readonly isThere: () => boolean
  readonly close: () => void
}

export const makeNews = (file: string): News => {
  let open: { readonly db: Database; readonly ino: number } | undefined
  let seen: unknown
  const close = (): void => {
    open?.db.close()
    open = undefined
    seen = undefined
  }
  return {
    isThere: () => {
      try {
        const ino = statSync(file, { throwIfNoEntry: false })?.ino
        // A log that was put in another's place is counted from its own beginning.
        if (open?.ino !== ino) close()
        if (ino === undefined) return false
        open ??= { db: new Sqlite(file, { readonly: true, fileMustExist: true }), ino }
        const version = open.db.pragma("data_version", { simple: true })
        if (version === seen) return false
        seen = version
        return true
      } catch {
        close()
        return true
      }
    },
    close
  }
}
