/** The guards that a session began with and that its build does not have, from what was kept of them. Loaded when one is missing. */
import { createRequire } from "node:module"
import { Script } from "node:vm"
import { type Hook, isHook } from "../hooks/defineHook.ts"
import type { Registered } from "../hooks/Registered.ts"
import type { Guard } from "../state/manifest.ts"
import { compiledFile, isNewerKept, type Kept, type KeptHook, readCompiled, readKept } from "./kept.ts"
import { isNewerTrust, newerTrust, readTrust } from "./store.ts"

export interface Retained {
  readonly registered: readonly Registered[]
  /** What is not to be had, and why. */
  readonly complaints: readonly string[]
}

const modules = new Map<string, unknown>()

/** Once for each content in a process. */
const load = (state: string, kept: Kept): unknown => {
  const known = modules.get(kept.digest)
  if (known !== undefined) return known
  const text = readCompiled(state, kept)
  if (text === undefined) throw new Error("what was kept of it is damaged or gone")
  const filename = compiledFile(state, kept.digest)
  const compiled = new Script(`(function(require,module,exports){${text}\n})`, { filename })
  const unit: { exports: unknown } = { exports: {} }
  compiled.runInThisContext()(createRequire(filename), unit, unit.exports)
  modules.set(kept.digest, unit.exports)
  return unit.exports
}

const pick = (module: unknown, { name, path }: KeptHook): unknown => {
  const isPlain = isHook(module) || Array.isArray(module)
  const exported = name === "default" && isPlain ? module : (module as Record<string, unknown>)[name]
  return path.reduce((at: unknown, index) => (at as readonly unknown[])[index], exported)
}

const retained = (state: string, guard: Guard): Registered => {
  const kept = readKept(state, guard.digest)
  const described = kept?.hooks.find(({ hook }) => hook === guard.name)
  if (kept === undefined && isNewerKept(state, guard.digest))
    throw new Error("what was kept of it was written by a newer hooktape: update this one")
  if (kept === undefined || described === undefined) throw new Error("nothing was kept of it")
  const { deadlineMs, hooks = {} } = kept.settings
  const found = pick(load(state, kept), described)
  if (!isHook(found)) throw new Error("what was kept of it is no hook")
  const own = hooks[guard.name]
  const hook = {
    ...found,
    ...(deadlineMs === undefined || found.deadline !== undefined ? {} : { deadline: deadlineMs }),
    ...own,
    ...(own?.settings ? { settings: { ...found.settings, ...own.settings } } : {})
  } as Hook
  return { hook, source: guard.source }
}

/** A guard of which nothing is left stops the action in its place: an answer that cannot be given is no yes. */
const lost = ({ events, name, source }: Guard, why: string): Registered => ({
  hook: {
    name,
    on: events,
    onFailure: "block",
    run: () => {
      throw new Error(why)
    }
  } as unknown as Hook,
  source
})

const wantedOf = (state: string, why: "begun" | "gone"): string => {
  if (why === "begun") return "this session began with it"
  return isNewerTrust(state)
    ? `its build is gone and is not made anew (${newerTrust})`
    : "its build is gone and is being made anew"
}

/** `why` each of them is to run: the session began with it, or its build is gone. */
export const retainGuards = (
  state: string,
  missing: readonly Guard[],
  why: "begun" | "gone" = "begun"
): Retained => {
  const { revoked } = readTrust(state)
  const wanted = wantedOf(state, why)
  const complaints: string[] = []
  const registered = missing
    .filter(({ digest }) => !Object.hasOwn(revoked, digest))
    .map((guard) => {
      try {
        if (guard.unknown !== undefined) return lost(guard, guard.unknown)
        return retained(state, guard)
      } catch (error) {
        const problem = error instanceof Error ? error.message : String(error)
        complaints.push(`${guard.name}: ${problem}`)
        return lost(guard, `${wanted}, and ${problem}`)
      }
    })
  return { registered, complaints }
}

export type RetainGuards = typeof retainGuards
