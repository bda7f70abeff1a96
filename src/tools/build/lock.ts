/** One build of a project at a time, among those that nobody waits for. */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"

/** Longer than a build may take: what is older was left by a process that died. */
const staleMs = 2 * 60_000

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "EPERM"
  }
}

const abandoned = (file: string, now: number): boolean => {
  try {
    if (now - statSync(file).mtimeMs > staleMs) return true
    const pid = Number(readFileSync(file, "utf8"))
    // Without a number it is just being written.
    return pid > 0 && !alive(pid)
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
