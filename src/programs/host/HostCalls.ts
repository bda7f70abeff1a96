/** How this host answers calls: those that come in, and those that clients left behind. */
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import { adapters } from "../../agents/adapters.ts"
import { EventLog } from "../../log/EventLog.ts"
import { progressOf } from "../../runtime/host/progress.ts"
import { makeDeferredCalls, type SessionOf } from "../../runtime/leftCalls/deferredCalls.ts"
import { Activity } from "./Activity.ts"
import { makeAnswering } from "./answering.ts"
import { makeBlanks } from "./blanks.ts"
import { makeBuilds } from "./builds.ts"
import { HandlerPlaces } from "./HandlerPlaces.ts"
import { HostActors } from "./HostActors.ts"
import { HostFacts } from "./HostFacts.ts"
import { HostPlace } from "./HostPlace.ts"
import { makeLackingGuards } from "./lackingGuards.ts"
import { makeRoutes } from "./routes.ts"
import { sessionOf as sessionIn } from "./sessionOf.ts"

export class HostCalls extends Effect.Service<HostCalls>()("hooktape/HostCalls", {
  scoped: Effect.gen(function* () {
    const { build, note, state } = yield* HostPlace
    const { factStore, key, sources } = yield* HostFacts
    const { registry: actors } = yield* HostActors
    const { thread: atWork, workers } = yield* HandlerPlaces
    const { touched } = yield* Activity
    const log = yield* EventLog
    const run = yield* FiberSet.makeRuntimePromise()
    const builds = makeBuilds(state)
    const lackingGuards = makeLackingGuards(state)
    const { answer, takeLeft } = makeAnswering({
      shared: {
        adapters,
        workers,
        atWork,
        factStore,
        sources,
        key,
        afterwards: () => undefined,
        state,
        lackingGuards,
        actors
      },
      builds,
      routes: makeRoutes({ state, build, lackingGuards }),
      progress: (invocation) => run(progressOf(log, state, invocation)),
      touched
    })
    const sessionOf: SessionOf = (head, payload) => sessionIn(adapters, head, payload)
    const blanks = makeBlanks(state)
    const deferred = makeDeferredCalls({ state, serve: takeLeft, note, putAway: blanks.putAway }, sessionOf)
    return { answer, blanks, builds, deferred, sessionOf }
  })
}) {}
