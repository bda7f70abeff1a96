/** What git is told to delete, move, put away or bring back: what lies in a folder goes along with it. */
import { existsSync } from "node:fs"
import { type Call, readOptions } from "../guard/Call.ts"
import { below, within } from "../guard/folders.ts"
import { readGit } from "../guard/packs/git.ts"
import { absolute } from "../guard/paths.ts"
import { fold } from "./guarded.ts"
import { firstMeaning, type Look, meaning } from "./meaning.ts"

/** Letters whose value is the next word, of the commands that change files under paths that they are given. */
const changing: Readonly<Record<string, string>> = {
  rm: "",
  mv: "",
  clean: "e",
  checkout: "bB",
  restore: "s",
  stash: "m",
  "checkout-index": ""
}

/** It only shows what it would do, or leaves the files themselves as they are. */
const leavesFiles = (verb: string, flags: ReadonlySet<string>): boolean => {
  if (verb !== "checkout" && verb !== "stash" && (flags.has("n") || flags.has("--dry-run"))) return true
  if (verb === "rm") return flags.has("--cached")
  const isStaged = flags.has("S") || flags.has("--staged")
  return verb === "restore" && isStaged && !flags.has("W") && !flags.has("--worktree")
}

/** `:!x`, `:/^x`, `:(top,exclude)x`. */
const isLeftOut = (path: string): boolean => /^:(?:\/?[!^]|\((?:[^)]*,)?exclude[,)])/.test(path)

/** `:/x` and `:(top)x` are `x`. What is left out is not meant; where nothing else is named, all the rest is. */
const named = (paths: readonly string[]): readonly string[] => {
  const meant = paths.filter((path) => !isLeftOut(path))
  return meant.length === 0 && paths.length > 0
    ? ["."]
    : meant.map((path) => path.replace(/^:(?:\([^)]*\)|\/)/, ""))
}

/** All of a project is meant where none of it is named: to bring that back is everyday work, to delete it is not. */
const meaningOfAll = (path: string, verb: string, { guarded }: Look): string | undefined =>
  verb === "rm"
    ? guarded.find((one) => one.path !== "" && below(one.path, fold(path)) && existsSync(one.path))?.what
    : undefined

export const versioned = (call: Call, look: Look): string | undefined => {
  const { args, verb } = (call.name === "git" ? readGit(call) : undefined) ?? {}
  const valued = verb !== undefined && Object.hasOwn(changing, verb) ? changing[verb] : undefined
  if (args === undefined || verb === undefined || valued === undefined) return undefined
  const { flags, operands } = readOptions(args, valued)
  if (leavesFiles(verb, flags)) return undefined
  return firstMeaning(named(operands.flatMap(({ values }) => values)), (value) => {
    const path = absolute(value, call.state)
    return path !== undefined && within(call.state.place.project, path)
      ? meaningOfAll(path, verb, look)
      : meaning(value, call, look, true)
  })
}
