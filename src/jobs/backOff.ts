/** How long a job waits before it is tried again. */
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"

export interface BackOff {
  readonly baseMs: number
  readonly factor: number
  readonly capMs: number
  /** The share of a wait that chance takes off, so that jobs which failed together do not come again together. */
  readonly jitter: number
}

/** 1 second, then 2, 4, 8 … up to 5 minutes, each up to a fifth shorter. */
export const defaultBackOff: BackOff = { baseMs: 1000, factor: 2, capMs: 300_000, jitter: 0.2 }

/** Milliseconds to wait after the nth failure, from 1. */
export const delayAfter = (
  failures: number,
  { baseMs, capMs, factor, jitter }: BackOff
): Effect.Effect<number> =>
  Effect.map(Random.next, (chance) =>
    Math.round(Math.min(capMs, baseMs * factor ** Math.max(0, failures - 1)) * (1 - jitter * chance))
  )
