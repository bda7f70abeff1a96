/** How a probe of `hooktape doctor` is known: on its way, and on the log. */
import type { Registered } from "../engine/registry.ts"

/** The session that its payload names, where the agent's payloads have one. */
export const probeSession = "hooktape-doctor"

export const probeReason = "a probe runs no handlers"

/** A probe walks the whole way and leaves the handlers, which may act on the world, alone. */
export const asProbe = (registered: Registered): Registered => ({ withheld: probeReason, ...registered })
