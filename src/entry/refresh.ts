/** Brings a build up to date before it is used, within bounds: a hook that was edited counts from the next call on. */
import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { folderOf, type Manifest, projectManifest, userManifest } from "../hooks/manifest.ts"
import { staleness } from "../hooks/rebuild.ts"
import { trustHint } from "../hooks/trustHint.ts"

export interface Refreshed {
  readonly manifest: Manifest
  /** Whether time went into it. */
  readonly rebuilt: boolean
  /** What the operator should know of it. */
  readonly remarks: readonly string[]
  /** What the human should know of it. */
  readonly hints: readonly string[]
}

const read = (path: string): Manifest | undefined => {
  try {
    const manifest = JSON.parse(readFileSync(path, "utf8")) as Manifest
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

const hasOwnHooks = (project: string): boolean =>
  statSync(join(folderOf(project), "hooks"), { throwIfNoEntry: false }) !== undefined

const doesNotBuild =
  'the hooks do not build as they are now; the build before is in use. Run "hooktape build".'

/** Tries to build; how that went stands in the manifest, save for why there may be nothing new in it. */
const build = (
  manifest: Manifest,
  state: string,
  project: string,
  own: boolean,
  patienceMs: number
): string => {
  // Loaded here: most calls find their build fresh and should not pay for it.
  const { spawnSync } = process.getBuiltinModule("node:child_process")
  const command = [process.execPath, manifest.cli, "build", ...(own ? ["--project", project] : ["--user"])]
  // Only the shell ends when patience does: the build goes on, so that a later call finds it done.
  const [program = "", ...args] =
    process.platform === "win32" ? command : ["/bin/sh", "-c", '"$@" & wait $!', "hooktape", ...command]
  const { error } = spawnSync(program, [...args, "--quiet"], {
    stdio: "ignore",
    timeout: patienceMs,
    env: { ...process.env, HOOKTAPE_HOME: state },
    windowsHide: true
  })
  return error ? `could not be built in time (${error.message})` : "could not be built"
}

const remarkOn = (manifest: Manifest, problem: string): readonly string[] => {
  if (staleness(manifest) === "stale") return [`the hooks changed and ${problem}; the build before is in use`]
  return manifest.failed === undefined ? [] : [doesNotBuild]
}

/** The build that serves this project, rebuilt when its sources changed; undefined when nothing was ever built. */
export const refresh = (state: string, project: string, patienceMs: number): Refreshed | undefined => {
  const ownPath = projectManifest(state, project)
  // A project whose hooks are gone is told so; it does not quietly become one without hooks.
  const own = hasOwnHooks(project) || read(ownPath) !== undefined
  const path = own ? ownPath : userManifest(state)
  const current = read(path) ?? (own ? read(userManifest(state)) : undefined)
  if (!current) return undefined
  if (own === (current.project !== null) && staleness(current) === "fresh")
    return {
      manifest: current,
      rebuilt: false,
      remarks: current.failed === undefined ? [] : [doesNotBuild],
      hints: []
    }
  const problem = build(current, state, project, own, patienceMs)
  const manifest = read(path) ?? current
  const untold = manifest.withheld.some(({ file }) => !current.withheld.some((known) => known.file === file))
  const hint = untold ? trustHint(manifest.withheld) : undefined
  return {
    manifest,
    rebuilt: true,
    remarks: remarkOn(manifest, problem),
    hints: hint === undefined ? [] : [hint]
  }
}
