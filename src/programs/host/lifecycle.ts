/** What a host does as its machine asks for it: it listens, serves until there is a reason to stop, and drains. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Exit from "effect/Exit"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import type { HostFact } from "../../../events/facts.ts"
import type { HostCommand } from "../../../machines/host.ts"
import { monotonic } from "../../runtime/elapsed.ts"
import { messageOf } from "../../state/messageOf.ts"
import { Activity } from "./Activity.ts"
import { makeCompaction, makeRest } from "./compactHeap.ts"
import { HandlerPlaces } from "./HandlerPlaces.ts"
import { HostActors } from "./HostActors.ts"
import { HostCalls } from "./HostCalls.ts"
import { HostFacts } from "./HostFacts.ts"
import { HostJobs } from "./HostJobs.ts"
import { HostPlace } from "./HostPlace.ts"
import { HostReception } from "./HostReception.ts"
import { HostSocket } from "./HostSocket.ts"
import { HostUpkeep } from "./HostUpkeep.ts"
import { HttpDoor } from "./HttpDoor.ts"
import { type Ground, serving } from "./hostLayers.ts"
import { serviceStates } from "./hostStatus.ts"
import { IdleServices } from "./IdleServices.ts"
import { live } from "./life.ts"
import { Stopping } from "./Stopping.ts"
import { handOver, succeeded } from "./succession.ts"

const idleMs = 30 * 60_000
const lookMs = 5000

/** A host that nobody can find, or that nobody needs, ends. */
const watch = Effect.gen(function* () {
  const { stop } = yield* Stopping
  const calls = yield* Activity
  const { isLogThere } = yield* HostFacts
  const socket = yield* HostSocket
  const door = yield* HttpDoor
  const jobs = yield* HostJobs
  const look = (): void => {
    // Nobody finds us any more, and nobody can take our place as long as we are there.
    if (!socket.isThere()) stop("its socket is gone")
    // What it still writes is in a file that nobody can open any more.
    if (!isLogThere()) stop("its log is gone")
    const isQuiet = monotonic() - calls.lastActive() > idleMs
    if (!door.isWanted() && calls.underway() === 0 && !jobs.isBusy() && isQuiet) stop("idle")
  }
  // One that cannot tell whether it is found is of no use: the next call starts another.
  const looked = Effect.catchAllCause(Effect.sync(look), (cause) =>
    Effect.sync(() => stop(`cannot look after itself: ${messageOf(Cause.squash(cause))}`))
  )
  yield* Effect.forever(Effect.zipRight(Effect.sleep(lookMs), looked))
})

/** What is done again and again beside answering. */
const rounds = Effect.gen(function* () {
  const services = yield* IdleServices
  const calls = yield* Activity
  const { thread } = yield* HandlerPlaces
  const { deferred } = yield* HostCalls
  const rest = makeRest({ calls, thread, compact: makeCompaction(), now: monotonic })
  const besides = (): boolean => {
    const didSomething = services.tick()
    rest()
    return didSomething
  }
  return { handleDeferredCalls: deferred.all, besides }
})

const listen = Effect.gen(function* () {
  const socket = yield* HostSocket
  const door = yield* HttpDoor
  const upkeep = yield* HostUpkeep
  const jobs = yield* HostJobs
  const { blanks } = yield* HostCalls
  socket.clear()
  // First: whoever finds the socket finds HTTP as well.
  const port = yield* door.open(yield* HostReception)
  yield* socket.listen
  blanks.fill()
  yield* upkeep.begin(yield* rounds)
  yield* jobs.begin
  yield* Effect.forkScoped(watch)
  return { type: "HOST_READY", socket: socket.path, ...(port === undefined ? {} : { port }) } as const
}).pipe(
  Effect.catchTag("CannotListen", ({ message }) =>
    Effect.succeed({ type: "HOST_STOPPED", reason: `cannot listen: ${message}`, served: 0 } as const)
  )
)

/** Nobody comes in any more; those who wait for an answer get it, and then all that serves is let go of. */
const drain = Effect.fnUntraced(function* (reason: string, scope: Scope.CloseableScope) {
  const { state } = yield* HostPlace
  const { requests } = yield* HostActors
  const { served } = yield* Activity
  const socket = yield* HostSocket
  socket.close()
  requests.close()
  if (reason === succeeded) handOver(state)
  yield* Scope.close(scope, Exit.void)
  return { type: "HOST_STOPPED", reason, served: served() } as const
})

const perform = Effect.fnUntraced(function* (command: HostCommand, scope: Scope.CloseableScope) {
  switch (command.type) {
    case "LISTEN":
      return yield* Scope.extend(listen, scope)
    case "SERVE":
      return { type: "HOST_DRAINING", reason: yield* (yield* Stopping).asked } as const
    case "DRAIN":
      return yield* drain(command.reason, scope)
  }
})

/** From a host's first fact to its last. */
export const lifecycle = Effect.gen(function* () {
  const { build } = yield* HostPlace
  const { factStore, id, sources } = yield* HostFacts
  const { registry } = yield* HostActors
  const { stop } = yield* Stopping
  const scope = yield* Scope.fork(yield* Effect.scope, ExecutionStrategy.sequential)
  const services = yield* Layer.buildWithScope(serving, scope)
  const run = yield* FiberSet.makeRuntimePromise<Ground>()
  const states = yield* Effect.provide(serviceStates, services)
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => stop(signal))
  const runtime = `node ${process.version} ${process.platform}-${process.arch}`
  const first: HostFact = { type: "HOST_STARTED", build, pid: process.pid, runtime, parts: states() }
  const act = async (command: HostCommand) => [await run(Effect.provide(perform(command, scope), services))]
  yield* Effect.promise(() => live({ id, factStore, sources, actors: registry, perform: act }, first))
})
