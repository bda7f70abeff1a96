/** Time and randomness for the ids of the host's facts. */
import { randomBytes } from "node:crypto"
import type { Sources } from "../../../events/ids.ts"

const portion = 4096

/** Random bytes are drawn from the system in larger portions. */
export const makeSources = (): Sources => {
  let pool = randomBytes(portion)
  let at = 0
  return {
    now: Date.now,
    random: (count) => {
      if (at + count > pool.length) {
        pool = randomBytes(portion)
        at = 0
      }
      at += count
      return pool.subarray(at - count, at)
    }
  }
}
