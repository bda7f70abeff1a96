/** Does what a command line asks for. Succeeds with the exit code. */
import * as Effect from "effect/Effect"
import { layoutHint } from "../../state/layout.ts"
import { stateDirectory } from "../../state/state.ts"
import type { BeneathAgent } from "../../trust/BeneathAgent.ts"
import { CliError } from "./CliError.ts"
import { commands } from "./commands.ts"
import { declarationOf, declarations } from "./declarations.ts"
import { refusedBeneathAgent } from "./guards.ts"
import { commandHelp, helpText } from "./render/help.ts"
import { Screen } from "./Screen.ts"
import type { Action } from "./syntax/Command.ts"
import { type Given, readWords, type UsageProblem } from "./syntax/read.ts"
import { readRoot } from "./syntax/root.ts"
import { version } from "./version.ts"

const printed = (text: () => string) =>
  Effect.flatMap(Screen, ({ out }) =>
    Effect.as(
      Effect.suspend(() => out(text())),
      0
    )
  )

const misused = ({ reason, remedy }: UsageProblem) => new CliError({ what: "usage", reason, remedy })

const overview = Effect.flatMap(
  Effect.promise(() => import("./commands/overview.ts")),
  (module) => Effect.as(module.overview(version), 0)
)

/** They say it themselves, and more. */
const aware: ReadonlySet<string> = new Set(["doctor", "migrate"])

/** After a command, which may have brought it up to date. */
const noteLayout = (name: string) =>
  Effect.flatMap(Screen, ({ note, style }) => {
    const hint = aware.has(name) ? undefined : layoutHint(stateDirectory())
    return hint === undefined ? Effect.void : note(`${style.warn("!")} ${hint}\n`)
  })

/** With the log at hand that was named, where one was. */
const choose = (log: string, command: string, action: Action, given: Given) =>
  Effect.flatMap(
    Effect.promise(() => import("./chooseLog.ts")),
    ({ chooseLog }) => chooseLog(log, command, action, given)
  )

interface Asked {
  readonly name: string
  readonly below: string | undefined
  readonly log: string | undefined
  readonly given: Given
}

const runAction = Effect.fn("cli.run")(function* ({ below, given, log, name }: Asked) {
  const load = commands[name]
  const { command } = yield* Effect.promise(load ?? (() => Promise.reject(new Error(`no command ${name}`))))
  const action = below === undefined ? command.action : command.subcommands?.[below]
  if (action === undefined) return yield* Effect.dieMessage(`"${name}" does nothing by itself`)
  const called = below === undefined ? name : `${name} ${below}`
  yield* refusedBeneathAgent(called, action, given)
  const chosen = log === undefined ? given : yield* choose(log, called, action, given)
  const code = yield* action.run(chosen as never, declarations)
  yield* noteLayout(name)
  return typeof code === "number" ? code : 0
})

const runCommand = (
  name: string,
  words: readonly string[],
  log: string | undefined
): Effect.Effect<number, unknown, Screen | BeneathAgent> =>
  Effect.gen(function* () {
    const command = yield* Effect.promise(() => declarationOf(name))
    const reading = readWords(name, command, words)
    if (reading.kind === "problem") return yield* misused(reading.problem)
    if (reading.kind === "run")
      return yield* runAction({ name, below: reading.action, log, given: reading.given })
    const screen = yield* Screen
    return yield* printed(() => commandHelp(name, command, screen))
  })

export const run = (words: readonly string[]): Effect.Effect<number, unknown, Screen | BeneathAgent> =>
  Effect.suspend(() => {
    const asked = readRoot(words, Object.keys(commands))
    if (asked.kind === "problem") return misused(asked.problem)
    if (asked.kind === "command") return runCommand(asked.name, asked.words, asked.log)
    if (asked.kind === "overview") return overview
    if (asked.kind === "version") return printed(() => `${version}\n`)
    return Effect.flatMap(Effect.promise(declarations), (all) =>
      Effect.flatMap(Screen, (screen) => printed(() => helpText(version, all, screen)))
    )
  })
