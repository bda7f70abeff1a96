/** Reads the words of a command line by the command's declaration: what is to be done with which values, or what is wrong. Pure. */
import { didYouMean } from "../../../hooks/Problem.ts"
import { printable } from "../../../state/terminalText.ts"
import type { Action, Command } from "./Command.ts"
import { type Argument, type Option, type Options, writtenAs } from "./parameters.ts"

/** What is wrong, and what to do about it. */
export interface UsageProblem {
  readonly reason: string
  readonly remedy: string
}

export type Given = Readonly<Record<string, unknown>>

export type Reading =
  | { readonly kind: "help" }
  | { readonly kind: "run"; readonly action: string | undefined; readonly given: Given }
  | { readonly kind: "problem"; readonly problem: UsageProblem }

const clip = (word: string): string => {
  const shown = printable(word)
  return shown.length > 40 ? `${shown.slice(0, 40)}…` : shown
}

const isOption = (word: string): boolean => /^-{1,2}[A-Za-z][\w-]*(?:=|$)/.test(word)

export const unknownCommand = (word: string, known: readonly string[], within = ""): UsageProblem => ({
  reason: `there is no command "${within}${clip(word)}"`,
  remedy: didYouMean(word, known)
})

const see = (name: string): string => `See "hooktape ${name} --help".`

/** All options that a command and its subcommands take, each once. */
export const optionsWithin = ({
  action,
  subcommands = {}
}: Pick<Command, "action" | "subcommands">): Options =>
  Object.fromEntries(
    [action, ...Object.values(subcommands)]
      .flatMap((one) => Object.entries(one?.options ?? {}))
      .filter(([key], at, all) => all.findIndex(([other]) => other === key) === at)
  )

/** Text in place of a name was most likely meant: `hooktape explain rm -rf x`. */
const quoteIt = (name: string, { arguments: taken = {} }: Action, word: string): string => {
  const [first] = Object.values(taken)
  if (first === undefined || first.label === "<ref>") return ""
  return name === "explain" && !word.startsWith("--")
    ? "Quote the command, or put \"--\" before it: hooktape explain 'rm -rf ../x'."
    : `Quote what is no option, or put "--" before it.`
}

const unknownOption = (
  path: string,
  action: Action | undefined,
  word: string,
  options: Options
): UsageProblem => {
  const known = Object.keys(options).map(writtenAs)
  const near = known.length === 0 ? see(path.split(" ")[0] ?? "") : didYouMean(word, known)
  const quote = action === undefined ? "" : quoteIt(path, action, word)
  const isText = action !== undefined && !word.startsWith("--") && quote !== ""
  return {
    reason: `"hooktape ${path}" has no option ${printable(word.slice(0, 40))}`,
    remedy: isText ? quote : near.startsWith("Did") || quote === "" ? near : `${near} ${quote}`
  }
}

/** Thrown inside `readAction` only. */
class Misread {
  readonly problem: UsageProblem
  constructor(problem: UsageProblem) {
    this.problem = problem
  }
}

const wrong = (name: string, reason: string): never => {
  throw new Misread({ reason, remedy: see(name) })
}

const valueOf = (
  name: string,
  written: string,
  { choices = [], kind }: Option<unknown>,
  word: string
): unknown => {
  if (kind === "integer" && !/^[+-]?\d+$/.test(word))
    return wrong(name, `${written} wants a whole number, not "${clip(word)}"`)
  if (kind === "number" && (word.trim() === "" || !Number.isFinite(Number(word))))
    return wrong(name, `${written} wants a number, not "${clip(word)}"`)
  if (kind === "choice" && !choices.includes(word))
    return wrong(name, `${written} is one of ${choices.join(", ")}, not "${clip(word)}"`)
  return kind === "integer" || kind === "number" ? Number(word) : word
}

const flagValue = (name: string, written: string, joined: string | undefined): boolean => {
  if (joined !== undefined && joined !== "true" && joined !== "false")
    return wrong(name, `${written} takes no value`)
  return joined !== "false"
}

const withoutOptions = (name: string, options: Options, given: Given): Given =>
  Object.fromEntries(
    Object.entries(options).map(([key, { choices = [], isRepeated, isRequired, kind, otherwise }]) => {
      if (key in given) return [key, given[key]]
      if (isRequired === true) {
        const known = choices.length === 0 ? "" : `: one of ${choices.join(", ")}`
        return wrong(name, `${writtenAs(key)} is missing${known}`)
      }
      return [key, kind === "flag" ? false : isRepeated === true ? [] : otherwise]
    })
  )

const takenArguments = (
  name: string,
  path: string,
  declared: readonly [string, Argument<unknown>][],
  words: readonly string[]
): Given => {
  const left = [...words]
  const given = declared.map(([key, { count, label }]) => {
    if (count === "any" || count === "at least one") {
      const all = left.splice(0)
      return all.length === 0 && count === "at least one"
        ? wrong(name, `Missing argument ${label}`)
        : [key, all]
    }
    const word = left.shift()
    return word === undefined && count === "one" ? wrong(name, `Missing argument ${label}`) : [key, word]
  })
  const [extra] = left
  if (extra !== undefined)
    return wrong(
      name,
      `"${clip(extra)}" is one word too many: "hooktape ${path}" takes ${
        declared.length === 0 ? "no arguments" : declared.map(([, { label }]) => label).join(" ")
      }`
    )
  return Object.fromEntries(given)
}

/** What follows `--` is nobody's option, and a word after an option that takes one is its value, whatever it looks like. */
const readAction = (name: string, path: string, action: Action, words: readonly string[]): Given => {
  const { arguments: taken = {}, options = {} } = action
  const byName = new Map(Object.entries(options).map(([key, option]) => [writtenAs(key), { key, option }]))
  const given: Record<string, unknown> = {}
  const rest: string[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ""
    if (word === "--") {
      rest.push(...words.slice(at + 1))
      break
    }
    if (!isOption(word)) {
      rest.push(word)
      continue
    }
    const equals = word.indexOf("=")
    const written = equals === -1 ? word : word.slice(0, equals)
    const joined = equals === -1 ? undefined : word.slice(equals + 1)
    const found = byName.get(written)
    if (found === undefined) throw new Misread(unknownOption(path, action, written, options))
    const { key, option } = found
    if (option.kind === "flag") {
      given[key] = flagValue(name, written, joined)
      continue
    }
    const next = joined ?? words[++at]
    if (next === undefined || (joined === undefined && (next === "--" || byName.has(next))))
      return wrong(
        name,
        `${written} wants a value: ${written} ${option.value}. ${option.help.replace(/\.$/, "")}`
      )
    const value = valueOf(name, written, option, next)
    given[key] = option.isRepeated === true ? [...((given[key] as unknown[]) ?? []), value] : value
  }
  return {
    ...withoutOptions(name, options, given),
    ...takenArguments(name, path, Object.entries(taken), rest)
  }
}

/** `hooktape jobs --state dead`: an option of a subcommand, without the subcommand. */
const onlyAfter = (name: string, command: Command, word: string): UsageProblem => {
  const [written = ""] = word.split("=")
  const options = optionsWithin(command)
  const known = Object.keys(options).map(writtenAs)
  return known.includes(written)
    ? {
        reason: `"hooktape ${name}" takes ${written} only after one of ${Object.keys(command.subcommands ?? {}).join(", ")}`,
        remedy: see(name)
      }
    : unknownOption(name, undefined, written, options)
}

const asksForHelp = (words: readonly string[]): boolean => {
  const end = words.indexOf("--")
  const own = end === -1 ? words : words.slice(0, end)
  return own.includes("--help") || own.includes("-h")
}

/** `words` are those after the command's name. */
export const readWords = (name: string, command: Command, words: readonly string[]): Reading => {
  const { action, subcommands = {} } = command
  const [first, ...others] = words
  if (asksForHelp(words) || (first === undefined && action === undefined)) return { kind: "help" }
  const below = first !== undefined && Object.hasOwn(subcommands, first) ? subcommands[first] : undefined
  const isStray = first !== undefined && isOption(first)
  if (below === undefined && Object.keys(subcommands).length > 0 && first !== undefined) {
    const [written = ""] = first.split("=")
    const own = action?.options ?? {}
    if (isStray && !Object.keys(own).map(writtenAs).includes(written))
      return { kind: "problem", problem: onlyAfter(name, command, first) }
    if (!isStray && Object.keys(action?.arguments ?? {}).length === 0)
      return { kind: "problem", problem: unknownCommand(first, Object.keys(subcommands), `${name} `) }
  }
  const chosen = below ?? action
  if (chosen === undefined) return { kind: "help" }
  const path = below === undefined ? name : `${name} ${first}`
  try {
    const given = readAction(name, path, chosen, below === undefined ? words : others)
    return { kind: "run", action: below === undefined ? undefined : first, given }
  } catch (error) {
    if (error instanceof Misread) return { kind: "problem", problem: error.problem }
    throw error
  }
}
