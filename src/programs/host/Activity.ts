/** How busy a host is: the calls under way, and when the last one ended. */
import * as Effect from "effect/Effect"
import { monotonic } from "../../runtime/elapsed.ts"
import { HostPlace } from "./HostPlace.ts"
import { Stopping } from "./Stopping.ts"
import { makeSuccession, succeeded } from "./succession.ts"

export interface CallCounts {
  readonly served: () => number
  readonly underway: () => number
  /** Monotonic milliseconds of the last call's end, or of the start. */
  readonly lastActive: () => number
  /** Whether nobody called for a moment: what can wait does not get into the next call's way. */
  readonly isIdle: () => boolean
  /** Counts a call while it is answered. */
  readonly during: <A>(call: () => Promise<A>) => Promise<A>
  /** Something was done that nobody waited for. */
  readonly touched: () => void
}

const quietMs = 200

/** `noticed`: called after each call, and not on its time. */
export const makeCallCounts = (noticed: () => void): CallCounts => {
  let served = 0
  let underway = 0
  let lastActive = monotonic()
  const touched = (): void => {
    lastActive = monotonic()
    setImmediate(noticed)
  }
  return {
    served: () => served,
    underway: () => underway,
    lastActive: () => lastActive,
    isIdle: () => underway === 0 && monotonic() - lastActive >= quietMs,
    during: async (call) => {
      underway++
      try {
        const answer = await call()
        served++
        return answer
      } finally {
        underway--
        touched()
      }
    },
    touched
  }
}

/** Of the whole host; after each call it is seen whether another build took this one's place. */
export class Activity extends Effect.Service<Activity>()("hooktape/Activity", {
  effect: Effect.gen(function* () {
    const { home, state } = yield* HostPlace
    const { stop } = yield* Stopping
    const isSucceeded = makeSuccession(state, home)
    return makeCallCounts(() => {
      if (isSucceeded()) stop(succeeded)
    })
  })
}) {}
