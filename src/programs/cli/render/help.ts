/** What `hooktape --help` says, and what each command says of its options: all of it from the declarations. */
import { type Action, type Command, type Commands, groups } from "../syntax/Command.ts"
import { type Argument, writtenAs } from "../syntax/parameters.ts"
import { optionsWithin } from "../syntax/read.ts"
import type { Drawing } from "./stream.ts"
import { pad } from "./style.ts"
import { hanging, wrapped } from "./wrap.ts"

type Row = readonly [string, string]

const rows = (lines: readonly Row[], { style, width }: Drawing, least = 0): readonly string[] => {
  const widest = Math.max(least, ...lines.map(([name]) => name.length))
  return lines.map(([name, text]) =>
    hanging(`  ${style.accent(pad(name, widest))}  `, text, widest + 4, width)
  )
}

const ended = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("")

const labels = (action: Action | undefined): readonly Argument<unknown>[] =>
  Object.values(action?.arguments ?? {})

/** `<ref>`, `[<ref>]` where it may be left out, `[<fixture>…]` where there may be several. */
const written = ({ count, label }: Argument<unknown>): string => {
  const several = count === "any" || count === "at least one" ? `${label}…` : label
  return count === "any" || count === "at most one" ? `[${several}]` : several
}

const headingOf = (name: string, { action, heading }: Command): string =>
  [
    name,
    heading ??
      labels(action)
        .map(({ label }) => label)
        .join(" ")
  ]
    .join(" ")
    .trimEnd()

export const helpText = (version: string, commands: Commands, drawing: Drawing): string => {
  const { style, width } = drawing
  const sections = groups.flatMap((title) => [
    "",
    style.strong(title),
    ...rows(
      Object.entries(commands)
        .filter(([, { group }]) => group === title)
        .map(([name, command]) => [headingOf(name, command), command.summary]),
      drawing,
      19
    )
  ])
  return ended([
    ...wrapped(
      `${style.strong("hooktape")} ${version}: runs the hooks of AI coding agents, and remembers what they did.`,
      width
    ),
    "",
    ...wrapped(`Usage: hooktape <command> [options]. "hooktape <command> --help" tells its options.`, width),
    ...wrapped('With "--log NAME" before it, a command asks a log of your fleet.', width),
    ...sections
  ])
}

const requiredOptions = ({ options = {} }: Action): readonly string[] =>
  Object.entries(options).flatMap(([key, { isRequired, value }]) =>
    isRequired === true ? [`${writtenAs(key)} ${value}`] : []
  )

/** What follows the name in the line "Usage:". */
export const usageLine = ({ action, line, subcommands = {} }: Command): string => {
  if (line !== undefined) return line
  const below = Object.entries(subcommands)
    .map(([name, one]) => [name, ...labels(one).map(written)].join(" "))
    .join(" | ")
  const own = action === undefined ? [] : [...labels(action).map(written), ...requiredOptions(action)]
  const hasOptions = Object.keys(optionsWithin({ subcommands, ...(action && { action }) })).length > 0
  return [
    ...(below === "" ? [] : [action === undefined ? below : `[${below}]`]),
    ...own,
    ...(hasOptions ? ["[options]"] : [])
  ].join(" ")
}

const distinct = (lines: readonly Row[]): readonly Row[] =>
  lines.filter(([name], at) => lines.findIndex(([other]) => other === name) === at)

export const commandHelp = (name: string, command: Command, drawing: Drawing): string => {
  const { style, width } = drawing
  const { action, examples = [], subcommands = {}, summary } = command
  const taken = distinct([
    ...Object.entries(subcommands).map(([below, one]): Row => [below, one.summary]),
    ...[action, ...Object.values(subcommands)].flatMap(labels).map(({ help, label }): Row => [label, help])
  ])
  // How it is printed comes last, whichever subcommand has it.
  const all = Object.entries(optionsWithin(command))
  const last = Object.keys(subcommands).length > 0 ? "json" : undefined
  const ordered = [...all.filter(([key]) => key !== last), ...all.filter(([key]) => key === last)]
  const options = ordered.map(
    ([key, { help, value }]): Row => [[writtenAs(key), value ?? ""].join(" ").trimEnd(), help]
  )
  const widest = Math.max(0, ...[...taken, ...options].map(([one]) => one.length))
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ["", style.strong(title), ...lines]
  return ended([
    ...wrapped(summary, width),
    "",
    hanging("Usage: ", `hooktape ${style.strong(name)} ${usageLine(command)}`.trimEnd(), 7, width),
    ...(taken.length === 0 ? [] : ["", ...rows(taken, drawing, widest)]),
    ...section("Options", rows(options, drawing, widest)),
    ...section(
      examples.length === 1 ? "Example" : "Examples",
      examples.map((example) => `  ${example}`)
    )
  ])
}
