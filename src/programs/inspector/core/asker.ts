/**
 * One question of a view, asked again whenever there may be more to know: never twice at once, and, where an answer takes less than a second,
 * for a tenth of the time at most; what takes longer is asked ten seconds after its answer. Each answer is shown, however soon the next is due.
 */
import { type AskError, askErrorOf } from "./AskError.ts"

/** For each millisecond that an answer took. */
const restMs = 10
/** Tables that are made for the first question take seconds, and a machine that slept takes hours. */
const longestRestMs = 10_000
/** Whoever waits longer is told so. */
const slowAfterMs = 200

export type Heard<A> = { readonly value: A } | { readonly error: AskError }

export interface AskerOptions<A> {
  readonly ask: (signal: AbortSignal) => Promise<A>
  readonly heard: (outcome: Heard<A>) => void
  readonly slow: (isSlow: boolean) => void
}

export interface Asker {
  readonly again: () => void
  /** Nothing is heard from here on. */
  readonly end: () => void
}

/** Asks at once. */
export const makeAsker = <A>({ ask, heard, slow }: AskerOptions<A>): Asker => {
  const gone = new AbortController()
  let isUnderway = false
  let isDue = false
  let restUntil = 0
  let resting: ReturnType<typeof setTimeout> | undefined
  let waiting: ReturnType<typeof setTimeout> | undefined
  const begin = async (): Promise<void> => {
    isUnderway = true
    isDue = false
    const began = performance.now()
    waiting = setTimeout(() => slow(true), slowAfterMs)
    const outcome = await ask(gone.signal).then(
      (value): Heard<A> => ({ value }),
      (cause): Heard<A> => ({ error: askErrorOf(cause) })
    )
    if (gone.signal.aborted) return
    clearTimeout(waiting)
    isUnderway = false
    const now = performance.now()
    restUntil = now + Math.min(longestRestMs, restMs * (now - began))
    slow(false)
    heard(outcome)
    if (isDue) beginRested()
  }
  const beginRested = (): void => {
    resting ??= setTimeout(
      () => {
        resting = undefined
        void begin()
      },
      Math.max(0, restUntil - performance.now())
    )
  }
  void begin()
  return {
    again: () => {
      if (isUnderway) isDue = true
      else beginRested()
    },
    end: () => {
      gone.abort()
      clearTimeout(resting)
      clearTimeout(waiting)
      slow(false)
    }
  }
}
