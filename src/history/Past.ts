/** What an invocation has to know of those before it. A port: the log stands behind it, or in a replay what was recorded. */
import type { Dispatched } from "../../events/agentEvents.ts"
import type { Stops } from "../../machines/stops.ts"
import type { Hook } from "../hooks/defineHook.ts"

/** The invocation that asks. */
export interface Asking {
  /** The call, where a client named it: planned again after its host died it is the same. */
  readonly invocation: string
  /** The id under which it is recorded, where that is another. */
  readonly recorded?: string | undefined
  readonly agent: string
  readonly session: string | null
  readonly project: string
}

export interface Past {
  /** Whether somebody switched the hook on or off, and who: the nearest scope counts. */
  readonly switched: (hook: string, asking: Asking) => Switched | undefined
  /** Why the hook is not to run now though it otherwise would. A hook that may run has run: it is asked once for each run. */
  readonly admit: (hook: Hook, event: string, asking: Asking) => string | undefined
  /** Of an event at which a hook can keep the agent going. */
  readonly stops: (event: Dispatched, asking: Asking) => Stops
  /** What could not be found out since it was last asked for: hooks run all the same, and the operator hears of it. */
  readonly complaints: () => readonly string[]
}

export interface Switched {
  readonly enabled: boolean
  readonly reason: string
}
