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

/** `loaded`: told of each file of the build that was loaded. */
export const requireFor = (bundle: string, loaded?: (file: Compiled) => void) => {
  const known = new Map<string, object>()
  const require = (name: string): unknown => {
    const builtin = process.getBuiltinModule(name)
    if (builtin !== undefined) return builtin
    const there = known.get(name)
    if (there !== undefined) return there
    if (!ofBuild.test(name)) throw refused(name)
    const file = compile(join(dirname(bundle), name), "all")
    const unit = { exports: {} }
    file.run(require, unit, unit.exports)
    known.set(name, unit.exports)
    loaded?.(file)
    return unit.exports
  }
  return require
}
