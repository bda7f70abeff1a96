/** `hooktape collect hooks|problems|sessions`: what became of the facts of all machines. */
import * as Effect from "effect/Effect"
import { span } from "../../../features/timeline/words.ts"
import { printable } from "../../../state/terminalText.ts"
import type { FleetHook } from "../../../tools/collector/ask.ts"
import { minuteOf } from "../render/minuteOf.ts"
import { table } from "../render/table.ts"
import { Screen } from "../Screen.ts"
import { defineAction } from "../syntax/Command.ts"
import { choice, integer } from "../syntax/parameters.ts"
import { json as jsonOption } from "../syntax/shared.ts"
import { type DatabaseOptions, database, loaded, told, urlFrom, usage } from "./database.ts"

interface AskOptions extends DatabaseOptions {
  readonly limit: number | undefined
  readonly json: boolean
}

const usualLimit = 50

const limitOf = (limit: number | undefined) =>
  limit === undefined || (limit >= 1 && limit <= 10_000)
    ? Effect.succeed(limit ?? usualLimit)
    : Effect.fail(usage(`${limit} rows cannot be shown`, "Between 1 and 10000 can."))

const right = (title: string) => ({ title, align: "right" as const })
const rounded = (ms: number): string => String(Math.round(ms))

interface HookAskOptions extends AskOptions {
  readonly by: "version" | undefined
}

const hookTitles = ["installations", "runs", "failed", "blocked", "lifted", "mean ms", "longest ms"].map(
  right
)

const hookCells = (
  { blocked, failed, installations, lifted, longestMs, meanMs, runs }: FleetHook,
  { warn }: { readonly warn: (text: string) => string }
): readonly string[] => [
  String(installations),
  String(runs),
  failed > 0 ? warn(String(failed)) : "0",
  String(blocked),
  lifted > 0 ? warn(String(lifted)) : "0",
  rounded(meanMs),
  rounded(longestMs)
]

const noHook = "no hook has run, as far as this role may see.\n"

const showHooks = ({ by, json, limit, ...database }: HookAskOptions) =>
  Effect.gen(function* () {
    const { note, out, style, width } = yield* Screen
    const most = yield* limitOf(limit)
    const { ask } = yield* loaded
    const url = yield* urlFrom(database)
    if (by === "version") {
      const all = yield* ask.hookVersions(url, most)
      if (json) return yield* out(`${JSON.stringify({ hooks: all }, null, 2)}\n`)
      if (all.length === 0) return yield* note(noHook)
      const names = ["hook", "version", "first (UTC)", "last (UTC)"].map((title) => ({ title }))
      const rows = all.map((one) => [
        printable(one.hook),
        printable(one.from ?? "-"),
        minuteOf(new Date(one.first)),
        minuteOf(new Date(one.last)),
        ...hookCells(one, style)
      ])
      return yield* out(table([...names, ...hookTitles], rows, { style, width }))
    }
    const all = yield* ask.hooks(url, most)
    if (json) return yield* out(`${JSON.stringify({ hooks: all }, null, 2)}\n`)
    if (all.length === 0) return yield* note(noHook)
    const rows = all.map((one) => [printable(one.hook), ...hookCells(one, style)])
    yield* out(table([{ title: "hook" }, ...hookTitles], rows, { style, width }))
  }).pipe(told("collect hooks"))

const showSessions = ({ json, limit, ...database }: AskOptions) =>
  Effect.gen(function* () {
    const { note, out, style, width } = yield* Screen
    const most = yield* limitOf(limit)
    const { ask } = yield* loaded
    const all = yield* ask.sessions(yield* urlFrom(database), most)
    if (json) return yield* out(`${JSON.stringify({ sessions: all }, null, 2)}\n`)
    if (all.length === 0) return yield* note("there is no session, as far as this role may see.\n")
    const rows = all.map(({ agent, blocked, calls, failures, installation, last, session, waitMs }) => [
      printable(installation),
      printable(session),
      printable(agent ?? "-"),
      minuteOf(new Date(last)),
      String(calls),
      String(blocked),
      failures > 0 ? style.warn(String(failures)) : "0",
      rounded(waitMs)
    ])
    const names = ["installation", "session", "agent", "last (UTC)"].map((title) => ({ title }))
    const titles = ["calls", "blocked", "failures", "waited ms"].map(right)
    yield* out(table([...names, ...titles], rows, { style, width }))
  }).pipe(told("collect sessions"))

const showProblems = ({ json, limit, ...database }: AskOptions) =>
  Effect.gen(function* () {
    const { note, out, style, width } = yield* Screen
    const most = yield* limitOf(limit)
    const { ask } = yield* loaded
    const all = yield* ask.problems(yield* urlFrom(database), most)
    if (json) return yield* out(`${JSON.stringify({ problems: all }, null, 2)}\n`)
    if (all.length === 0) return yield* note("no problem was met, as far as this role may see.\n")
    const rows = all.map((one) => [
      printable([one.family, one.code].filter((part) => part !== null).join(" ")),
      printable(one.signature),
      minuteOf(new Date(one.last)),
      String(one.installations),
      String(one.projects),
      String(one.chains),
      one.open > 0 ? style.warn(String(one.open)) : "0",
      String(one.resolved),
      String(one.gradeA),
      one.medianMs === null ? "-" : span(one.medianMs)
    ])
    const names = ["problem", "signature", "last (UTC)"].map((title) => ({ title }))
    const titles = ["installations", "projects", "chains", "open", "resolved", "grade A", "median"].map(right)
    yield* out(table([...names, ...titles], rows, { style, width }))
  }).pipe(told("collect problems"))

const asking = {
  ...database,
  limit: integer("N", `So many rows at most. Default: ${usualLimit}.`, { sample: "200" })
}

export const hooks = defineAction({
  summary:
    "How each hook does on all machines together: runs, failures, what it stopped and what of that got past later, what it costs.",
  options: {
    ...asking,
    by: choice(
      "WAY",
      ["version"],
      "Apart by the version of the policy that brought it, in the order in which they came.",
      { sample: "version" }
    ),
    json: jsonOption(
      "`{hooks: [{hook, installations, runs, failed, blocked, lifted, meanMs, longestMs}]}`; by version also `from, first, last`"
    )
  },
  examples: ["hooktape collect hooks", "hooktape collect hooks --by version"],
  guards: "keeps",
  run: showHooks
})

export const problems = defineAction({
  summary:
    "Problems that tools showed on all machines, those that were met most first: how many, how they ended.",
  options: {
    ...asking,
    json: jsonOption(
      "`{problems: [{signature, family, code, installations, projects, chains, open, resolved, gradeA, medianMs, last}]}`"
    )
  },
  examples: ["hooktape collect problems"],
  guards: "keeps",
  run: showProblems
})

export const sessions = defineAction({
  summary: "The sessions of all machines, the newest first.",
  options: {
    ...asking,
    json: jsonOption("`{sessions: [{installation, session, agent, last, calls, blocked, failures, waitMs}]}`")
  },
  examples: ["hooktape collect sessions"],
  guards: "keeps",
  run: showSessions
})
