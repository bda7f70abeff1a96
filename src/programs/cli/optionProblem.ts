/** What is wrong with the options of a command line, said by their names: the parser speaks of arguments and commands instead. */
import { didYouMean } from "../../hooks/Problem.ts"
import { printable } from "../../state/terminalText.ts"
import { CliError } from "./CliError.ts"
import { type CommandName, isCommand, usage } from "./usage.ts"

interface Known {
  readonly name: string
  /** What stands for its value in the help; none where it takes none. */
  readonly value: string | undefined
  readonly words: string
}

/** Every command has these, whatever its help says. */
const everywhere = ["--help", "-h", "--version", "--completions", "--log-level", "--wizard"]

const optionsOf = (command: CommandName): readonly Known[] =>
  (usage[command].options ?? []).map(([written, words]) => {
    const [name = "", value] = written.split(" ")
    return { name, value, words }
  })

const isOption = (word: string): boolean => /^-{1,2}[A-Za-z][\w-]*(?:=|$)/.test(word)

const unknownOption = (command: CommandName, word: string, known: readonly Known[]): CliError => {
  const near = didYouMean(
    word,
    known.map(({ name }) => name)
  )
  const quote = `Quote what is no option, or put "--" before it.`
  const remedy =
    command === "explain" && !word.startsWith("--")
      ? "Quote the command, or put \"--\" before it: hooktape explain 'rm -rf ../x'."
      : near.startsWith("Did") || known.length === 0
        ? near
        : `${near} ${["search", "note", "explain"].includes(command) ? quote : ""}`.trim()
  return new CliError({
    what: "usage",
    reason: `"hooktape ${command}" has no option ${printable(word.slice(0, 40))}`,
    remedy
  })
}

const withoutValue = (command: CommandName, { name, value, words }: Known): CliError =>
  new CliError({
    what: "usage",
    reason: `${name} wants a value: ${name} ${value}. ${words.replace(/\.$/, "")}`,
    remedy: `See "hooktape ${command} --help".`
  })

/** What follows `--` is nobody's option, and a word after an option that takes one is its value, whatever it looks like. */
export const optionProblem = (words: readonly string[]): CliError | undefined => {
  const [command, ...rest] = words
  if (!isCommand(command)) return undefined
  const known = optionsOf(command)
  for (let at = 0; at < rest.length && rest[at] !== "--"; at++) {
    const word = rest[at] ?? ""
    if (!isOption(word)) continue
    const name = word.split("=")[0] ?? ""
    if (everywhere.includes(name)) continue
    const option = known.find((one) => one.name === name)
    if (option === undefined) return unknownOption(command, name, known)
    if (option.value === undefined || word.includes("=")) continue
    const next = rest[at + 1]
    if (next === undefined || next === "--" || known.some((one) => one.name === next))
      return withoutValue(command, option)
    at += 1
  }
  return undefined
}

/** The option that was given this value. */
export const optionWith = (words: readonly string[], value: string): string | undefined => {
  const joined = words.find((word) => /^--[a-z-]+=/.test(word) && word.slice(word.indexOf("=") + 1) === value)
  if (joined !== undefined) return joined.slice(0, joined.indexOf("="))
  const at = words.findIndex((word, index) => word === value && words[index - 1]?.startsWith("--") === true)
  return at === -1 ? undefined : words[at - 1]
}

/** The option of which one of these was expected, and what it was given. */
export const choiceGiven = (
  words: readonly string[],
  expected: readonly string[]
): { readonly option: string; readonly value: string } | undefined => {
  const [command] = words
  if (!isCommand(command)) return undefined
  const pairs = words.flatMap((word, at) => {
    const [option = "", joined] = word.split("=")
    return option.startsWith("--") ? [{ option, value: joined ?? words[at + 1] ?? "" }] : []
  })
  const chosen = pairs.filter(({ option, value }) => {
    const known = optionsOf(command).find(({ name }) => name === option)
    return known !== undefined && !expected.includes(value) && known.words.includes(expected[0] ?? "")
  })
  return chosen[0]
}
