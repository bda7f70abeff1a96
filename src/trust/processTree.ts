/** A process with all that it started, and what that started, also where a part of it has made itself a group or a session of its own. */

/** As they are before any hook is loaded. */
const { kill, platform } = process

const fs = (): typeof import("node:fs") => process.getBuiltinModule("node:fs")

/** Which process started which. Linux alone tells. */
const parents = (): ReadonlyMap<number, number> => {
  const { readdirSync, readFileSync } = fs()
  const found = new Map<number, number>()
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "latin1")
      // The program's name stands in brackets and may hold anything.
      const [, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
      found.set(Number(name), Number(parent))
    } catch {
      // It has ended meanwhile.
    }
  }
  return found
}

/** Those below the process, without itself. */
const descendants = (root: number): readonly number[] => {
  const all = parents()
  const isBelow = (pid: number, depth = 0): boolean => {
    const parent = all.get(pid)
    return (
      parent === root || (parent !== undefined && parent > 1 && depth < 1000 && isBelow(parent, depth + 1))
    )
  }
  return [...all.keys()].filter((pid) => pid !== root && isBelow(pid))
}

const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    kill.call(process, pid, name)
  } catch {
    // It is gone.
  }
}

/** Ends what is left of a process group. */
export const endGroup = (pid: number): void => signal(platform === "win32" ? pid : -pid, "SIGKILL")

/** What is stopped starts nothing more; one that starts others all the time has more than these looks show. */
const mostLooks = 16

/**
 * Ends the process, its group and all processes below it. What it left to nobody before (a parent that has ended, in a group of its own) is
 * not found; where the system does not tell who started whom, it is the process and its group.
 */
export const endTree = (pid: number): void => {
  const found = new Set<number>()
  try {
    // First: one that ends meanwhile leaves what it started to nobody.
    if (platform === "linux") signal(pid, "SIGSTOP")
    for (let look = 0; platform === "linux" && look < mostLooks; look++) {
      const fresh = descendants(pid).filter((one) => !found.has(one))
      if (fresh.length === 0) break
      for (const one of fresh) {
        found.add(one)
        signal(one, "SIGSTOP")
      }
    }
  } catch {
    // Without /proc.
  }
  endGroup(pid)
  for (const one of found) signal(one, "SIGKILL")
}
