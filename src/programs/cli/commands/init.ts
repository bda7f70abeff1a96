/** `hooktape init`: a project's folder for hooks, with a first one and types for editors. */
import { existsSync } from "node:fs"
import { join, relative } from "node:path"
import * as Effect from "effect/Effect"
import { bytes, count } from "../../../features/timeline/words.ts"
import { printable } from "../../../state/terminalText.ts"
import { initProject } from "../../../tools/build/init.ts"
import { dialects } from "../../../tools/install/dialects.ts"
import { foundAgents } from "../../../tools/install/foundAgents.ts"
import { findPlaces } from "../places.ts"
import { Screen } from "../Screen.ts"
import { defineCommand } from "../syntax/Command.ts"
import { project } from "../syntax/shared.ts"

export interface InitOptions {
  readonly project: string | undefined
}

/** The command that has an agent call hooktape: whole, where an agent is there. */
const installing = (env: NodeJS.ProcessEnv) => {
  const found = foundAgents(env)
  const others =
    found.length > 1 ? ` (here are ${found.map((agent) => dialects[agent].name).join(", ")})` : ""
  return { command: `hooktape install --agent ${found[0] ?? "…"}`, others }
}

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
  const { cwd, env, project } = findPlaces(options.project)
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
      `  ${style.faint(told.padEnd(8))}.hooktape/types/ (${count(types.length, "file")} for editors)\n`,
      `Next: read the hooks in .hooktape/hooks, then ${style.strong("hooktape trust")} and ${style.strong(install)}${others}.\n`
    ].join("")
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
  options: { project },
  examples: ["hooktape init"],
  guards: "keeps",
  run: init
})
