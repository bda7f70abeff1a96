/** Work after the reply, in this host: background hooks, and notes that are to be stored. */
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import { leave } from "../../history/deliveries.ts"
import { makeHookRunner } from "../../jobs/hookJobs.ts"
import { makeQueue, type Queue } from "../../jobs/queue.ts"
import { EventLog } from "../../log/EventLog.ts"
import { hookKind, noteKind } from "../../runtime/enqueue.ts"
import { makeRunBackground } from "./background.ts"
import { FollowedLog } from "./eventLogs.ts"
import { HandlerPlaces } from "./HandlerPlaces.ts"
import { HostActors } from "./HostActors.ts"
import { HostCalls } from "./HostCalls.ts"
import { HostPlace } from "./HostPlace.ts"
import { jobView, showJobs } from "./jobActors.ts"
import { makeNoteRunner } from "./noteJobs.ts"
import { makeIsWanted } from "./wantedJobs.ts"
import { leavingOne } from "./workers.ts"

/** A job that runs on is given back to the next host. */
const jobEndMs = 2000

export class HostJobs extends Effect.Service<HostJobs>()("hooktape/HostJobs", {
  scoped: Effect.gen(function* () {
    const { note, state } = yield* HostPlace
    const { registry } = yield* HostActors
    const { thread: atWork, workers } = yield* HandlerPlaces
    const { builds } = yield* HostCalls
    const log = yield* FollowedLog
    const scope = yield* Effect.scope
    const places = { workers: leavingOne(workers), atWork }
    let queue: Queue | undefined
    registry.source(() => [...(queue?.open() ?? [])].map(jobView))
    const begin = Effect.gen(function* () {
      const hooks = yield* makeHookRunner(makeRunBackground(places, builds), (waiting, how) =>
        leave(state, waiting, how)
      )
      const notes = yield* makeNoteRunner(places, builds)
      const made = yield* makeQueue({
        runners: { [hookKind]: hooks, [noteKind]: notes },
        isWanted: makeIsWanted(state, builds),
        observe: showJobs(registry),
        report: (problem) => Effect.sync(() => note(problem))
      })
      yield* Effect.addFinalizer(() => made.stop(jobEndMs))
      queue = made
    }).pipe(Effect.provideService(EventLog, log), Scope.extend(scope))
    return {
      /** Until the scope of this service closes. */
      begin,
      /** A job that waits for its next attempt would wait for the next hook call as well. */
      isBusy: () => queue?.isBusy() === true
    }
  })
}) {}
