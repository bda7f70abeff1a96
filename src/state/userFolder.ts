/** Whose a folder is: the user's own, or one that a repository brought. */
import { realpathSync } from "node:fs"
import { basename, dirname, isAbsolute, join } from "node:path"
import { lookOnce } from "./atOnce.ts"
import { repositoryTop } from "./levels.ts"
import type { Manifest } from "./manifest.ts"
import { accountHome, userHome } from "./state.ts"
import { isShifting, isWithin } from "./within.ts"

type Env = Readonly<Record<string, string | undefined>>

const usualFolder = (home: string): string => join(home, ".config", "hooktape")

const findPlace = (path: string): string => {
  try {
    return realpathSync.native(path)
  } catch {
    const above = dirname(path)
    return above === path ? path : join(realPlace(above), basename(path))
  }
}

/** Of what is not there yet: where it would be. */
export const realPlace = (path: string): string => lookOnce("place", path, findPlace)

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
  const isAboveHome = dirname(nearest) === nearest || (nearest !== home && isWithin(home, nearest))
  return [...(isAboveHome ? [] : [nearest]), ...outer.filter((top) => !isWithin(home, top))]
}

const isBrought = (folder: string, project: string): boolean => {
  const real = realPlace(folder)
  if (isShifting(folder) || isShifting(real)) return true
  // Whose home lies where is asked only where it matters: every call comes by here.
  return (
    topsOf(project).some((top) => isWithin(real, top)) &&
    rootsOf(project).some((root) => isWithin(real, root))
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
  // Whose it mostly is, and told without a look at the disk.
  folder === usualFolder(accountHome()) || !isBrought(folder, project) || folder === userFolder(env, project)

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
