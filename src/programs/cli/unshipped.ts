/** What of a fleet's log cannot be told, said with counts wherever it is asked what was done. */
import * as Effect from "effect/Effect"
import { unshippedIn } from "../../features/findings/unshipped.ts"
import { Logbook } from "./logbook.ts"
import { findPlaces } from "./places.ts"
import { Screen } from "./Screen.ts"

/** Undefined of this machine's own log, where nothing is missing. */
export const unshipped = Effect.gen(function* () {
  const { logState, state } = findPlaces()
  if (logState === state) return undefined
  const { timeline } = yield* Logbook
  return yield* timeline(unshippedIn)
})

/** As a part of a document: nothing of this machine's own log. */
export const unshippedPart = Effect.map(unshipped, (found) =>
  found === undefined ? {} : { unshipped: found }
)

export const sayUnshipped = Effect.gen(function* () {
  const { note, style } = yield* Screen
  const found = yield* unshipped
  if (found === undefined || found.without === 0) return
  yield* note(
    `${style.warn("!")} of ${found.without} of ${found.calls} events of tool calls nothing is known but that they happened: neither their payloads were shipped, nor what these told.\n`
  )
})
