/** What a bundle can ask for as it runs: modules of Node, and files of its own build. */
import { dirname, join } from "node:path"
import { type Compiled, compile } from "./compiled.ts"

const ofBuild = /^\.\/[\w-]+\.cjs$/

/**
 * All else that a hook imports was there when it was built, and was consented to. By a name that is made as the hook runs it could
 * be anything.
 */
const refused = (name: string): Error =>
  Object.assign(
    new Error(
      `"${name}" was not among what the hooks were built of, so nobody has trusted it: import it by a name that stands in the code`
    ),
    { code: "MODULE_NOT_FOUND" }
  )

/** What was loaded of files beside bundles, by what each is known under. */
export type LoadedFiles = Map<string, object>

export interface Requiring {
  /** Told of each file of the build that was loaded. */
  readonly loaded?: (file: Compiled) => void
  /** Told of each module of Node before whoever asked for it has it. */
  readonly gives?: (module: object) => void
  /** Where several bundles share what they load. */
  readonly files?: LoadedFiles
  /** What a file is known under: its path, unless files with the same text are the same to whoever loads. */
  readonly keyOf?: (path: string) => string
}

const itself = (path: string): string => path

export const requireFor = (
  bundle: string,
  { files = new Map(), gives, keyOf = itself, loaded }: Requiring = {}
) => {
  const known = new Map<string, object>()
  const load = (path: string): object => {
    const file = compile(path, "all")
    const unit = { exports: {} }
    file.run(require, unit, unit.exports)
    loaded?.(file)
    return unit.exports
  }
  const require = (name: string): unknown => {
    const builtin = process.getBuiltinModule(name)
    if (builtin !== undefined) {
      gives?.(builtin)
      return builtin
    }
    const there = known.get(name)
    if (there !== undefined) return there
    if (!ofBuild.test(name)) throw refused(name)
    const path = join(dirname(bundle), name)
    const key = keyOf(path)
    const exports = files.get(key) ?? load(path)
    files.set(key, exports)
    known.set(name, exports)
    return exports
  }
  return require
}
