/** Finds and ends what was started in a workspace, also what left its process group: agents run tools in sessions of their own. */
import { readdirSync, readFileSync } from "node:fs"

/** Processes whose environment names this home. The home is unique to one workspace, so they are ours and nobody else's. */
export const processesOf = (home: string): ReadonlyArray<number> =>
  pids().filter((pid) => pid !== process.pid && environmentOf(pid).split("\0").includes(`HOME=${home}`))

/** Those of every home in a folder. */
const processesIn = (folder: string): ReadonlyArray<number> =>
  pids().filter((pid) =>
    environmentOf(pid)
      .split("\0")
      .some((entry) => entry.startsWith(`HOME=${folder}/`))
  )

const endAll = (find: () => ReadonlyArray<number>): void => {
  for (let round = 0; round < 5; round++) {
    const found = find()
    if (found.length === 0) return
    for (const pid of found) end(pid)
  }
}

/** Ends them, and what they started while they were being ended. */
export const endProcessesOf = (home: string): void => endAll(() => processesOf(home))

export const endProcessesIn = (folder: string): void => endAll(() => processesIn(folder))

/** A negative number is a process group. */
export const end = (pid: number): void => {
  try {
    process.kill(pid, "SIGKILL")
  } catch {
    // Already gone.
  }
}

// Without /proc only the agent's process group is ended.
const pids = (): ReadonlyArray<number> => {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
  } catch {
    return []
  }
}

/** Empty for a process that has ended, is a zombie, or belongs to someone else. */
const environmentOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1")
  } catch {
    return ""
  }
}
