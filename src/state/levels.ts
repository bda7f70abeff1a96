/** The folders whose hooks apply in a project: its own, and those of all directories above it up to the repository's root. */
import { dirname, join } from "node:path"
import { hooksFolder } from "./project.ts"
import { statOf } from "./statOf.ts"

/** The nearest directory at or above that holds `.git`, if there is one. */
export const repositoryTop = (directory: string): string | undefined => {
  for (let at = directory; ; at = dirname(at)) {
    if (statOf(join(at, ".git")) !== undefined) return at
    if (dirname(at) === at) return undefined
  }
}

/** From the project upwards. Outside of a repository as far as directories are the user's own: others' are others' business. */
const ancestors = (project: string): readonly string[] => {
  const top = repositoryTop(project)
  const uid = process.getuid?.()
  const found = [project]
  for (let at = project; at !== top && dirname(at) !== at; ) {
    at = dirname(at)
    if (top === undefined && (uid === undefined || statOf(at)?.uid !== uid)) break
    found.push(at)
  }
  return found
}

/** The directories that can hold hooks for the project, outermost first, the project itself last. */
export const levelsOf = (project: string): readonly string[] => [...ancestors(project)].reverse()

/** Whether a directory can have hooks: files, or commands in its settings. Light: those are not read. */
export const mayHaveHooks = (directory: string): boolean => {
  const folder = join(directory, hooksFolder)
  // Mostly it is not there, and was looked for before: what would be in it need not be.
  return (
    statOf(folder) !== undefined &&
    ["hooks", "config.json"].some((name) => statOf(join(folder, name)) !== undefined)
  )
}

/** Whether a directory above the project can. */
export const hasOuterHooks = (project: string): boolean => ancestors(project).slice(1).some(mayHaveHooks)
