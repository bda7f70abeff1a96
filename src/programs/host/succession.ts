/** One build follows another: decided by what is installed, never by who connects, so that two versions cannot chase each other. */
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { monotonic } from "../../runtime/elapsed.ts"
import { hostStart } from "../../state/startedFiles.ts"

/** Why a host ends that has a successor. */
export const succeeded = "another build is installed"

/** More often than this nobody installs. */
const lookMs = 1000

const textOf = (file: string): string => {
  try {
    return readFileSync(file, "utf8").trim()
  } catch {
    return ""
  }
}

/**
 * Whether another build was put in this one's place since it was made: what a state directory names, or what lies in the
 * package. What was there from the start is no reason: a successor would find the same, and go as well.
 */
export const makeSuccession = (state: string, home: string): (() => boolean) => {
  const look = () => `${textOf(join(state, "bin", "build"))} ${textOf(join(home, "build-id"))}`
  const before = look()
  let at = monotonic()
  let changed = false
  return () => {
    const now = monotonic()
    if (now - at >= lookMs) {
      at = now
      changed = look() !== before
    }
    return changed
  }
}

/** Starts the host that is installed. It waits until this one has let go. */
export const handOver = (state: string): void => {
  const [program, args] = hostStart(state)
  const child = spawn(program, args, { stdio: "ignore", detached: true, windowsHide: true })
  child.on("error", () => undefined)
  child.unref()
}
