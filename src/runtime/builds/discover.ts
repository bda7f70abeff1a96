/** Finds hook files: the user's, then the project's, each by name. */
import { closeSync, lstatSync, openSync, readdirSync, readSync, realpathSync, statSync } from "node:fs"
import { join } from "node:path"
import { type ExternalDefinition, headOf } from "../../hooks/external.ts"
import type { Problem } from "../../hooks/Problem.ts"
import { repositoryTop } from "../../state/levels.ts"
import { isWithin } from "../../state/within.ts"
import { isHookFile } from "./beside.ts"

export interface HookFile {
  readonly file: string
  readonly owner: "user" | "project"
  /** A command in any language. One of the settings has its definition, a script says it in its head. */
  readonly external?: {
    readonly base: string
    readonly definition?: ExternalDefinition
    /** The repository that it is of, where a project's is laid out among the user's to be tried. */
    readonly project?: string
  }
}

export interface Discovered {
  readonly files: readonly HookFile[]
  /** The directories looked at, there or not. */
  readonly dirs: readonly string[]
  readonly problems: readonly Problem[]
  /** Scripts that say which hook they are and that nobody can start. */
  readonly unstarted: readonly Problem[]
}

/** The real path, or nothing where nothing is. */
export const realPath = (path: string): string | undefined => {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

const headBytes = 16_384

type Script = "hook" | "unstarted" | "none"

/** A file whose head says which hook it is; without leave to be executed it is none yet. */
const scriptAt = (path: string): Script => {
  try {
    const stat = statSync(path)
    if (!stat.isFile()) return "none"
    const descriptor = openSync(path, "r")
    try {
      const bytes = Buffer.alloc(headBytes)
      const head = headOf(bytes.subarray(0, readSync(descriptor, bytes)).toString("utf8"))
      if (head === undefined) return "none"
      return process.platform !== "win32" && (stat.mode & 0o111) === 0 ? "unstarted" : "hook"
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return "none"
  }
}

const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

interface Listed {
  readonly names: readonly string[]
  /** Those that are scripts, not modules. */
  readonly scripts: ReadonlySet<string>
  readonly unstarted: readonly Problem[]
}

const listed = (dir: string): Listed => {
  try {
    const all = readdirSync(dir).sort(byName)
    const found = new Map(
      all.filter((name) => !/^[._]/.test(name)).map((name) => [name, scriptAt(join(dir, name))])
    )
    // One for Node may have a module's name: its head and the leave to execute it tell.
    const scripts = new Set(all.filter((name) => found.get(name) === "hook"))
    return {
      names: all.filter((name) => scripts.has(name) || (isHookFile(name) && found.get(name) !== "unstarted")),
      scripts,
      unstarted: all
        .filter((name) => found.get(name) === "unstarted")
        .map((name) => ({
          file: join(dir, name),
          reason: "is no hook: it is not executable",
          remedy: `Run: chmod +x '${join(dir, name)}'`
        }))
    }
  } catch {
    return { names: [], scripts: new Set(), unstarted: [] }
  }
}

const outside = (file: string): Problem => ({
  file,
  reason: "leads out of the project through a symbolic link",
  remedy: "Put the file itself into the project: what lies elsewhere can change without the project."
})

const hookFile = (file: string, owner: HookFile["owner"], base: string, isScript: boolean): HookFile =>
  isScript ? { file, owner, external: { base } } : { file, owner }

/** The user's folder is their own: links in it are theirs. */
export const discoverUser = (folder: string): Discovered => {
  const dir = join(folder, "hooks")
  const { names, scripts, unstarted } = listed(dir)
  const files = names.map((name) => hookFile(join(dir, name), "user", folder, scripts.has(name)))
  return { files, dirs: [dir], problems: [], unstarted }
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
      return { files: [], dirs: [dir], problems: [outside(path)], unstarted: [] }
  }
  const files: HookFile[] = []
  const problems: Problem[] = []
  const { names, scripts, unstarted } = listed(dir)
  for (const name of names) {
    const file = join(dir, name)
    const real = realPath(file)
    if (real === undefined)
      problems.push({ file, reason: "is a symbolic link to nothing", remedy: "Remove it." })
    else if (!isWithin(real, root)) problems.push(outside(file))
    else if (lstatSync(real).isFile()) files.push(hookFile(file, "project", level, scripts.has(name)))
  }
  return { files, dirs: [dir], problems, unstarted }
}
