/** How a host is: for the command line, and in short for whoever asks over HTTP. */
import * as Effect from "effect/Effect"
import { monotonic } from "../../runtime/elapsed.ts"
import type { HostServiceStates, HostStatus } from "../../runtime/host/requests.ts"
import { Activity } from "./Activity.ts"
import { HandlerPlaces } from "./HandlerPlaces.ts"
import { HostPlace } from "./HostPlace.ts"
import { HttpDoor } from "./HttpDoor.ts"
import { IdleServices } from "./IdleServices.ts"
import { LogFollowers } from "./LogFollowers.ts"

/** Of what it has beside answering. */
export const serviceStates = Effect.gen(function* () {
  const services = yield* IdleServices
  const followers = yield* LogFollowers
  return (): HostServiceStates => ({ ...services.states(), ...followers.states() })
})

export const makeStatus = Effect.gen(function* () {
  const { build } = yield* HostPlace
  const calls = yield* Activity
  const { workers } = yield* HandlerPlaces
  const door = yield* HttpDoor
  const states = yield* serviceStates
  const { pid } = process
  const startedAt = new Date().toISOString()
  const began = monotonic()
  return {
    whole: (): HostStatus => ({
      pid,
      build,
      startedAt,
      served: calls.served(),
      underway: calls.underway(),
      processes: workers.count(),
      memory: process.memoryUsage.rss(),
      port: door.port() ?? null,
      parts: states()
    }),
    short: () => ({
      build,
      pid,
      served: calls.served(),
      underway: calls.underway(),
      workers: workers.count(),
      uptimeMs: Math.round(monotonic() - began)
    })
  }
})
