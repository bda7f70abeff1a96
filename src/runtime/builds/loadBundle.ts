/** Loads a bundle for the hooks in it, without running a call. */
import { dirname } from "node:path"
import { constants, Script } from "node:vm"
import { readRegular } from "../../state/readRegular.ts"
import { readSource } from "./compiled.ts"
import { type EntryOptions, receiveOptions } from "./options.ts"
import { type LoadedFiles, requireFor } from "./requireFor.ts"

/** Loaded once each as long as its build is kept: a changed hook is another bundle. */
const loaded = new Map<string, EntryOptions>()

/** What bundles share is loaded once, as long as it lies in the same build. */
const files: LoadedFiles = new Map()
let keyOf: ((path: string) => string) | undefined
let gives: ((module: object) => void) | undefined

/** From now on `told` hears of each module of Node before a bundle has it. */
export const givesModules = (told: (module: object) => void): void => {
  gives = told
}

/**
 * From now on what bundles share is one for all builds that hold the same: for a process in which nobody else's code runs, which
 * might change it under the others.
 */
export const shareAlike = (): void => {
  const { createHash } = process.getBuiltinModule("node:crypto")
  keyOf = (path) => createHash("sha256").update(readRegular(path)).digest("hex")
}

/** Each is some megabytes where it has a copy of its own of what bundles share. */
const mostBuilds = 12
/** In the order in which they were last asked for. */
const builds = new Set<string>()

/** What no call came for in longest is loaded again when one does. */
const keepRecent = (build: string): void => {
  builds.delete(build)
  builds.add(build)
  const [oldest] = builds
  if (builds.size <= mostBuilds || oldest === undefined) return
  builds.delete(oldest)
  for (const kept of [loaded, files])
    for (const path of kept.keys()) if (dirname(path) === oldest) kept.delete(path)
}

export const loadBundle = (bundle: string): EntryOptions => {
  if (keyOf === undefined) keepRecent(dirname(bundle))
  const known = loaded.get(bundle)
  if (known) return known
  let options: EntryOptions | undefined
  const compiled = new Script(`(function(require,module,exports){${readSource(bundle)}\n})`, {
    filename: bundle,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER
  })
  const unit = { exports: {} }
  receiveOptions(
    (given) => {
      options = given
    },
    () =>
      compiled.runInThisContext()(
        requireFor(bundle, {
          files,
          ...(gives === undefined ? {} : { gives }),
          ...(keyOf === undefined ? {} : { keyOf })
        }),
        unit,
        unit.exports
      )
  )
  if (!options) throw new Error("the bundle does nothing")
  loaded.set(bundle, options)
  return options
}
