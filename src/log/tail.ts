/** Following a log: what is there, then whatever comes, each fact once and in order. */
import * as Chunk from "effect/Chunk"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as FiberId from "effect/FiberId"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { Recorded } from "../../events/Recorded.ts"
import type { EventLogError } from "./EventLog.ts"

/** Wakes the followers in this process. */
export interface Bell {
  readonly ring: Effect.Effect<void>
  /** Ends at the next ring after this was asked for. */
  readonly next: () => Effect.Effect<void>
}

export const makeBell = (): Bell => {
  let waiting: Deferred.Deferred<void> | undefined
  return {
    ring: Effect.suspend(() => {
      const rung = waiting
      waiting = undefined
      return rung === undefined ? Effect.void : Deferred.succeed(rung, undefined)
    }),
    next: () => {
      waiting ??= Deferred.unsafeMake<void>(FiberId.none)
      return Deferred.await(waiting)
    }
  }
}

/** One look at the log: what matched, and how far it was looked through. */
export interface Page {
  readonly facts: readonly Recorded[]
  readonly upTo: number
}

/** A page that holds nothing and did not get further ends a reading and makes a follower wait. */
export const follow = (
  after: number,
  page: (after: number) => Effect.Effect<Page, EventLogError>,
  bell: Bell,
  /** By how many looks in a row found nothing. */
  poll: (inVain: number) => Effect.Effect<void>
): Stream.Stream<Recorded, EventLogError> =>
  Stream.unfoldChunkEffect<readonly [number, number], Recorded, EventLogError, never>(
    [after, 0],
    ([from, inVain]) =>
      Effect.suspend(() => {
        // Taken before looking, so that a fact appended meanwhile still wakes us.
        const rung = bell.next()
        return Effect.flatMap(page(from), ({ facts, upTo }) => {
          const isNothing = facts.length === 0 && upTo === from
          const next = [upTo, isNothing ? inVain + 1 : 0] as const
          const result = Option.some([Chunk.unsafeFromArray(facts as Recorded[]), next] as const)
          return isNothing ? Effect.as(Effect.raceFirst(rung, poll(inVain)), result) : Effect.succeed(result)
        })
      })
  )
