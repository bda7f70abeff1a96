/** Whether somebody else builds already, so that a call that finds its build out of date need not start another: only then is it asked. */
import { statSync } from "node:fs"
import { isAlive } from "../../state/isAlive.ts"
import { projectManifest, userManifest } from "../../state/manifest.ts"
import { readRegular } from "../../state/readRegular.ts"

/** Longer than a build may take: what is older was left by a process that died. */
export const staleLockMs = 2 * 60_000

/** The file that says who builds for a project, or for the user alone. */
export const buildLock = (state: string, project: string | undefined): string =>
  `${project === undefined ? userManifest(state) : projectManifest(state, project)}.lock`

export const isBeingBuilt = (state: string, project: string | undefined): boolean => {
  try {
    const file = buildLock(state, project)
    if (Date.now() - statSync(file).mtimeMs > staleLockMs) return false
    return isAlive(Number(readRegular(file).toString()))
  } catch {
    return false
  }
}

export const beingBuilt = "are being built"
