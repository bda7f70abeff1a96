/** One process runs the monitor. Held by the kernel for an open file: it falls away with its process, however that ends. */
import { closeSync, openSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { isBusy, isFileDamage } from "../../log/sqlite/sqliteErrors.ts"
import type { MonitorPaths } from "./monitorPaths.ts"
import { loadSqlite, type Sqlite } from "./needs.ts"

const held = new Map<string, Sqlite>()

/** False at once where another process has it. Who has it may take it again. */
export const takeMonitorLock = (paths: Pick<MonitorPaths, "lock" | "holder">, from: string): boolean => {
  if (held.has(paths.lock)) return true
  try {
    return attempt(paths, from)
  } catch (error) {
    if (!isFileDamage(error)) throw error
    // Nobody holds what is no database, and nothing is in it. The file itself stays: another might be taking it by now.
    truncateSync(paths.lock, 0)
    return attempt(paths, from)
  }
}

const attempt = (paths: Pick<MonitorPaths, "lock" | "holder">, from: string): boolean => {
  let db: Sqlite | undefined
  try {
    closeSync(openSync(paths.lock, "a", 0o600))
    const Database = loadSqlite(from)
    db = new Database(paths.lock, { timeout: 0 })
    // Not in WAL mode: there an exclusive transaction excludes nobody but writers.
    db.pragma("journal_mode = DELETE")
    db.exec("BEGIN EXCLUSIVE")
    held.set(paths.lock, db)
    writeFileSync(paths.holder, `${process.pid}\n`, { mode: 0o600 })
    return true
  } catch (error) {
    db?.close()
    if (isBusy(error)) return false
    throw error
  }
}

export const letMonitorLockGo = ({ holder, lock }: Pick<MonitorPaths, "lock" | "holder">): void => {
  const db = held.get(lock)
  if (db === undefined) return
  held.delete(lock)
  rmSync(holder, { force: true })
  db.close()
}
