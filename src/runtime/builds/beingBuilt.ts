/** Why a call that finds its build out of date does not start another: asked only then. */
import { type Manifest, projectManifest, userManifest } from "../../state/manifest.ts"
import { isOwned } from "../../state/ownerLock.ts"
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

/** Undefined where it may build. Beside trust of a newer version nothing can be: nothing of it is in force here. */
export const whyNotBuilt = (
  state: string,
  project: string | undefined,
  current: Pick<Manifest, "cli" | "sources">
): string | undefined => {
  if (isNewerTrust(state)) return `cannot be built (${newerTrust})`
  if (isBeingBuilt(state, project)) return beingBuilt
  return wasTried(state, project, current, Date.now()) ? triedBefore : undefined
}
