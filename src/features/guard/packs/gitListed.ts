/** Files of a working tree that are destroyed by a list which git itself prints: `git ls-files -m | xargs rm`. */
import { type Call, type Rule, readOptions, textsOf } from "../Call.ts"
import { type Argument, argumentsOf, first } from "../expand.ts"
import type { Verdict } from "../rule.ts"
import { type Pipeline, type Stage, unknown, type Word } from "../script.ts"
import { type GitList, keepThing, type ShellState } from "../shellState.ts"
import { hasKept, type TreeState } from "../tree.ts"
import { asksTree, changedThere } from "../uncommitted.ts"
import { unwrap } from "../unwrap.ts"
import { type Git, readGit } from "./gitCall.ts"

const nothing = { changed: false, untracked: false, ignored: false }

const listedFiles = ({ args }: Git): Omit<GitList, "folder"> => {
  const { flags, operands } = readOptions(args, "xX")
  const has = (...names: readonly string[]): boolean => names.some((name) => flags.has(name))
  const others = has("o", "--others")
  const isIgnored = has("i", "--ignored")
  const isChosen = others || has("d", "--deleted", "m", "--modified", "u", "--unmerged", "k", "--killed")
  return {
    changed: has("m", "--modified", "c", "--cached") || !isChosen,
    untracked: others && !isIgnored,
    ignored: others && (isIgnored || !has("--exclude-standard")),
    paths: operands.map(first)
  }
}

/** Before `--` may stand what it is compared with. */
const differing = ({ texts }: Git): Omit<GitList, "folder"> => {
  const isNames = texts.some((text) => text.startsWith("--name-only"))
  const dashes = texts.indexOf("--")
  return {
    ...nothing,
    changed: isNames && !texts.some((text) => /^--diff-filter=[DU]+$/.test(text)),
    paths: dashes < 0 ? [] : texts.slice(dashes + 1)
  }
}

const listed = (git: Git): Omit<GitList, "folder"> | undefined => {
  switch (git.verb) {
    case "ls-files":
      return listedFiles(git)
    case "diff":
      return differing(git)
    case "status":
      return git.texts.some((text) => /^(?:-\w*s\w*|--short|--porcelain\S*)$/.test(text))
        ? { ...nothing, changed: true, untracked: true, paths: [] }
        : undefined
    default:
      return undefined
  }
}

/** What a status begins a line with, where a filter asks for that. */
const status = /^\^?(\\?\?|\(?\\?\?\\?\?|\s?[MA]|\[MA)/

const chosenBy = (words: readonly string[], list: GitList, isStatus: boolean): GitList | undefined => {
  const [name = "", ...rest] = words
  if (!/^(?:[ef]?grep|rg|g?m?awk)$/.test(name)) return list
  const pattern = rest.find((word) => !word.startsWith("-")) ?? ""
  if (/awk$/.test(name) && !/^\s*\/|[~=<>]/.test(pattern)) return list
  if (rest.some((word) => /^-[a-zA-Z]*v|^--invert/.test(word))) return list
  const [, said] = isStatus ? (status.exec(pattern.replace(/^\s*\/|["']/g, "")) ?? []) : []
  if (said === undefined) return undefined
  return said.includes("?") ? { ...list, changed: false } : { ...list, untracked: false }
}

/** What a pipeline lists of a working tree; undefined where it lists nothing of it, or only what its names are chosen by. */
export const gitListOf = (pipeline: Pipeline, shell: ShellState): GitList | undefined => {
  const wordsOf = (stage: Stage) => unwrap(argumentsOf(stage.words, shell), shell.budget)
  const source = pipeline[0] === undefined ? undefined : wordsOf(pipeline[0])
  if (source?.name !== "git") return undefined
  const git = readGit({ ...source, redirects: [], upstream: [], state: shell })
  const found = git === undefined ? undefined : listed(git)
  if (git === undefined || found === undefined) return undefined
  let list: GitList | undefined = { ...found, folder: git.folder }
  for (const stage of pipeline.slice(1)) {
    const { args = [], name = "" } = wordsOf(stage) ?? {}
    list = list && chosenBy([name, ...textsOf(args)], list, git.verb === "status")
  }
  return list
}

/** The list of `$(git ls-files -m)` that stands alone in a word, or of the variable that goes through one. */
const listIn = (word: Word, shell: ShellState): GitList | undefined => {
  const [part, another] = word.filter((one) => one.kind !== "text" || one.text !== "")
  if (part === undefined || another !== undefined || part.kind === "text") return undefined
  if (part.kind === "variable") return shell.lists.get(part.name)
  const [pipeline, second] = part.script
  return pipeline === undefined || second !== undefined ? undefined : gitListOf(pipeline, shell)
}

/** Of a variable what it goes through, or anything else in its place. */
export const followList = (name: string, list: GitList | undefined, shell: ShellState): void => {
  if (list === undefined) shell.lists.delete(name)
  else keepThing(shell, shell.lists, name, list)
}

export const followListed = (name: string, words: readonly Word[], shell: ShellState): void => {
  const [word, another] = words
  followList(name, word === undefined || another !== undefined ? undefined : listIn(word, shell), shell)
}

const destroyers = new Set("rm rimraf shred unlink truncate srm wipe".split(" "))

const fits = (path: string, spec: string): boolean => {
  const plain = spec.replace(/^\.\//, "").replace(/\/+$/, "")
  if (plain === "" || /^\.{1,2}$|^:|[?[]/.test(plain) || plain.includes(unknown)) return true
  if (!plain.includes("*")) return `/${path}/`.includes(`/${plain}/`)
  const pattern = plain.replaceAll(/[\\.+^${}()|]/g, "\\$&").replaceAll(/\*+/g, ".*")
  return new RegExp(`^(?:.*/)?${pattern}(?:/.*)?$`).test(path)
}

export const losesListed =
  ({ changed, ignored, paths, untracked }: GitList) =>
  (tree: TreeState): boolean => {
    const among = (files: readonly string[]): boolean =>
      files.some((file) => paths.length === 0 || paths.some((spec) => fits(file, spec)))
    return (
      (changed && among(changedThere(tree))) ||
      (untracked && among(tree.untracked)) ||
      (ignored && hasKept(tree.ignored) && among(tree.ignored))
    )
  }

const listsGiven = ({ args, fed, state: shell, upstream }: Call): readonly GitList[] => {
  const given = args.flatMap(({ word }: Argument) => listIn(word, shell) ?? [])
  const piped = fed ? gitListOf(upstream, shell) : undefined
  return piped === undefined ? given : [...given, piped]
}

export const gitListed: Rule = (call): Verdict | undefined => {
  const { name, state: shell } = call
  if (!destroyers.has(name) || shell.place.wantedTrees === undefined || shell.container !== undefined)
    return undefined
  if (shell.place.off?.includes("git-discard")) return undefined
  const isLost = listsGiven(call).some((list) => asksTree(list.folder, shell, losesListed(list), true))
  return isLost
    ? { rule: "git-discard", reason: `\`${name}\` of what git lists destroys what was never committed.` }
    : undefined
}
