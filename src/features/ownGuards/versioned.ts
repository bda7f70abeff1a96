/** What git is told to delete, move, put away or bring back: what lies in a folder goes along with it. */
import { existsSync } from "node:fs"
import { type Call, type Options, readOptions } from "../guard/Call.ts"
import { first } from "../guard/expand.ts"
import { below, within } from "../guard/folders.ts"
import { readGit } from "../guard/packs/gitCall.ts"
import { absolute } from "../guard/paths.ts"
import { unknown } from "../guard/script.ts"
import { valuesOf } from "../guard/shellState.ts"
import { fold, type Guarded } from "./guarded.ts"
import { firstMeaning, type Look, mayBe, meaning } from "./meaning.ts"
import { type Pathspec, pathspecsOf } from "./pathspecs.ts"

/** Letters whose value is the next word, of the commands that change files under paths that they are given. */
const changing: Readonly<Record<string, string>> = {
  rm: "",
  mv: "",
  clean: "e",
  checkout: "bB",
  restore: "s",
  reset: "",
  stash: "m",
  "checkout-index": ""
}

/** It only shows what it would do, or leaves the files themselves as they are. */
const leavesFiles = (verb: string, flags: ReadonlySet<string>): boolean => {
  if (verb === "reset") return !["--hard", "--merge", "--keep"].some((flag) => flags.has(flag))
  if (/^(?:rm|mv|clean)$/.test(verb) && (flags.has("n") || flags.has("--dry-run"))) return true
  if (verb === "rm") return flags.has("--cached")
  const isStaged = flags.has("S") || flags.has("--staged")
  return verb === "restore" && isStaged && !flags.has("W") && !flags.has("--worktree")
}

/** What is brought back is another version than the one that is worked on. */
const isFromElsewhere = (verb: string, { flags }: Options, texts: readonly string[], call: Call): boolean => {
  if (verb === "restore") return flags.has("s") || flags.has("--source")
  if (verb !== "checkout") return false
  const own = texts.filter((text) => !text.startsWith("-") || text === "--")
  const [version = "--", next] = own
  const isPath = () => existsSync(absolute(version, call.state) ?? "")
  return next !== undefined && !/^(?:--|HEAD|@)$/.test(version) && (next === "--" || !isPath())
}

/** Where the paths lie: in the folder that git is started in, and in the tree that it is told to work on. */
const foldersOf = (
  call: Call,
  texts: readonly string[],
  settings: readonly string[]
): readonly (string | undefined)[] => {
  const at = texts.findIndex((text) => /^--work-tree(?:=|$)/.test(text))
  const told = at < 0 ? [] : [texts[at]?.split("=", 2)[1] ?? texts[at + 1] ?? ""]
  const set = settings.flatMap((setting) => /^core\.worktree=(.+)$/is.exec(setting)?.[1] ?? [])
  const trees = [...told, ...set, ...(valuesOf(call.state, "GIT_WORK_TREE") ?? [])].filter(
    (tree) => tree !== ""
  )
  return [call.state.cwd, ...trees.map((tree) => absolute(tree, call.state))]
}

/** All of a project is meant where none of it is named: to bring that back is everyday work, to delete it is not. */
const meaningOfAll = (path: string, { guarded }: Look): string | undefined =>
  guarded.find((one) => one.path !== "" && below(one.path, fold(path)) && existsSync(one.path))?.what

/** As git has it, `*` stands for folders as well, and for names that begin with a dot. */
const fitsTo = (path: string, { anyCase }: Pathspec): ((other: string) => boolean) => {
  const asMeant = (text: string) => (anyCase ? text.toLowerCase() : text)
  const pattern = asMeant(fold(path)).replaceAll(/\*+/g, unknown)
  return (other) => mayBe(pattern, asMeant(other), true)
}

const meaningOfPattern = (path: string, spec: Pathspec, { guarded }: Look): string | undefined => {
  const isFitting = fitsTo(path, spec)
  return guarded.find((one) => one.path !== "" && isFitting(one.path) && existsSync(one.path))?.what
}

/** What else is named is meant where nothing is but what is left out. */
const everything: Pathspec = {
  path: ".",
  isLeftOut: false,
  isAtTop: false,
  anyCase: false,
  isPattern: false
}

const withoutLeftOut = (guarded: readonly Guarded[], paths: readonly string[]): readonly Guarded[] =>
  paths.length === 0
    ? guarded
    : guarded.filter(({ path }) => path === "" || !paths.some((one) => within(path, fold(one))))

/** What a command of git changes, in words, where it is one that is given paths of files; undefined for any other. */
export const versioned = (call: Call, look: Look): { readonly what: string | undefined } | undefined => {
  const { args, settings = [], verb } = (call.name === "git" ? readGit(call) : undefined) ?? {}
  const valued = verb !== undefined && Object.hasOwn(changing, verb) ? changing[verb] : undefined
  if (args === undefined || verb === undefined || valued === undefined) return undefined
  const options = readOptions(args, valued)
  if (leavesFiles(verb, options.flags)) return { what: undefined }
  const folders = foldersOf(call, call.args.map(first), settings)
  const { project } = call.state.place
  const at = ({ isAtTop, path }: Pathspec, folder: string | undefined): string | undefined =>
    absolute(path, { ...call.state, cwd: isAtTop ? project : folder })
  const all = pathspecsOf(options.operands, call)
  const leftOut = all.filter(({ isLeftOut }) => isLeftOut)
  const named = all.filter(({ isLeftOut }) => !isLeftOut)
  const free = {
    ...look,
    guarded: withoutLeftOut(
      look.guarded,
      leftOut.flatMap((spec) => folders.flatMap((folder) => at(spec, folder) ?? []))
    )
  }
  const takesAll = verb === "rm" || isFromElsewhere(verb, options, args.map(first), call)
  const meaningOf = (spec: Pathspec, folder: string | undefined): string | undefined => {
    const path = at(spec, folder)
    if (path === undefined) return undefined
    if (within(project, path) || (/^\*+$/.test(spec.path) && spec.isPattern))
      return takesAll ? meaningOfAll(within(project, path) ? path : (folder ?? path), free) : undefined
    if (spec.isPattern || spec.anyCase) return meaningOfPattern(path, spec, free)
    return meaning(path, call, look, true)
  }
  const specs = named.length === 0 && leftOut.length > 0 ? [everything] : named
  return {
    what:
      firstMeaning(folders, (folder) => firstMeaning(specs, (spec) => meaningOf(spec, folder))) ??
      firstMeaning(folders, (folder) => folder && meaning(folder, call, look, false))
  }
}
