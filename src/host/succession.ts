/** One build follows another: decided by what is installed, never by who connects, so that two versions cannot chase each other. */
import { spawn } from "node:child_process"
import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { monotonic } from "../engine/elapsed.ts"

let seen = { at: Number.NEGATIVE_INFINITY, mtimeMs: -1, build: "" }
const freshMs = 1000

/** The build that is installed in a state directory; `own` where nothing says. */
export const installedBuild = (state: string, own: string): string => {
  const at = monotonic()
  if (at - seen.at < freshMs) return seen.build || own
  const file = join(state, "bin", "build")
  const stat = statSync(file, { throwIfNoEntry: false })
  if (!stat) return own
  try {
    const build = stat.mtimeMs === seen.mtimeMs ? seen.build : readFileSync(file, "utf8").trim()
    seen = { at, mtimeMs: stat.mtimeMs, build }
  } catch {
    return own
  }
  return seen.build || own
}

/** Starts the host that is installed. It waits until this one has let go. */
export const handOver = (state: string): void => {
  const child = spawn(join(state, "bin", "host"), [], { stdio: "ignore", detached: true, windowsHide: true })
  child.on("error", () => undefined)
  child.unref()
}
