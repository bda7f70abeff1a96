/** The actors of a host for whoever looks: its own as they move, those of other processes as their facts come onto the log. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { EventLog, type EventLogShape } from "../../log/EventLog.ts"
import { logFrames } from "../../runtime/actors/logFeed.ts"
import { makeRegistry, type Registry } from "../../runtime/actors/registry.ts"
import { HostFacts } from "./HostFacts.ts"
import { HostPlace } from "./HostPlace.ts"
import { makeWatchRequests, type WatchRequests } from "./watchRequests.ts"

export interface ActorService {
  readonly registry: Registry
  readonly requests: WatchRequests
}

/** Of these the host itself has every step. */
const own = /^(?:job|host|handlers|session|breaker)\//

/** Lives as long as its scope. */
const makeActorService = Effect.fn("host.actors")(function* (
  log: EventLogShape,
  now: () => number,
  note: (problem: string) => void
) {
  const someone = yield* Effect.makeLatch(false)
  const nobody = yield* Effect.makeLatch(true)
  const registry = makeRegistry({
    now,
    watched: (is) => {
      if (is) {
        nobody.unsafeClose()
        someone.unsafeOpen()
      } else {
        someone.unsafeClose()
        nobody.unsafeOpen()
      }
    }
  })
  const relay = Effect.gen(function* () {
    const { last } = yield* log.stats
    const isWanted = (stream: string) => !own.test(stream) && !registry.hasShown(stream)
    const frames = logFrames({ log, after: last, isWanted })
    yield* Stream.runForEach(frames, (frame) => Effect.sync(() => registry.relay(frame)))
  }).pipe(
    Effect.catchAll(({ message }) =>
      Effect.zipRight(
        Effect.sync(() => note(`actors of other processes are not shown: ${message}`)),
        nobody.await
      )
    )
  )
  yield* Effect.forkScoped(
    Effect.forever(Effect.zipRight(someone.await, Effect.raceFirst(relay, nobody.await)))
  )
  const requests = makeWatchRequests(registry)
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      requests.close()
      registry.close()
    })
  )
  return { registry, requests } satisfies ActorService
})

export class HostActors extends Effect.Service<HostActors>()("hooktape/HostActors", {
  scoped: Effect.gen(function* () {
    const { sources } = yield* HostFacts
    const { note } = yield* HostPlace
    return yield* makeActorService(yield* EventLog, sources.now, note)
  })
}) {}
