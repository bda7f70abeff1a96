/** `hooktape init`: a project's folder for hooks, with a first one and types for editors. */
import { existsSync } from "node:fs"
import { join, relative } from "node:path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { type Preset, presetMeanings, presetNamed, presets } from "../../../features/presets.ts"
import { bytes, count } from "../../../features/timeline/words.ts"
import { describeProblem } from "../../../hooks/Problem.ts"
import { readConfig } from "../../../state/config.ts"
import { printable } from "../../../state/terminalText.ts"
import { isWithin } from "../../../state/within.ts"
import { initProject } from "../../../tools/build/init.ts"
import { dialects } from "../../../tools/install/dialects.ts"
import { foundAgents } from "../../../tools/install/foundAgents.ts"
import { choosePreset } from "../../../tools/presets/choosePreset.ts"
import { asked } from "../asked.ts"
import { CliError } from "../CliError.ts"
import { isTerminal } from "../confirm.ts"
import { recordsIn } from "../installRecords.ts"
import { findPlaces } from "../places.ts"
import { asCalled } from "../render/asCalled.ts"
import { Screen } from "../Screen.ts"
import { defineCommand } from "../syntax/Command.ts"
import { choice, flag } from "../syntax/parameters.ts"
import { project } from "../syntax/shared.ts"

export interface InitOptions {
  readonly project: string | undefined
  readonly preset: Preset | undefined
  readonly yes: boolean
}

/** Asked once: who has chosen a set is not asked again, and neither is a program. */
const askedPreset = Effect.fn("cli.init.preset")(function* (userFolder: string) {
  const { note, style } = yield* Screen
  const config = Either.getOrUndefined(readConfig(join(userFolder, "config.json")))
  if (!isTerminal() || config === undefined || config.shipped !== undefined || config.defaults === false)
    return undefined
  const meanings = presets.map((preset) => `  ${style.strong(preset.padEnd(10))}${presetMeanings[preset]}\n`)
  yield* note(
    `Which of the hooks that come with hooktape should be on? This is for all your projects, now and later.\n${meanings.join("")}`
  )
  return presetNamed(yield* asked("quiet, standard or full; return leaves it as it is: "))
})

const choose = Effect.fn("cli.init.choose")(function* (userFolder: string, preset: Preset) {
  const { out, style } = yield* Screen
  const { apart, file } = yield* choosePreset(userFolder, preset).pipe(
    Effect.mapError(
      ({ problems }) =>
        new CliError({
          what: "init",
          reason: problems.map(describeProblem).join("\n"),
          remedy: "Put it right, then choose again."
        })
    )
  )
  const rest =
    apart.length === 0
      ? ""
      : ` What it says of ${apart.join(", ")} by ${apart.length === 1 ? "its name" : "their names"} counts as before.`
  yield* out(
    `${style.good("✔")} ${preset}: ${presetMeanings[preset]}\n  ${style.faint("in".padEnd(8))}${printable(file)}, for all your projects; a later version does not change it.${rest}\n`
  )
})

/** The command that has an agent call hooktape: whole, where an agent is there. */
const installing = (env: NodeJS.ProcessEnv) => {
  const found = foundAgents(env)
  const others =
    found.length > 1 ? ` (here are ${found.map((agent) => dialects[agent].name).join(", ")})` : ""
  return { command: `hooktape install --agent ${found[0] ?? "…"}`, others }
}

/** Whether an agent calls hooktape here: from everywhere, or from this project. */
const isInstalled = (state: string, project: string) =>
  Effect.map(recordsIn(state), (records) =>
    records.some(({ file, scope }) => scope === "user" || isWithin(file, project))
  )

/** What agents have kept so far says more than an empty log does. */
const offer = Effect.fn("cli.init.offer")(function* () {
  const { note, style } = yield* Screen
  const { env, home } = findPlaces()
  const { findTranscripts } = yield* Effect.promise(
    () => import("../../../features/transcripts/findFiles.ts")
  )
  const { files } = findTranscripts(undefined, home, env)
  if (files.length === 0) return
  const size = bytes(files.reduce((sum, file) => sum + file.bytes, 0))
  yield* note(
    `Your agents have kept ${count(files.length, "transcript")} of past sessions here (${size}). ${style.strong(
      "hooktape import"
    )} brings them onto the log; then ${style.strong("hooktape backtest --shipped")} says what the guards would have stopped.\n`
  )
})

const init = Effect.fn("cli.init")(function* (options: InitOptions) {
  const { note, out, style } = yield* Screen
  const { cwd, env, project, state, userFolder } = findPlaces(options.project)
  const { command: install, others } = installing(env)
  const result = yield* initProject({ project })
  const isType = (file: string): boolean => file.startsWith(".hooktape/types/")
  const lines = result.files
    .filter(({ file }) => !isType(file))
    .map(({ done, file }) => `  ${style.faint(done.padEnd(8))}${file}\n`)
  const types = result.files.filter(({ file }) => isType(file))
  const renewed = types.filter(({ done }) => done !== "kept").length
  const told = renewed === 0 ? "kept" : types.every(({ done }) => done === "made") ? "made" : "updated"
  const where = relative(cwd, result.project) || "this project"
  const fresh = result.files.some(({ done, file }) => done !== "kept" && !isType(file))
  yield* out(
    [
      `${style.good("✔")} ${printable(where)} ${fresh ? "is ready for hooks" : "was ready for hooks already"}\n`,
      ...lines,
      `  ${style.faint(told.padEnd(8))}.hooktape/types/ (${count(types.length, "file")} for editors)\n`
    ].join("")
  )
  const preset = options.preset ?? (options.yes ? undefined : yield* askedPreset(userFolder))
  if (preset !== undefined) yield* choose(userFolder, preset)
  const andInstall = (yield* isInstalled(state, project)) ? "" : ` and ${style.strong(install)}${others}`
  yield* out(
    asCalled(
      `Next: read the hooks in .hooktape/hooks, then ${style.strong("hooktape trust")}${andInstall}.\n`
    )
  )
  if (fresh) yield* offer()
  if (options.project === undefined && cwd !== project && existsSync(join(cwd, "package.json")))
    yield* note(
      `Hooks for this package alone belong in a folder of its own: ${style.strong("hooktape init --project .")}\n`
    )
})

export const command = defineCommand({
  group: "Set up",
  summary: "Make a .hooktape folder with a first hook and editor types.",
  options: {
    project,
    preset: choice(
      "NAME",
      presets,
      "Which of the shipped hooks are on: quiet, standard or full. Default: asked on a terminal, else as it is.",
      { sample: "quiet" }
    ),
    yes: flag("Ask nothing, and leave on what is on.")
  },
  examples: ["hooktape init", "hooktape init --preset quiet"],
  // What is on for its user everywhere is for the user to say.
  guards: ({ preset }) => preset !== undefined,
  run: init
})
