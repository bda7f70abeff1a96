/** `hooktape log`: what happened, fact by fact. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Recorded } from "../../../../events/Recorded.ts"
import { checkNames } from "../known.ts"
import { Logbook, type Query, withLogbook } from "../logbook.ts"
import { makeCallRemark } from "../render/callRemark.ts"
import { factJson, factLine } from "../render/factLine.ts"
import { Screen } from "../Screen.ts"
import { parseSince } from "../since.ts"

export interface LogOptions {
  readonly session: string | undefined
  readonly invocation: string | undefined
  readonly type: string | undefined
  readonly event: string | undefined
  readonly agent: string | undefined
  readonly project: string | undefined
  readonly since: string | undefined
  readonly limit: number | undefined
  readonly follow: boolean
  readonly json: boolean
}

const nothingYet = "no facts yet. Try: echo '{}' | hooktape run claude-code PreToolUse\n"

const listed = (text: string): readonly string[] =>
  text
    .split(",")
    .map((word) => word.trim().toUpperCase())
    .filter((word) => word !== "")

const queryOf = Effect.fn("cli.log.query")(function* (options: LogOptions) {
  const logbook = yield* Logbook
  const { session, event, agent, project, limit, since, type, invocation } = options
  const now = yield* Clock.currentTimeMillis
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

export const log = (options: LogOptions) =>
  Effect.gen(function* () {
    const screen = yield* Screen
    const logbook = yield* Logbook
    const query = yield* queryOf(options)
    yield* checkNames(query)
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
