/** Makes a build anew that is gone or damaged, and says what serves until then. Loaded with every call, run by next to none. */
import { statSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { newerBuild } from "../../runtime/builds/beingBuilt.ts"
import {
  build,
  findBuild,
  manifestAt,
  mayHaveOwnBuild,
  type Refreshed
} from "../../runtime/builds/refresh.ts"
import { mayHaveHooks } from "../../state/levels.ts"
import type { Manifest } from "../../state/manifest.ts"
import { ofNewer } from "../../state/newerFile.ts"
import { readGuards } from "../../trust/keptGuards.ts"
import { isNewerTrust, newerTrust } from "../../trust/store.ts"

/** One that cannot be made is not tried at every call, and nobody waits for it again. */
const betweenMs = 60_000

/** What an installation leaves for this: the guards that come with hooktape, of a build that nothing else needs. */
export const shippedManifest = (state: string): string => join(state, "bin", "shipped", "manifest.json")

/** False for a while after it was true; undefined where that cannot be kept. */
const isFirst = (mark: string): boolean | undefined => {
  try {
    const { mtimeMs } = statSync(mark)
    const age = Date.now() - mtimeMs
    if (age >= 0 && age < betweenMs) return false
    utimesSync(mark, new Date(), new Date())
    return true
  } catch {
    try {
      writeFileSync(mark, "", { flag: "wx", mode: 0o600 })
      return true
    } catch {
      return undefined
    }
  }
}

/** Tries to build, at most once a minute, for as long as a call may wait; the build goes on after that. Undefined where nothing is built yet. */
export const remade = (state: string, project: string, patienceMs: number): Refreshed | undefined => {
  const shipped = manifestAt(shippedManifest(state))
  const current = findBuild(state, project)?.current ?? shipped
  if (current === undefined || isFirst(join(state, "run", "rebuilding")) !== true) return undefined
  build({ current, own: mayHaveHooks(project), fresh: undefined }, state, project, patienceMs)
  const manifest = findBuild(state, project)?.current
  return manifest && { manifest, rebuilt: true, warnings: [], hints: [] }
}

const gone = "hooktape: the build of your hooks is gone or damaged"

/** Where a newer version was, this one builds nothing. */
const hintOn = (state: string, project: string): string => {
  const newer = newerBuild(state, mayHaveOwnBuild(state, project) ? project : undefined)
  if (newer !== undefined) return `hooktape: ${ofNewer(newer)}. Until then only guards run.`
  return isNewerTrust(state)
    ? `${gone}, and is not made anew: ${newerTrust}. Until then only guards run.`
    : `${gone} and is being made anew. Until then only guards run. Should this stay, run "hooktape doctor".`
}

/** The guards that come with hooktape, save where the build that is gone had them off; and what was kept of all others. */
export const shippedAlone = (state: string, project: string): Refreshed | undefined => {
  const shipped = manifestAt(shippedManifest(state))
  if (shipped === undefined) return undefined
  const before: Pick<Manifest, "guards" | "project" | "shipped"> | undefined = findBuild(
    state,
    project
  )?.current
  const off = before !== undefined && Object.values(before.shipped ?? {}).every((on) => !on)
  return {
    manifest: off ? { ...shipped, events: {} } : shipped,
    rebuilt: true,
    warnings: [],
    lost: readGuards({ state, project, own: mayHaveOwnBuild(state, project), before }),
    hints: isFirst(join(state, "run", "build-gone")) === false ? [] : [hintOn(state, project)]
  }
}
