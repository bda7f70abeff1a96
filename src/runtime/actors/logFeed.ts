/** Steps of actors that live in other processes, seen when their facts come onto the log. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { EventLogError, EventLogShape, Filter } from "../../log/EventLog.ts"
import type { ActorFrame } from "./ActorView.ts"
import { followed, isOver, type LogActor } from "./logActors.ts"

export interface LogFeedOptions {
  readonly log: Pick<EventLogShape, "read" | "follow">
  /** Position after which facts are news. */
  readonly after: number
  /** Whether the steps of a stream are to be shown. */
  readonly isWanted?: (stream: string) => boolean
}

/** An actor from its facts, where nobody held it; undefined where it has none. */
export const rehydrated = (log: Pick<EventLogShape, "read">, its: Pick<Filter, "stream" | "before">) =>
  Stream.runFold(
    log.read(its),
    undefined as LogActor | undefined,
    (actor, fact) => followed(actor, fact)?.actor ?? actor
  )

/** Frames until it is interrupted. */
export const logFrames = ({
  after,
  isWanted = () => true,
  log
}: LogFeedOptions): Stream.Stream<ActorFrame, EventLogError> => {
  const actors = new Map<string, LogActor>()
  return Stream.mapConcatEffect(log.follow(after), (fact) =>
    Effect.gen(function* () {
      const { stream, version } = fact
      if (!isWanted(stream)) return []
      const known = actors.get(stream)
      const before =
        known ?? (version > 1 ? yield* rehydrated(log, { stream, before: fact.position }) : undefined)
      const step = followed(before, fact)
      if (step === undefined) return []
      if (isOver(step.actor)) actors.delete(stream)
      else actors.set(stream, step.actor)
      return step.frame === undefined ? [] : [step.frame]
    })
  )
}
