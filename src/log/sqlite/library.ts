/** The SQLite library for whoever is no part of a program's bundle: a hook's, which loads it when it asks the log, and not before. */
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"

/** `from`: a file beside which the package's own copy lies. Without a build it is the one in node_modules. */
export const loadLibrary = (from: string): unknown => {
  const own = join(dirname(from), "sqlite.cjs")
  const load = process.getBuiltinModule("node:module").createRequire(from)
  return load(existsSync(own) ? own : "better-sqlite3")
}
