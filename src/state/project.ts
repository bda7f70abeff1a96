/** Which project an invocation belongs to. Light: the loader asks on every hook call. */
import { dirname, join } from "node:path"
import { statOf } from "./statOf.ts"

/** Where a project keeps its hooks and settings. */
export const hooksFolder = ".hooktape"

const exists = (path: string): boolean => statOf(path) !== undefined

/** The nearest ancestor of `cwd` that holds `.hooktape/`, else the nearest that holds `.git`, else `cwd` itself. */
export const findProject = (cwd: string): string => {
  let git: string | undefined
  for (let directory = cwd; ; directory = dirname(directory)) {
    if (exists(join(directory, hooksFolder))) return directory
    if (git === undefined && exists(join(directory, ".git"))) git = directory
    if (dirname(directory) === directory) return git ?? cwd
  }
}
