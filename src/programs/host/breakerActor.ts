/** The breaker among a host's actors: its facts come from clients that found no host, and onto the log by whoever takes those in. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { EventLogShape } from "../../log/EventLog.ts"
import { breakerStream } from "../../log/spool/unreachableFacts.ts"
import { followed, isOver, viewOf } from "../../runtime/actors/logActors.ts"
import { rehydrated } from "../../runtime/actors/logFeed.ts"
import type { Registry } from "../../runtime/actors/registry.ts"

export interface BreakerActorOptions {
  readonly log: EventLogShape
  readonly registry: Registry
  readonly note: (problem: string) => void
}

/** Lives as long as its scope. */
export const startBreakerActor = Effect.fn("host.breakerActor")(function* ({
  log,
  note,
  registry
}: BreakerActorOptions) {
  const stream = breakerStream
  const { last } = yield* log.stats
  let actor = yield* rehydrated(log, { stream })
  registry.source(() => (actor === undefined || isOver(actor) ? [] : [viewOf(actor)]))
  yield* log.follow(last, { stream }).pipe(
    Stream.runForEach((fact) =>
      Effect.sync(() => {
        // It came while what was there was read.
        if (actor !== undefined && fact.version <= actor.version) return
        const step = followed(actor, fact)
        if (step === undefined) return
        actor = step.actor
        if (step.frame !== undefined && registry.isWatched()) registry.publish(step.frame)
      })
    ),
    Effect.catchAll(({ message }) => Effect.sync(() => note(`the breaker is not followed: ${message}`))),
    Effect.forkScoped
  )
})
