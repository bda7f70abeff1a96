/** Which guarded files `find` and the like come upon: for what they do to them, or for whom they list them. */
import { statSync } from "node:fs"
import { type Call, readOptions } from "../guard/Call.ts"
import { type Argument, argumentsOf, first } from "../guard/expand.ts"
import { below } from "../guard/folders.ts"
import { readFd, readFind } from "../guard/listed.ts"
import { absolute } from "../guard/paths.ts"
import { type Stage, unknown } from "../guard/script.ts"
import { executed } from "../guard/texts.ts"
import { unwrap } from "../guard/unwrap.ts"
import { fold, type Guarded } from "./guarded.ts"
import { allOf, firstMeaning, fits, type Look, meaning, meaningOfFolder, meaningOfRoot } from "./meaning.ts"

interface Search {
  readonly roots: readonly string[]
  /** What the names must fit; none where every file is found. */
  readonly names: readonly string[]
  /** What the paths must fit, as they are printed. */
  readonly paths: readonly string[]
}

const isFd = (name: string): boolean => name === "fd" || name === "fdfind"

/** What stands behind these tests, save what `!` stands before. */
const tested = (texts: readonly string[], test: RegExp): readonly string[] =>
  texts.filter((_, at) => test.test(texts[at - 1] ?? "") && !/^(?:!|-not)$/.test(texts[at - 2] ?? ""))

const searchOfFind = (args: readonly Argument[]): Search => {
  const texts = args.map(first)
  const roots = [...allOf(readFind(args).roots), ...tested(texts, /^-samefile$/)]
  const names = tested(texts, /^-i?name$/)
  const paths = [
    ...tested(texts, /^-i?(?:path|wholename)$/),
    ...tested(texts, /^-i?regex$/).map((text) => text.replace(/\.[*+]/g, "*").replace(/\\(.)/g, "$1"))
  ]
  const ways = texts.filter((text) => /^-or?$/.test(text)).length + 1
  // One of the ways asks for no name at all.
  return names.length + paths.length < ways ? { roots, names: [], paths: [] } : { roots, names, paths }
}

/** Letters of options that take a value. */
const fdValued = "tedSEcj"

const searchOfFd = (args: readonly Argument[]): Search => {
  const texts = args.map(first)
  const end = texts.findIndex((text) => /^(?:-[xX]|--exec(?:-batch)?(?:=.*)?)$/.test(text))
  const own = end < 0 ? texts : texts.slice(0, end)
  const [wanted] = readOptions(args.slice(0, own.length), fdValued).operands
  const extensions = tested(own, /^(?:-e|--extension)$/)
  const pattern = wanted === undefined ? "" : first(wanted)
  const named = /^[\w.-]{2,}$/.test(pattern) ? [`*${pattern}*`] : []
  return {
    roots: allOf(readFd(args).roots),
    names: extensions.length > 0 ? extensions.map((text) => `*.${text}`) : named,
    paths: []
  }
}

/** What lies in hooktape's own folders is known by its kind only. */
const ownKinds = [
  "hooktape",
  "hooks",
  "hook",
  "bin",
  "trusted",
  "a.ts",
  "a.js",
  "a.mjs",
  "a.json",
  "a.sqlite"
]
const isOwnKind = (name: string): boolean =>
  ownKinds.some((kind) => fits(name, kind)) || /\.(?:[cm]?[jt]s|json|sqlite)$/.test(name)

/** By its own name, or by a folder's that it goes along with. Settings that are not there cannot be found. */
const isFoundByName = (name: string, folder: string, { path, whole }: Guarded): boolean => {
  const ways = path.slice(folder.length).split("/")
  if (whole) return isOwnKind(name) || ways.some((part) => fits(name, part))
  return ways.some((part) => fits(name, part)) && statSync(path, { throwIfNoEntry: false }) !== undefined
}

const ownPaths = ["", "/config.json", "/hooks/a.ts"]

/** In a path `*` stands for slashes as well. */
const isFoundByPath = (pattern: string, printed: string, { whole }: Guarded): boolean =>
  (whole ? ownPaths : [""]).some((end) => fits(pattern.replaceAll("*", unknown), printed + end))

/** What is found in a folder, in words. Without a name that is everything, as everyday work has it: settings are not meant by that, hooktape's own folders are. */
const foundIn = (root: string, { names, paths }: Search, call: Call, look: Look): string | undefined => {
  if (names.length + paths.length === 0) return meaningOfRoot(root, call, look)
  const folder = absolute(root, call.state)
  if (folder === undefined) return undefined
  const isFound = (one: Guarded): boolean =>
    below(one.path, fold(folder)) &&
    (names.some((name) => isFoundByName(name, folder, one)) ||
      paths.some((path) =>
        isFoundByPath(path, root.replace(/\/+$/, "") + one.path.slice(folder.length), one)
      ))
  return meaningOfFolder(root, call, look) ?? look.guarded.find(isFound)?.what
}

const found = (name: string, args: readonly Argument[], call: Call, look: Look): string | undefined => {
  const search = isFd(name) ? searchOfFd(args) : searchOfFind(args)
  return firstMeaning(search.roots, (root) => foundIn(root, search, call, look))
}

export const isSearch = ({ name }: Call): boolean => name === "find" || isFd(name)

type Reads = (call: Pick<Call, "args" | "name">) => boolean

/** Whether it starts something for what it finds that does more than read, or deletes it by itself. */
const acts = ({ args, name, state }: Call, isReader: Reads): boolean =>
  (name === "find" && args.some((arg) => first(arg) === "-delete")) ||
  args.some((arg) => /^--exec[a-z-]*=/.test(first(arg))) ||
  executed(args, isFd(name)).some((words) => {
    const started = unwrap(words, state.budget)
    return started !== undefined && !isReader(started)
  })

/** What a search changes, in words. */
export const changedBySearch = (call: Call, look: Look, isReader: Reads): string | undefined =>
  acts(call, isReader) ? found(call.name, call.args, call, look) : undefined

/** What the list that comes through a pipeline names, in words. A folder that is only searched for contents is not listed as a whole. */
export const listed = (stages: readonly Stage[], call: Call, look: Look): string | undefined =>
  firstMeaning(stages, ({ words }) => {
    const source = unwrap(argumentsOf(words, call.state), call.state.budget)
    if (source === undefined) return undefined
    if (source.name === "find" || isFd(source.name)) return found(source.name, source.args, call, look)
    return firstMeaning(
      allOf(source.args),
      (value) => meaning(value, call, look, false) ?? meaningOfRoot(value, call, look)
    )
  })

/** What stands in a command's words in place of a list, `$(find …)`, in words. */
export const listedInWords = (call: Call, look: Look): string | undefined => {
  const stages = call.args
    .flatMap(({ word }) => word)
    .flatMap((part) => (part.kind === "output" && part.hidden !== true ? part.script.flat() : []))
  const lists = stages.filter(({ words }) =>
    /^(?:find|fd|fdfind|ls)$/.test(unwrap(argumentsOf(words, call.state), call.state.budget)?.name ?? "")
  )
  return listed(lists, call, look)
}
