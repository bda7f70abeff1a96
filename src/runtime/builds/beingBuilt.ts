/** Why a call that finds its build out of date does not start another: asked only then. */
import { projectManifest, userManifest } from "../../state/manifest.ts"
import { isOwned } from "../../state/ownerLock.ts"
import { isNewerTrust, newerTrust } from "../../trust/store.ts"

/** The lock of whoever builds for a project, or for the user alone. */
export const buildLock = (state: string, project: string | undefined): string =>
  `${project === undefined ? userManifest(state) : projectManifest(state, project)}.owner`

export const isBeingBuilt = (state: string, project: string | undefined): boolean =>
  isOwned(buildLock(state, project))

export const beingBuilt = "are being built"

/** Undefined where it may build. Beside trust of a newer version nothing can be: nothing of it is in force here. */
export const whyNotBuilt = (state: string, project: string | undefined): string | undefined => {
  if (isNewerTrust(state)) return `cannot be built (${newerTrust})`
  return isBeingBuilt(state, project) ? beingBuilt : undefined
}
