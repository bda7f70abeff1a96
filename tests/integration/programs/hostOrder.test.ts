/** In which order a host lets go of what it is made of, and why: each row is a fault that another order would be. */
import { mkdtempSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { dist } from "../../support/host.ts"

const { gone, noting } = vi.hoisted(() => {
  const gone: string[] = []
  /** The module with its layer as it is; once that is released altogether, its name is noted. */
  const noting =
    (name: string) =>
    async (original: () => Promise<unknown>): Promise<Record<string, unknown>> => {
      const Layer = await import("effect/Layer")
      const { addFinalizer, sync } = await import("effect/Effect")
      type Some = import("effect/Layer").Layer<unknown>
      const module = (await original()) as Record<string, object>
      const part = module[name] as Some & { readonly Default?: Some }
      // Made before it, and so released after it.
      const note = Layer.scopedDiscard(addFinalizer(() => sync(() => void gone.push(name))))
      const noted = Layer.provideMerge(part.Default ?? part, note)
      if (part.Default === undefined) return { ...module, [name]: noted }
      const service = new Proxy(part, {
        get: (target, key) => (key === "Default" ? noted : Reflect.get(target, key, target))
      })
      return { ...module, [name]: service }
    }
  return { gone, noting }
})

vi.mock("../../../src/programs/host/becomeHost.ts", noting("becomeHost"))
vi.mock("../../../src/programs/host/eventLogs.ts", noting("eventLogs"))
vi.mock("../../../src/programs/host/HostFacts.ts", noting("HostFacts"))
vi.mock("../../../src/programs/host/LogFollowers.ts", noting("LogFollowers"))
vi.mock("../../../src/programs/host/IdleServices.ts", noting("IdleServices"))
vi.mock("../../../src/programs/host/HandlerPlaces.ts", noting("HandlerPlaces"))
vi.mock("../../../src/programs/host/HostCalls.ts", noting("HostCalls"))
vi.mock("../../../src/programs/host/HttpDoor.ts", noting("HttpDoor"))
vi.mock("../../../src/programs/host/HostJobs.ts", noting("HostJobs"))
vi.mock("../../../src/programs/host/HostSocket.ts", noting("HostSocket"))

const order: readonly (readonly [first: string, then: string, why: string])[] = [
  [
    "HostSocket",
    "HttpDoor",
    "who calls over HTTP cannot go elsewhere, and is answered for as long as anybody is"
  ],
  ["HostJobs", "HttpDoor", "who calls over HTTP is answered while jobs are given back"],
  ["HttpDoor", "HostCalls", "what was asked is answered"],
  ["HttpDoor", "HandlerPlaces", "what was asked is answered, also by hooks of users"],
  ["HostJobs", "HandlerPlaces", "a job is given back before the process that does it is ended"],
  ["HandlerPlaces", "HostFacts", "how processes ended is kept"],
  ["HostFacts", "eventLogs", "facts that wait are put on the log"],
  ["LogFollowers", "eventLogs", "nobody reads a log that is closed"],
  ["IdleServices", "becomeHost", "the next host finds projections that nobody writes"],
  ["eventLogs", "becomeHost", "the next host finds a log that this one has let go of"]
]

describe("a host that ends", () => {
  afterAll(() => void vi.resetModules())
  beforeAll(async () => {
    // Files share a process: another one may have loaded the parts as they are, or may want to.
    vi.resetModules()
    const { ground } = await import("../../../src/programs/host/hostLayers.ts")
    const { lifecycle } = await import("../../../src/programs/host/lifecycle.ts")
    const { Stopping } = await import("../../../src/programs/host/Stopping.ts")
    const state = join(mkdtempSync(join(homedir(), "order-")), "state")
    const signals = ["SIGTERM", "SIGINT", "SIGHUP"] as const
    const before = signals.map((signal) => process.listeners(signal))
    const host = Effect.gen(function* () {
      const { stop } = yield* Stopping
      stop("it has been ready")
      yield* lifecycle
    })
    await Effect.runPromise(Effect.provide(Effect.scoped(host), ground(state, dist)))
    for (const [at, signal] of signals.entries())
      for (const listener of process.listeners(signal))
        if (before[at]?.includes(listener) !== true) process.off(signal, listener)
  }, 60_000)

  it("lets go of each part once", () => {
    expect([...gone].sort()).toEqual(
      [...new Set([...order.map(([first]) => first), ...order.map(([, then]) => then)])].sort()
    )
  })

  it.each(order)("lets go of %s before %s: %s", (first, then) => {
    expect(gone.indexOf(first)).toBeLessThan(gone.indexOf(then))
  })
})
