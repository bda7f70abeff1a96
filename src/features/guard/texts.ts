/** The command lines that commands are given as text, or start, and what they change in their shell. */
import type { Call } from "./Call.ts"
import { type Argument, expand, first } from "./expand.ts"
import { scriptText, standardInput } from "./input.ts"
import { originOfArguments } from "./packs/everyProcess.ts"
import { followOrigin } from "./packs/remoteCode.ts"
import { absolute } from "./paths.ts"
import { firstOf, unknown } from "./script.ts"
import { carriesSecret } from "./secretSources.ts"
import {
  keepThing,
  type ShellState,
  setArguments,
  setReference,
  setSecret,
  setVariable
} from "./shellState.ts"

export const joinedTexts = (args: readonly Argument[]): string => args.map(first).join(" ")

export const assign = (args: readonly Argument[], state: ShellState): void => {
  for (const { values, word } of args) {
    const [text = ""] = values
    const equals = text.indexOf("=")
    if (equals <= 0) continue
    const name = text.slice(0, equals)
    const [head, ...value] = word
    // Read as an assignment's: there `~` is the home directory, which it is nowhere else within a word.
    const isApart = value.length > 0 && head?.kind === "text" && head.text === `${name}=`
    setVariable(state, name, isApart ? expand(value, state) : values.map((one) => one.slice(equals + 1)))
    if (carriesSecret(word, state)) setSecret(state, name)
    followOrigin(name, [value], state)
  }
}

/** `declare -n r=HOME`: what is done to the one is done to the other. */
export const refer = (args: readonly Argument[], state: ShellState): boolean => {
  if (!args.some((arg) => /^-\w*n/.test(first(arg)))) return false
  for (const text of args.map(first).filter((one) => /^[A-Za-z_]/.test(one))) {
    const [name = "", meant = ""] = text.split("=", 2)
    state.variables.delete(name)
    setReference(state, name, meant)
  }
  return true
}

/** `ln -s target link`. */
export const makeLink = (args: readonly Argument[], state: ShellState): void => {
  const texts = args.map(first)
  const [target, link] = texts.filter((text) => !text.startsWith("-"))
  if (target === undefined || link === undefined || !texts.some((text) => /^-\w*s|^--symbolic/.test(text)))
    return
  const [to, at] = [absolute(target, state), absolute(link, state)]
  const isKnown = to !== undefined && at !== undefined && !`${to}${at}`.includes(unknown)
  if (isKnown) keepThing(state, state.linked, at, to)
}

/** A variable that is unset: from here on it is empty. */
export const unset = (args: readonly Argument[], state: ShellState): void => {
  const texts = args.map(first)
  if (texts.includes("-f")) return
  for (const name of texts.filter((text) => /^[A-Za-z_]\w*$/.test(text))) {
    if (texts.includes("-n")) state.references.delete(name)
    else setVariable(state, name, [""])
  }
}

export interface Text {
  readonly text: string | undefined
  /** What it knows as `$1`, `$2` … */
  readonly args?: readonly Argument[]
}

/** The place-holders of `xargs -I`: what is piped in stands there. */
export const isPlaceHolder = (text: string | undefined): boolean =>
  text === undefined || text === "{}" || text === "%"

/** A shell that is given nothing, or `-s`, runs what it reads; behind the script stand its arguments. */
const scriptOf = (call: Call, texts: readonly string[]): Text => {
  const at = texts.findIndex((text) => text === "-" || !/^[-+]./.test(text))
  const isRead = texts.slice(0, at < 0 ? texts.length : at).some((text) => /^-[a-z]*s[a-z]*$/.test(text))
  if (isRead || at < 0) return { text: scriptText(call, undefined), args: at < 0 ? [] : call.args.slice(at) }
  return { text: scriptText(call, call.args[at]), args: call.args.slice(at + 1) }
}

export const shellText = (call: Call): Text => {
  const texts = call.args.map(first)
  const option = texts.findIndex((text) => /^-[a-z]*c[a-z]*$/.test(text))
  if (option < 0) return scriptOf(call, texts)
  const at = texts.findIndex((text, place) => place > option && !/^[-+]\w/.test(text))
  if (call.fed && isPlaceHolder(texts[at])) return { text: standardInput(call) }
  return at < 0
    ? { text: undefined }
    : { text: named(call.args[at]?.values.join("\n"), call.args[at + 1]), args: call.args.slice(at + 2) }
}

/** `bash -c '…' name`: what stands behind the text is its `$0`. */
const named = (text: string | undefined, name: Argument | undefined): string | undefined =>
  text === undefined || name === undefined || !/\$\{?0/.test(text)
    ? text
    : text.replaceAll(/\$(?:0(?!\d)|\{0\})/g, () => first(name))

/** What `source` reads, if that is no file of its own. */
export const sourcedText = (call: Call): string | undefined =>
  call.args.length === 0 ? undefined : scriptText(call, call.args[0])

/** Behind the options of a command, of which these letters take a value: the rest of their word, or the next one. */
const behindOptions = (args: readonly Argument[], valued: string): readonly Argument[] => {
  let at = 0
  for (; at < args.length && first(args[at] as Argument).startsWith("-"); at++) {
    const text = first(args[at] as Argument)
    if (text === "--") return args.slice(at + 1)
    const taking = text.startsWith("--")
      ? -1
      : [...text].findIndex((letter, place) => place > 0 && valued.includes(letter))
    if (taking > 0 && taking === text.length - 1) at++
  }
  return args.slice(at)
}

export const watchText = (args: readonly Argument[]): string => joinedTexts(behindOptions(args, "nq"))

/** What `watchexec` starts when a file changes. */
export const watchexecText = (args: readonly Argument[]): string => {
  const dash = args.findIndex((arg) => first(arg) === "--")
  return joinedTexts(dash < 0 ? behindOptions(args, "wefiosdFNE") : args.slice(dash + 1))
}

/** `set -- a b` makes them `$1` and `$2`. */
export const setPositional = (args: readonly Argument[], state: ShellState): void => {
  const at = args.findIndex((arg) => first(arg) === "--")
  if (at < 0) return
  const given = args.slice(at + 1)
  setArguments(
    state,
    given.map(({ values }) => values),
    originOfArguments(given, state)
  )
}

const panes =
  /^(?:new|new-session|neww|new-window|splitw|split-window|respawn-pane|respawn-window|run|run-shell)$/

/** What `tmux` starts in a window, or types into one. */
export const tmuxText = (args: readonly Argument[]): string | undefined => {
  const [verb, ...rest] = behindOptions(args, "fLSc")
  const name = verb === undefined ? "" : first(verb)
  if (panes.test(name)) return joinedTexts(behindOptions(rest, "sntcxyFelpb"))
  if (name !== "send" && name !== "send-keys") return undefined
  return joinedTexts(
    behindOptions(rest, "tN").filter((arg) => !/^(?:Enter|[CM]-\w|KPEnter)$/.test(first(arg)))
  )
}

interface Parallel extends Text {
  /** What it starts, where what is piped in becomes its arguments. */
  readonly fed?: readonly Argument[]
}

/** What `parallel` starts for each of what stands behind `:::`. */
export const parallelText = (args: readonly Argument[]): Parallel => {
  const rest = behindOptions(args, "jaINLnS")
  const inputs = rest.findIndex((arg) => /^:::\+?$/.test(first(arg)))
  if (inputs < 0) return { text: undefined, fed: rest }
  const text = joinedTexts(rest.slice(0, inputs))
  const given = rest.slice(inputs + 1).filter((arg) => !/^:::\+?$/.test(first(arg)))
  const placed = text.replaceAll(/\{[./]*\}/g, '"$@"')
  return { text: placed === text ? `${text} "$@"` : placed, args: given }
}

const sshValued = "BbcDEeFIiJLlmOopQRSWw"

/** Options may stand before the host and behind it. */
export const remoteText = (args: readonly Argument[]): string =>
  joinedTexts(behindOptions(behindOptions(args, sshValued).slice(1), sshValued))

/** Of clients that name their hosts in options. */
export const manyText = (args: readonly Argument[]): string =>
  joinedTexts(behindOptions(args, "wxgXltufhHopeOmRM"))

/** What `find … -exec` starts, each up to its end. */
export const executed = (args: readonly Argument[], isFd = false): readonly (readonly Argument[])[] => {
  const start = isFd ? /^(?:-x|-X|--exec|--exec-batch)$/ : /^-(?:exec|execdir|ok|okdir)$/
  const commands: Argument[][] = []
  let current: Argument[] | undefined
  for (const arg of args) {
    const text = first(arg)
    if (current !== undefined && (text === ";" || text === "+")) current = undefined
    else if (current !== undefined) current.push(text === "{}" ? { ...arg, values: [unknown] } : arg)
    else if (start.test(text)) {
      current = []
      commands.push(current)
    }
  }
  return commands
}

export const changeDirectory = (args: readonly Argument[], state: ShellState): void => {
  const target = args.map(first).find((text) => text === "-" || !text.startsWith("-"))
  const { before, cwd } = state
  state.before = cwd
  if (target === undefined) state.cwd = state.place.home
  else if (target === "-") state.cwd = before
  else state.cwd = target.includes(unknown) ? undefined : absolute(target, state)
}

/** The shell that a command finds which is started in other directories, each seen from the one before. */
export const movedTo = (folders: readonly string[], state: ShellState): ShellState => {
  if (folders.length === 0) return state
  const inside = { ...state }
  for (const folder of folders) inside.cwd = folder.includes(unknown) ? undefined : absolute(folder, inside)
  return inside
}

/** So many are remembered; nobody goes deeper. */
const maxLeft = 100

/** Without a directory the last two change places; what goes round (`+1`) cannot be told. */
export const pushDirectory = (args: readonly Argument[], state: ShellState): void => {
  const before = state.cwd
  const [back, ...rest] = state.left
  const [given] = args
  if (given === undefined) {
    if (state.left.length > 0) {
      state.cwd = back
      state.left = [before, ...rest]
    }
    return
  }
  if (/^[-+]\d/.test(first(given))) state.cwd = undefined
  else changeDirectory(args, state)
  state.left = firstOf([before, ...state.left], state.budget, maxLeft)
}

export const popDirectory = (args: readonly Argument[], state: ShellState): void => {
  const [back, ...rest] = state.left
  if (state.left.length === 0) return
  state.cwd = args.length > 0 ? undefined : back
  state.left = rest
}
