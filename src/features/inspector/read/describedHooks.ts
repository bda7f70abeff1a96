/** Which hooks there are, and whether each is on: what the builds say of them, and what somebody switched since. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { readSwitches, type Switch, switchedBy } from "../../../history/switches.ts"
import { type DescribedHook, readDescribed } from "../../../runtime/builds/described.ts"
import { byKey } from "../../../state/byKey.ts"
import type { Manifest } from "../../../state/manifest.ts"
import { messageOf } from "../../../state/messageOf.ts"
import type { HookHealth } from "../contract/hooks.ts"

export interface Described
  extends Pick<
    HookHealth,
    "background" | "events" | "hook" | "on" | "origin" | "priority" | "source" | "why"
  > {}

type Standing = Pick<HookHealth, "on" | "why">

const origins = { hooktape: "shipped", user: "user", project: "project" } as const

interface Built {
  /** Null: every project without hooks of its own, and without a word about this one. */
  readonly project: string | null
  readonly hook: DescribedHook
}

const manifestsIn = (state: string): readonly Manifest[] => {
  const folder = join(state, "projects")
  let names: readonly string[] = []
  try {
    names = readdirSync(folder).filter((name) => name.endsWith(".json"))
  } catch {
    return []
  }
  return names.flatMap((name) => {
    try {
      return [JSON.parse(readFileSync(join(folder, name), "utf8")) as Manifest]
    } catch {
      // Just being written, or another build's words.
      return []
    }
  })
}

/** Why not, where what was switched cannot be read: then nobody can say. */
const switchesIn = (state: string): readonly Switch[] | string => {
  try {
    return readSwitches(state)
  } catch (error) {
    return messageOf(error)
  }
}

const standingOf = ({ hook, project }: Built, switches: readonly Switch[] | string): Standing => {
  if (hook.removed) return { on: false, why: "the configuration takes it out" }
  if (typeof switches === "string") return { on: null, why: switches }
  const said = switchedBy(switches, hook.name, { project: project ?? "", session: null })
  if (said !== undefined) return { on: said.enabled, why: said.reason }
  return { on: hook.enabled, why: `${hook.enabled ? "on" : "off"} unless somebody says otherwise` }
}

const builtIn = (manifest: Manifest, project: string | null): readonly Built[] =>
  (readDescribed(manifest.dir) ?? []).map((hook) => ({ project, hook }))

/** What serves a project is its own build's, else the user's. */
const inProject = (manifests: readonly Manifest[], project: string): readonly Built[] => {
  const own = manifests.filter((one) => one.project === project)
  const serving = own.length > 0 ? own : manifests.filter((one) => one.project === null)
  return serving.flatMap((manifest) => builtIn(manifest, project))
}

/** A project that the user's build serves is a place of its own for each hook that somebody switched in it. */
const switchedApart = (
  manifests: readonly Manifest[],
  switches: readonly Switch[] | string
): readonly Built[] => {
  if (typeof switches === "string") return []
  const withOwn = new Set(manifests.map(({ project }) => project))
  const named = switches.flatMap(({ hook, project, scope }) =>
    scope === "project" && project !== undefined && !withOwn.has(project) && existsSync(project)
      ? [{ hook, project }]
      : []
  )
  return [...byKey(named, ({ project }) => project)].flatMap(([project, its]) =>
    inProject(manifests, project).filter(({ hook }) => its.some((one) => one.hook === hook.name))
  )
}

/** Of a folder that was deleted the build is still there: it is no place any more. */
const everywhere = (
  manifests: readonly Manifest[],
  switches: readonly Switch[] | string
): readonly Built[] => [
  ...manifests
    .filter(({ project }) => project === null || existsSync(project))
    .flatMap((manifest) => builtIn(manifest, manifest.project)),
  ...switchedApart(manifests, switches)
]

const placeOf = ({ project }: Built): string => project ?? "all other projects"

const wordOf = (on: boolean | null): string => (on === null ? "unknown" : on ? "on" : "off")

/** One word where it is the same everywhere, else each place with its own. */
const together = (all: readonly Built[], switches: readonly Switch[] | string): Standing => {
  const each = all.map((built) => ({ built, ...standingOf(built, switches) }))
  const [first] = each
  if (first === undefined || each.every(({ on }) => on === first.on))
    return { on: first?.on ?? null, why: first?.why ?? null }
  const places = each.map(({ built, on, why }) => `${wordOf(on)} in ${placeOf(built)}: ${why}`)
  return { on: null, why: places.join("; ") }
}

/** By its name; of several builds that have it the first one tells what it is. */
export const describedHooks = (state: string, project?: string): ReadonlyMap<string, Described> => {
  const switches = switchesIn(state)
  const manifests = manifestsIn(state)
  const built = project === undefined ? everywhere(manifests, switches) : inProject(manifests, project)
  return new Map(
    [...byKey(built, ({ hook }) => hook.name)].map(([name, all]) => {
      const { background, events, owner, priority, source } = (all[0] as Built).hook
      return [
        name,
        {
          hook: name,
          background,
          events,
          origin: origins[owner],
          priority,
          source,
          ...together(all, switches)
        }
      ]
    })
  )
}
