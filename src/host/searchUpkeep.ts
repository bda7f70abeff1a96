/** Keeps what can be searched up to the end of the log, in moments in which nobody waits. */
import { monotonic } from "../engine/elapsed.ts"
import { openSearchIndex, type SearchIndex } from "../search/bringUp.ts"

export interface SearchUpkeepOptions {
  readonly file: string
  readonly isIdle: () => boolean
  /** Told once, until it goes on. */
  readonly note: (problem: string) => void
  readonly everyMs?: number
  /** A call that comes meanwhile waits this long at most. */
  readonly budgetMs?: number
}

const perStep = 50

export const makeSearchUpkeep = (options: SearchUpkeepOptions) => {
  const { budgetMs = 3, everyMs = 1000, file, isIdle, note } = options
  let index: SearchIndex | undefined
  let due = 0
  let told = false

  const work = (now: number): void => {
    index ??= openSearchIndex(file, { most: perStep })
    if (!index.isBehind()) {
      due = now + everyMs
      return
    }
    const until = now + budgetMs
    while (index.step() && monotonic() < until);
  }

  return {
    tick: (): void => {
      const now = monotonic()
      if (now < due || !isIdle()) return
      try {
        work(now)
        told = false
      } catch (error) {
        // Whoever searches brings it up to date as well: nothing is lost by waiting.
        due = now + 60_000
        if (!told) note(`past material is not made ready for search: ${(error as Error).message}`)
        told = true
      }
    },
    end: (): void => {
      index?.close()
      index = undefined
      due = Number.POSITIVE_INFINITY
    }
  }
}
