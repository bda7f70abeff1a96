/** `hooktape import`: what agents kept of past sessions, onto the log. */
import { join } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Agent } from "../../../../events/agentEvents.ts"
import { openChains } from "../../../features/chains/catchUp.ts"
import { bytes, count } from "../../../features/timeline/words.ts"
import { findTranscripts, type Searched, transcriptsAt } from "../../../features/transcripts/findFiles.ts"
import type { Imported } from "../../../features/transcripts/importFile.ts"
import { userHome } from "../../../state/state.ts"
import { printable } from "../../../state/terminalText.ts"
import { CliError } from "../CliError.ts"
import { Logbook, withLogbook } from "../logbook.ts"
import { findPlaces } from "../places.ts"
import { readyToAsk } from "../ready.ts"
import { asCalled } from "../render/asCalled.ts"
import { Screen, type ScreenShape } from "../Screen.ts"
import { parseSince } from "../since.ts"
import { defineCommand } from "../syntax/Command.ts"
import { anyArguments, flag, text } from "../syntax/parameters.ts"
import { json as jsonOption, times } from "../syntax/shared.ts"

interface ImportOptions {
  readonly words: readonly string[]
  readonly since: string | undefined
  readonly project: string | undefined
  readonly dryRun: boolean
  readonly json: boolean
}

const agents: Readonly<Record<string, Agent>> = {
  "claude-code": "claude-code",
  claude: "claude-code",
  codex: "codex",
  "gemini-cli": "gemini-cli",
  gemini: "gemini-cli"
}

/** The first word may name an agent; all others are paths. */
const asked = (words: readonly string[]): { readonly agent?: Agent; readonly paths: readonly string[] } => {
  const [first = "", ...rest] = words
  const agent = Object.hasOwn(agents, first) ? agents[first] : undefined
  return agent === undefined ? { paths: words } : { agent, paths: rest }
}

const searched = (words: readonly string[]): Searched => {
  const { agent, paths } = asked(words)
  const { env } = findPlaces()
  return paths.length > 0 ? transcriptsAt(paths, agent) : findTranscripts(agent, userHome(env), env)
}

interface Total {
  readonly files: number
  readonly bytes: number
  readonly facts: number
  readonly calls: number
  readonly known: number
  readonly sessions: number
  readonly unknown: Readonly<Record<string, number>>
}

const addUp = (agent: string, one: Imported, unknown: Map<string, number>): void => {
  for (const [kind, times] of one.unknown) {
    const name = `${agent}: ${kind}`
    unknown.set(name, (unknown.get(name) ?? 0) + times)
  }
}

const sumOf = (all: readonly Imported[], key: "facts" | "calls" | "known" | "bytes"): number =>
  all.reduce((sum, one) => sum + one[key], 0)

const maxShown = 10

const mebibytes = (many: number): number => Math.round(many / 1024 / 1024)

const told = (total: Total, dryRun: boolean, { style }: ScreenShape): string => {
  if (total.files === 0)
    return `${style.warn("!")} there is no transcript to import. Name one, or a folder of them: ${asCalled(style.strong("hooktape import codex ~/old/sessions"))}
`
  const what = `${count(total.calls, "tool call")} of ${count(total.sessions, "session")}`
  const from = `${count(total.files, "transcript")} (${bytes(total.bytes)})`
  const done = dryRun ? "would be imported" : total.facts === 0 ? "nothing was new" : "imported"
  const unknown = Object.entries(total.unknown)
  const isForeign = total.facts === 0 && total.known === 0 && unknown.length > 0
  return [
    isForeign
      ? `${style.warn("!")} nothing was understood of what is in ${from}\n`
      : total.facts === 0 && !dryRun
        ? `${style.good("✔")} ${done}: ${from}\n`
        : `${style.good("✔")} ${what} ${done} from ${from}; ${count(total.facts, "fact")} in all\n`,
    ...unknown
      .slice(0, maxShown)
      .map(
        ([kind, times]) => `  ${style.faint(`passed over, ${count(times, "time")}:`)} ${printable(kind)}\n`
      ),
    ...(unknown.length > maxShown
      ? [`  and ${unknown.length - maxShown} other kinds: --json has all\n`]
      : []),
    total.facts > 0 && !dryRun
      ? asCalled(
          `See them: ${style.strong("hooktape log")}, ${style.strong("hooktape metrics")}, ${style.strong("hooktape chains list")}\n`
        )
      : ""
  ].join("")
}

const importTranscripts = (options: ImportOptions) =>
  Effect.gen(function* () {
    const screen = yield* Screen
    const { importTranscript } = yield* Logbook
    const now = yield* Clock.currentTimeMillis
    const since = options.since === undefined ? undefined : yield* parseSince(options.since, now)
    const project = options.project === undefined ? undefined : findPlaces(options.project).project
    const { files, problems } = searched(options.words)
    for (const problem of problems) yield* screen.note(`${screen.style.warn("!")} ${printable(problem)}\n`)
    if (files.length === 0 && problems.length > 0)
      return yield* new CliError({
        what: "import",
        reason: "there is nothing to import",
        remedy: "Name a transcript, a folder of them, or nothing: then those of all agents on this machine."
      })
    const progress = yield* Effect.acquireRelease(
      Effect.sync(() => screen.progress("importing")),
      (one) => Effect.sync(one.end)
    )
    const wanted = files.filter(({ written }) => since === undefined || written >= since)
    const all = wanted.reduce((sum, file) => sum + file.bytes, 0)
    const show = (read: number): void => progress.at(mebibytes(read), mebibytes(all), "MiB")
    const done: Imported[] = []
    const unknown = new Map<string, number>()
    let before = 0
    for (const file of wanted) {
      const one = yield* importTranscript(file, {
        now,
        since,
        project,
        dryRun: options.dryRun,
        progress: (read) => show(before + read)
      })
      done.push(one)
      addUp(file.format.agent, one, unknown)
      before += file.bytes
      show(before)
    }
    progress.end()
    // Whoever meets an error next is told of what is on the log by now.
    // What comes in between is no failure of the import: the next to ask brings them up to date.
    if (!options.dryRun && done.some(({ facts }) => facts > 0))
      yield* Effect.ignore(readyToAsk("import", () => openChains(join(findPlaces().logState, "log.sqlite"))))
    const total: Total = {
      files: wanted.length,
      bytes: all,
      facts: sumOf(done, "facts"),
      calls: sumOf(done, "calls"),
      known: sumOf(done, "known"),
      sessions: new Set(done.flatMap(({ sessions }) => [...sessions])).size,
      unknown: Object.fromEntries(unknown)
    }
    yield* screen.out(
      options.json
        ? `${JSON.stringify({ dryRun: options.dryRun, ...total, problems }, null, 2)}\n`
        : told(total, options.dryRun, screen)
    )
    return problems.length > 0 ? 1 : 0
  }).pipe(Effect.scoped, withLogbook)

export const command = defineCommand({
  group: "Set up",
  summary: "Bring past sessions onto the log, from the transcripts that agents keep.",
  line: "[agent] [path…] [options]",
  arguments: {
    words: anyArguments(
      "[agent] [path…]",
      "claude-code, codex or gemini-cli, then transcripts or folders of them. Default: all that the agents keep here."
    )
  },
  options: {
    since: text("TIME", `Only what happened since: ${times}.`, { sample: "30d" }),
    project: text("DIR", "Only sessions of this project.", { sample: "../site" }),
    dryRun: flag("Read and count, and record nothing."),
    json: jsonOption()
  },
  examples: ["hooktape import", "hooktape import codex", "hooktape import claude-code ~/old/projects"],
  guards: "keeps",
  run: importTranscripts
})
