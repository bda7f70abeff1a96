/** The declaration of a command: everything about it in one value. Parsing, help, completions and the reference follow from it. */
import type * as Effect from "effect/Effect"
import type { BeneathAgent } from "../../../trust/BeneathAgent.ts"
import type { Screen } from "../Screen.ts"
import type { Arguments, Options, Values } from "./parameters.ts"

/** A number is the exit code. */
export type Work = Effect.Effect<unknown, unknown, Screen | BeneathAgent>

/** In the order of the help. */
export const groups = ["Set up", "Try out", "Look back", "Remember", "Look after", "Reference"] as const

/** Whether the command can leave the agent with fewer guards: one that weakens them is refused beneath an agent. */
type GuardEffect<Given> = "keeps" | "weakens" | ((given: Given) => boolean | Effect.Effect<boolean, unknown>)

/**
 * Whether the command may ask a log of a fleet, `hooktape --log NAME`: only one that reads the log that it is given, and nothing else of this
 * machine. One that is about the project around the working directory is about all of them there, whose names are others.
 */
type OfFleet = "as asked" | "of all projects"

/** Every command there is, by its name. */
export type Commands = Readonly<Record<string, Command>>

/** All declarations, for a command that speaks of the others. */
type Others = () => Promise<Commands>

interface Declared<A, O, Given> {
  readonly summary: string
  readonly arguments?: A
  readonly options?: O
  readonly examples: readonly [string, ...string[]]
  readonly guards: GuardEffect<Given>
  readonly ofFleet?: OfFleet
  readonly run: (given: Given, others: Others) => Work
}

/** What is done for one line of words: a command without further ones below it, or one of those. */
export interface Action {
  readonly summary: string
  readonly arguments?: Arguments
  readonly options?: Options
  readonly examples: readonly string[]
  readonly guards: GuardEffect<never>
  readonly ofFleet?: OfFleet
  readonly run: (given: never, others: Others) => Work
}

interface Naming {
  readonly group: (typeof groups)[number]
  readonly summary: string
  /** After the name in the list of all commands, where the arguments alone would not say it. */
  readonly heading?: string
  /** After the name in the line "Usage:", where it does not follow from what is declared. */
  readonly line?: string
  readonly examples?: readonly string[]
  readonly subcommands?: Readonly<Record<string, Action>>
}

/** `action` is what the command does by itself; it has one, or subcommands, or both. */
export interface Command extends Naming {
  readonly action?: Action
}

/** A subcommand, or what a command does by itself. The handler's type follows from arguments and options. */
export const defineAction = <
  A extends Arguments = Record<never, never>,
  O extends Options = Record<never, never>
>(
  declared: Declared<A, O, Values<A> & Values<O>>
): Action => declared

/** A command that does one thing. */
export const defineCommand = <
  A extends Arguments = Record<never, never>,
  O extends Options = Record<never, never>
>(
  declared: Naming & Declared<A, O, Values<A> & Values<O>>
): Command => {
  const { group, heading, line, subcommands, ...action } = declared
  return {
    group,
    summary: action.summary,
    ...(heading === undefined ? {} : { heading }),
    ...(line === undefined ? {} : { line }),
    ...(subcommands === undefined ? {} : { subcommands }),
    examples: action.examples,
    action
  }
}

/** A command that only has others below it. */
export const defineGroup = (
  declared: Naming & { readonly subcommands: Readonly<Record<string, Action>> }
): Command => declared
