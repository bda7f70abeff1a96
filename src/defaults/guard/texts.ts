/** The command lines that commands are given as text, or start, and what they change in their shell. */
import type { Call } from "./Call.ts"
import { type Argument, argumentsOf, expand, first } from "./expand.ts"
import { absolute } from "./paths.ts"
import { type Stage, unknown } from "./script.ts"
import { carriesSecret } from "./secretSources.ts"
import { type ShellState, setSecret, setVariable } from "./shellState.ts"
import { unwrap } from "./unwrap.ts"

export const joinedTexts = (args: readonly Argument[]): string => args.map(first).join(" ")

export const assign = (args: readonly Argument[], state: ShellState): void => {
  for (const { values, word } of args) {
    const [text = ""] = values
    const equals = text.indexOf("=")
    if (equals <= 0) continue
    const name = text.slice(0, equals)
    setVariable(
      state,
      name,
      values.map((value) => value.slice(equals + 1))
    )
    if (carriesSecret(word, state)) setSecret(state, name)
  }
}

/** What a decoder makes of what it is given, where nothing else than decoding is asked of it. */
const decoded = (text: string | undefined, { words }: Stage, state: ShellState): string | undefined => {
  const [name, ...options] = argumentsOf(words, state).map(first)
  if (
    text === undefined ||
    !/^base64$/.test(name ?? "") ||
    !/^-\w*[dD]\w*$|^--decode$/.test(options[0] ?? "")
  )
    return undefined
  const plain = text.replaceAll(/\s/g, "")
  if (!/^[\w+/]+=*$/.test(plain) || plain.length > 8000) return undefined
  return Buffer.from(plain, "base64").toString("utf8")
}

/** What a command reads from standard input, where the line itself says it. */
export const standardInput = ({ redirects, state, upstream }: Call): string | undefined => {
  const given = redirects.find(({ operator }) => operator.startsWith("<<"))
  if (given) return expand(given.target, state)[0]
  const [source, second, third] = upstream
  if (source === undefined || third !== undefined) return undefined
  const heredoc = source.redirects.find(({ operator }) => operator.startsWith("<<"))
  const { name = "", args = [] } = unwrap(argumentsOf(source.words, state)) ?? {}
  const output =
    name === "echo"
      ? joinedTexts(args.filter((arg) => !/^-[neE]+$/.test(first(arg))))
      : name === "printf"
        ? joinedTexts(args)
            .replace(/^(?:%[sb](?:\\n)?)+ /, "")
            .replaceAll("\\n", "\n")
        : heredoc && (name === "cat" || second !== undefined)
          ? expand(heredoc.target, state)[0]
          : undefined
  return second === undefined ? output : name === "base64" ? undefined : decoded(output, second, state)
}

export interface Text {
  readonly text: string | undefined
  /** What it knows as `$1`, `$2` … */
  readonly args?: readonly Argument[]
}

export const shellText = (call: Call): Text => {
  const texts = call.args.map(first)
  const option = texts.findIndex((text) => /^-[a-z]*c[a-z]*$/.test(text))
  if (option < 0)
    return { text: texts.every((text) => text.startsWith("-")) ? standardInput(call) : undefined }
  const at = texts.findIndex((text, place) => place > option && !/^[-+]\w/.test(text))
  return at < 0 ? { text: undefined } : { text: texts[at], args: call.args.slice(at + 2) }
}

/** Behind the options of a command, of which these letters take a value. */
const behindOptions = (args: readonly Argument[], valued: string): readonly Argument[] => {
  let at = 0
  for (; at < args.length && first(args[at] as Argument).startsWith("-"); at++) {
    const text = first(args[at] as Argument)
    if (text.length === 2 && valued.includes(text[1] as string)) at++
  }
  return args.slice(at)
}

export const watchText = (args: readonly Argument[]): string => joinedTexts(behindOptions(args, "nq"))

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

export const remoteText = (args: readonly Argument[]): string =>
  joinedTexts(behindOptions(args, sshValued).slice(1))

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
  if (target === undefined) state.cwd = state.place.home
  else state.cwd = target === "-" || target.includes(unknown) ? undefined : absolute(target, state)
}

/** So many are remembered; nobody goes deeper. */
const mostLeft = 20

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
  state.left = [before, ...state.left].slice(0, mostLeft)
}

export const popDirectory = (args: readonly Argument[], state: ShellState): void => {
  const [back, ...rest] = state.left
  if (state.left.length === 0) return
  state.cwd = args.length > 0 ? undefined : back
  state.left = rest
}
