/**
 * Commands by which earlier tools are called as hooks, each of which starts an interpreter, and the shipped hook that does what it does.
 * Only a command that is nothing else is known: what somebody has put around it they want.
 */
import { basename } from "node:path"

export interface EarlierCommand {
  readonly tool: string
  /** The shipped hook that stands for it. */
  readonly hook: string
}

/** Longer than any command of these. */
const longest = 2000

/** Where its output goes, and that it may fail: what its users put behind such a command. */
const ending =
  /(?:[ \t]+(?:2?>[ \t]*(?:&[12]|\/dev\/null)|&>[ \t]*\/dev\/null))*(?:[ \t]+\|\|[ \t]+true)?[ \t]*$/

/** Letters of a plain word. With anything else a shell does something besides. */
const plain = /^[\w@%+:,./~=-]+$/

const launchers: ReadonlySet<string> = new Set(["uvx", "bash", "sh", "python", "python3"])
const runners: ReadonlySet<string> = new Set(["uv", "pipx", "poetry"])

/** The words behind what starts an interpreter: `uv run --script`, `python3 -m`. */
const behindLauncher = (words: readonly string[]): readonly string[] => {
  const [first = "", second = ""] = words
  const isLauncher = launchers.has(basename(first))
  if (!isLauncher && !(runners.has(basename(first)) && second === "run")) return words
  const rest = words.slice(isLauncher ? 1 : 2)
  const at = rest.findIndex((word) => !word.startsWith("-"))
  // An option with a value of its own would be taken for the program, which is then not known.
  return at < 0 ? [] : rest.slice(at)
}

const memory = "kuzu-memory"
const ofMemory: Readonly<Record<string, string>> = {
  "session-start": "session-brief",
  enhance: "context",
  learn: "learn"
}

const known = ([program = "", ...rest]: readonly string[]): EarlierCommand | undefined => {
  const [first = "", second = ""] = rest
  const name = basename(program)
  if (/^kuzu[-_]memory$/.test(name)) {
    const hook = first === "hooks" && Object.hasOwn(ofMemory, second) ? ofMemory[second] : undefined
    return hook === undefined || rest.length > 2 ? undefined : { tool: memory, hook }
  }
  const [, script] =
    /\/kuzu[-_]memory\/(?:[\w.-]+\/)*(session_start|enhance|learn)_hook\.sh$/.exec(program) ?? []
  if (script !== undefined && rest.length === 0)
    return { tool: memory, hook: ofMemory[script.replace("_", "-")] ?? "" }
  if (/^recall-monitor(?:\.py)?$/.test(name) && rest.length === 0)
    return { tool: "recall-monitor", hook: "session-monitor" }
  return undefined
}

/** A word in quotes that would be the same without them. */
const unquoted = (word: string): string => /^(["'])(.*)\1$/.exec(word)?.[2] ?? word

export const earlierCommand = (command: string): EarlierCommand | undefined => {
  if (command.length > longest) return undefined
  const words = command
    .replace(ending, "")
    .trim()
    .split(/[ \t]+/)
    .map(unquoted)
  return words.every((word) => plain.test(word)) ? known(behindLauncher(words)) : undefined
}
