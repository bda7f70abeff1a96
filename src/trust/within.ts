/** Where a path lies: in a folder, in a git repository. */
import { lstatSync } from "node:fs"
import { dirname, join, relative, sep } from "node:path"

/** The folder itself counts. */
export const isWithin = (path: string, folder: string): boolean => {
  const from = relative(folder, path)
  return from === "" || (from !== ".." && !from.startsWith(`..${sep}`) && !/^([A-Za-z]:)?[\\/]/.test(from))
}

/** The nearest folder at or above this one that git takes for a repository's working tree. */
export const repositoryAbove = (folder: string): string | undefined => {
  if (lstatSync(join(folder, ".git"), { throwIfNoEntry: false }) !== undefined) return folder
  const above = dirname(folder)
  return above === folder ? undefined : repositoryAbove(above)
}
