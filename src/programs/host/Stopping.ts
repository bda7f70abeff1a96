/** Why a host ends, and how long those who still wait for it may hold it up. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { monotonic } from "../../runtime/elapsed.ts"

/** After this much of draining the agents' own time-outs have long struck. */
const drainMs = 8000

export class Stopping extends Effect.Service<Stopping>()("hooktape/Stopping", {
  effect: Effect.gen(function* () {
    const reason = yield* Deferred.make<string>()
    let until: number | undefined
    return {
      /** Only the first reason counts. */
      stop: (why: string): void => Deferred.unsafeDone(reason, Effect.succeed(why)),
      /** The reason, once there is one. */
      asked: Deferred.await(reason),
      /**
       * Waits for work that somebody still waits for. All that is waited for so has one limit together. Those who wait are letting go of
       * something, which nothing interrupts: without leave to be interrupted the limit would wait for the work.
       */
      patiently: (work: Effect.Effect<void>): Effect.Effect<void> =>
        Effect.suspend(() => {
          until ??= monotonic() + drainMs
          const left = Math.max(0, until - monotonic())
          const leaving = Effect.disconnect(Effect.interruptible(work))
          return Effect.asVoid(Effect.timeoutOption(Effect.interruptible(leaving), left))
        })
    }
  })
}) {}
