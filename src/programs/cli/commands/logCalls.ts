/** `hooktape log`: what happened, call by call. */
import { basename, resolve } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { Call } from "../../../features/timeline/Call.ts"
import { type CallQuery, findCalls, lastEnded } from "../../../features/timeline/find.ts"
import { findObserved } from "../../../features/timeline/findObserved.ts"
import { count } from "../../../features/timeline/words.ts"
import { printable } from "../../../state/terminalText.ts"
import { checkHook, checkNames, checkSession } from "../known.ts"
import { Logbook, withLogbook } from "../logbook.ts"
import { callJson, callLine } from "../render/callLine.ts"
import { paged } from "../render/pager.ts"
import { Screen } from "../Screen.ts"
import { fullSession } from "../sessions.ts"
import { parseSince } from "../since.ts"
import type { LogOptions } from "./log.ts"
import { nothingYet } from "./logFacts.ts"

/** Of a log that nobody narrowed down. */
const usualLimit = 200

/** How long what happened may wait while someone looks on. */
const between = "200 millis"

const queryOf = Effect.fn("cli.logCalls.query")(function* (options: LogOptions) {
  const { agent, all, blocked, event, failed, grep, hook, invocation, project, since } = options
  const { resolve: resolveRef } = yield* Logbook
  const session = yield* fullSession(options.session)
  const now = yield* Clock.currentTimeMillis
  return {
    ...(invocation === undefined ? {} : { invocation: yield* resolveRef(invocation) }),
    ...(session === undefined ? {} : { session }),
    ...(event === undefined ? {} : { event }),
    ...(agent === undefined ? {} : { agent }),
    ...(project === undefined ? {} : { project: resolve(project) }),
    ...(since === undefined ? {} : { since: yield* parseSince(since, now) }),
    ...(hook === undefined ? {} : { hook }),
    ...(grep === undefined ? {} : { text: grep }),
    failed,
    blocked,
    own: all || invocation !== undefined
  } satisfies CallQuery
})

const calls = Effect.fn("cli.logCalls.calls")(function* (query: CallQuery) {
  const { timeline } = yield* Logbook
  const now = yield* Clock.currentTimeMillis
  return yield* timeline((db) => {
    const found = findCalls(db, query, now)
    const observed = findObserved(db, query)
    if (observed.length === 0) return found
    const all = [...found, ...observed].sort((a, b) => a.at - b.at || a.position - b.position)
    return query.limit === undefined ? all : all.slice(Math.max(0, all.length - query.limit))
  })
})

/** What ends from now on: a line is written once, when all of it is known. */
const follow = Effect.fn("cli.logCalls.follow")(function* (query: CallQuery, line: (call: Call) => string) {
  const screen = yield* Screen
  const { takeIn, timeline } = yield* Logbook
  let seen = yield* timeline(lastEnded)
  const look = Effect.gen(function* () {
    yield* takeIn
    const until = yield* timeline(lastEnded)
    if (until === seen) return
    const ended = yield* calls({ ...query, endedAfter: seen })
    seen = until
    yield* screen.out(ended.map(line).join(""))
  })
  yield* Effect.repeat(look, Schedule.spaced(between))
})

const isNarrow = ({ blocked, failed, grep, hook, invocation, session, since }: LogOptions): boolean =>
  failed || blocked || [grep, hook, invocation, session, since].some((one) => one !== undefined)

const none = Effect.fn("cli.logCalls.none")(function* (query: CallQuery, isFiltered: boolean) {
  const { note } = yield* Screen
  const { stats } = yield* Logbook
  const all = yield* calls({ limit: 1, own: true })
  const { facts } = yield* stats
  if (facts === 0) return yield* note(nothingYet)
  if (all.length === 0)
    return yield* note('no call yet. "hooktape log --facts" shows what else is on the log.\n')
  if (!isFiltered && !query.own)
    return yield* note('no call of an agent yet. "--all" shows those of hooktape itself.\n')
  yield* note(
    query.own
      ? "no call fits. Leave out a filter to see more.\n"
      : 'no call fits. Leave out a filter to see more; "--all" shows those of hooktape itself.\n'
  )
})

const namedAtMost = 4

const namesOf = (projects: readonly string[]): string => {
  const names = projects.slice(0, namedAtMost).map((one) => printable(basename(one)))
  return names.join(", ") + (projects.length > namedAtMost ? " …" : "")
}

const told = Effect.fn("cli.logCalls.told")(function* (options: LogOptions) {
  const query = yield* queryOf(options)
  if (!options.follow) yield* checkSession(query.session)
  const screen = yield* Screen
  const line = options.json
    ? (call: Call) => `${callJson(call)}\n`
    : (call: Call) => `${callLine(call, screen)}\n`
  const limit = options.limit ?? (options.json || isNarrow(options) ? undefined : usualLimit)
  // One more than is shown tells whether there are more.
  const found = yield* calls({ ...query, ...(limit === undefined ? {} : { limit: limit + 1 }) })
  const shown = limit === undefined ? found : found.slice(Math.max(0, found.length - limit))
  yield* screen.out(shown.map(line).join(""))
  if (options.follow) return yield* follow(query, line)
  if (shown.length === 0 && !options.json && options.limit !== 0) return yield* none(query, isNarrow(options))
  const projects = new Set(shown.flatMap(({ project }) => (project === null ? [] : [project])))
  if (projects.size > 1 && query.project === undefined && !options.json)
    yield* screen.note(
      `calls of ${projects.size} projects: ${namesOf([...projects])}. --project . shows those of one.\n`
    )
  if (found.length > shown.length && options.limit === undefined)
    yield* screen.note(`the newest ${count(shown.length, "call")}. --limit or --since shows more.\n`)
})

export const logCalls = (options: LogOptions) =>
  Effect.gen(function* () {
    yield* checkNames({
      ...(options.agent === undefined ? {} : { agent: options.agent }),
      ...(options.event === undefined ? {} : { event: options.event })
    })
    if (options.hook !== undefined) yield* checkHook(options.hook)
    const work = told(options)
    yield* options.follow || options.json ? work : paged(work, "end")
  }).pipe(withLogbook)
