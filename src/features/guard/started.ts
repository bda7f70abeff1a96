/** What a command starts, or changes in its shell, once every rule was asked about the command itself. */
import { awkCommands } from "./awk.ts"
import { type Call, textsOf } from "./Call.ts"
import { readCode } from "./code.ts"
import { containedIn } from "./container.ts"
import { evaluatedTexts } from "./evaluated.ts"
import { type Argument, first, formatted } from "./expand.ts"
import { fileOrWritten, givenTo, writtenText } from "./input.ts"
import { isKnown, optionCommands, programOf } from "./interpreters.ts"
import { readFind } from "./listed.ts"
import { aliasSet, readGit } from "./packs/git.ts"
import { parse } from "./parse.ts"
import { readLines } from "./readLines.ts"
import { remoteCommand } from "./remote.ts"
import type { Verdict } from "./rule.ts"
import { isReadFirst, runCommands, settingCommand } from "./runVariables.ts"
import { type Part, type Pipeline, unknown, type Word } from "./script.ts"
import { carriesSecret, followSourced } from "./secretSources.ts"
import { copyOf, type ShellState, setFunction, setSecret, setVariable } from "./shellState.ts"
import {
  assign,
  changeDirectory,
  executed,
  joinedTexts,
  makeLink,
  movedTo,
  parallelText,
  popDirectory,
  pushDirectory,
  refer,
  setPositional,
  shellText,
  sourcedText,
  tmuxText,
  unset,
  watchexecText,
  watchText
} from "./texts.ts"
import { unwrap } from "./unwrap.ts"

/** As a script ends, it ends what it started: its own group, and no other. */
const ownGroup = /\bkill\s+(?:-\w+\s+)?(?:--\s+)?0(?=\s*(?:$|[;&|\n]))/g

/** Commands given as text within commands given as text, beyond this, are not read. */
export const deepestText = 10
const shells = new Set(
  "bash sh zsh dash ksh mksh ash fish csh tcsh rbash osh ysh yash xonsh nu elvish".split(" ")
)

/** How the walk goes on: what is started is a command line, or a command, like any other. */
export interface Walker {
  readonly verdict: (verdict: Verdict | undefined) => Verdict | undefined
  readonly text: (
    text: string,
    state: ShellState,
    changed?: Partial<ShellState>,
    args?: readonly Argument[],
    piped?: Pipeline
  ) => Verdict | undefined
  /** As `text`, in the same shell: what is set there stays set. */
  readonly here: (text: string, state: ShellState) => Verdict | undefined
  readonly call: (call: Call) => Verdict | undefined
  /** A command in a container: what is blocked elsewhere is asked about there, save what it does to the host. */
  readonly contained: (call: Call) => Verdict | undefined
  /** A function that was defined in this line. */
  readonly definition: (call: Call) => Verdict | undefined
}

export const startedBy = (call: Call, walker: Walker): Verdict | undefined => {
  const { args, name, state } = call
  const inner = (text: string | undefined, changed: Partial<ShellState> = {}, given?: readonly Argument[]) =>
    text === undefined || text === "" ? undefined : walker.text(text, state, changed, given)
  const here = (text: string | undefined): Verdict | undefined => {
    if (text === undefined || text.includes(unknown)) state.sure = false
    return text === undefined || text === "" ? undefined : walker.here(text, state)
  }
  if (state.functions.has(name)) return walker.definition(call)
  for (const text of optionCommands(call)) {
    const found = isKnown(text) ? inner(text) : undefined
    if (found) return found
  }
  for (const text of evaluatedTexts(call)) {
    const found = inner(text)
    if (found) return found
  }
  const remote = remoteCommand(call)
  if (remote !== undefined) return walkRemote(remote, call, walker)
  const contained = containedIn(call)
  if (contained !== undefined) return walkContained(contained, call, walker)
  if (name === "git") {
    const found = walkGitAlias(call, walker)
    if (found) return found
  }
  const program = programOf(call)
  if (program !== undefined && isKnown(program)) return walkProgram(program, call, walker)
  const written = call.path?.includes("/") ? writtenText(call.path, state) : undefined
  if (written !== undefined) return walkScript(written, call, walker)
  if (shells.has(name)) {
    const { text, args: given } = shellText(call)
    return inner(text, startsDotted(args) ? { dotted: true } : {}, given)
  }
  switch (name) {
    case "cd":
      changeDirectory(args, state)
      return undefined
    case "pushd":
      pushDirectory(args, state)
      return undefined
    case "popd":
      popDirectory(args, state)
      return undefined
    case "for": {
      const [variable, , ...values] = args
      if (variable) setVariable(state, first(variable), values.flatMap((value) => value.values).slice(0, 16))
      return undefined
    }
    case "export":
    case "declare":
    case "typeset":
    case "local":
    case "readonly":
      if (name !== "export" && refer(args, state)) return undefined
      assign(args, state)
      if (args.some((arg) => first(arg).startsWith(unknown))) state.sure = false
      return walkRunVariables(args, call, walker)
    case "ln":
      makeLink(args, state)
      return undefined
    case "unset":
      unset(args, state)
      return undefined
    case "printf":
      if (textsOf(args)[0] === "-v" && args[1] !== undefined)
        setVariable(state, first(args[1]), [formatted(textsOf(args.slice(2)))])
      return undefined
    case "alias":
      defineAliases(args, state)
      return undefined
    case "read":
    case "mapfile":
    case "readarray":
      readLines(call)
      return undefined
    case "eval":
      return here(args.length === 1 ? args[0]?.values.join("\n") : joinedTexts(args))
    case "source":
    case ".":
      followSourced(args, state)
      return here(sourcedText(call))
    case "shopt":
    case "setopt":
    case "unsetopt":
      setDotted(call)
      return undefined
    case "set":
      setPositional(args, state)
      if (/(?:^| )-\w*u|nounset/.test(joinedTexts(args))) state.sure = false
      return undefined
    case "watchexec":
      return inner(watchexecText(args))
    case "watch":
      return inner(watchText(args))
    case "tmux":
      return inner(tmuxText(args))
    case "parallel": {
      const { text, args: given, fed } = parallelText(args)
      if (fed === undefined) return inner(text, {}, given)
      const command = state.depth < deepestText ? unwrap(fed) : undefined
      const inside = { ...call, state: copyOf(state, { depth: state.depth + 1 }) }
      return command && walker.call({ ...inside, ...command, fed: true })
    }
    case "trap":
      // By then more is set than here.
      return inner(args[0] && first(args[0]).replace(ownGroup, ":"), { sure: false })
    case "su": {
      const at = args.findIndex((arg) => /^-\w*c$|^--command$/.test(first(arg)))
      return at < 0 ? undefined : inner(args[at + 1] && first(args[at + 1] as Argument))
    }
    case "env":
      return undefined
    case "find":
    case "fd":
    case "fdfind":
      return walkExecuted(call, walker)
    default:
      return undefined
  }
}

/** Of `NAME=…` what stands behind the sign, as it was written. */
const behindName = ([head, ...rest]: Word): Word =>
  head?.kind === "text" ? [{ ...head, text: head.text.replace(/^\w+=/, "") }, ...rest].filter(hasText) : rest

const hasText = (part: Part): boolean => part.kind !== "text" || part.text !== ""

/** What is set for a command, or from here on, and run by whoever reads it. */
export const walkRunVariables = (
  args: readonly Argument[],
  { state }: Call,
  walker: Walker
): Verdict | undefined => {
  for (const { values, word } of args.slice(0, 50)) {
    const [text = ""] = values
    const equals = text.indexOf("=")
    const name = text.slice(0, Math.max(0, equals))
    const read = isReadFirst(name) ? fileOrWritten(behindName(word), state) : undefined
    const commands = [...runCommands(name, [text.slice(equals + 1)]), ...(read === undefined ? [] : [read])]
    for (const command of commands) {
      const found = isKnown(command) ? walker.text(command, state) : undefined
      if (found) return found
    }
  }
  return undefined
}

/** A shell on another machine: without a command it reads what it is given, and so does a command that reads at all. */
const walkRemote = (text: string, call: Call, walker: Walker): Verdict | undefined => {
  const { redirects, state, upstream } = call
  const piped = [...upstream, ...(givenTo(redirects) ?? [])]
  const command = text !== "" || piped.length === 0 ? text : "sh"
  return command === ""
    ? undefined
    : walker.text(command, state, { remote: true, cwd: undefined }, undefined, piped)
}

/** An alias that this command line set before: `git config alias.x …; git x`. */
const walkGitAlias = (call: Call, walker: Walker): Verdict | undefined => {
  const [alias, body] = aliasSet(call) ?? []
  if (alias !== undefined && body !== undefined)
    setFunction(call.state, `git ${alias}`, parse(`git ${body} "$@"`, call.state.budget))
  const { args, settings = [], verb } = readGit(call) ?? {}
  for (const setting of settings) {
    const [, given = "", does = ""] = /^alias\.([\w-]+)=([^!].*)$/s.exec(setting) ?? []
    if (given !== "" && given === verb)
      setFunction(call.state, `git ${given}`, parse(`git ${does} "$@"`, call.state.budget))
    const command = settingCommand(setting)
    const found = command === undefined || !isKnown(command) ? undefined : walker.text(command, call.state)
    if (found) return found
  }
  return args === undefined ? undefined : walker.definition({ ...call, name: `git ${verb}`, args })
}

/** What a program of another language does is asked as if a shell did it. */
const walkProgram = (program: string, call: Call, walker: Walker): Verdict | undefined => {
  const { name, state } = call
  state.budget.left -= program.length
  if (state.budget.left < 0) return undefined
  const { commands: known, found } = readCode(program)
  const commands = /^[gmn]?awk$/.test(name) ? [...known, ...awkCommands(program)] : known
  const judged = walker.verdict(
    found && { rule: found.rule, reason: `What \`${name}\` is given ${found.does}.` }
  )
  if (judged) return judged
  for (const command of commands) {
    const inside = walker.text(command, state)
    if (inside) return inside
  }
  return undefined
}

/** A script that is started by its name says in its first line who reads it. */
const walkScript = (text: string, call: Call, walker: Walker): Verdict | undefined => {
  const [, reader = "sh"] = /^#![^\n]*?([\w.-]+)\s*(?:\n|$)/.exec(text) ?? []
  return shells.has(reader)
    ? walker.text(text, call.state, {}, call.args)
    : walkProgram(text, { ...call, name: reader }, walker)
}

const walkContained = (
  { folder, isNew, mounts, named, set, sourced, words }: NonNullable<ReturnType<typeof containedIn>>,
  { redirects, state, upstream }: Call,
  walker: Walker
): Verdict | undefined => {
  if (state.depth >= deepestText) return undefined
  const container = { isNew, mounts }
  for (const given of [words, named]) {
    const command = unwrap(given.map((arg) => ({ ...arg, word: readHere(arg.word, state) })))
    if (command === undefined) continue
    const inside = copyOf(state, { depth: state.depth + 1, remote: true, container, cwd: folder })
    setSecret(inside, brought)
    followSet(set, sourced, state, inside)
    const found = walker.contained({
      ...command,
      state: movedTo(command.folders, inside),
      redirects: [],
      // What is piped or redirected into the engine the command in there reads.
      upstream: [...upstream, ...(givenTo(redirects) ?? [])]
    })
    if (found) return found
  }
  return undefined
}

/** Stands, in a word that goes into a container, for a secret that this shell put into it. */
const brought = "<"

/** `docker run img curl -d "$(cat .env)"`: it is this shell that reads it. */
const readHere = (word: Word, state: ShellState): Word =>
  word.map((part) =>
    part.kind === "output" && carriesSecret([part], state)
      ? { kind: "variable", name: brought, quoted: true }
      : part
  )

/** `-e NAME=value` and `--env-file .env`: a secret that goes in is one in there too. */
const followSet = (
  set: readonly Argument[],
  sourced: readonly Argument[],
  state: ShellState,
  inside: ShellState
): void => {
  assign(set, inside)
  for (const { values, word } of set)
    if (carriesSecret(word, state)) setSecret(inside, (values[0] ?? "").replace(/=.*$/s, ""))
  for (const file of sourced) followSourced([file], state, inside)
}

/** An alias is a function of one line. */
const defineAliases = (args: readonly Argument[], state: ShellState): void => {
  for (const arg of args) {
    const [, name = "", text = ""] = /^([\w.-]+)=(.+)$/s.exec(first(arg)) ?? []
    if (name !== "" && !new RegExp(`^(?:\\w+ )*${name.replaceAll(/[.-]/g, "\\$&")}\\b`).test(text))
      setFunction(state, name, parse(`${text} "$@"`, state.budget))
  }
}

const dots = /^(?:dot_?glob|glob_?dots)$/i

const startsDotted = (args: readonly Argument[]): boolean =>
  args.some((arg, at) => dots.test(first(arg)) && /^[-+]O$/.test(first(args[at - 1] ?? arg)))

const setDotted = ({ args, name, state }: Call): void => {
  const texts = args.map(first)
  if (!texts.some((text) => dots.test(text))) return
  state.dotted = name === "setopt" || (name === "shopt" && texts.some((text) => /^-\w*s/.test(text)))
}

/** A shell that `find` starts for everything is given, before all else, what it begins at. */
const withRoots = (words: readonly Argument[], args: readonly Argument[]): readonly Argument[] => {
  const { chosen, roots, skips } = readFind(args)
  if (chosen || skips || !shells.has(unwrap(words)?.name ?? "")) return words
  const values = roots.flatMap((root) => root.values).slice(0, 16)
  return words.map((one) => (first(one) === unknown ? { ...one, values } : one))
}

const walkExecuted = (call: Call, walker: Walker): Verdict | undefined => {
  const depth = call.state.depth + 1
  if (depth > deepestText) return undefined
  const state = copyOf(call.state, { depth })
  for (const words of executed(call.args, call.name !== "find")) {
    const command = unwrap(call.name === "find" ? withRoots(words, call.args) : words)
    const found =
      command &&
      walker.call({ ...command, state: movedTo(command.folders, state), redirects: [], upstream: [] })
    if (found) return found
  }
  return undefined
}
