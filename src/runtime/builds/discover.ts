/** Finds hook files: the user's, then the project's, each by name. */
import { lstatSync, readdirSync, realpathSync } from "node:fs"
import { join } from "node:path"
import type { Problem } from "../../hooks/Problem.ts"
import { repositoryTop } from "../../state/levels.ts"
import { isWithin } from "../../state/within.ts"

export interface HookFile {
  readonly file: string
  readonly owner: "user" | "project"
}

export interface Discovered {
  readonly files: readonly HookFile[]
  /** The directories looked at, there or not. */
  readonly dirs: readonly string[]
  readonly problems: readonly Problem[]
}

/** Declarations, tests, and what begins with a dot or an underscore are helpers beside the hooks. */
export const isHookFile = (name: string): boolean =>
  /\.[cm]?[jt]s$/.test(name) &&
  !/\.d\.[cm]?ts$/.test(name) &&
  !/\.(test|spec)\.[cm]?[jt]s$/.test(name) &&
  !/^[._]/.test(name)

/** The real path, or nothing where nothing is. */
export const realPath = (path: string): string | undefined => {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const listed = (dir: string): readonly string[] => {
  try {
    return readdirSync(dir).filter(isHookFile).sort(byName)
  } catch {
    return []
  }
}

const outside = (file: string): Problem => ({
  file,
  reason: "leads out of the project through a symbolic link",
  remedy: "Put the file itself into the project: what lies elsewhere can change without the project."
})

/** The user's folder is their own: links in it are theirs. */
export const discoverUser = (folder: string): Discovered => {
  const dir = join(folder, "hooks")
  const files = listed(dir).map((name): HookFile => ({ file: join(dir, name), owner: "user" }))
  return { files, dirs: [dir], problems: [] }
}

/** A project is anyone's: what it shows must lie in it, or elsewhere in its repository. */
export const discoverProject = (project: string): Discovered => {
  const level = realPath(project) ?? project
  const root = repositoryTop(level) ?? level
  const folder = join(level, ".hooktape")
  const dir = join(folder, "hooks")
  for (const path of [folder, dir]) {
    const real = realPath(path)
    if (real !== undefined && !isWithin(real, root))
      return { files: [], dirs: [dir], problems: [outside(path)] }
  }
  const files: HookFile[] = []
  const problems: Problem[] = []
  for (const name of listed(dir)) {
    const file = join(dir, name)
    const real = realPath(file)
    if (real === undefined)
      problems.push({ file, reason: "is a symbolic link to nothing", remedy: "Remove it." })
    else if (!isWithin(real, root)) problems.push(outside(file))
    else if (lstatSync(real).isFile()) files.push({ file, owner: "project" })
  }
  return { files, dirs: [dir], problems }
}
