/** Which hooks there are, and whether each is on: what the builds say of them, and what somebody switched since. */
import { readdirSync, readFileSync } from "node:fs"
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
  /** Null: every project without hooks of its own. */
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

/** Those that serve a project are its own build's, else those of the user. */
const serving = (manifests: readonly Manifest[], project: string | undefined): readonly Manifest[] => {
  if (project === undefined) return manifests
  const own = manifests.filter((one) => one.project === project)
  return own.length > 0 ? own : manifests.filter((one) => one.project === null)
}

/** Undefined where what was switched cannot be read: then nobody can say. */
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

const placeOf = ({ project }: Built): string => project ?? "all other projects"

/** One word where it is the same everywhere, else each place with its own. */
const together = (all: readonly Built[], switches: readonly Switch[] | string): Standing => {
  const each = all.map((built) => ({ built, ...standingOf(built, switches) }))
  const [first] = each
  if (first === undefined || each.every(({ on }) => on === first.on))
    return { on: first?.on ?? null, why: first?.why ?? null }
  const places = each.map(
    ({ built, on, why }) => `${on === true ? "on" : "off"} in ${placeOf(built)}: ${why}`
  )
  return { on: null, why: places.join("; ") }
}

/** By its name; of several builds that have it the first one tells what it is. */
export const describedHooks = (state: string, project?: string): ReadonlyMap<string, Described> => {
  const switches = switchesIn(state)
  const built = serving(manifestsIn(state), project).flatMap((manifest) =>
    (readDescribed(manifest.dir) ?? []).map((hook): Built => ({ project: manifest.project, hook }))
  )
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
