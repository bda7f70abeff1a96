/** One build of a project at a time, among those that nobody waits for. */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { staleLockMs } from "../../runtime/builds/beingBuilt.ts"
import { isAlive } from "../../state/isAlive.ts"

const abandoned = (file: string, now: number): boolean => {
  try {
    if (now - statSync(file).mtimeMs > staleLockMs) return true
    const pid = Number(readFileSync(file, "utf8"))
    // Without a number it is just being written.
    return pid > 0 && !isAlive(pid)
  } catch {
    return true
  }
}

/** Gives the lock back; undefined while another process has it. */
export const takeLock = (file: string, now: number = Date.now()): (() => void) | undefined => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  for (const last of [false, true]) {
    try {
      writeFileSync(file, `${process.pid}`, { flag: "wx", mode: 0o600 })
      return () => rmSync(file, { force: true })
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause
      if (last || !abandoned(file, now)) return undefined
      rmSync(file, { force: true })
    }
  }
  return undefined
}
