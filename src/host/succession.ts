/** One build follows another: decided by what is installed, never by who connects, so that two versions cannot chase each other. */
import { spawn } from "node:child_process"
import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"

let seen = { mtimeMs: -1, build: "" }

/** The build that is installed in a state directory; `own` where nothing says. */
export const installedBuild = (state: string, own: string): string => {
  const file = join(state, "bin", "build")
  const stat = statSync(file, { throwIfNoEntry: false })
  if (!stat) return own
  if (stat.mtimeMs !== seen.mtimeMs) {
    try {
      seen = { mtimeMs: stat.mtimeMs, build: readFileSync(file, "utf8").trim() }
    } catch {
      return own
    }
  }
  return seen.build === "" ? own : seen.build
}

/** Starts the host that is installed. It waits until this one has let go. */
export const handOver = (state: string): void => {
  const child = spawn(join(state, "bin", "host"), [], { stdio: "ignore", detached: true, windowsHide: true })
  child.on("error", () => undefined)
  child.unref()
}
