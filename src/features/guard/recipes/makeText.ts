/** What make puts in place of `$(…)`: variables, its own functions as far as they say what they come to, and what is left to the shell. */
import { deepestValue } from "./Recipe.ts"

export interface MakeValues {
  /** Undefined where the file does not set it. */
  readonly valueOf: (name: string) => string | undefined
  /** Of `$@`, `$<`, `$^`, `$*` and their like, by the sign. */
  readonly automatic: (sign: string) => string | undefined
  /** How much may be put in, and looked through for it. */
  readonly budget: MakeBudget
  /** Told of each command that make has a shell run, where it runs it at once. */
  readonly shell?: (command: string) => void
  /** Told of what make reads as lines of the file. */
  readonly read?: (text: string) => void
}

export interface MakeBudget {
  left: number
}

/** So far ahead a bracket is looked for that closes one. */
const near = 4096

/** Where the bracket closes that opens here; -1 where it does not. */
const closingAt = (text: string, open: number, budget: MakeBudget): number => {
  const [opens, closes] = text[open] === "(" ? ["(", ")"] : ["{", "}"]
  const end = Math.min(text.length, open + near)
  let depth = 0
  for (let at = open; at < end; at++) {
    if (text[at] === opens) depth++
    else if (text[at] === closes && --depth === 0) {
      budget.left -= (at - open) >> 3
      return at
    }
  }
  budget.left -= near >> 3
  return -1
}

/** What stands between commas that no bracket encloses. */
const partsOf = (text: string): readonly string[] => {
  const parts = [""]
  let depth = 0
  for (const char of text) {
    if (char === "(" || char === "{") depth++
    else if (char === ")" || char === "}") depth--
    if (char === "," && depth === 0) parts.push("")
    else parts.push(parts.pop() + char)
  }
  return parts
}

const folderOf = (path: string): string => path.replace(/\/?[^/\s]*$/, "") || "."

/** More words than these nothing is done for, one by one. */
const maxWords = 200

const eachOf = (text: string, change: (word: string) => string): string =>
  text
    .split(/\s+/)
    .filter((word) => word !== "")
    .slice(0, maxWords)
    .map(change)
    .join(" ")

type Fill = (text: string, values?: MakeValues) => string
type MakeFunction = (given: string, fill: Fill, values: MakeValues) => string

/** What is made is paid for; nothing where that is too much. */
const paid = (text: string, budget: MakeBudget, besides = 0): string => {
  budget.left -= text.length + besides
  return budget.left < 0 ? "" : text
}

/** What the shell puts in is not there yet. */
const isOpen = (text: string): boolean => /[$`]/.test(text)

/** A function that nothing can be said of while its words are not all there. */
const known =
  (name: string, of: (words: readonly string[]) => readonly string[]): MakeFunction =>
  (given, fill) => {
    const text = fill(given)
    return isOpen(text) ? `$(${name} ${text})` : of(text.split(/\s+/).filter((word) => word !== "")).join(" ")
  }

/** `%` stands for the same in both. Undefined where the words are not all there. */
const changedEnds = (text: string, from: string, to: string, budget: MakeBudget): string | undefined => {
  if (isOpen(text)) return undefined
  const [before = "", behind = ""] = from.split("%", 2)
  const isPattern = from.includes("%")
  return text
    .split(/\s+/)
    .filter((word) => word !== "")
    .map((word) => {
      const fits = word.length >= from.length - 1 && word.startsWith(before) && word.endsWith(behind)
      const stem = word.slice(before.length, word.length - behind.length)
      const changed = isPattern && fits ? to.replace("%", () => stem) : word === from ? to : word
      return paid(changed, budget, 1)
    })
    .join(" ")
}

/** What they come to, from what they are given. What is not among them is left to the shell, which does not know it either. */
const functions: Readonly<Record<string, MakeFunction>> = {
  shell: (given, fill, { shell }) => {
    const command = fill(given)
    shell?.(command)
    return `$(${command})`
  },
  eval: (given, fill, { read }) => {
    read?.(fill(given))
    return ""
  },
  foreach: (given, fill, values) => {
    const [name = "", list = "", ...body] = partsOf(given)
    const words = fill(list)
      .split(/\s+/)
      .filter((word) => word !== "")
      .slice(0, maxWords)
    const wanted = fill(name).trim()
    const each = body.join(",")
    return words
      .map((word) => {
        if (values.budget.left < 0) return ""
        const valueOf = (one: string) => (one === wanted ? word : values.valueOf(one))
        return paid(fill(each, { ...values, valueOf }), values.budget, each.length)
      })
      .join(" ")
  },
  subst: (given, fill, { budget }) => {
    const [from = "", to = "", ...rest] = partsOf(given).map((one) => fill(one))
    const text = rest.join(",")
    if (from === "") return text
    const parts = text.split(from)
    budget.left -= text.length + parts.length * to.length
    return budget.left < 0 ? "" : parts.join(to)
  },
  patsubst: (given, fill, { budget }) => {
    const [from = "", to = "", ...names] = partsOf(given).map((one) => fill(one))
    const text = names.join(",")
    return changedEnds(text, from.trim(), to.trim(), budget) ?? `$(patsubst ${from},${to},${text})`
  },
  addprefix: (given, fill, { budget }) => {
    const [before = "", ...names] = partsOf(given).map((one) => fill(one))
    return eachOf(names.join(","), (name) => paid(before + name, budget))
  },
  addsuffix: (given, fill, { budget }) => {
    const [behind = "", ...names] = partsOf(given).map((one) => fill(one))
    return eachOf(names.join(","), (name) => paid(name + behind, budget))
  },
  dir: known("dir", (words) => words.map((word) => /^.*\//.exec(word)?.[0] ?? "./")),
  notdir: known("notdir", (words) => words.map((word) => word.slice(word.lastIndexOf("/") + 1))),
  firstword: known("firstword", (words) => words.slice(0, 1)),
  lastword: known("lastword", (words) => words.slice(-1)),
  strip: (given, fill) => fill(given).trim(),
  abspath: (given, fill) => fill(given).trim(),
  realpath: (given, fill) => fill(given).trim(),
  // The shell finds the same.
  wildcard: (given, fill) => fill(given),
  sort: (given, fill) => fill(given),
  or: (given, fill) =>
    partsOf(given)
      .map((one) => fill(one).trim())
      .find((one) => one !== "" && !one.startsWith("${")) ?? fill(partsOf(given).at(-1) ?? ""),
  if: (given, fill) => fill(partsOf(given)[1] ?? ""),
  info: () => "",
  warning: () => "",
  call: (given, fill, values) => {
    const [name = "", ...args] = partsOf(given).map((one) => fill(one))
    const body = values.valueOf(name.trim())
    const valueOf = (one: string) => (/^\d$/.test(one) ? (args[Number(one) - 1] ?? "") : values.valueOf(one))
    return body === undefined ? "" : fill(body, { ...values, valueOf })
  }
}

/** A variable that is set nowhere is the environment's, which a shell has as well. */
const fromEnvironment = (name: string, whole: string): string => {
  if (name === "MAKE") return "make"
  if (name === "CURDIR") return "$PWD"
  return /^\w+$/.test(name) ? `\${${name}}` : whole
}

const named = (name: string, whole: string, values: MakeValues, depth: number): string => {
  const value = values.valueOf(name)
  if (value === undefined) return fromEnvironment(name, whole)
  if (values.budget.left < 0) return whole
  values.budget.left -= 1 + value.length
  return expanded(value, values, depth + 1)
}

const ofRecipe = (sign: string, whole: string, { automatic, budget }: MakeValues): string => {
  const value = automatic(sign) ?? whole
  budget.left -= value.length
  return budget.left < 0 ? "" : value
}

/** What stands in brackets. */
const enclosed = (inner: string, whole: string, values: MakeValues, depth: number): string => {
  const [, sign, half] = /^([@<^?*+|%])([DF])$/.exec(inner) ?? []
  if (sign !== undefined) {
    const path = ofRecipe(sign, "", values)
    return half === "D" ? folderOf(path) : path.slice(path.lastIndexOf("/") + 1)
  }
  if (/^[\w.-]+$/.test(inner)) return named(inner, whole, values, depth)
  if (/^[@<^?*+|%]$/.test(inner)) return ofRecipe(inner, "", values)
  const [, name = "", given = ""] = /^([a-z]+)\s+([\s\S]*)$/.exec(inner) ?? []
  const fill: Fill = (text, own = values) => expanded(text, own, depth + 1)
  if (Object.hasOwn(functions, name)) return functions[name]?.(given, fill, values) ?? ""
  const [, variable, from = "", to = ""] = /^([\w.-]+):([^=]*)=(.*)$/s.exec(inner) ?? []
  const ends = [from, to].map((end) => fill(from.includes("%") ? end : `%${end}`))
  const changed =
    variable === undefined || values.valueOf(variable) === undefined
      ? undefined
      : changedEnds(named(variable, whole, values, depth), ends[0] ?? "", ends[1] ?? "", values.budget)
  if (changed !== undefined) return changed
  // Its name is made of others.
  const made = inner.startsWith("$") ? fill(inner) : ""
  return /^[\w.-]+$/.test(made) ? named(made, whole, values, depth) : `$(${fill(inner)})`
}

/** `$$` is the shell's `$`. */
export const expanded = (text: string, values: MakeValues, depth = 0): string => {
  if (depth > deepestValue) return text
  let made = ""
  for (let at = 0; ; ) {
    const next = text.indexOf("$", at)
    if (next < 0 || values.budget.left < 0) return made + text.slice(at)
    made += text.slice(at, next)
    const char = text[next + 1] ?? ""
    const end = /[({]/.test(char) ? closingAt(text, next + 1, values.budget) : next + 1
    const whole = text.slice(next, end + 1)
    if (end < 0 || char === "") {
      made += "$"
      at = next + 1
      continue
    }
    at = end + 1
    if (char === "$") made += "$"
    else if (end > next + 1) made += enclosed(whole.slice(2, -1), whole, values, depth)
    else made += /\w/.test(char) ? named(char, whole, values, depth) : ofRecipe(char, whole, values)
  }
}
