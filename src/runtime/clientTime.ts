/** What a call's client says of its own start, as the log has it. */
import type { Client } from "../../events/facts.ts"

/** No agent waits so long: the client's clock is not ours then. */
const longestUs = 3_600_000_000

/**
 * `startUs`: since 1970. `fromUs`: the same moment by the machine's monotonic clock, in microseconds. `began`: when the call was
 * taken in, monotonic milliseconds. Undefined where the client did not say it.
 */
export const clientOf = (startUs: number, fromUs: number, began: number): Client | undefined => {
  if (!(startUs > 0 && fromUs > 0)) return undefined
  const beforeUs = Math.round(began * 1000 - fromUs)
  return beforeUs >= 0 && beforeUs < longestUs ? { startUs, beforeUs } : { startUs }
}
