/** Loads a bundle for the hooks in it, without running a call. */
import { readFileSync } from "node:fs"
import { constants, Script } from "node:vm"
import { type EntryOptions, receiveOptions } from "./options.ts"
import { requireFor } from "./requireFor.ts"

/** Loaded once each: a changed hook is another bundle. */
const loaded = new Map<string, EntryOptions>()

export const loadBundle = (bundle: string): EntryOptions => {
  const known = loaded.get(bundle)
  if (known) return known
  let options: EntryOptions | undefined
  const compiled = new Script(`(function(require,module,exports){${readFileSync(bundle, "utf8")}\n})`, {
    filename: bundle,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER
  })
  const unit = { exports: {} }
  receiveOptions(
    (given) => {
      options = given
    },
    () => compiled.runInThisContext()(requireFor(bundle), unit, unit.exports)
  )
  if (!options) throw new Error("the bundle does nothing")
  loaded.set(bundle, options)
  return options
}
