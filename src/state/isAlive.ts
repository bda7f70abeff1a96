/** Whether the process that writes a file or does a job is still there to go on with it. */
import { readFileSync } from "node:fs"

/** It has ended, and whoever started it has not asked how: in a container without an init that may be never. */
const isZombie = (pid: number): boolean => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1")
    return stat[stat.lastIndexOf(")") + 2] === "Z"
  } catch {
    // No such file system.
    return false
  }
}

/** Whether a process is there. One that belongs to somebody else is. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "EPERM"
  }
  return !isZombie(pid)
}
