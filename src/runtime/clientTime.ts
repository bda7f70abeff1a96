/** What a call's client says of its own start, as the log has it. */
import type { Client } from "../../events/facts.ts"
import { monotonic } from "./elapsed.ts"

/** No agent waits so long: the client's clock is not ours then. */
export const longestUs = 3_600_000_000
/** Two ways to measure the same time agree so far, a clock that is being set right and a busy machine included. */
const agreesUs = 1_000_000

/** `began` on the clock that tells the date. */
const dateOf = (began: number): number => Date.now() - (monotonic() - began)

/**
 * `startUs`: since 1970. `fromUs`: the same moment by the machine's monotonic clock, in microseconds. `began`: when the call was
 * taken in, monotonic milliseconds; `beganAt` the same since 1970. Undefined where the client did not say it. In another time namespace the
 * monotonic clock is another one, while the date is the same: how long it was is said only where both agree.
 */
export const clientOf = (
  startUs: number,
  fromUs: number,
  began: number,
  beganAt: number = dateOf(began)
): Client | undefined => {
  if (!(startUs > 0 && fromUs > 0)) return undefined
  const beforeUs = Math.round(began * 1000 - fromUs)
  const isOurs = Math.abs(beganAt * 1000 - startUs - beforeUs) <= agreesUs
  return isOurs && beforeUs >= 0 && beforeUs < longestUs ? { startUs, beforeUs } : { startUs }
}
