/** Parses a command line and does what it says; whatever the parser has to say goes the way of all output. */
import * as CliConfig from "@effect/cli/CliConfig"
import * as Command from "@effect/cli/Command"
import * as HelpDoc from "@effect/cli/HelpDoc"
import { isValidationError, type ValidationError } from "@effect/cli/ValidationError"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import * as NodeTerminal from "@effect/platform-node/NodeTerminal"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { didYouMean } from "../../hooks/Problem.ts"
import { printable } from "../../state/terminalText.ts"
import type { BeneathAgent } from "../../trust/BeneathAgent.ts"
import { root } from "./app.ts"
import { CliError } from "./CliError.ts"
import { choiceGiven, optionProblem, optionWith } from "./optionProblem.ts"
import { unstyled } from "./render/style.ts"
import { Screen, type ScreenShape } from "./Screen.ts"
import { isCommand, usage, valuesOf, wordsOf } from "./usage.ts"
import { version } from "./version.ts"

const runParsed = Command.run(root, { name: "hooktape", version })

/** The library prints by console; here it goes the way of all output, and a usage error is told by whoever ends the process. */
const printingOn = (screen: ScreenShape) => {
  const styled = screen.style.strong("x") !== "x"
  const print = (...words: readonly unknown[]) => {
    const line = words.join(" ")
    return screen.out(`${styled ? line : unstyled(line)}\n`)
  }
  return <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Console.consoleWith((original) =>
      Effect.withConsole(effect, { ...original, log: print, error: () => Effect.void })
    )
}

const clip = (word: string): string => (word.length > 40 ? `${word.slice(0, 40)}…` : word)

const unknownCommand = (word: string, known: readonly string[], within = ""): CliError =>
  new CliError({
    what: "usage",
    reason: `there is no command "${within}${clip(printable(word))}"`,
    remedy: didYouMean(word, known)
  })

const usageError = (error: ValidationError, argv: readonly string[]): CliError => {
  const command = isCommand(argv[2]) ? argv[2] : undefined
  const told = unstyled(HelpDoc.toAnsiText(error.error)).replaceAll(/\s+/g, " ").trim()
  const missing = /^Expected to find option: '(--[a-z-]+)'$/.exec(told)?.[1]
  const values = missing === undefined ? [] : valuesOf(missing)
  const known = values.length === 0 ? "" : `: one of ${values.join(", ")}`
  const words = argv.slice(2)
  const [word, second] = words
  const see = `See "hooktape ${command === undefined ? "" : `${command} `}--help".`
  const number = /^'(.*)' is not an? (integer|float)$/.exec(told)
  if (number !== null) {
    const [, value = "", kind] = number
    const option = optionWith(words, value) ?? "an option"
    const wanted = kind === "integer" ? "a whole number" : "a number"
    return new CliError({
      what: "usage",
      reason: `${option} wants ${wanted}, not "${clip(printable(value))}"`,
      remedy: see
    })
  }
  const cases = /^Expected one of the following cases: (.+)$/.exec(told)?.[1]?.split(", ") ?? []
  const given = cases.length === 0 ? undefined : choiceGiven(words, cases)
  if (given !== undefined) {
    const { option, value } = given
    return new CliError({
      what: "usage",
      reason: `${option} is one of ${cases.join(", ")}, not "${clip(printable(value))}"`,
      remedy: see
    })
  }
  if (word !== undefined && !word.startsWith("-") && told.startsWith("Invalid subcommand for hooktape ")) {
    // The parser names the first word, also where only the second is wrong.
    if (command === undefined) return unknownCommand(word, Object.keys(usage))
    if (second?.startsWith("-") === true)
      return new CliError({
        what: "usage",
        reason: `"hooktape ${command}" takes ${second} only after one of ${wordsOf(command).join(", ")}`,
        remedy: see
      })
    if (second !== undefined) return unknownCommand(second, wordsOf(command), `${command} `)
  }
  return new CliError({
    what: "usage",
    reason: missing === undefined ? told : `${missing} is missing${known}`,
    remedy: see
  })
}

/** Succeeds with 0; every other end is a failure. */
export const run = (
  argv: readonly string[],
  screen: ScreenShape,
  beneath: Layer.Layer<BeneathAgent>
): Effect.Effect<number, unknown> =>
  Effect.suspend(() => optionProblem(argv.slice(2)) ?? runParsed(argv)).pipe(
    Effect.as(0),
    Effect.mapError((error) => (isValidationError(error) ? usageError(error, argv) : error)),
    Effect.provideService(Screen, screen),
    Effect.provide(
      Layer.mergeAll(
        CliConfig.layer({ showBuiltIns: false }),
        NodeFileSystem.layer,
        NodePath.layer,
        NodeTerminal.layer,
        beneath
      )
    ),
    printingOn(screen)
  )
