/** What can wait stands back while calls come. */
import * as Effect from "effect/Effect"

const quietEveryMs = 50
/** A host that is always busy does it all the same, after two seconds. */
const mostWaits = 40

export const untilQuiet = (isIdle: () => boolean): Effect.Effect<void> =>
  Effect.gen(function* () {
    for (let waits = 0; waits < mostWaits && !isIdle(); waits++) yield* Effect.sleep(quietEveryMs)
  })
