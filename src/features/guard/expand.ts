/** What a word may come to: every value where reading the command line tells, a mark where only the run will. */
import { changed, longestOfPattern } from "./changes.ts"
import { formatted } from "./formatted.ts"
import { absolute } from "./paths.ts"
import { isNowhere } from "./project.ts"
import {
  type Assign,
  type Change,
  costOf,
  firstOf,
  mostValues,
  type Part,
  type Pipeline,
  passOver,
  plainText,
  type Script,
  unknown,
  type Word
} from "./script.ts"
import { elementsOf, type ShellState, valuesOf } from "./shellState.ts"
import { madeBy } from "./temporaries.ts"

/** A word of a command, with what it may come to. */
export interface Argument {
  readonly values: readonly string[]
  readonly word: Word
}

const longestValue = 4096

/** The words of a script that is one command and nothing else. */
const onlyCommand = (script: Script, state: ShellState): readonly string[] => {
  const [pipeline, second] = script
  const [stage, another] = pipeline ?? []
  if (stage === undefined || second !== undefined || another !== undefined) return []
  return stage.words.map((word) => expand(word, state)[0] ?? unknown)
}

const folderOf = (path: string): string => {
  const slash = path.replace(/\/+$/, "").lastIndexOf("/")
  if (slash < 0) return path.includes(unknown) ? unknown : "."
  return path.slice(0, slash) || "/"
}

const isTemporaryMade = (pipeline: Pipeline | undefined): boolean =>
  plainText(pipeline?.[0]?.words[0] ?? []) === "mktemp"

/** What `mktemp` makes. Who asks it a second time asks another system's: `mktemp -d || mktemp -d -t x`. */
const temporaryOf = (script: Script, state: ShellState): string | undefined => {
  if (script.length === 0 || script.length > 2 || !script.every(isTemporaryMade)) return undefined
  // A function of that name, or an alias, makes whatever it wants.
  if (state.functions.has("mktemp")) return undefined
  const [, ...words] = onlyCommand(script.slice(0, 1), state)
  return madeBy(script, words, state)
}

/** Its beginning, with a mark for the rest. */
const cutOff = (text: string, { budget }: ShellState): string => {
  if (text.length <= longestValue) return text
  budget.cut = true
  return text.slice(0, longestValue) + unknown
}

/** Commands whose output is known without running them. */
const printed = (script: Script, state: ShellState): readonly string[] => {
  const [moved, then] = script
  const temporary = temporaryOf(script, state)
  if (temporary !== undefined) return [temporary]
  if (moved !== undefined && then !== undefined && script.length === 2) {
    const [cd, to, ...more] = onlyCommand([moved], state)
    const [pwd] = onlyCommand([then], state)
    const told = cd === "cd" && pwd === "pwd" && more.length === 0
    const there = to ?? state.place.home
    return [(told && !there.includes(unknown) && absolute(there, state)) || unknown]
  }
  const [name = "", ...words] = onlyCommand(script, state)
  if (name === "pwd") return [state.cwd ?? unknown]
  const path = words.findLast((word) => !word.startsWith("-"))
  if (name === "dirname" && path !== undefined) return [folderOf(path)]
  if ((name === "realpath" || name === "readlink") && path !== undefined)
    return [path.includes(unknown) ? path : (absolute(path, state) ?? unknown)]
  if (name === "echo" && words.every((word) => !word.startsWith("-"))) return [words.join(" ")]
  if (name === "printf" && words.length > 0)
    return [formatted(words[0] === "--" ? words.slice(1) : words).trimEnd()]
  if ((name === "whoami" || name === "id") && words.every((word) => word === "-un"))
    return valuesOf(state, "USER") ?? [unknown]
  if (name === "printenv" && words.length === 1) return valuesOf(state, words[0] as string) ?? [unknown]
  if (name === "git" && words.join(" ") === "rev-parse --show-toplevel")
    return [isNowhere(state.place.project) ? state.place.cwd : state.place.project]
  const text = state.outputOf?.(script, state)
  if (text !== undefined) return [cutOff(text.replace(/\n+$/, ""), state)]
  return [...firstOf(state.listedBy?.(script, state) ?? [], state.budget), unknown]
}

/** Every value once the change was made to it. */
const changedValues = (known: readonly string[], change: Change, state: ShellState): readonly string[] => {
  if (change.kind === "indirect") return known.flatMap((name) => valuesOf(state, name) ?? [unknown])
  const read = (word: Word): string => expand(word, state)[0] ?? ""
  const given =
    change.kind === "cut"
      ? { pattern: read(change.pattern) }
      : change.kind === "replace"
        ? { pattern: read(change.pattern), replacement: read(change.replacement) }
        : change.kind === "case"
          ? {}
          : change.length === undefined
            ? { offset: read(change.offset) }
            : { offset: read(change.offset), length: read(change.length) }
  return known.map((text) => {
    state.budget.left -= costOf(text.length)
    const made = changed(text, change, given)
    if (made === undefined && text.length > longestOfPattern) state.budget.cut = true
    return made ?? unknown
  })
}

const valuesOfPart = (part: Part, state: ShellState): readonly string[] => {
  if (part.kind === "text") return [part.text]
  if (part.kind === "output") return part.hidden ? [""] : part.file ? [unknown] : printed(part.script, state)
  const known =
    (part.at === undefined ? undefined : elementsOf(state, part.name)?.get(part.at)) ??
    valuesOf(state, part.name)
  if (known !== undefined && part.change !== undefined) return changedValues(known, part.change, state)
  if (known !== undefined) return part.all === "*" && part.quoted ? [known.join(" ")] : known
  return part.fallback === undefined ? [unknown] : expand(part.fallback, state)
}

const joinedWith = (
  before: readonly string[],
  after: readonly string[],
  state: ShellState
): readonly string[] => {
  const all: string[] = []
  for (const head of before) {
    for (const tail of after) {
      if (all.length >= mostValues) {
        passOver(state.budget)
        return all
      }
      state.budget.left -= costOf(Math.min(head.length + tail.length, longestValue))
      if (state.budget.left < 0) return [unknown]
      // A variable made of itself, again and again, doubles each time.
      const isTooLong = tail.length > 0 && head.length + tail.length > longestValue && head !== ""
      if (isTooLong) state.budget.cut = true
      all.push(isTooLong ? unknown : head + tail)
    }
  }
  return all
}

/** `~` and `~/` at the beginning, where it is not quoted. Somebody else's home is as far away as any. */
const withHome = (word: Word, values: readonly string[], home: string): readonly string[] => {
  const [first] = word
  if (first?.kind !== "text" || first.quoted || !first.text.startsWith("~")) return values
  return values.map((value) =>
    value === "~" || value.startsWith("~/") ? home + value.slice(1) : `/home/${value.slice(1)}`
  )
}

/** What a word came to, and what its variables held then: every rule asks for the same words. */
interface Expanded {
  readonly held: readonly (readonly string[])[]
  readonly values: readonly string[]
}

const expandedBefore = new WeakMap<Word, Expanded>()

export const expand = (word: Word, state: ShellState): readonly string[] => {
  const [only] = word
  state.budget.left -= 4 * word.length + (only?.kind === "text" ? only.text.length : 0)
  if (state.budget.left < 0) return [unknown]
  const written = plainText(word)
  // What is written down is as long as it is: only what variables hold may grow without end.
  if (written !== undefined) return withHome(word, [written], state.place.home)
  const parts = word.map((part) => valuesOfPart(part, state))
  const held = parts.filter((_, at) => word[at]?.kind !== "text")
  const before = expandedBefore.get(word)
  if (before?.held.length === held.length && before.held.every((one, at) => one === held[at])) {
    state.budget.left -= before.values.length / 8
    return before.values
  }
  let values: readonly string[] = [""]
  for (const one of parts) values = joinedWith(values, one, state)
  values = withHome(word, values, state.place.home)
  if (state.budget.left >= 0 && values.length > 1) expandedBefore.set(word, { held, values })
  return values
}

/** A variable or a substitution that stands alone, or a word that is made of what separates words. */
const isSeveral = (word: Word): boolean =>
  word.length === 1
    ? (word[0]?.kind === "variable" && !word[0].quoted) || word[0]?.kind === "output"
    : word.some((part) => part.kind === "variable" && !part.quoted && part.name === "IFS")

/** The variable that stands alone in a word and means all of its values, as in `"${a[@]}"`. */
const isAll = (word: Word): boolean => {
  const [part, another] = word.filter((one) => one.kind !== "text" || one.text !== "")
  return (
    another === undefined &&
    part?.kind === "variable" &&
    part.all !== undefined &&
    !(part.quoted && part.all === "*")
  )
}

/** What stands between words, as a pattern. */
export const between = (state: ShellState): RegExp => {
  const given = (valuesOf(state, "IFS")?.[0] ?? " ").slice(0, 8)
  return /^\s*$/.test(given) || given.includes(unknown)
    ? /\s+/
    : new RegExp(`[${given.replaceAll(/[\\\]^-]/g, "\\$&")}]`)
}

const split = (text: string, word: Word, state: ShellState): readonly Argument[] =>
  text
    .split(between(state))
    .filter((one) => one !== "")
    .map((one) => ({ values: [one], word }))

/** The words of a command; a variable that stands alone may be several: unquoted, or with all of its values. */
export const argumentsOf = (words: readonly Word[], state: ShellState): readonly Argument[] =>
  words.flatMap((word): readonly Argument[] => {
    const values = expand(word, state)
    const [only = ""] = values
    if (isAll(word))
      return values.flatMap((value) =>
        isSeveral(word) ? split(value, word, state) : [{ values: [value], word }]
      )
    if (isSeveral(word) && values.length === 1 && between(state).test(only)) return split(only, word, state)
    return [{ values, word }]
  })

/** `[name]=value` in the brackets of an array: what is assigned stands behind the sign. */
const behindIndex = (text: string, { place }: ShellState): string => {
  const value = text.replace(/^\[[^\]]*\]\+?=/, "")
  return value === text ? text : value.replace(/^~(?=\/|$)/, place.home)
}

/** What an array holds: all of it is copied each time that something is put to it. */
const keptOf = (values: readonly string[], { budget }: ShellState): readonly string[] => {
  budget.left -= values.length
  return firstOf(values, budget)
}

/** What a variable may hold once something is assigned to it. */
export const assigned = (
  { index, items, more, name, value }: Assign,
  state: ShellState
): readonly string[] => {
  const before = more ? valuesOf(state, name) : undefined
  if (items)
    return keptOf(
      [
        ...(before ?? []),
        ...argumentsOf(items, state).flatMap(({ values }) => values.map((one) => behindIndex(one, state)))
      ],
      state
    )
  const values = expand(value, state)
  // It is one more value: which of them is meant, only the run tells.
  if (index !== undefined) return keptOf([...(before ?? []), ...values], state)
  return more ? joinedWith(before ?? [unknown], values, state) : values
}

export const first = ({ values }: Argument): string => values[0] ?? ""
