/** The breaker among a host's actors: its facts come from clients that found no host, and onto the log by whoever takes those in. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Recorded } from "../../../events/Recorded.ts"
import type { EventLogShape } from "../../log/EventLog.ts"
import { breakerStream } from "../../log/spool/unreachableFacts.ts"
import { followed, isOver, type LogActor, viewOf } from "../../runtime/actors/logActors.ts"
import { rehydrated } from "../../runtime/actors/logFeed.ts"
import type { Registry } from "../../runtime/actors/registry.ts"
import { messageOf } from "../../state/messageOf.ts"

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
  let actor: LogActor | undefined
  registry.source(() => (actor === undefined || isOver(actor) ? [] : [viewOf(actor)]))
  const take = (fact: Recorded): void => {
    // It came while what was there was read.
    if (actor !== undefined && fact.version <= actor.version) return
    const step = followed(actor, fact)
    if (step === undefined) return
    actor = step.actor
    if (step.frame !== undefined && registry.isWatched()) registry.publish(step.frame)
  }
  // A log that cannot be read in one place is no reason for a host not to answer.
  yield* Effect.gen(function* () {
    const { last } = yield* log.stats
    actor = yield* rehydrated(log, { stream })
    yield* Stream.runForEach(log.follow(last, { stream }), (fact) => Effect.sync(() => take(fact)))
  }).pipe(
    Effect.catchAllCause((cause) =>
      Cause.isInterruptedOnly(cause)
        ? Effect.failCause(cause)
        : Effect.sync(() => note(`the breaker is not followed: ${messageOf(Cause.squash(cause))}`))
    ),
    Effect.forkScoped
  )
})
