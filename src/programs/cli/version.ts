/** The version of this package, and where it lies. */
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

/** Works from src/programs/cli, dist/src/programs/cli and dist/cli.js: the nearest package.json that is ours. */
const find = (from: string): { readonly folder: string; readonly version: string } => {
  for (let at = from; dirname(at) !== at; at = dirname(at)) {
    try {
      const { name, version } = JSON.parse(readFileSync(join(at, "package.json"), "utf8")) as Record<
        string,
        string
      >
      if (name === "hooktape" && version !== undefined) return { folder: at, version }
    } catch {
      // Not here.
    }
  }
  return { folder: from, version: "0.0.0" }
}

export const { folder: packageFolder, version } = find(dirname(fileURLToPath(import.meta.url)))
