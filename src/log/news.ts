/** Whether somebody wrote to a log since it was last asked: SQLite's own count of that, which reads a few bytes and no table. */
import { statSync } from "node:fs"
import Sqlite, { type Database } from "better-sqlite3"
import { isBusy } from "./sqlite/sqliteErrors.ts"

export interface News {
  /** True once for all that was committed before: what comes from here on is news again. So is, once, that it cannot be told. */
  readonly isThere: () => boolean
  readonly close: () => void
}

export const makeNews = (file: string): News => {
  let open: { readonly db: Database; readonly ino: number } | undefined
  let seen: unknown
  let isUntold = false
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
        open ??= { db: new Sqlite(file, { readonly: true, fileMustExist: true, timeout: 0 }), ino }
        const version = open.db.pragma("data_version", { simple: true })
        isUntold = false
        if (version === seen) return false
        seen = version
        return true
      } catch (error) {
        // Asked again in a moment, by when whoever holds it may have let go.
        if (isBusy(error)) return false
        close()
        const isNew = !isUntold
        isUntold = true
        return isNew
      }
    },
    close
  }
}
