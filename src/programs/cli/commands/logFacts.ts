/** `hooktape log --facts` and `hooktape log --json`: what happened, fact by fact. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Recorded } from "../../../../events/Recorded.ts"
import { checkNames, checkSession } from "../known.ts"
import { Logbook, type Query, withLogbook } from "../logbook.ts"
import { makeCallRemark } from "../render/callRemark.ts"
import { factJson, factLine } from "../render/factLine.ts"
import { Screen } from "../Screen.ts"
import { fullSession } from "../sessions.ts"
import { parseSince } from "../since.ts"
import type { LogOptions } from "./log.ts"

export const nothingYet = "nothing yet. Try: echo '{}' | hooktape run claude-code PreToolUse\n"

const listed = (text: string): readonly string[] =>
  text
    .split(",")
    .map((word) => word.trim().toUpperCase())
    .filter((word) => word !== "")

const queryOf = Effect.fn("cli.logFacts.query")(function* (options: LogOptions) {
  const logbook = yield* Logbook
  const { event, agent, project, limit, since, type, invocation } = options
  const now = yield* Clock.currentTimeMillis
  const session = yield* fullSession(options.session)
  return {
    ...(session === undefined ? {} : { session }),
    ...(event === undefined ? {} : { event }),
    ...(agent === undefined ? {} : { agent }),
    ...(project === undefined ? {} : { project }),
    ...(limit === undefined ? {} : { last: limit }),
    ...(since === undefined ? {} : { since: yield* parseSince(since, now) }),
    ...(type === undefined ? {} : { types: listed(type) }),
    ...(invocation === undefined ? {} : { invocation: yield* logbook.resolve(invocation) })
  } satisfies Query
})

export const logFacts = (options: LogOptions) =>
  Effect.gen(function* () {
    const screen = yield* Screen
    const logbook = yield* Logbook
    const query = yield* queryOf(options)
    yield* checkNames(query)
    if (!options.follow) yield* checkSession(query.session)
    let shown = false
    const remark = makeCallRemark()
    const line = options.json
      ? (fact: Recorded) => `${factJson(fact)}\n`
      : (fact: Recorded) => `${factLine(fact, screen, remark(fact))}\n`
    const facts = options.follow ? logbook.follow(query) : logbook.read(query)
    yield* facts.pipe(
      Stream.mapChunks((chunk) => chunk),
      Stream.chunks,
      Stream.runForEach((chunk) => {
        shown ||= chunk.length > 0
        return screen.out([...chunk].map(line).join(""))
      })
    )
    if (shown || options.json) return
    const { facts: all } = yield* logbook.stats
    yield* screen.note(all === 0 ? nothingYet : "no fact fits. Leave out a filter to see more.\n")
  }).pipe(withLogbook)
