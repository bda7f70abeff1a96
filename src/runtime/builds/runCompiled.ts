/** Loads a program of ours that lies in several files, with what V8 kept of them when the same part of it last ran. */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { createRequire } from "node:module"
import { userInfo } from "node:os"
import { basename, dirname, join } from "node:path"
import { stateDirectory } from "../../state/state.ts"
import { type Compiled, cacheOf, cachesAmong, compileSource, sourceOf } from "./compiled.ts"
import { crc32 } from "./crc32.ts"

/** Our own, and nobody else's to write: what lies there is run. */
const isPrivate = (folder: string): boolean => {
  try {
    const stat = statSync(folder, { throwIfNoEntry: false })
    return stat?.isDirectory() === true && stat.uid === process.getuid?.() && (stat.mode & 0o022) === 0
  } catch {
    // A home that nobody may look into is no place to keep anything in.
    return false
  }
}

/** As the account has it; undefined where the machine does not know the account, as in a container for any user. */
const homeOfAccount = (): string | undefined => {
  try {
    return userInfo().homedir
  } catch {
    return undefined
  }
}

/**
 * Beside the file, where whoever can write could write the file itself; else, for a package that somebody else installed, in the user's
 * usual state directory. What the environment names does not count: it may point into a repository.
 */
export const cacheFolders = (
  file: string,
  { HOME, USERPROFILE }: NodeJS.ProcessEnv,
  own: string | undefined
): readonly string[] => {
  const beside = join(dirname(file), "cache")
  if (own === undefined) return [beside]
  const state = stateDirectory({}, process.platform, own)
  return [HOME, USERPROFILE].includes(own) && isPrivate(state) ? [beside, join(state, "cache")] : [beside]
}

const ensure = (folder: string): void => {
  try {
    mkdirSync(folder)
  } catch {
    // It is there, or nothing can be kept in it.
  }
}

/** In a folder of caches: each command has its own, of 2 to 4 MB, and so have the host and each version of Node. A dozen commands have room. */
const maxKeptBytes = 48 * 1024 * 1024

/** Removes the oldest until the others have room: they are made anew when their command runs again. */
export const prune = (folder: string, maxBytes = maxKeptBytes): void => {
  try {
    const kept = readdirSync(folder).flatMap((name) => {
      const path = join(folder, name)
      const { mtimeMs, size } = statSync(path)
      return [{ path, size, mtimeMs }]
    })
    let total = 0
    for (const { path, size } of kept.sort((a, b) => b.mtimeMs - a.mtimeMs)) {
      total += size
      if (total > maxBytes) rmSync(path, { force: true })
    }
  } catch {
    // Nothing is kept there, or another command removes from it at the same moment.
  }
}

/** What other commands have kept of the file: the newest first. */
const keptByOthers = (folder: string, file: string): readonly string[] => {
  try {
    return cachesAmong(readdirSync(folder), file)
      .map((name) => {
        const path = join(folder, name)
        return { path, mtimeMs: statSync(path).mtimeMs }
      })
      .sort((a, b) => b.mtimeMs - a.mtimeMs)
      .map(({ path }) => path)
  } catch {
    // Nothing is kept there, or another command removes from it at the same moment.
    return []
  }
}

const besideIt = /^\.\/[a-z]+\.cjs$/

export interface RunOptions {
  /** What of the file, and of those beside it that it asks for, runs. */
  readonly part: string
  /**
   * For what runs long: once it has run for so many milliseconds it has done what a start does, and V8 has not dropped that yet. What
   * ends sooner is kept as it ends.
   */
  readonly keepAfterMs?: number
  readonly maxKeptBytes?: number
}

export const runCompiled = (file: string, { keepAfterMs, maxKeptBytes, part }: RunOptions): void => {
  const folders = cacheFolders(file, process.env, homeOfAccount())
  const requireInstalled = createRequire(file)
  const loaded = new Map<string, { readonly compiled: Compiled; readonly unit: { exports: object } }>()
  const load = (path: string): object => {
    const known = loaded.get(path)
    if (known !== undefined) return known.unit.exports
    const bytes = readFileSync(path)
    const name = basename(path)
    const caches = folders.map((folder) => cacheOf(join(folder, name), part))
    const others = () => folders.flatMap((folder) => keptByOthers(folder, name))
    const compiled = compileSource(path, sourceOf(bytes), caches, crc32(bytes), others)
    const unit = { exports: {}, filename: path }
    loaded.set(path, { compiled, unit })
    compiled.run(require, unit, unit.exports)
    return unit.exports
  }
  const require = (wanted: string): unknown =>
    besideIt.test(wanted) ? load(join(dirname(file), wanted)) : requireInstalled(wanted)
  let isKept = false
  const keep = (): void => {
    const fresh = isKept ? [] : [...loaded.values()].filter(({ compiled }) => !compiled.isKept)
    isKept = true
    if (fresh.length === 0) return
    for (const folder of folders) ensure(folder)
    for (const { compiled } of fresh) compiled.keep()
    for (const folder of folders) prune(folder, maxKeptBytes)
  }
  // It stays listened for: what runs handlers looks whether one of them has changed who listens.
  process.once("exit", (code) => {
    // What failed has not run what it is about.
    if (code === 0) keep()
  })
  const keepAtLast = (): void => {
    try {
      keep()
    } catch {
      // Hooks may have spoilt what it takes. The next start is slower, and tries again.
    }
  }
  if (keepAfterMs !== undefined) setTimeout(keepAtLast, keepAfterMs).unref()
  load(file)
}
