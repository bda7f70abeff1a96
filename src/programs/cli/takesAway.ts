/** Whether registering again would leave an agent with fewer hooks, or with those of another state directory. */
import * as Effect from "effect/Effect"
import type { InstallAgent, Scope } from "../../tools/install/dialects.ts"
import { defaultEvents } from "../../tools/install/events.ts"
import { inspect } from "../../tools/install/installation.ts"
import type { TransportChoice } from "../../tools/install/transport.ts"
import { findPlaces } from "./places.ts"

interface Registering {
  readonly agent: InstallAgent
  readonly scope: Scope
  readonly dryRun: boolean
  readonly events: string | undefined
  readonly transport: TransportChoice
}

/** A first installation takes nothing away, and neither does the same one again. */
export const takesAway = ({ agent, dryRun, events, scope, transport }: Registering) =>
  Effect.gen(function* () {
    if (dryRun) return false
    const { env, home, project, state } = findPlaces()
    const { registered } = yield* inspect({ agent, scope, state, home, project, env })
    if (registered.length === 0) return false
    const there = registered.map(({ event }) => event)
    const kept = new Set(defaultEvents(agent, { handled: there, shared: scope === "project" }))
    return (
      events !== undefined ||
      transport === "http" ||
      registered.some(({ current }) => !current) ||
      there.some((event) => !kept.has(event))
    )
  })
