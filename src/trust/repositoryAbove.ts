/** The git repository that a path lies in. */
import { lstatSync } from "node:fs"
import { dirname, join } from "node:path"

/** The nearest folder at or above this one that git takes for a repository's working tree. */
export const repositoryAbove = (folder: string): string | undefined => {
  if (lstatSync(join(folder, ".git"), { throwIfNoEntry: false }) !== undefined) return folder
  const above = dirname(folder)
  return above === folder ? undefined : repositoryAbove(above)
}
