/** Calls of the project as they end, and of a hook that failed the place in its author's file. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { InvocationFact, JobFact } from "../../../../events/facts.ts"
import type { Call } from "../../../features/timeline/Call.ts"
import { hadWord } from "../../../features/timeline/find.ts"
import { lastPosition, newsSince } from "../../../features/timeline/newsSince.ts"
import { tellingFrames } from "../../../features/timeline/sourceStack.ts"
import { clock } from "../../../features/timeline/words.ts"
import { printable } from "../../../state/terminalText.ts"
import { Logbook } from "../logbook.ts"
import { callLine } from "../render/callLine.ts"
import type { Style } from "../render/style.ts"
import { Screen } from "../Screen.ts"

const framesShown = 3

type Failure = Extract<JobFact, { type: "JOB_FAILED" }>["error"]

const failureText = (who: string, error: Failure, style: Style, then = ""): string => {
  const said = `    ${style.bad(printable(who))}: ${printable(`${error.name}: ${error.message}`)}${then}\n`
  const frames = tellingFrames(error.stack ?? "", framesShown)
  return said + frames.map((frame) => style.faint(`      at ${printable(frame)}\n`)).join("")
}

const failures = Effect.fn("cli.dev.failures")(function* ({ invocation, outcome }: Call) {
  if (outcome !== "failed") return ""
  const { style } = yield* Screen
  const logbook = yield* Logbook
  const facts = yield* logbook.invocation(invocation)
  return facts
    .filter(({ known }) => known)
    .map(({ data }) => data as InvocationFact)
    .filter((fact) => fact.type === "HANDLER_FAILED")
    .map(({ error, handler }) => failureText(handler, error, style))
    .join("")
})

/** It goes on when its call is over, and so does what comes of it. */
const jobFailure = Effect.fn("cli.dev.jobFailure")(function* (position: number, hook: string) {
  const { style } = yield* Screen
  const { factAt } = yield* Logbook
  const found = yield* factAt(position)
  const fact = found?.known === true ? (found.data as JobFact) : undefined
  if (fact?.type !== "JOB_FAILED") return ""
  const { attempt, error, retryAt } = fact
  const then = retryAt === undefined ? "; it is not tried again" : `; again at ${clock(retryAt)}`
  return failureText(`${hook} (after the reply, attempt ${attempt})`, error, style, then)
})

/** Of the calls that ended: the newest, and the newest in which a hook had something to say. */
export interface Ended {
  readonly newest: string | undefined
  readonly spoke: string | undefined
}

/** What comes back is done time and again: it says what ended since. */
export const makeTail = Effect.fn("cli.dev.tail")(function* (project: string) {
  const screen = yield* Screen
  const { takeIn, timeline } = yield* Logbook
  let seen = yield* timeline(lastPosition)
  return Effect.gen(function* () {
    yield* takeIn
    const now = yield* Clock.currentTimeMillis
    const after = seen
    const found = yield* timeline((db) => newsSince(db, { after, project }, now))
    if (found === undefined) return undefined
    seen = found.upTo
    for (const call of found.ended) yield* screen.out(`${callLine(call, screen)}\n${yield* failures(call)}`)
    for (const { hook, position } of found.attempts) yield* screen.out(yield* jobFailure(position, hook))
    const ended: Ended = {
      newest: found.ended.at(-1)?.invocation,
      spoke: found.ended.findLast(hadWord)?.invocation
    }
    return ended
  })
})
