/** Finds hook files: the user's, then the project's, each by name. */
import { lstatSync, readdirSync, realpathSync } from "node:fs"
import { basename, dirname, isAbsolute, join, normalize, sep } from "node:path"
import { accountHome, userHome } from "../log/state.ts"
import { repositoryTop } from "./levels.ts"
import type { Manifest } from "./manifest.ts"
import type { Problem } from "./Problem.ts"

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

type Env = Readonly<Record<string, string | undefined>>

const usualFolder = (home: string): string => join(home, ".config", "hooktape")

/** Of what is not there yet: where it would be. */
export const realPlace = (path: string): string => {
  try {
    return realpathSync.native(path)
  } catch {
    const above = dirname(path)
    return above === path ? path : join(realPlace(above), basename(path))
  }
}

/** A path that means another place for each process: `/proc/self/cwd` is whatever repository it works in. */
const isShifting = (path: string): boolean =>
  ["/proc", "/dev"].some((folder) => isInside(normalize(path), folder))

/** The project's repository and those around it, from the nearest on. */
const topsOf = (project: string): readonly string[] => {
  const level = realPlace(project)
  const tops = [repositoryTop(level) ?? level]
  for (let at = tops[0] as string; dirname(at) !== at; ) {
    const top = repositoryTop(dirname(at))
    if (top === undefined) break
    tops.push(top)
    at = top
  }
  return tops
}

/** The same, real paths; one around the account's home is the user's own, unless none is nearer. */
export const rootsOf = (project: string): readonly string[] => {
  const home = realPlace(accountHome())
  const [nearest = project, ...outer] = topsOf(project)
  // What holds the homes of a machine is no project that anybody brought.
  const isAboveHome = dirname(nearest) === nearest || (nearest !== home && isInside(home, nearest))
  return [...(isAboveHome ? [] : [nearest]), ...outer.filter((top) => !isInside(home, top))]
}

const isBrought = (folder: string, project: string): boolean => {
  const real = realPlace(folder)
  if (isShifting(folder) || isShifting(real)) return true
  // Whose home lies where is asked only where it matters: every call comes by here.
  return (
    topsOf(project).some((top) => isInside(real, top)) &&
    rootsOf(project).some((root) => isInside(real, root))
  )
}

/** A home in which an agent works outside of any repository is still a home; a repository is nobody's. */
const homeFor = (env: Env, project: string): string => {
  const home = userHome(env)
  if (!isBrought(home, project)) return home
  const real = realPlace(home)
  const isBare = !isShifting(home) && real === realPlace(project) && repositoryTop(real) === undefined
  return isBare ? home : accountHome()
}

/**
 * `$XDG_CONFIG_HOME/hooktape`, by default `~/.config/hooktape`. A relative XDG path is invalid and ignored. `project`: where it is
 * asked for. A repository's agent settings can set any variable, so that no folder in it counts as the user's but the usual one.
 */
export const userFolder = (env: Env, project?: string): string => {
  const base = env["XDG_CONFIG_HOME"]
  const named = base !== undefined && isAbsolute(base) ? join(base, "hooktape") : undefined
  if (project === undefined) return named ?? usualFolder(userHome(env))
  if (named !== undefined && !isBrought(named, project)) return named
  return usualFolder(homeFor(env, project))
}

/** Whether a folder that a build took for the user's counts as theirs in this project. */
export const isUserFolder = (folder: string, env: Env, project: string): boolean =>
  !isBrought(folder, project) || folder === usualFolder(accountHome()) || folder === userFolder(env, project)

/** The user's folder that went into a build, where an environment can have named it. */
export const folderOfBuild = ({ sources }: Pick<Manifest, "sources">): string | undefined =>
  sources
    .filter(({ kind }) => kind === "config")
    .map(({ file }) => dirname(file))
    .find((folder) => basename(folder) === "hooktape")

/** An environment in which the user's folder is the one given. */
export const withUserFolder = (
  env: NodeJS.ProcessEnv,
  folder: string,
  project: string
): NodeJS.ProcessEnv => ({
  ...env,
  ...(env["HOME"] === undefined ? {} : { HOME: homeFor(env, project) }),
  XDG_CONFIG_HOME: dirname(folder)
})

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

export const isInside = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder + sep)

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
    if (real !== undefined && !isInside(real, root))
      return { files: [], dirs: [dir], problems: [outside(path)] }
  }
  const files: HookFile[] = []
  const problems: Problem[] = []
  for (const name of listed(dir)) {
    const file = join(dir, name)
    const real = realPath(file)
    if (real === undefined)
      problems.push({ file, reason: "is a symbolic link to nothing", remedy: "Remove it." })
    else if (!isInside(real, root)) problems.push(outside(file))
    else if (lstatSync(real).isFile()) files.push({ file, owner: "project" })
  }
  return { files, dirs: [dir], problems }
}
