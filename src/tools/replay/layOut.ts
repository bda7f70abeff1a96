/** Hook files of a place that is not in use, laid out to be built aside. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import * as Either from "effect/Either"
import { discoverUser, type HookFile } from "../../runtime/builds/discover.ts"
import { mergeConfigs, readConfig } from "../../state/config.ts"
import type { Config } from "../../state/configShape.ts"
import { repositoryTop } from "../../state/levels.ts"
import { hooksFolder } from "../../state/project.ts"
import type { BuildOptions } from "../build/build.ts"
import { placeOfPolicy } from "../build/policies.ts"

/** What would lie below a file is none. */
export const isDirectory = (path: string): boolean => {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

/** Why there are no hooks to run, where `hooksIn` came to no directory. */
export const notAFolder = (named: string): string => {
  const remedy = "Name a directory with hook files."
  const path = resolve(named)
  if (!existsSync(path)) return `there is no ${path}. ${remedy}`
  return `${path} is a file. ${remedy} The one that it lies in is ${dirname(path)}.`
}

/** A folder of hook files, or what holds one: a project, or a `.hooktape` folder. */
export const hooksIn = (directory: string): string =>
  [join(directory, ".hooktape", "hooks"), join(directory, "hooks")].find(isDirectory) ?? directory

export type LaidOut = Required<Pick<BuildOptions, "userFolder" | "placed">>

/** The level whose hooks a folder has, where it is a project's. */
const levelOf = (hooks: string): string | undefined => {
  const folder = dirname(hooks)
  return basename(hooks) === "hooks" && basename(folder) === hooksFolder ? dirname(folder) : undefined
}

type Home = Pick<NonNullable<HookFile["external"]>, "base" | "project">

/** Where external hooks of the directory are at home: a project's are made of the same files as in its own build. */
const homeOf = (hooks: string, own: string): Home | undefined => {
  const level = [hooks, own].map(levelOf).find((one) => one !== undefined)
  if (level === undefined) return undefined
  const base = realpathSync(level)
  return { base, project: repositoryTop(base) ?? base }
}

/**
 * The user's hooks and those of the directory, laid out as one user's hooks: links, so that what they import is found where
 * they really lie. The order is that of a real build, the user's first.
 */
export const layOut = (scratch: string, hooks: string, userFolder: string): LaidOut => {
  const folder = join(scratch, "user")
  mkdirSync(join(folder, "hooks"), { recursive: true, mode: 0o700 })
  const own = realpathSync(hooks)
  const isUsers = isDirectory(join(userFolder, "hooks")) && realpathSync(join(userFolder, "hooks")) === own
  const files = [
    ...(isUsers ? [] : discoverUser(userFolder).files.map(({ file }) => ["0", file] as const)),
    ...readdirSync(own).map((name) => ["1", join(own, name)] as const)
  ]
  for (const [order, file] of files) {
    // Helpers beside the hooks begin with `_` or `.`; they are reached through the real files.
    if (/^[._]/.test(basename(file))) continue
    symlinkSync(realpathSync(file), join(folder, "hooks", `${order}-${basename(file)}`))
  }
  const config = (file: string): Config => Either.getOrElse(readConfig(file), () => ({}))
  const user = config(join(userFolder, "config.json"))
  // Where they are named from the user's folder on, they lie there.
  const policies = user.policies?.map((one) => ({ ...one, file: placeOfPolicy(userFolder, one.file) }))
  const theirs = isUsers ? {} : config(join(dirname(own), "config.json"))
  const merged = mergeConfigs(policies === undefined ? user : { ...user, policies }, theirs)
  writeFileSync(join(folder, "config.json"), JSON.stringify(merged))
  const mine: Home = { base: userFolder }
  const home = isUsers ? mine : homeOf(hooks, own)
  const named = new Set(theirs.external?.map(({ name }) => name))
  const placed = (hook: HookFile): HookFile => {
    const { external, file } = hook
    if (external === undefined) return hook
    const isTheirs =
      external.definition === undefined
        ? basename(file).startsWith("1-")
        : named.has(external.definition.name)
    return { ...hook, external: { ...external, ...(isTheirs ? home : mine) } }
  }
  return { userFolder: folder, placed }
}
