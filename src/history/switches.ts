/** Which hooks somebody switched on or off: told by facts, kept in a small file that every hook call can read. */
import { join } from "node:path"
import type { OperatorFact } from "../../events/facts.ts"
import { ofNewer } from "../state/newerFile.ts"
import { readPrivate } from "../state/state.ts"
import type { Asking, Switched } from "./Past.ts"

export type SwitchScope = "user" | "project" | "session"

export interface Switch {
  readonly hook: string
  readonly enabled: boolean
  readonly scope: SwitchScope
  readonly project?: string
  readonly session?: string
  /** Milliseconds since 1970. */
  readonly at: number
}

export const switchesFile = (state: string): string => join(state, "switches.json")

const isSwitch = (value: unknown): boolean => {
  if (typeof value !== "object" || value === null) return false
  const { enabled, hook, scope } = value as { readonly [name: string]: unknown }
  return typeof hook === "string" && typeof enabled === "boolean" && Object.hasOwn(nearness, String(scope))
}

/** None where there is no file. */
export const readSwitches = (state: string): readonly Switch[] => {
  const bytes = readPrivate(switchesFile(state))
  if (bytes === undefined) return []
  const { version, switches } = JSON.parse(bytes.toString("utf8")) as {
    readonly version?: unknown
    readonly switches?: unknown
  }
  if (typeof version === "number" && version > 1) throw new Error(ofNewer(switchesFile(state)))
  if (version !== 1 || !Array.isArray(switches) || !switches.every(isSwitch))
    throw new Error('switches.json is damaged: run "hooktape hooks list", which writes it anew')
  return switches as readonly Switch[]
}

const nearness: Readonly<Record<SwitchScope, number>> = { user: 0, project: 1, session: 2 }

const holds = ({ scope, project, session }: Switch, asking: Asking): boolean =>
  scope === "user" || (scope === "project" ? project === asking.project : session === asking.session)

/** What counts for a hook here: the nearest of what was said, session over project over user. */
export const switchedBy = (
  switches: readonly Switch[],
  hook: string,
  asking: Pick<Asking, "project" | "session">
): Switched | undefined => {
  let found: Switch | undefined
  for (const one of switches) {
    if (one.hook !== hook || !holds(one, asking as Asking)) continue
    if (found === undefined || nearness[one.scope] >= nearness[found.scope]) found = one
  }
  if (found === undefined) return undefined
  const where = found.scope === "user" ? "" : ` for this ${found.scope}`
  const word = found.enabled ? "enabled" : "disabled"
  return { enabled: found.enabled, reason: `${word}${where} with "hooktape hooks"` }
}

type SwitchFact = Extract<OperatorFact, { type: "HOOK_ENABLED" | "HOOK_DISABLED" }>

const types: readonly SwitchFact["type"][] = ["HOOK_ENABLED", "HOOK_DISABLED"]

/** What to ask the log for: what its user did is found by the names of its streams at once, however long the log is. */
export const switchFacts = { types, streamPrefix: "operator/" }

/** Nobody comes back to a session after so long. */
const longestSessionMs = 90 * 86_400_000

/** What counts of all that was said: the last word for each hook and place. `facts` in order. */
export const foldSwitches = (
  facts: Iterable<{ readonly at: number; readonly data: unknown }>,
  now: number
): readonly Switch[] => {
  const last = new Map<string, Switch>()
  for (const { at, data } of facts) {
    const { type, hook, scope, project, session } = data as SwitchFact
    if (scope === "session" && now - at > longestSessionMs) continue
    const key = JSON.stringify([hook, scope, project, session])
    // The latest stands last.
    last.delete(key)
    last.set(key, {
      hook,
      enabled: type === "HOOK_ENABLED",
      scope,
      ...(project === undefined ? {} : { project }),
      ...(session === undefined ? {} : { session }),
      at
    })
  }
  return [...last.values()]
}

export const switchesText = (switches: readonly Switch[]): string =>
  `${JSON.stringify({ version: 1, switches })}\n`
