/** Which calls the client may leave to a host that is yet to start: those that no hook has an answer to. */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { adapters } from "../../agents/adapters.ts"
import { empty } from "../../agents/reply.ts"
import { eventsIn } from "../../runtime/builds/reach.ts"
import { look } from "../../runtime/builds/rebuild.ts"
import type { HookSettings } from "../../state/configShape.ts"
import { writeWhole } from "../../state/files.ts"
import type { Manifest, Source } from "../../state/manifest.ts"
import { allSessions, sessionsFolder } from "../../trust/sessionGuards.ts"
import type { FoundHook } from "./check.ts"
import { type Plan, settingsOf } from "./generate.ts"

/** One that says itself that it is off may be switched on at any time. */
export const isForeground = (hook: FoundHook, settings: HookSettings | undefined): boolean =>
  (settings?.enabled !== false || !hook.enabled) &&
  (settings?.background ?? hook.fields["background"] === true) !== true

/** Agents to which silence says as much as the neutral reply. */
const isSilent = (agent: string, native: string): boolean => {
  const adapter = Object.hasOwn(adapters, agent) ? adapters[agent as keyof typeof adapters] : undefined
  return adapter?.encode(native, "command", empty).stdout === ""
}

export interface Leaving {
  readonly manifest: Manifest
  readonly hooks: readonly FoundHook[]
  readonly settings: Plan["settings"]
  /** Events at which sessions have guards of other projects, and what changes when there are more. */
  readonly guarded?: readonly string[]
  readonly watched?: readonly Pick<Source, "ctimeMs" | "file" | "mtimeMs" | "size">[]
}

/** One `agent event` per line, after what has to be unchanged for that to hold. */
export const leavable = ({ guarded = [], hooks, manifest, settings, watched = [] }: Leaving): string => {
  const answered = new Set([
    ...guarded,
    ...hooks.filter((hook) => isForeground(hook, settingsOf(settings, hook))).flatMap(({ on }) => on)
  ])
  const conditions = [...manifest.sources, ...watched].map(
    ({ ctimeMs = -1, file, mtimeMs, size }) =>
      `=${Math.floor(mtimeMs)} ${size} ${Math.floor(ctimeMs)} ${file}\n`
  )
  const lines = Object.entries(manifest.natives).flatMap(([agent, natives]) =>
    Object.entries(natives)
      .filter(
        ([native, event]) => isSilent(agent, native) && !eventsIn(event).some((one) => answered.has(one))
      )
      .map(([native]) => `${agent} ${native}\n`)
  )
  // A path with a line break in it would be read as another line.
  return manifest.sources.some(({ file }) => file.includes("\n")) ? "" : [...conditions, ...lines].join("")
}

export const writeLeavable = (state: string, leaving: Leaving): void => {
  mkdirSync(join(state, "run"), { recursive: true, mode: 0o700 })
  const folder = sessionsFolder(state)
  const watched = [{ file: folder, ...look(folder) }]
  const guarded = allSessions(state).flatMap(({ guards }) => guards.flatMap(({ events }) => events))
  writeWhole(join(state, "run", "background"), leavable({ ...leaving, guarded, watched }))
}
