/** The hooks that a project's build has for an event that is handled in this process. */
import type { OwnEvent } from "../../../events/agentEvents.ts"
import { deadlineOf, patienceOf } from "../../agents/deadline.ts"
import type { Registered } from "../../hooks/Registered.ts"
import { bundleOf, isOurs, type Manifest } from "../../state/manifest.ts"
import { loadBundle } from "../builds/loadBundle.ts"
import { findBuild, refresh } from "../builds/refresh.ts"
import { asError } from "../errors.ts"
import type { RunEffect } from "../runHandler.ts"

export interface OwnHooks {
  readonly registry: readonly Registered[]
  readonly build?: string
  readonly config?: string
  readonly deadlineMs?: number
  readonly runEffect?: RunEffect | undefined
  /** Why there are fewer than there should be. */
  readonly problem?: string
}

const isWanted = ({ events }: Manifest, event: string): boolean => Object.hasOwn(events, event)

/** The hooks are somebody else's code, and this process is to load none of that. */
export class ForeignHooks extends Error {
  override readonly name = "ForeignHooks"
}

/** By name: a bundle has its own copy of this module. */
const slot = Symbol.for("hooktape/only-ours")
const realm = globalThis as unknown as Record<symbol, boolean | undefined>

/** From now on no code but our own is loaded here for an event of our own: whoever wants others does it elsewhere. */
export const onlyOurs = (): void => {
  realm[slot] = true
}

/** Whether any hook subscribes to it, as far as the build goes that is there. */
export const isHooked = (state: string, project: string, event: OwnEvent): boolean => {
  const found = findBuild(state, project)
  return found !== undefined && isWanted(found.current, event)
}

/** `native`: the name under which it was fired; `eventIn`: the canonical one. Never fails: what hooks there are decides nobody but the hooks. */
export const hooksFor = (
  state: string,
  project: string,
  native: string,
  eventIn: (manifest: Manifest) => string
): OwnHooks => {
  try {
    const found = refresh(state, project, patienceOf({ agentEvent: native }))
    if (found === undefined) return { registry: [] }
    const { manifest } = found
    const event = eventIn(manifest)
    const about = {
      build: manifest.build,
      ...(manifest.config === undefined ? {} : { config: manifest.config }),
      deadlineMs: deadlineOf({ agentEvent: native }, manifest)
    }
    if (!isWanted(manifest, event)) return { ...about, registry: [] }
    if (realm[slot] === true && !isOurs(manifest, [event]))
      throw new ForeignHooks(`the hooks for ${native} are not all our own`)
    const { registry, runEffect } = loadBundle(bundleOf(manifest, event))
    return { ...about, registry, runEffect }
  } catch (error) {
    if (error instanceof ForeignHooks) throw error
    return {
      registry: [],
      problem: `the hooks for ${native} could not be loaded: ${asError(error).message}. Run "hooktape build".`
    }
  }
}
