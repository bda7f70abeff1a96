/** What stands for every process that there is: lists of their numbers, the folders that the system keeps of them, variables that hold them. */
import type { Call } from "../Call.ts"
import { type Argument, first } from "../expand.ts"
import { plainText, type Script, type Stage, unknown, type Word } from "../script.ts"
import { type Origin, type ShellState, setOrigin } from "../shellState.ts"

/** A pattern that every process fits. */
export const anything = /^["'^]*(?:\.\*?|\.\+|\S?\*|\[a-z\].*|)["'$]*$/

const wordsOf = ({ words }: Stage): readonly string[] =>
  words.map((word) => word.map((part) => (part.kind === "text" ? part.text : "…")).join(""))

/** What each number of a process fits. */
const everyNumber = /^\^?(?:\[(?:0-9|1-9|:digit:|\[:digit:\])\]|\\d)+(?:\\?\+|\*|\{1,\})?\$?$/
const inverts = (word: string): boolean => /^-[a-zA-Z]*v|^--invert/.test(word)

/** Whoever names one that is to be spared ends all others. */
const printsColumns = /^\s*(?:NR\s*>\s*1\s*|\$\d+\s*!=\s*(?:"[^"]*"|[\w$]+)\s*)?\{[^/~=<>]*\}\s*$/

/** Columns and order only: a pattern, a comparison or a line's number would choose. */
export const choosesNothing = (stage: Stage): boolean => {
  const [name = "", ...rest] = wordsOf(stage)
  if (/^g?m?awk$/.test(name)) return printsColumns.test(rest.at(-1) ?? "")
  if (/^[ef]?grep$/.test(name)) return rest.some((word) => everyNumber.test(word)) && !rest.some(inverts)
  if (name === "tail") return rest.some((word) => /^(?:-n)?\+\d+$/.test(word))
  if (name === "sed") return rest.at(-1) === "1d"
  return /^(?:cut|tr|sort|uniq|cat|rev|tac|xargs)$/.test(name)
}

/** Letters of `ps` with a value, which is the rest of the word or the next one: behind a dash, and without. */
const valued = { dashed: "oOpqCGgstUu", bare: "oOkpqtU" }
const longValued =
  /^--(?:format|sort|cols|columns|lines|rows|width|p?pid|quick-pid|user|User|group|Group|tty|sid)$/
/** What it chooses by: ids, names, users, terminals. The other letters with a value say what is printed. */
const choosing = /[pqCGgstUu]/
const longChoosing = /^--(?:p?pid|quick-pid|user|User|group|Group|tty|sid)\b/

/** `-e` takes all whatever else is chosen, and so do `a` and `x` together; of one's own terminal alone nobody speaks as of all. */
const takesAll = (options: readonly string[]): boolean => {
  const seen = new Set<string>()
  let chooses = false
  for (let at = 0; at < options.length; at++) {
    const word = options[at] as string
    if (word.startsWith("--")) {
      if (word === "--deselect") return true
      chooses ||= longChoosing.test(word)
      if (longValued.test(word)) at++
      continue
    }
    // `-aux` is read as `aux`.
    const isBare = !word.startsWith("-") || /^-a\w*x/.test(word)
    const letters = word.replace(/^-/, "")
    // A number, or what only the run tells: a process.
    chooses ||= !/[a-zA-Z]/.test(letters)
    const last = [...letters].findIndex((letter) => valued[isBare ? "bare" : "dashed"].includes(letter))
    for (const letter of last < 0 ? letters : letters.slice(0, last)) seen.add(isBare ? letter : `-${letter}`)
    if (last < 0) continue
    chooses ||= choosing.test(letters[last] as string)
    if (last === letters.length - 1) at++
  }
  const has = (...letters: readonly string[]) => letters.some((letter) => seen.has(letter))
  return has("-e", "-A", "-d", "-N") || (has("a") && has("x")) || (!chooses && has("a", "x", "-a", "-x"))
}

/** The system keeps a folder for each of them. */
const folders = /^\/proc\/(?=[^/]*[*?])[[\]0-9*?!:a-z-]+(?:\/(?:\*|status|stat|comm|cmdline|exe)?)?$/

const listsFolders = (name: string | undefined, words: readonly string[]): boolean => {
  const operands = words.filter((word) => !word.startsWith("-"))
  if (name === "find" || name === "fd")
    return (
      /^\/proc\/?$/.test(operands[0] ?? "") &&
      operands.slice(1).every((word) => /^(?:(?:\/proc\/|\.\*\/)?[\d[\]*+:-]+|d|\.|%[fp]\S*)$/.test(word))
    )
  return (
    /^(?:ls|dir|echo|printf)$/.test(name ?? "") &&
    operands.some((word) => folders.test(word) || (/^\/proc\/?$/.test(word) && name === "ls"))
  )
}

/** All processes that there are, of which only the numbers are kept. */
export const listsAll = (upstream: readonly Stage[]): boolean => {
  const [source, ...further] = upstream
  if (source === undefined) return false
  const [name, ...options] = wordsOf(source)
  if (name === "pgrep")
    return (
      options.some((word) => anything.test(word) || /^-\w*[uUvt]$|^--(?:euid|uid|inverse)/.test(word)) &&
      options.filter((word) => !word.startsWith("-")).length <= 1 &&
      further.every(choosesNothing)
    )
  const isAll = name === "ps" ? takesAll(options) : listsFolders(name, options)
  return isAll && further.every(choosesNothing)
}

/** `$(ps …)`, alone or in quotes; the folder of each, as a pattern. */
export const isEveryProcess = (word: Word, state: ShellState): boolean =>
  word.some((part) => part.kind === "output" && (part.script.some(listsAll) || listsThere(part.script))) ||
  isFolders(word, state)

/** `cd /proc && ls -d [0-9]*`. */
const listsThere = ([cd, pipeline, another]: Script): boolean => {
  const [source, ...further] = pipeline ?? []
  if (cd?.[0] === undefined || source === undefined || another !== undefined) return false
  if (!/^cd \/proc\/?$/.test(wordsOf(cd[0]).join(" "))) return false
  const [name, ...words] = wordsOf(source)
  const seen = words.map((word) => (word.startsWith("-") ? word : `/proc/${word}`))
  const isBare = seen.every((word) => word.startsWith("-"))
  return listsFolders(name, isBare ? [...seen, "/proc"] : seen) && further.every(choosesNothing)
}

const isFolders = (word: Word, state: ShellState): boolean => {
  const text = plainText(word)
  if (text === undefined || !/[*?]/.test(text)) return false
  return folders.test(text.startsWith("/") ? text : `${state.cwd ?? ""}/${text}`)
}

/** A variable that was given that, or a part of it, as of a path its last name. */
const isHeld = (word: Word, { origins }: ShellState): boolean =>
  origins.size > 0 &&
  word.some(
    (part) => part.kind === "variable" && part.at === undefined && origins.get(part.name) === "every-process"
  )

const handsOn = /^(?:basename|echo|printf)$/

/** `$(basename "$p")`: the same by another command. */
const isNamedBy = (word: Word, state: ShellState): boolean =>
  state.origins.size > 0 &&
  word.some(
    (part) =>
      part.kind === "output" &&
      part.script.some(([stage]) => {
        const [name, ...rest] = stage?.words ?? []
        return handsOn.test(plainText(name ?? []) ?? "") && rest.some((one) => isHeld(one, state))
      })
  )

export const holdsEveryProcess = (word: Word, state: ShellState): boolean =>
  isEveryProcess(word, state) || isNamedBy(word, state)

/** What `$@` is made of, once these are what a shell is given. */
export const originOfArguments = (args: readonly Argument[], state: ShellState): Origin | undefined => {
  if (args.some((arg) => isAll(arg, state))) return "every-process"
  const [part, another] = args[0]?.word ?? []
  return part?.kind === "variable" && another === undefined ? state.origins.get(part.name) : undefined
}

export const isAll = ({ word }: Argument, state: ShellState): boolean =>
  holdsEveryProcess(word, state) || isHeld(word, state)

const compares = /^(?:=|==|=~)$/

const names = (script: Script, variable: string): boolean =>
  script.some((pipeline) =>
    pipeline.some(
      ({ inner, redirects, words }) =>
        words.some((word) => mentions(word, variable)) ||
        redirects.some(({ target }) => mentions(target, variable)) ||
        (inner !== undefined && names(inner, variable))
    )
  )

const mentions = (word: Word, variable: string): boolean =>
  word.some((part) =>
    part.kind === "variable" ? part.name === variable : part.kind === "output" && names(part.script, variable)
  )

/** What only the run tells, under a name of the line's own: what the process was asked before, most likely. */
const isToldLater = (word: Word, state: ShellState): boolean =>
  word.some(
    (part) =>
      part.kind === "variable" &&
      /^[a-z]/.test(part.name) &&
      state.variables.get(part.name)?.some((value) => value.includes(unknown)) === true
  )

const isNumber = (word: Word, variable: string): boolean =>
  word.every((part) =>
    part.kind === "text" ? part.text === "" : part.kind === "variable" && part.name === variable
  )

/** It is asked about the process, not for its number alone: by that nobody chooses more than one of them, or all but one. */
const asksAbout = (variable: string, { args, name, redirects, state, upstream }: Call): boolean => {
  const words = args.map(({ word }) => word)
  const isMentioned = words.some((word) => mentions(word, variable))
  if (!/^(?:[ef]?grep|rg|pgrep)$/.test(name))
    return (
      !words.some((word) => isNumber(word, variable)) &&
      (isMentioned || words.some((word) => isToldLater(word, state)))
    )
  if (isMentioned) return true
  return (
    redirects.some(({ target }) => mentions(target, variable)) ||
    upstream.some((stage) => !handsOn.test(wordsOf(stage)[0] ?? "") && names([[stage]], variable)) ||
    upstream.some(({ words: sent }) => sent.some((word) => isToldLater(word, state)))
  )
}

/** Of more variables than these nobody asks. */
const maxAsked = 8

/** Only some of them are meant from here on: each is asked what it is called, or who started it. */
export const followChoice = (call: Call): void => {
  const { args, name, state } = call
  if (state.origins.size === 0) return
  const isChoice =
    // What stands between `[[` and `]]`, or behind `case`, is read as words of it.
    (name === ":" && args.length > 1 && args.some(({ word }) => /[a-z]/i.test(plainText(word) ?? ""))) ||
    /^(?:[ef]?grep|rg|pgrep)$/.test(name) ||
    (/^(?:\[{1,2}|test)$/.test(name) && args.some((arg) => compares.test(first(arg))))
  if (!isChoice) return
  const all = [...state.origins].flatMap(([variable, origin]) => (origin === "every-process" ? variable : []))
  if (!all.slice(0, maxAsked).some((variable) => asksAbout(variable, call))) return
  for (const variable of all) setOrigin(state, variable, undefined)
}
