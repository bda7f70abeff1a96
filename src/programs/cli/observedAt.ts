/** Finds what a transcript told by the name that `hooktape log` gives it. */
import * as Effect from "effect/Effect"
import { observedPrefix } from "../../../events/observedStream.ts"
import { positionIn } from "../../features/timeline/findObserved.ts"
import { Logbook } from "./logbook.ts"

/** What a transcript tells, by the name that `hooktape log` gives it. */
export const observedAt = Effect.fn("cli.observedAt")(function* (ref: string) {
  const position = positionIn(ref)
  const { factAt, stats } = yield* Logbook
  // Behind the end nothing is missing.
  const isThere = position !== undefined && position <= (yield* stats).last
  const fact = isThere ? yield* factAt(position) : undefined
  return fact?.known === true && fact.stream.startsWith(observedPrefix) ? fact : undefined
})
