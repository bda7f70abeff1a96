/** Which paths a pipeline prints, for those who delete what they are given: `find … | xargs rm`, `rm -r $(ls …)`. */

import { readOptions } from "./Call.ts"
import { type Argument, argumentsOf, first } from "./expand.ts"
import { within } from "./folders.ts"
import { takesHistory } from "./history.ts"
import { absolute } from "./paths.ts"
import { type Budget, type Script, type Stage, unknown } from "./script.ts"
import type { ShellState } from "./shellState.ts"
import { executed } from "./texts.ts"
import { unwrap } from "./unwrap.ts"

const choosing =
  /^-(?:i?name|i?path|i?wholename|i?regex|[amc]min|[amc]time|newer.*|size|empty|user|group|perm|inum|links)$/

interface Found {
  readonly roots: readonly Argument[]
  /** It does not take everything. */
  readonly chosen: boolean
  /** What it begins at is not among what it finds. */
  readonly skips?: boolean
  /** Whether it deletes what it finds, as far as the budget lets anybody look. */
  readonly deletes: (budget: Budget) => boolean
  /** Whether the history of a project is among it that it begins at, as seen from there. */
  readonly history: (root: string) => boolean
}

const deleters = new Set(["rm", "rimraf", "shred", "unlink"])
const shells = /^(?:ba|da|z|k)?sh$/
const startsDelete = /(?:^|[\s(])(?:rm|rimraf|shred|unlink)\s/

/** A script that deletes what it is given, or each of it. */
const deletesGiven = (script: string): boolean =>
  script.split(/[\n;&|]/).some((command) => {
    const start = command.search(startsDelete)
    return start >= 0 && /\$[\w@*{]|\{\}/.test(command.slice(start))
  })

const isDeleting = (words: readonly Argument[], budget: Budget): boolean => {
  const { args = [], name = "" } = unwrap(words, budget) ?? {}
  return deleters.has(name) || (shells.test(name) && args.some((arg) => deletesGiven(first(arg))))
}

/** What `find` walks through, and whether it deletes. */
export const readFind = (args: readonly Argument[]): Found => {
  const texts = args.map(first)
  const begin = texts.findIndex((text) => /^[-(!]/.test(text) && !/^-[HLPDO]/.test(text))
  const roots = args.slice(0, begin < 0 ? args.length : begin).filter((arg) => !first(arg).startsWith("-"))
  const tests = begin < 0 ? [] : texts.slice(begin)
  return {
    roots: roots.length > 0 ? roots : [{ values: ["."], word: [] }],
    // All but what is named is nearly everything.
    chosen: tests.some((text, at) => choosing.test(text) && !/^(?:!|-not)$/.test(tests[at - 1] ?? "")),
    skips: tests.some((text, at) => text === "-mindepth" || (tests[at - 1] === "-type" && text !== "d")),
    deletes: (budget) =>
      tests.includes("-delete") || executed(args).some((words) => isDeleting(words, budget)),
    history: (root) => takesHistory(tests, root)
  }
}

/** A pattern that fits every line, or every name. */
const isAnything = (pattern: Argument | undefined): boolean =>
  pattern !== undefined && /^\^?(?:\.|\.\*|)\$?$/.test(first(pattern))

const choosingFd = /^(?:e|S|o|--extension|--size|--changed-\w+|--newer|--older|--owner)$/

/** As `readFind`: of fd the first word says what is looked for. */
export const readFd = (args: readonly Argument[]): Found => {
  const texts = args.map(first)
  const start = texts.findIndex((text) => /^(?:-x|-X|--exec|--exec-batch)$/.test(text))
  const { flags, operands } = readOptions(args.slice(0, start < 0 ? args.length : start), "tedSEcj")
  const roots = operands.slice(1)
  const isHidden = ["H", "u", "--hidden", "--unrestricted"].some((flag) => flags.has(flag))
  return {
    roots: roots.length > 0 ? roots : [{ values: ["."], word: [] }],
    chosen:
      (operands.length > 0 && !isAnything(operands[0])) || [...flags].some((flag) => choosingFd.test(flag)),
    deletes: (budget) => executed(args, true).some((words) => isDeleting(words, budget)),
    history: () => isHidden && /^\^?\\?\.git\$?$/.test(first(operands[0] ?? { values: [], word: [] }))
  }
}

export interface Listed {
  readonly targets: readonly Argument[]
  /** Only some of what is in them. */
  readonly chosen: boolean
  /** Whole trees, file by file: deleting them needs no `-r`. */
  readonly all: boolean
  readonly history?: Found["history"]
}

/** What comes out of these is made of what goes in, and nobody can tell what. */
const changing = new Set("sed awk gawk perl basename dirname tr cut xargs python python3 node jq".split(" "))

/** Where not only some of what is listed is taken, what the list begins at stands for it; below a project that says nothing. */
export const pathsIn = (pipeline: readonly Stage[], state: ShellState): readonly string[] => {
  const { chosen, targets } = listedBy(pipeline, state)
  if (chosen) return []
  return targets.flatMap(({ values }) =>
    values.flatMap((value) => {
      const path = value.includes(unknown) ? undefined : absolute(value, state)
      return path === undefined || within(path, state.place.project) ? [] : [path]
    })
  )
}

/** As `pathsIn`, of what stands in `$(…)`. */
export const pathsListed = (script: Script, state: ShellState): readonly string[] => {
  const [pipeline, another] = script
  return pipeline === undefined || another !== undefined ? [] : pathsIn(pipeline, state)
}

/** `ls` prints the names in a directory, and what a pattern comes to. */
const namesIn = ({ values, word }: Argument): Argument => ({
  values: values.map((value) => (/[*?[]/.test(value) ? value : `${value.replace(/\/*$/, "")}/*`)),
  word
})

/** Programs that print the names of files whose contents fit, or of all. */
const searchers: Readonly<
  Record<
    string,
    { readonly valued: string; readonly whole: RegExp; readonly names: RegExp; readonly chosen: RegExp }
  >
> = {
  rg: {
    valued: "efgtTmjABCEMdr",
    whole: /^--files$/,
    names: /^(?:l|--files-with(?:out-)?match(?:es)?)$/,
    chosen: /^(?:g|t|T|--i?glob|--type(?:-not)?)$/
  },
  ag: { valued: "gGmABC", whole: /^g$/, names: /^(?:l|L|--files-with-matches)$/, chosen: /^G$/ },
  grep: {
    valued: "efmABCdD",
    whole: /^never$/,
    names: /^(?:l|L|--files-with(?:out)?-match(?:es)?)$/,
    chosen: /^--include$/
  }
}

const searchedBy = (
  name: string,
  args: readonly Argument[]
): Pick<Listed, "targets" | "chosen"> | undefined => {
  const how = Object.hasOwn(searchers, name) ? searchers[name] : undefined
  if (how === undefined) return undefined
  const { flags, operands } = readOptions(args, how.valued)
  const has = (wanted: RegExp): boolean => [...flags].some((flag) => wanted.test(flag))
  const isWhole = has(how.whole)
  if (!isWhole && !has(how.names)) return undefined
  const isToldApart = flags.has("e") || flags.has("f")
  const roots = isWhole || isToldApart ? operands : operands.slice(1)
  return {
    targets: roots.length > 0 ? roots : [{ values: ["."], word: [] }],
    chosen: has(how.chosen) || (!isWhole && (isToldApart || !isAnything(operands[0])))
  }
}

export const listedBy = (pipeline: readonly Stage[], state: ShellState): Listed => {
  const source = unwrap(argumentsOf(pipeline[0]?.words ?? [], state), state.budget)
  const none = { targets: [], chosen: false, all: false }
  if (source === undefined) return none
  const further = pipeline.length > 1
  if (source.name === "find") {
    const { roots, chosen, history } = readFind(source.args)
    return { targets: roots, chosen: chosen || further, all: true, history }
  }
  if (source.name === "fd" || source.name === "fdfind") {
    const { roots, chosen, history } = readFd(source.args)
    return { targets: roots, chosen: chosen || further, all: true, history }
  }
  const searched = searchedBy(source.name, source.args)
  if (searched !== undefined) return { ...searched, chosen: searched.chosen || further, all: true }
  const { flags, operands } = readOptions(source.args, "IwT")
  if (source.name === "echo" || source.name === "printf") return { ...none, targets: operands }
  if (source.name !== "ls") return none
  const changed = pipeline
    .slice(1)
    .some(({ words }) => changing.has(unwrap(argumentsOf(words, state), state.budget)?.name ?? ""))
  if (changed) return none
  const named = flags.has("d") || flags.has("--directory") ? operands : operands.map(namesIn)
  const here = { values: ["*"], word: [] }
  return { targets: operands.length > 0 ? named : [here], chosen: further, all: false }
}
