/** Commands that start another command: what it is that they start. */

import { nameOf } from "./Call.ts"
import { type Argument, first } from "./expand.ts"
import { renamed } from "./otherNames.ts"
import type { Budget } from "./script.ts"
import { type Wrapper, wrappers } from "./wrappers.ts"

export interface Unwrapped {
  readonly name: string
  readonly args: readonly Argument[]
  readonly fed: boolean
  /** As it was written, with its directory. */
  readonly path: string
  /** The directories that it is started in, each as seen from the one before; none where it is started in this one. */
  readonly folders: readonly string[]
  /** What commands before it that write files are told. */
  readonly recorded: readonly Argument[]
  /** Variables that are set for it alone, as `env` and `sudo` do it. */
  readonly set: readonly Argument[]
  /** What starts it has a shell read this. */
  readonly line?: string
  /** The program that it is started by as a script or a package of that name. */
  readonly by?: string
}

const isAssignment = (text: string): boolean => /^[A-Za-z_]\w*=/.test(text)

const nobody: Argument = { values: [], word: [] }

/** The place of the command that a wrapper at `at` starts, or one behind the end. */
const afterOptions = (words: readonly Argument[], at: number, { longs = {}, valued }: Wrapper): number => {
  let next = at + 1
  for (; next < words.length; next++) {
    const text = first(words[next] as Argument)
    if (text === "--") {
      next++
      break
    }
    if (isAssignment(text)) continue
    if (!text.startsWith("-") || text === "-") break
    if (text.startsWith("--")) {
      // It may be cut short.
      const long = Object.hasOwn(longs, text) ? text : Object.keys(longs).find((one) => one.startsWith(text))
      const takes = long === undefined ? 0 : (longs[long] as number | RegExp)
      next += typeof takes === "number" ? takes : Number(takes.test(first(words[next + 1] ?? nobody)))
      continue
    }
    // The first letter that takes a value takes what stands behind it, or else the next word.
    const taking = [...text].findIndex((letter, place) => place > 0 && valued.includes(letter))
    if (taking > 0 && taking === text.length - 1) next++
  }
  return next
}

const afterOperands = (words: readonly Argument[], at: number, wrapper: Wrapper): number => {
  const { dashes = false, operands = 0, perhaps } = wrapper
  const dash = dashes ? words.findIndex((word, place) => place > at && first(word) === "--") : -1
  if (dash > 0) return dash + 1
  const next = afterOptions(words, at, wrapper)
  if (perhaps?.test(first(words[next] ?? nobody)) === true) return afterOptions(words, next, wrapper)
  return next + operands
}

/** The place of the command, where this starts one at all. */
const startedAt = (words: readonly Argument[], at: number, wrapper: Wrapper): number => {
  if (wrapper.option !== undefined) {
    const { option } = wrapper
    const place = words.findIndex((word, next) => next > at && option.test(first(word)))
    return place < 0 ? words.length : place + 1
  }
  if (wrapper.behind === undefined) return afterOperands(words, at, wrapper)
  const before = afterOptions(words, at, wrapper)
  const verb = words[before]
  if (verb === undefined || !wrapper.behind.includes(first(verb))) return words.length
  return afterOperands(words, before, wrapper)
}

const wanted = "rm dd git mkfs shred find chmod chown curl wget bash sh mv".split(" ")

/** `/bin/r?` starts what it fits. */
const globbed = (name: string): string => {
  if (!/[?*[]/.test(name) || !/[a-z]/.test(name)) return name
  const pattern = name
    .replaceAll(/[.+^${}()|\\]/g, "")
    .replaceAll("?", ".")
    .replaceAll(/\*+/g, ".*")
  // A path is no longer, and many of what fits anything would take long.
  if (name.length > 4096 || pattern.split("*").length > 8) return name
  try {
    const fits = new RegExp(`^${pattern}$`)
    return wanted.find((one) => fits.test(one)) ?? name
  } catch {
    return name
  }
}

/** Options with which these are given a text, or (`unless`) without which they are. */
const givenText: Readonly<Record<string, { readonly text: RegExp; readonly unless?: true }>> = {
  flock: { text: /^(?:-c|--command)$/ },
  script: { text: /^(?:-\w*c|--command)/ },
  entr: { text: /^-\w*s/ },
  runuser: { text: /^(?:-\w*u|--user)/, unless: true }
}

/** It only asks, or what it starts is given as one text. */
const isItself = (name: string, words: readonly Argument[], at: number): boolean => {
  if (name === "command") return /^-[vV]/.test(first(words[at + 1] ?? nobody))
  if (name === "env")
    return words.slice(at + 1, at + 4).some((one) => /^(?:-\w*S|--split-string)/.test(first(one)))
  const itself = Object.hasOwn(givenText, name) ? givenText[name] : undefined
  if (itself !== undefined) {
    const given = words.slice(at + 1, at + 6).some((one) => itself.text.test(first(one)))
    return given === !itself.unless
  }
  if (!/^np[mx]$/.test(name)) return false
  return words
    .slice(at + 1, callsUntil(name, words, at))
    .some((one) => /^(?:-[a-zA-Z]*c$|--call)/.test(first(one)))
}

/** Up to where these are told that they are given a line: npm hears its options wherever they stand, npx only those before a command. */
const callsUntil = (name: string, words: readonly Argument[], at: number): number => {
  const wrapper = wrappers[name] as Wrapper
  if (name === "npx") return startedAt(words, at, wrapper)
  const verb = name === "npm" ? words[afterOptions(words, at, wrapper)] : undefined
  if (verb === undefined || wrapper.behind?.includes(first(verb)) !== true) return at
  const dash = words.findIndex((one, place) => place > at && first(one) === "--")
  return dash < 0 ? words.length : dash
}

/** Which of the words between a wrapper and its command names a directory. */
const folderIn = (words: readonly Argument[], wrapper: Wrapper): readonly string[] => {
  const { folder } = wrapper
  return folder === undefined
    ? []
    : words.flatMap((word, at) => {
        const found = folder.exec(first(word))
        if (found === null) return []
        const rest = first(word).slice(found[0].length)
        return [rest === "" ? first(words[at + 1] ?? nobody) : rest]
      })
}

/**
 * The command itself, once everything that only starts it is taken off. Behind each that starts another, or has another name, all words are
 * looked at again, which goes off the budget: with none left nobody knows what is started, and the whole counts as unread.
 */
export const unwrap = (given: readonly Argument[], budget: Budget): Unwrapped | undefined => {
  let words = given
  let fed = false
  let packages = false
  let isRead = false
  let by: string | undefined
  const set: Argument[] = []
  const folders: string[] = []
  const recorded: Argument[] = []
  for (let at = 0; at < words.length; ) {
    const text = first(words[at] as Argument)
    const name = nameOf(packages ? text.replace(/(?<=.)@.*$/s, "") : text)
    const better = renamed(name, words.slice(at + 1), text)
    if (better !== undefined) {
      budget.left -= better.length + 1
      if (budget.left < 0) return undefined
      words = better
      at = 0
      packages = false
      continue
    }
    const wrapper = Object.hasOwn(wrappers, name) ? wrappers[name] : undefined
    const asks = isItself(name, words, at)
    const next = wrapper === undefined || asks ? words.length : startedAt(words, at, wrapper)
    if (next >= words.length || wrapper === undefined)
      return {
        name: globbed(name),
        args: words.slice(at + 1),
        fed,
        path: text,
        folders,
        recorded,
        set,
        // Only a shell makes several words of one.
        ...(isRead && /\s/.test(text) ? { line: words.slice(at).map(first).join(" ") } : {}),
        ...(by === undefined ? {} : { by })
      }
    set.push(...words.slice(at + 1, next).filter((word) => isAssignment(first(word))))
    folders.push(...folderIn(words.slice(at + 1, next), wrapper))
    if (wrapper.records === true) recorded.push(...words.slice(at + 1, next))
    fed ||= name === "xargs"
    packages = wrapper.packages === true
    isRead = wrapper.shell === true
    by = packages ? name : undefined
    budget.left -= words.length - at
    if (budget.left < 0) return undefined
    at = next
  }
  return undefined
}
