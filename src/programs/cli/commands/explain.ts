/** `hooktape explain`: which rule of `guard-destructive` stops a shell command, and why; one, or many from standard input. */
import { statSync } from "node:fs"
import { join, resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { JsonObject } from "../../../../events/intents.ts"
import type { Judged } from "../../../features/guard/classify.ts"
import { guardDestructive } from "../../../features/guard/guardDestructive.ts"
import {
  classifyLooking,
  type GitStatus,
  gitStatus,
  type StatusAnswer
} from "../../../features/guard/look.ts"
import { wrongIn } from "../../../features/guard/parse.ts"
import type { Place } from "../../../features/guard/rule.ts"
import { rules } from "../../../features/guard/rules.ts"
import { placeOf, settingsProblems } from "../../../features/guard/settings.ts"
import { count } from "../../../features/timeline/words.ts"
import { readSwitches, type Switch, switchedBy } from "../../../history/switches.ts"
import { readDescribed } from "../../../runtime/builds/described.ts"
import { realPath } from "../../../runtime/builds/discover.ts"
import { findBuild } from "../../../runtime/builds/refresh.ts"
import { readConfig } from "../../../state/config.ts"
import type { Config } from "../../../state/configShape.ts"
import { messageOf } from "../../../state/messageOf.ts"
import { findProject } from "../../../state/project.ts"
import { shellWords } from "../../../state/shellWord.ts"
import { printable } from "../../../state/terminalText.ts"
import { CliError } from "../CliError.ts"
import { type Line, linesOf, longestLine } from "../lines.ts"
import { findPlaces } from "../places.ts"
import { Screen } from "../Screen.ts"
import { defineCommand } from "../syntax/Command.ts"
import { anyArguments, text } from "../syntax/parameters.ts"
import { json as jsonOption } from "../syntax/shared.ts"

export interface ExplainOptions {
  /** As a shell takes it: one word that holds all of it, or its words one by one. */
  readonly command: readonly string[]
  readonly cwd: string | undefined
  readonly project: string | undefined
  readonly json: boolean
}

/** A configuration with a mistake has no say; `hooktape build` tells what is wrong with it. */
const settingsOf = (userFolder: string): JsonObject => {
  const { hooks = {} } = Either.getOrElse(readConfig(join(userFolder, "config.json")), (): Config => ({}))
  return (hooks[guardDestructive.name]?.settings ?? {}) as JsonObject
}

/** A switch that cannot be read switches nothing. */
const switchesIn = (state: string): readonly Switch[] =>
  Either.getOrElse(
    Either.try(() => readSwitches(state)),
    () => []
  )

/** Why no command is stopped there, whatever the rules say. */
const offHere = (
  { project }: Place,
  { state, userFolder }: { readonly state: string; readonly userFolder: string }
): string | undefined => {
  const switched = switchedBy(switchesIn(state), guardDestructive.name, { project, session: null })
  if (switched !== undefined) return switched.enabled ? undefined : switched.reason
  const { defaults, hooks = {} } = Either.getOrElse(
    readConfig(join(userFolder, "config.json")),
    (): Config => ({})
  )
  if (defaults === false) return '"defaults" is false in your configuration'
  return hooks[guardDestructive.name]?.enabled === false ? "disabled in your configuration" : undefined
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

const whereIs = Effect.fn("cli.explain.whereIs")(function* (options: ExplainOptions) {
  const here = process.cwd()
  const cwd = resolve(here, options.cwd ?? ".")
  if (!isFolder(cwd))
    return yield* new CliError({
      what: "explain",
      reason: `${cwd} is no directory`,
      remedy: '"--cwd" names the one in which the command is to run.'
    })
  const project = options.project === undefined ? findProject(cwd) : resolve(here, options.project)
  return placeOf(settingsOf(findPlaces(options.project).userFolder), { cwd, project })
})

/** Other hooks that see a shell command before it runs: what they say of it only they know. */
const othersHere = ({ project }: Place, state: string): readonly string[] => {
  const real = realPath(project) ?? project
  const found = findBuild(state, real)
  const switches = switchesIn(state)
  return (found === undefined ? [] : (readDescribed(found.current.dir) ?? []))
    .filter(({ background, enabled, events, name, removed }) => {
      const said = switchedBy(switches, name, { project: real, session: null })
      const isOn = !removed && (said?.enabled ?? enabled)
      return isOn && !background && name !== guardDestructive.name && sees(events)
    })
    .map(({ name }) => name)
}

const sees = (events: readonly string[]): boolean =>
  events.some((event) => event === "tool.before" || event === "tool.permission")

const document = (verdict: Judged | undefined): string =>
  `${JSON.stringify({
    blocked: verdict?.action === "block",
    asked: verdict?.action === "ask",
    rule: verdict?.rule ?? null,
    reason: verdict?.reason ?? null
  })}\n`

/** A command, or what is wrong with its line. */
const readLine = ({ text, tooLong }: Line): { readonly command: string } | { readonly error: string } => {
  if (tooLong) return { error: `is longer than ${longestLine} characters` }
  if (text.trim() === "") return { error: "is empty" }
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "string" ? { command: value } : { error: "is JSON, but not a string" }
  } catch {
    return { command: text }
  }
}

/** A directory is looked at once: many commands are judged in one. */
const lookingOnce = (): GitStatus => {
  const answers = new Map<string, Promise<StatusAnswer>>()
  return (folder) => {
    const answer = answers.get(folder) ?? gitStatus(folder)
    answers.set(folder, answer)
    return answer
  }
}

const judged = (command: string, place: Place, git: GitStatus) =>
  Effect.promise(() => classifyLooking(command, place, git))

const explainLines = Effect.fn("cli.explain.lines")(function* (place: Place) {
  const { note, out } = yield* Screen
  const lines = linesOf(process.stdin)
  const git = lookingOnce()
  let bad = 0
  let line = 1
  for (; ; line++) {
    const next = yield* Effect.tryPromise({
      try: () => lines.next(),
      catch: (cause) =>
        new CliError({
          what: "explain",
          reason: `standard input cannot be read: ${messageOf(cause)}`
        })
    })
    if (next.done === true) break
    const read = readLine(next.value)
    if ("error" in read) bad++
    yield* out(
      "error" in read
        ? `${JSON.stringify({ line, error: `line ${line} ${read.error}` })}\n`
        : document(yield* judged(read.command, place, git))
    )
  }
  if (line === 1) yield* note("hooktape: explain: no command came on standard input.\n")
  if (bad > 0) yield* note(`hooktape: explain: ${count(bad, "line")} could not be read; see "error" there.\n`)
  return bad > 0 ? 1 : 0
})

const explain = (options: ExplainOptions) =>
  Effect.gen(function* () {
    const { note, out, style } = yield* Screen
    const { json } = options
    const [only, ...more] = options.command
    const command = more.length === 0 ? only : shellWords(options.command)
    const place = yield* whereIs(options)
    const places = findPlaces(options.project)
    for (const { reason } of settingsProblems(settingsOf(places.userFolder)))
      yield* note(`${style.warn("!")} ${printable(reason)}.\n`)
    if (command === undefined) {
      if (process.stdin.isTTY === true)
        return yield* new CliError({
          what: "explain",
          reason: "no command was named",
          remedy: "Quote it: hooktape explain 'rm -rf ../other'."
        })
      return yield* explainLines(place)
    }
    if (command.trim() === "")
      return yield* new CliError({
        what: "explain",
        reason: "the command is empty",
        remedy: "Quote one: hooktape explain 'rm -rf ../other'."
      })
    const off = offHere(place, places)
    if (off !== undefined)
      yield* note(`${style.warn("!")} ${guardDestructive.name} is off here, and stops nothing: ${off}.\n`)
    const verdict = yield* judged(command, place, lookingOnce())
    const others = verdict === undefined || off !== undefined ? othersHere(place, places.state) : []
    if (others.length > 0)
      yield* note(
        `${style.faint(`Other hooks see it too before it runs, and may stop it; they are not asked here: ${printable(others.join(", "))}.`)}\n`
      )
    const wrong = verdict === undefined ? wrongIn(command) : undefined
    if (wrong !== undefined)
      return yield* new CliError({
        what: "explain",
        reason: `the command was not read to its end: ${printable(wrong)}`,
        remedy: "A shell would not take it either; no rule matches what was read of it."
      })
    if (json) return yield* out(document(verdict))
    yield* out(
      verdict === undefined
        ? `${style.good("✔")} no rule of guard-destructive matches.\n`
        : `${verdict.action === "block" ? `${style.bad("✘")} blocked by` : `${style.warn("?")} asked about by`} ${style.strong(verdict.rule)}: ${printable(verdict.reason)}\n  ${rules[verdict.rule].instead}\n`
    )
    return 0
  })

export const command = defineCommand({
  group: "Try out",
  summary: "Say whether guard-destructive stops a shell command, by which rule, and why.",
  arguments: {
    command: anyArguments(
      "<command>",
      "A shell command. Without one: many from standard input, each line a JSON string, each answered by a line of JSON."
    )
  },
  options: {
    cwd: text("DIR", "Where it is to run. Default: the working directory.", { sample: "packages/core" }),
    project: text("DIR", "What lies outside of it is outside. Default: the project around --cwd.", {
      sample: "."
    }),
    json: jsonOption()
  },
  heading: "<command>",
  examples: ["hooktape explain 'rm -rf ../other'", "jq -c .command commands.ndjson | hooktape explain"],
  guards: "keeps",
  run: explain
})
