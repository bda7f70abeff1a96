/** Whether somebody else builds already, so that a call that finds its build out of date need not start another: only then is it asked. */
import { projectManifest, userManifest } from "../../state/manifest.ts"
import { isOwned } from "../../state/ownerLock.ts"

/** The lock of whoever builds for a project, or for the user alone. */
export const buildLock = (state: string, project: string | undefined): string =>
  `${project === undefined ? userManifest(state) : projectManifest(state, project)}.owner`

export const isBeingBuilt = (state: string, project: string | undefined): boolean =>
  isOwned(buildLock(state, project))

export const beingBuilt = "are being built"
