/** Why a call that finds its build out of date does not start another: asked only then. */

import { type Manifest, projectManifest, userManifest } from "../../state/manifest.ts"
import { isNewerFile, ofNewer } from "../../state/newerFile.ts"
import { isOwned } from "../../state/ownerLock.ts"
import { guardsFile } from "../../trust/keptGuards.ts"
import { isNewerTrust, newerTrust } from "../../trust/store.ts"
import { wasTried } from "./attempts.ts"

/** The lock of whoever builds for a project, or for the user alone. */
export const buildLock = (state: string, project: string | undefined): string =>
  `${project === undefined ? userManifest(state) : projectManifest(state, project)}.owner`

export const isBeingBuilt = (state: string, project: string | undefined): boolean =>
  isOwned(buildLock(state, project))

const beingBuilt = "are being built"

/** Said by the first call alone. */
export const triedBefore = "could not be built a moment ago"

/** What a newer version wrote of a build, and is not to be written over; undefined where there is nothing of it. */
export const newerBuild = (state: string, project: string | undefined): string | undefined =>
  [
    project === undefined ? userManifest(state) : projectManifest(state, project),
    guardsFile(state, project)
  ].find((file) => isNewerFile(file))

/** Undefined where it may build. Beside trust of a newer version nothing can be: nothing of it is in force here. */
export const whyNotBuilt = (
  state: string,
  project: string | undefined,
  current: Pick<Manifest, "cli" | "sources">
): string | undefined => {
  if (isNewerTrust(state)) return `cannot be built (${newerTrust})`
  const newer = newerBuild(state, project)
  if (newer !== undefined) return `cannot be built (${ofNewer(newer)})`
  if (isBeingBuilt(state, project)) return beingBuilt
  return wasTried(state, project, current, Date.now()) ? triedBefore : undefined
}
