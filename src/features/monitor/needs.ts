/** What the monitor needs to read the log and to lock: looked for in the installed packages, in a set order. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { LockLibrary } from "../../log/fileLock.ts"
import { loadLibrary } from "../../log/sqlite/library.ts"

/** The package's command, as a manifest names it. */
const cliOf = (manifest: string): string | undefined => {
  try {
    const { cli } = JSON.parse(readFileSync(manifest, "utf8")) as { readonly cli?: unknown }
    return typeof cli === "string" ? cli : undefined
  } catch {
    return undefined
  }
}

/** What made the build for this project, what made the user's, and the program that runs. */
export const candidates = (
  state: string,
  manifest: string | undefined,
  program: string | undefined = process.argv[1]
): readonly string[] => {
  const found = [
    manifest === undefined ? undefined : cliOf(manifest),
    cliOf(join(state, "projects", "user.json")),
    program
  ]
  return [...new Set(found.filter((one) => one !== undefined && one !== "") as string[])]
}

/** The first that exists. */
export const firstThere = (places: readonly string[]): string | undefined =>
  places.find((place) => existsSync(place))

/** Loaded when it is needed, and not before: it is a native addon. */
export const loadSqlite = (from: string) => loadLibrary(from) as LockLibrary
