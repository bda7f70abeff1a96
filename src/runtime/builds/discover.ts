/** Finds hook files: the user's, then the project's, each by name. */
import { closeSync, lstatSync, openSync, readdirSync, readSync, realpathSync, statSync } from "node:fs"
import { join, sep } from "node:path"
import { type ExternalDefinition, headOf } from "../../hooks/external.ts"
import type { Problem } from "../../hooks/Problem.ts"
import { repositoryTop } from "../../state/levels.ts"
import { isWithin } from "../../state/within.ts"

export interface HookFile {
  readonly file: string
  readonly owner: "user" | "project"
  /** A command in any language. One of the settings has its definition, a script says it in its head. */
  readonly external?: { readonly base: string; readonly definition?: ExternalDefinition }
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

const headBytes = 16_384

/** A file that its owner may execute, and whose head says which hook it is. */
const isScript = (path: string): boolean => {
  try {
    const stat = statSync(path)
    if (!stat.isFile() || (process.platform !== "win32" && (stat.mode & 0o111) === 0)) return false
    const descriptor = openSync(path, "r")
    try {
      const bytes = Buffer.alloc(headBytes)
      return headOf(bytes.subarray(0, readSync(descriptor, bytes)).toString("utf8")) !== undefined
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return false
  }
}

const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const listed = (dir: string): readonly string[] => {
  try {
    return readdirSync(dir)
      .filter((name) => isHookFile(name) || (!/^[._]/.test(name) && isScript(join(dir, name))))
      .sort(byName)
  } catch {
    return []
  }
}

const outside = (file: string): Problem => ({
  file,
  reason: "leads out of the project through a symbolic link",
  remedy: "Put the file itself into the project: what lies elsewhere can change without the project."
})

const hookFile = (file: string, owner: HookFile["owner"], base: string): HookFile =>
  isHookFile(file.slice(file.lastIndexOf(sep) + 1)) ? { file, owner } : { file, owner, external: { base } }

/** The user's folder is their own: links in it are theirs. */
export const discoverUser = (folder: string): Discovered => {
  const dir = join(folder, "hooks")
  const files = listed(dir).map((name) => hookFile(join(dir, name), "user", folder))
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
    else if (lstatSync(real).isFile()) files.push(hookFile(file, "project", level))
  }
  return { files, dirs: [dir], problems }
}
