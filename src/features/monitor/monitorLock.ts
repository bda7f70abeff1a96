/** One process runs the monitor. */
import { rmSync, writeFileSync } from "node:fs"
import { takeFileLock } from "../../log/fileLock.ts"
import type { MonitorPaths } from "./monitorPaths.ts"
import { loadSqlite } from "./needs.ts"

const held = new Map<string, () => void>()

/** False at once where another process has it. Who has it may take it again. */
export const takeMonitorLock = (
  { holder, lock }: Pick<MonitorPaths, "lock" | "holder">,
  from: string
): boolean => {
  if (held.has(lock)) return true
  const release = takeFileLock(lock, { library: loadSqlite(from) })
  if (release === undefined) return false
  try {
    writeFileSync(holder, `${process.pid}\n`, { mode: 0o600 })
  } catch (error) {
    release()
    throw error
  }
  held.set(lock, release)
  return true
}

export const letMonitorLockGo = ({ holder, lock }: Pick<MonitorPaths, "lock" | "holder">): void => {
  const release = held.get(lock)
  if (release === undefined) return
  held.delete(lock)
  try {
    // Before it is released: afterwards it may be another's.
    rmSync(holder, { force: true })
  } finally {
    release()
  }
}
