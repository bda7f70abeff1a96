/** Brings a build up to date before it is used, within bounds: a hook that was edited counts from the next call on. */
import { hasOuterHooks, mayHaveHooks } from "../../state/levels.ts"
import { type Guard, type Manifest, projectManifest, userManifest } from "../../state/manifest.ts"
import { readRegular } from "../../state/readRegular.ts"
import { statOf } from "../../state/statOf.ts"
import { folderOfBuild, isUserFolder, userFolder, withUserFolder } from "../../state/userFolder.ts"
import { projectGuards } from "../../trust/keptGuards.ts"
import { noteUnbuilt } from "./attempts.ts"
import { triedBefore, whyNotBuilt } from "./beingBuilt.ts"
import { staleness } from "./rebuild.ts"
import { heldHint, trustHint } from "./trustHint.ts"
import { versionHint } from "./versionHint.ts"

export interface Refreshed {
  readonly manifest: Manifest
  /** Guards whose build is gone, and which this one does not have: what was kept of them runs with it. */
  readonly lost?: readonly Guard[]
  /** Whether time went into it. */
  readonly rebuilt: boolean
  /** What the operator should know of it. */
  readonly warnings: readonly string[]
  /** What the human should know of it. */
  readonly hints: readonly string[]
}

/** The manifest in a file; undefined where there is none, or none that is whole. */
export type ManifestAt = (path: string) => Manifest | undefined

export const manifestAt: ManifestAt = (path) => {
  try {
    const manifest = JSON.parse(readRegular(path).toString()) as Manifest
    const whole =
      manifest.version === 1 &&
      typeof manifest.dir === "string" &&
      typeof manifest.default === "string" &&
      typeof manifest.cli === "string" &&
      [manifest.events, manifest.natives].every((part) => typeof part === "object" && part !== null) &&
      [manifest.sources, manifest.withheld].every(
        (part) => Array.isArray(part) && !part.includes(null as never)
      )
    return whole ? manifest : undefined
  } catch {
    return undefined
  }
}

const doesNotBuild =
  'not all hooks build as they are now; what worked before is in use. Run "hooktape build".'

/** Of an environment; Windows takes a name in any case. The last three name code that Node or the compiler loads. */
const notForBuilds: ReadonlySet<string> = new Set([
  "HOOKTAPE_DEFAULTS",
  "ESBUILD_BINARY_PATH",
  "NODE_OPTIONS",
  "NODE_PATH"
])

/**
 * What a build is started with. A hook call has the environment that an agent gave it, and a repository's settings may have set
 * that: whether the hooks that come with hooktape are left out is as its user had it when they built.
 */
export const buildEnv = (
  { withoutDefaults }: Pick<Manifest, "withoutDefaults">,
  state: string,
  env: NodeJS.ProcessEnv = process.env
): NodeJS.ProcessEnv => {
  const kept = Object.entries(env).filter(([name]) => !notForBuilds.has(name.toUpperCase()))
  return {
    ...Object.fromEntries(kept),
    HOOKTAPE_HOME: state,
    ...(withoutDefaults ? { HOOKTAPE_DEFAULTS: "off" } : {})
  }
}

/** A build with a folder of this very project in the place of the user's is none, whoever made it. */
const isPoisoned = (manifest: Pick<Manifest, "sources">, project: string): boolean => {
  const folder = folderOfBuild(manifest)
  return folder !== undefined && !isUserFolder(folder, process.env, project)
}

/** What builds again keeps to the user's folder of the build before: the environment of a call, or of a host, may be a repository's. */
export const rebuildEnv = (
  current: Pick<Manifest, "sources" | "withoutDefaults">,
  state: string,
  project: string
): NodeJS.ProcessEnv => {
  const folder = isPoisoned(current, project) ? undefined : folderOfBuild(current)
  const env = withUserFolder(process.env, folder ?? userFolder(process.env, project), project)
  return buildEnv(current, state, env)
}

/** Tries to build; how that went stands in the manifest, save for why there may be nothing new in it. */
export const build = (found: Found, state: string, project: string, patienceMs: number): string => {
  const owner = found.own ? project : undefined
  const why = whyNotBuilt(state, owner, found.current)
  if (why !== undefined) return why
  // Loaded here: most calls find their build fresh and should not pay for it.
  const { spawnSync } = process.getBuiltinModule("node:child_process")
  const command = [process.execPath, ...buildCommand(found, project)]
  // Only the shell ends when patience does: the build goes on, so that a later call finds it done.
  const [program = "", ...args] =
    process.platform === "win32" ? command : ["/bin/sh", "-c", '"$@" & wait $!', "hooktape", ...command]
  const began = Date.now()
  const { error, status } = spawnSync(program, args, {
    stdio: "ignore",
    timeout: patienceMs,
    env: rebuildEnv(found.current, state, project),
    windowsHide: true
  })
  if (error === undefined && status !== 0) noteUnbuilt(state, owner, began)
  return error ? `could not be built in time (${error.message})` : "could not be built"
}

const warningOn = (manifest: Manifest, problem: string): readonly string[] => {
  if (staleness(manifest) === "stale") {
    // Its own files are among what a build is made of: that they are gone is no change of the hooks.
    const why =
      statOf(manifest.cli) === undefined
        ? `hooktape's package is gone (${manifest.cli}), so that nothing is built`
        : `the hooks changed and ${problem}`
    return [`${why}; the build before is in use`]
  }
  return manifest.failed === undefined ? [] : [doesNotBuild]
}

/** The user's hooks serve in its place. */
const withoutProject = (problem: string): string =>
  `the hooks of this project ${problem}; until then only those of them run that stand guard, and your own`

export interface Found {
  readonly current: Manifest
  /** Whether the project has hooks of its own, and with them a build. */
  readonly own: boolean
  /** Nothing moved since it was built. */
  readonly fresh: Refreshed | undefined
}

/** A project whose hooks are gone is told so, or whose build cannot be read: it does not quietly become one without hooks. */
export const mayHaveOwnBuild = (state: string, project: string): boolean =>
  mayHaveHooks(project) || statOf(projectManifest(state, project)) !== undefined || hasOuterHooks(project)

/** The build that serves this project as it is; undefined when nothing was ever built. */
export const findBuild = (
  state: string,
  project: string,
  read: ManifestAt = manifestAt
): Found | undefined => {
  const own = mayHaveOwnBuild(state, project)
  const path = own ? projectManifest(state, project) : userManifest(state)
  const sound = (file: string): Manifest | undefined => {
    const manifest = read(file)
    return manifest === undefined || isPoisoned(manifest, project) ? undefined : manifest
  }
  const current = sound(path) ?? (own ? sound(userManifest(state)) : undefined)
  if (!current) return undefined
  const fresh = own === (current.project !== null) && staleness(current) === "fresh"
  const warnings = current.failed === undefined ? [] : [doesNotBuild]
  return {
    current,
    own,
    fresh: fresh ? { manifest: current, rebuilt: false, warnings, hints: [] } : undefined
  }
}

/** The build after it was tried anew. `problem`: why there may be nothing new in it. */
export const afterBuild = (
  state: string,
  project: string,
  { current, own }: Found,
  problem: string,
  read: ManifestAt = manifestAt
): Refreshed => {
  const made = read(own ? projectManifest(state, project) : userManifest(state))
  const manifest = made === undefined || isPoisoned(made, project) ? current : made
  const untold = manifest.withheld.some(({ file }) => !current.withheld.some((known) => known.file === file))
  const { held = [] } = manifest
  const unheld = held.some(({ file }) => current.held?.some((known) => known.file === file) !== true)
  const hints = [
    untold ? trustHint(manifest.withheld) : undefined,
    unheld ? heldHint(held) : undefined,
    versionHint(current, manifest)
  ]
  const standsIn = own && manifest.project === null
  const lost = standsIn ? projectGuards(state, project) : []
  return {
    manifest,
    rebuilt: true,
    warnings: standsIn ? [withoutProject(problem)] : warningOn(manifest, problem),
    ...(lost.length === 0 ? {} : { lost }),
    hints: problem === triedBefore ? [] : hints.filter((hint) => hint !== undefined)
  }
}

/** The command that builds. */
export const buildCommand = ({ current, own }: Found, project: string): readonly string[] => [
  current.cli,
  "build",
  ...(own ? ["--project", project] : ["--user"]),
  "--quiet"
]

/** The build that serves this project, rebuilt when its sources changed; undefined when nothing was ever built. */
export const refresh = (state: string, project: string, patienceMs: number): Refreshed | undefined => {
  const found = findBuild(state, project)
  if (!found) return undefined
  return found.fresh ?? afterBuild(state, project, found, build(found, state, project, patienceMs))
}
