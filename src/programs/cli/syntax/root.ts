/** What the first words of a command line ask for, before the command itself is looked at. Pure. */
import { type UsageProblem, unknownCommand } from "./read.ts"

export type Asked =
  | { readonly kind: "overview" | "version" | "help" }
  | {
      readonly kind: "command"
      readonly name: string
      readonly words: readonly string[]
      /** The log that is asked, where it is not the one of this machine. */
      readonly log?: string
    }
  | { readonly kind: "problem"; readonly problem: UsageProblem }

/** `hooktape help show` is `hooktape show --help`. */
const helpOf = (words: readonly string[], names: readonly string[]): Asked => {
  const [name] = words
  if (name === undefined) return { kind: "help" }
  return names.includes(name)
    ? { kind: "command", name, words: ["--help"] }
    : { kind: "problem", problem: unknownCommand(name, names) }
}

const misused = (reason: string): Asked => ({
  kind: "problem",
  problem: { reason, remedy: 'Write "hooktape --log NAME <command>".' }
})

const readLog = (words: readonly string[], names: readonly string[]): Asked => {
  const [first = "", ...others] = words
  const [log, rest] = first.startsWith("--log=")
    ? [first.slice("--log=".length), others]
    : [others[0] ?? "", others.slice(1)]
  if (log === "" || log.startsWith("-")) return misused("--log wants the name of a log")
  const asked = readRoot(rest, names)
  if (asked.kind === "problem") return asked
  return asked.kind === "command" && asked.log === undefined
    ? { ...asked, log }
    : misused("--log goes with one command")
}

export const readRoot = (words: readonly string[], names: readonly string[]): Asked => {
  const [first, ...others] = words
  if (first === "--log" || first?.startsWith("--log=")) return readLog(words, names)
  if (first === undefined) return { kind: "overview" }
  if (first === "help") return helpOf(others, names)
  if (first === "--help" || first === "-h") return { kind: "help" }
  if (first === "--version" || first === "-v") return { kind: "version" }
  return names.includes(first)
    ? { kind: "command", name: first, words: others }
    : { kind: "problem", problem: unknownCommand(first, names) }
}
