/** Of which folder the user's own hooks are built: an environment may name another than theirs. */
import * as Effect from "effect/Effect"
import { manifestAt } from "../../runtime/builds/refresh.ts"
import { userManifest } from "../../state/manifest.ts"
import { folderOfBuild } from "../../state/userFolder.ts"
import { BeneathAgent } from "../../trust/BeneathAgent.ts"
import type { Places } from "./places.ts"

/**
 * A person's environment is their word. An agent's may have come from a repository's settings: there, the folder that was built before
 * counts, or its user's guards would be gone from the next session on.
 */
export const withAskedFolder = (places: Places): Effect.Effect<Places, never, BeneathAgent> =>
  Effect.gen(function* () {
    const { sign } = yield* BeneathAgent
    if ((yield* sign) === undefined) return places
    const standing = manifestAt(userManifest(places.state))
    const folder = standing === undefined ? undefined : folderOfBuild(standing)
    return folder === undefined ? places : { ...places, userFolder: folder }
  })
