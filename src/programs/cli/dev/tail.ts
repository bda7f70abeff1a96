/** Calls of the project as they end, and of a hook that failed the place in its author's file. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { InvocationFact } from "../../../../events/facts.ts"
import type { Call } from "../../../features/timeline/Call.ts"
import { findCalls, lastEnded } from "../../../features/timeline/find.ts"
import { tellingFrames } from "../../../features/timeline/sourceStack.ts"
import { printable } from "../../../state/terminalText.ts"
import { Logbook } from "../logbook.ts"
import { callLine } from "../render/callLine.ts"
import { Screen } from "../Screen.ts"

const framesShown = 3

const failures = Effect.fn("cli.dev.failures")(function* ({ invocation, outcome }: Call) {
  if (outcome !== "failed") return ""
  const { style } = yield* Screen
  const logbook = yield* Logbook
  const facts = yield* logbook.invocation(invocation)
  return facts
    .filter(({ known }) => known)
    .map(({ data }) => data as InvocationFact)
    .filter((fact) => fact.type === "HANDLER_FAILED")
    .map(({ error, handler }) => {
      const said = `    ${style.bad(printable(handler))}: ${printable(`${error.name}: ${error.message}`)}\n`
      const frames = tellingFrames(error.stack ?? "", framesShown)
      return said + frames.map((frame) => style.faint(`      at ${printable(frame)}\n`)).join("")
    })
    .join("")
})

/** What comes back is done time and again: it says what ended since, and gives the last of these calls. */
export const makeTail = Effect.fn("cli.dev.tail")(function* (project: string) {
  const screen = yield* Screen
  const { takeIn, timeline } = yield* Logbook
  let seen = yield* timeline(lastEnded)
  return Effect.gen(function* () {
    yield* takeIn
    const until = yield* timeline(lastEnded)
    if (until === seen) return undefined
    const now = yield* Clock.currentTimeMillis
    const after = seen
    const ended = yield* timeline((db) => findCalls(db, { endedAfter: after, own: false, project }, now))
    seen = until
    for (const call of ended) yield* screen.out(`${callLine(call, screen)}\n${yield* failures(call)}`)
    return ended.at(-1)?.invocation
  })
})
