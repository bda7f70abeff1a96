/** The projects for which hooks of their own are trusted and built. */
import { dirname, join } from "node:path"
import { userManifest } from "../../state/manifest.ts"
import { namesIn } from "../../state/namesIn.ts"
import { statOf } from "../../state/statOf.ts"
import { manifestAt } from "./refresh.ts"

/** Their directories, as far as they are still there, in order of their names. */
export const builtProjects = (state: string): readonly string[] => {
  const folder = dirname(userManifest(state))
  const users = new Set(manifestAt(userManifest(state))?.contents)
  return namesIn(folder)
    .filter((name) => name.endsWith(".json"))
    .flatMap((name) => {
      const { contents = [], project = null } = manifestAt(join(folder, name)) ?? {}
      // What is not trusted is no content of a build.
      const hasOwn = contents.some((digest) => !users.has(digest))
      return project !== null && hasOwn && statOf(project) !== undefined ? [project] : []
    })
    .sort()
}
