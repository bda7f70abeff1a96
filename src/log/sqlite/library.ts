/** The SQLite library for whoever is no part of a program's bundle: a hook's, which loads it when it asks the log, and not before. */
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { inUse } from "./inUse.ts"

/**
 * `from`: a file beside which the package's own copy lies; in a process that uses another package's, that one is taken. Without a build it is
 * the one in node_modules.
 */
export const loadLibrary = (from: string): unknown => {
  const used = inUse()
  const own = join(dirname(used?.from ?? from), "sqlite.cjs")
  if (used !== undefined && !existsSync(own)) throw new Error(`${own}, which this process uses, is gone`)
  const load = process.getBuiltinModule("node:module").createRequire(from)
  return load(existsSync(own) ? own : "better-sqlite3")
}
