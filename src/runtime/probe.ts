/** How a probe of `hooktape doctor` is known: on its way, and on the log. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Registered } from "../hooks/Registered.ts"

/** The session that its payload names, where the agent's payloads have one. */
export const probeSession = "hooktape-doctor"

export const probeReason = "a probe runs no handlers"

/** Made by `doctor`, and gone with it. */
export const probeFile = (state: string): string => join(state, "run", "probe")

/**
 * Whether the variable holds the secret of a probe that is under way. The variable alone would let a repository, whose settings
 * can set any variable for an agent, switch every handler off.
 */
export const isProbe = (
  state: string | undefined,
  env: Readonly<Record<string, string | undefined>>
): boolean => {
  const given = env["HOOKTAPE_PROBE"]
  if (given === undefined || given.length < 32 || state === undefined) return false
  try {
    return readFileSync(probeFile(state), "utf8") === given
  } catch {
    return false
  }
}

/** A probe walks the whole way and leaves the handlers, which may act on the world, alone. */
export const asProbe = (registered: Registered): Registered => ({ withheld: probeReason, ...registered })
