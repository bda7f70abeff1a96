/** A build that came to nothing is not tried again with each call, but once something moved of what it is made of or by, or after a moment. */
import { mkdirSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileKey } from "../../state/fileKey.ts"
import { type Manifest, projectManifest, type Source, userManifest } from "../../state/manifest.ts"
import { look } from "./rebuild.ts"

const againMs = 10_000

/** Without a project: of the user's hooks. */
const markOf = (state: string, project: string | undefined): string =>
  join(state, "run", `unbuilt-${project === undefined ? "user" : fileKey(project)}`)

/** `at`: when it began, milliseconds since 1970: what was changed while it ran was not looked at. */
export const noteUnbuilt = (state: string, project: string | undefined, at: number): void => {
  const mark = markOf(state, project)
  try {
    mkdirSync(dirname(mark), { recursive: true, mode: 0o700 })
    writeFileSync(mark, "", { mode: 0o600 })
    utimesSync(mark, at / 1000, at / 1000)
  } catch {
    // It is tried with each call then.
  }
}

/** `manifest`: the one that is out of date. */
export const wasTried = (
  state: string,
  project: string | undefined,
  { cli, sources }: Pick<Manifest, "cli" | "sources">,
  now: number
): boolean => {
  const at = statSync(markOf(state, project), { throwIfNoEntry: false })?.mtimeMs
  if (at === undefined || now < at || now - at >= againMs) return false
  const own = project === undefined ? userManifest(state) : projectManifest(state, project)
  // What is gone has moved as well, and does not say when.
  const isAsThen = ({ file, size }: Source): boolean => {
    const { ctimeMs } = look(file)
    return ctimeMs === undefined ? size === -1 : ctimeMs < at
  }
  return [own, cli].every((file) => (look(file).ctimeMs ?? 0) < at) && sources.every(isAsThen)
}
