/** Builds that change from one call to the next, with a builder that is done at once: what is said of a rebuild, without its time. */
import { readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Manifest, projectManifest, userManifest } from "../../src/state/manifest.ts"
import type { Station } from "./entrypoint.ts"

const unheard = (name: string): string =>
  `import { defineHook } from "hooktape"
  export default defineHook({ name: "${name}", on: "agent.Unheard", run: () => undefined })\n`

const put = (file: string, text: string): void => {
  writeFileSync(`${file}.new`, text)
  renameSync(`${file}.new`, file)
}

const manifestIn = (path: string): Manifest => JSON.parse(readFileSync(path, "utf8")) as Manifest

export interface Rebuilding {
  /** The next call finds that hooks have come since the build before, of another version, and builds. */
  readonly building: () => void
  /** The same, and the builder fails. */
  readonly failing: () => void
  /** The same, and there is no builder any more. */
  readonly gone: () => void
}

/** Hooks of the project are not trusted: they are left out, and the human is told. */
export const rebuilding = async (place: Station, owner: "user" | "project"): Promise<Rebuilding> => {
  const own = owner === "project"
  const path = own ? projectManifest(place.state, place.project) : userManifest(place.state)
  const add = (name: string) =>
    own
      ? place.put(`.hooktape/hooks/${name}.ts`, unheard(name))
      : place.putUser(`hooks/${name}.ts`, unheard(name))
  add("first")
  await place.build(own)
  const before = { ...manifestIn(path), hooktape: "0.0.1" }
  add("second")
  await place.build(own)
  const after = join(place.home, `after-${owner}.json`)
  put(after, readFileSync(path, "utf8"))
  const builder = join(place.home, `build-${owner}.cjs`)
  put(builder, `require("node:fs").copyFileSync(${JSON.stringify(after)}, ${JSON.stringify(path)})`)
  const broken = join(place.home, `broken-${owner}.cjs`)
  put(broken, "process.exit(1)")
  const stale = (cli: string) => put(path, JSON.stringify({ ...before, cli }))
  return {
    building: () => stale(builder),
    failing: () => stale(broken),
    gone: () => stale(join(place.home, "no-builder.cjs"))
  }
}
