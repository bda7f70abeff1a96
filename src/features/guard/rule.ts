/** What a rule of `guard-destructive` says of a command, and where the command is to run. */

import type { Environment } from "../../state/callEnvironment.ts"
import type { Recipe } from "./recipes/Recipe.ts"
import { type RuleId, rules } from "./rules.ts"
import type { TreeState } from "./tree.ts"

export type { RuleId }

export const ruleIds = Object.keys(rules) as readonly RuleId[]

/** Stop it, or let the human decide. */
export type Action = "block" | "ask"

export interface Verdict {
  readonly rule: RuleId
  /** A sentence that names what in this command is meant. */
  readonly reason: string
  /** Where it differs from what the rule does as shipped. */
  readonly action?: Action
  /** What it says depends on this directory's working tree, which nobody has looked at yet. */
  readonly look?: string
  /** The command was not read to its end: this is told letter by letter. */
  readonly unread?: true
}

export interface Links {
  readonly seen: Map<string, string>
  readonly wanted: Set<string>
}

/** What the client of a database speaks. */
export type Language = "sql" | "documents" | "keys"

/** Files on the disk that a client is told to run: what each does to data (nothing is ""), and those that nobody has looked into yet. */
export interface Files {
  readonly seen: Map<string, string>
  readonly wanted: Map<string, Language>
}

/** What in a script on the disk nobody ever means. */
export interface ScriptDoes {
  readonly rule: RuleId
  readonly reason: string
}

/** A script on the disk, and how it is started: its words mean something else in another folder, and with other arguments. */
export interface StartedScript {
  /** The folder that is searched for it, where it is a recipe. */
  readonly path: string
  readonly cwd: string
  /** What it is given, where all of that is known; never empty. */
  readonly args?: readonly string[]
  /** What is set for it alone, as `NAME=value`, as far as that is known; never empty. */
  readonly set?: readonly string[]
  /** What of a file is started, where that is not all of it. */
  readonly recipe?: Recipe
}

/** Scripts that a shell is told to run: what each does (`null` where that is nothing), and those that nobody has read yet. By `scriptKey`. */
export interface Scripts {
  readonly seen: Map<string, ScriptDoes | null>
  readonly wanted: Map<string, StartedScript>
  /** The text that starts them is that of so many packages. */
  readonly ofPackages?: number
}

export const scriptKey = ({ args = [], cwd, path, recipe, set = [] }: StartedScript): string =>
  [cwd, path, ...args, "", ...set, ...(recipe === undefined ? [] : ["", JSON.stringify(recipe)])].join("\0")

/** Where a command is to run, and what its author allows there. */
export interface Place {
  readonly project: string
  readonly cwd: string
  readonly home: string
  /** Directories whose contents come and go. Default `/tmp`, `/var/tmp` and the like. */
  readonly temporary?: readonly string[]
  /** Further directories in which anything may be deleted. */
  readonly allow?: readonly string[]
  /** Rules that are switched off. */
  readonly off?: readonly string[]
  /** What the packs do, where that differs from what is shipped. */
  readonly packs?: Readonly<Record<string, Action | "off">>
  /** What is uncommitted in a directory, as far as somebody looked; `null` where that failed. */
  readonly trees?: ReadonlyMap<string, TreeState | null>
  /** Directories whose working tree would decide, and at which nobody has looked yet. Without it nobody looks. */
  readonly wantedTrees?: Set<string>
  /** Where folders of the project really lie, as far as somebody looked, and where nobody has yet. */
  readonly links?: Links
  /** Files that a database's client is told to run, the same. */
  readonly files?: Files
  /** Scripts that a shell is told to run, the same. */
  readonly scripts?: Scripts
  /** What is set where the command is to run. Without it nobody can tell that a variable is not. */
  readonly environment?: Environment
}

/** What a verdict comes to: the user's choice for the pack, else the rule's own, else as shipped. */
export const actionOf = ({ action, rule }: Verdict, place: Place): Action => {
  const { pack, action: shipped } = rules[rule]
  const chosen = place.packs !== undefined && Object.hasOwn(place.packs, pack) ? place.packs[pack] : undefined
  return chosen === "ask" || chosen === "block" ? chosen : (action ?? shipped)
}
