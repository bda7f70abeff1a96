/** Builds the hooks where nothing was built yet: whoever tries a command first finds its hooks in it. */
import { statSync } from "node:fs"
import * as Effect from "effect/Effect"
import { folderOf, projectManifest, userManifest } from "../../state/manifest.ts"
import { askedDefaults } from "./askedDefaults.ts"
import { withAskedFolder } from "./askedFolder.ts"
import type { Places } from "./places.ts"

const exists = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined

/** The loader keeps a build fresh; it cannot make the first one. */
export const firstBuild = Effect.fn("cli.firstBuild")(function* (places: Places) {
  const { project, state, userFolder } = yield* withAskedFolder(places)
  const own = exists(folderOf(project))
  if (exists(own ? projectManifest(state, project) : userManifest(state))) return
  const { buildHooks } = yield* Effect.promise(() => import("../../tools/build/build.ts"))
  const place = { state, ...(own ? { project } : {}) }
  const defaults = yield* askedDefaults(place)
  yield* buildHooks({ ...place, userFolder, ...(defaults === undefined ? {} : { defaults }) })
})
