/** Says on a terminal how far hook files are read and loaded: with many it takes minutes, each in a process of its own. */
import * as Effect from "effect/Effect"
import type { Watching } from "../../tools/build/Watching.ts"
import { Screen } from "./Screen.ts"

export interface WatchedHooks extends Watching {
  /** What was drawn makes room for what is said next; more may follow. */
  readonly pause: () => void
}

/** Within a scope, with which it ends. */
export const watchHooks = Effect.gen(function* () {
  const screen = yield* Screen
  const progress = yield* Effect.acquireRelease(
    Effect.sync(() => screen.progress("hooks")),
    (one) => Effect.sync(one.end)
  )
  const counts = { read: 0, loaded: 0 }
  const watched: WatchedHooks = {
    loaded: new Map(),
    told: (what) => progress.at(++counts[what], undefined, what),
    pause: () => {
      counts.read = 0
      counts.loaded = 0
      progress.end()
    }
  }
  return watched
})
