/** Loads the part of the command that does the work, with what V8 kept of it when the same command last ran. */
import { mkdirSync, readFileSync, statSync } from "node:fs"
import { createRequire } from "node:module"
import { userInfo } from "node:os"
import { basename, dirname, join } from "node:path"
import { crc32 } from "node:zlib"
import { cacheOf, compileSource, sourceOf } from "../../runtime/builds/compiled.ts"
import { stateDirectory } from "../../state/state.ts"

/** Our own, and nobody else's to write: what lies there is run. */
const isPrivate = (folder: string): boolean => {
  const stat = statSync(folder, { throwIfNoEntry: false })
  return stat?.isDirectory() === true && stat.uid === process.getuid?.() && (stat.mode & 0o022) === 0
}

/**
 * Beside the file, where whoever can write could write the file itself; else, for a package that somebody else installed, in the user's
 * usual state directory. What the environment names does not count: it may point into a repository.
 */
export const cacheFolders = (
  file: string,
  { HOME, USERPROFILE }: NodeJS.ProcessEnv,
  own: string
): readonly string[] => {
  const beside = join(dirname(file), "cache")
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

/** `words`: those of the command line, of which the first says what of the file runs. */
export const runCompiled = (file: string, words: readonly string[]): void => {
  const bytes = readFileSync(file)
  const [name = "overview"] = words
  const part = /^[a-z]+$/.test(name) ? name : "none"
  const folders = cacheFolders(file, process.env, userInfo().homedir)
  const caches = folders.map((folder) => cacheOf(join(folder, basename(file)), part))
  const compiled = compileSource(file, sourceOf(bytes), caches, crc32(bytes))
  process.once("exit", (code) => {
    // What failed has not run what it is about.
    if (code !== 0 || compiled.isKept) return
    for (const folder of folders) ensure(folder)
    compiled.keep()
  })
  const unit = { exports: {}, filename: file }
  compiled.run(createRequire(file), unit, unit.exports)
}
