/** One command as it would be started, with what is piped into it: what every rule looks at. */
import { type Argument, first } from "./expand.ts"
import type { Verdict } from "./rule.ts"
import type { Redirect, Stage, Word } from "./script.ts"
import type { ShellState } from "./shellState.ts"

export interface Call {
  /** Without its directory. */
  readonly name: string
  readonly args: readonly Argument[]
  readonly redirects: readonly Redirect[]
  /** What stands before it in its pipeline. */
  readonly upstream: readonly Stage[]
  /** Started by `xargs`: what comes through the pipeline are further arguments. */
  readonly fed: boolean
  readonly state: ShellState
  /** Its words as they were written, with all that only starts it, where it was written as words. */
  readonly words?: readonly Word[]
  /** What is told to commands that start it and write down how it went: `strace -o`. */
  readonly recorded?: readonly Argument[]
  /** The name with its directory. */
  readonly path?: string
  /** What is set for it alone, as `NAME=value`. */
  readonly set?: readonly Argument[]
  /** What starts it has a shell read this, in place of its words. */
  readonly line?: string
  /** Several commands, in brackets or in a loop: what they are redirected to is for what they print. */
  readonly group?: true
  /** The program that it is started by as a script or a package of that name: `yarn run`. */
  readonly by?: string
}

export type Rule = (call: Call) => Verdict | undefined

export const textsOf = (args: readonly Argument[]): readonly string[] => args.map(first)

export interface Options {
  /** Letters and long names, as they were written. */
  readonly flags: ReadonlySet<string>
  readonly operands: readonly Argument[]
}

/** Options and operands, wherever the options stand. `valued`: letters that take a value. */
export const readOptions = (args: readonly Argument[], valued = ""): Options => {
  const flags = new Set<string>()
  const operands: Argument[] = []
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as Argument
    const text = first(arg)
    if (text === "--") {
      operands.push(...args.slice(at + 1))
      break
    }
    if (text.startsWith("--")) flags.add(text.split("=", 1)[0] as string)
    else if (text.startsWith("-") && text.length > 1) {
      for (let letter = 1; letter < text.length; letter++) {
        const char = text[letter] as string
        flags.add(char)
        if (!valued.includes(char)) continue
        if (letter === text.length - 1) at++
        break
      }
    } else operands.push(arg)
  }
  return { flags, operands }
}

/** What a command is when it starts: its name without a directory. */
export const nameOf = (text: string): string => text.slice(text.lastIndexOf("/") + 1)

export const shown = (text: string, most = 80): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text
