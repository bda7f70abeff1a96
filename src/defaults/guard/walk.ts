/** Goes through a command line as a shell would, and asks every rule about every command that it would start. */

import type { Call, Rule } from "./Call.ts"
import { readCode } from "./code.ts"
import { deletes } from "./deletes.ts"
import { disk } from "./disk.ts"
import { type Argument, argumentsOf, assigned, first } from "./expand.ts"
import { isKnown, optionCommands, programOf } from "./interpreters.ts"
import { readFind } from "./listed.ts"
import { credentials } from "./packs/credentials.ts"
import { aliasSet, git, readGit } from "./packs/git.ts"
import { named } from "./packs/named.ts"
import { processes } from "./packs/processes.ts"
import { followOrigin, remoteCode } from "./packs/remoteCode.ts"
import { requests } from "./packs/requests.ts"
import { parse } from "./parse.ts"
import { permissions } from "./permissions.ts"
import type { Verdict } from "./rule.ts"
import { type Pipeline, plainText, type Script, type Stage, unknown, type Word } from "./script.ts"
import { secrets } from "./secretSinks.ts"
import { carriesSecret, follow } from "./secretSources.ts"
import { copyOf, type ShellState, setFunction, setSecret, setVariable, withArguments } from "./shellState.ts"
import {
  assign,
  changeDirectory,
  executed,
  joinedTexts,
  parallelText,
  popDirectory,
  pushDirectory,
  remoteText,
  setPositional,
  shellText,
  sourcedText,
  tmuxText,
  watchexecText,
  watchText
} from "./texts.ts"
import { unwrap } from "./unwrap.ts"

export const shippedRules: readonly Rule[] = [
  deletes,
  disk,
  permissions,
  secrets,
  credentials,
  git,
  processes,
  remoteCode,
  requests,
  named
]

/** Commands given as text within commands given as text, beyond this, are not read. */
const deepestText = 10
/** What is further up in a pipeline is not asked what it sends down. */
const mostUpstream = 20
/** One command is asked about by every rule, with what may be in its place. */
const costOfStage = 40
/** A function is read again each time that it is started: so much of the budget goes. */
const costOfCall = 500
const shells = new Set("bash sh zsh dash ksh mksh ash fish csh tcsh".split(" "))

export interface Wanted {
  /** Every one of them is asked about every command. */
  readonly rules: readonly Rule[]
  /** What ends the walk: nothing that is switched off, and nothing that only asks, for something worse may follow. */
  readonly verdict: (verdict: Verdict | undefined) => Verdict | undefined
}

/** `piped`: what is piped into all of it, and its first command reads. */
export const walk = (
  script: Script,
  state: ShellState,
  wanted: Wanted,
  piped: Pipeline = []
): Verdict | undefined => {
  for (const [at, pipeline] of script.entries()) {
    if (state.budget.left < 0) return undefined
    const found = walkPipeline(pipeline, state, wanted, at === 0 ? piped : [])
    if (found) return found
  }
  return undefined
}

const walkText = (
  text: string,
  state: ShellState,
  wanted: Wanted,
  changed: Partial<ShellState> = {},
  args?: readonly Argument[]
) => {
  const depth = state.depth + 1
  if (depth > deepestText) {
    state.budget.unread = true
    state.budget.beyond = true
  }
  if (depth > deepestText || state.budget.left < 0) return undefined
  const inside = copyOf(state, { ...changed, depth })
  const walked = () => walk(parse(text, state.budget), inside, wanted)
  return args === undefined ? walked() : withArguments(inside, valuesOfAll(args), walked)
}

const valuesOfAll = (args: readonly Argument[]) => args.map(({ values }) => values)

/** What a function does it does to the shell that starts it, all but its arguments. */
const walkFunction = ({ args, name, state, upstream }: Call, wanted: Wanted): Verdict | undefined => {
  const body = state.functions.get(name)
  const depth = state.depth + 1
  state.budget.left -= body === undefined ? 0 : costOfCall
  if (body === undefined || depth > deepestText || state.budget.left < 0) return undefined
  const inside = { ...state, depth }
  const found = withArguments(inside, valuesOfAll(args), () => walk(body, inside, wanted, upstream))
  state.cwd = inside.cwd
  state.left = inside.left
  return found
}

const outputsOf = (words: readonly Word[]): readonly Script[] =>
  words.flatMap((word) =>
    word.flatMap((part) => {
      if (part.kind === "output") return [part.script]
      return part.kind === "variable" && part.fallback !== undefined ? outputsOf([part.fallback]) : []
    })
  )

const walkPipeline = (
  pipeline: Pipeline,
  state: ShellState,
  wanted: Wanted,
  piped: Pipeline
): Verdict | undefined => {
  for (const [at, stage] of pipeline.entries()) {
    const inside = pipeline.length > 1 ? copyOf(state) : state
    const before = pipeline.slice(Math.max(0, at - mostUpstream), at)
    const upstream = piped.length === 0 ? before : [...piped, ...before].slice(-mostUpstream)
    const found = walkStage(stage, upstream, inside, wanted)
    if (found) return found
  }
  follow(pipeline, state)
  return undefined
}

/** A function whose body starts it twice in one pipeline, as in `f() { f | f & }`. */
const isForkBomb = ({ defines, inner }: Stage): boolean =>
  defines !== undefined &&
  (inner ?? []).some(
    (pipeline) =>
      pipeline.filter(
        ({ words }) =>
          words[0]?.map((part) => (part.kind === "text" ? part.text : unknown)).join("") === defines
      ).length > 1
  )

const walkStage = (
  stage: Stage,
  upstream: Pipeline,
  state: ShellState,
  wanted: Wanted
): Verdict | undefined => {
  const { assigns, inner, redirects, words } = stage
  state.budget.left -= costOfStage + 4 * (assigns.length + words.length + redirects.length)
  if (state.budget.left < 0) return undefined
  for (const one of assigns) {
    if ([one.value, ...(one.items ?? [])].some((word) => carriesSecret(word, state)))
      setSecret(state, one.name)
    setVariable(state, one.name, assigned(one, state))
    followOrigin(one.name, one.value, state)
  }
  const all = [
    ...words,
    ...assigns.flatMap(({ items = [], value }) => [value, ...items]),
    ...redirects.map(({ target }) => target)
  ]
  for (const word of all) state.budget.left -= word.length
  for (const script of outputsOf(all)) {
    const found = walk(script, copyOf(state), wanted)
    if (found) return found
  }
  if (isForkBomb(stage)) {
    const bomb = wanted.verdict({
      rule: "fork-bomb",
      reason: "A function that starts itself twice fills the machine with processes."
    })
    if (bomb) return bomb
  }
  if (stage.defines !== undefined && inner !== undefined) setFunction(state, stage.defines, inner)
  if (inner !== undefined) {
    const inside = stage.apart || stage.defines !== undefined ? copyOf(state) : state
    const found = walk(inner, inside, wanted, upstream)
    if (found) return found
  }
  const command = unwrap(argumentsOf(words, state))
  return checkCall({ name: "", args: [], fed: false, ...command, redirects, upstream, state, words }, wanted)
}

const checkCall = (call: Call, wanted: Wanted): Verdict | undefined => {
  // A function of that name is started instead, unless something stands before it.
  const isFunction = call.state.functions.has(call.name) && plainText(call.words?.[0] ?? []) === call.name
  for (const rule of isFunction ? [] : wanted.rules) {
    const found = wanted.verdict(rule(call))
    if (found) return found
  }
  return startedBy(call, wanted)
}

const startedBy = (call: Call, wanted: Wanted): Verdict | undefined => {
  const { args, name, state } = call
  const inner = (text: string | undefined, changed: Partial<ShellState> = {}, given?: readonly Argument[]) =>
    text === undefined || text === "" ? undefined : walkText(text, state, wanted, changed, given)
  if (state.functions.has(name)) return walkFunction(call, wanted)
  for (const text of optionCommands(call)) {
    const found = isKnown(text) ? inner(text) : undefined
    if (found) return found
  }
  if (name === "git") {
    const found = walkGitAlias(call, wanted)
    if (found) return found
  }
  const program = programOf(call)
  if (program !== undefined && isKnown(program)) return walkProgram(program, call, wanted)
  if (shells.has(name)) {
    const { text, args: given } = shellText(call)
    return inner(text, {}, given)
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
      assign(args, state)
      return undefined
    case "alias":
      defineAliases(args, state)
      return undefined
    case "read":
      for (const arg of args) setVariable(state, first(arg), [unknown])
      return undefined
    case "eval":
      return inner(joinedTexts(args))
    case "source":
    case ".":
      return inner(sourcedText(call))
    case "set":
      setPositional(args, state)
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
      return command && checkCall({ ...inside, ...command, fed: true }, wanted)
    }
    case "trap":
      return inner(args[0] && first(args[0]))
    case "su": {
      const at = args.findIndex((arg) => /^-\w*c$|^--command$/.test(first(arg)))
      return at < 0 ? undefined : inner(args[at + 1] && first(args[at + 1] as Argument))
    }
    case "ssh":
      return inner(remoteText(args), { remote: true, cwd: undefined })
    case "env":
      return undefined
    case "find":
    case "fd":
    case "fdfind":
      return walkExecuted(call, wanted)
    default:
      return undefined
  }
}

/** An alias that this command line set before: `git config alias.x …; git x`. */
const walkGitAlias = (call: Call, wanted: Wanted): Verdict | undefined => {
  const [alias, body] = aliasSet(call) ?? []
  if (alias !== undefined && body !== undefined)
    setFunction(call.state, `git ${alias}`, parse(`git ${body} "$@"`, call.state.budget))
  const { args, verb } = readGit(call) ?? {}
  return args === undefined ? undefined : walkFunction({ ...call, name: `git ${verb}`, args }, wanted)
}

/** What a program of another language does is asked as if a shell did it. */
const walkProgram = (program: string, call: Call, wanted: Wanted): Verdict | undefined => {
  const { name, state } = call
  state.budget.left -= program.length
  if (state.budget.left < 0) return undefined
  const { commands, found } = readCode(program)
  const judged = wanted.verdict(
    found && { rule: found.rule, reason: `What \`${name}\` is given ${found.does}.` }
  )
  if (judged) return judged
  for (const command of commands) {
    const inside = walkText(command, state, wanted)
    if (inside) return inside
  }
  return undefined
}

/** An alias is a function of one line. */
const defineAliases = (args: readonly Argument[], state: ShellState): void => {
  for (const arg of args) {
    const [, name = "", text = ""] = /^([\w.-]+)=(.+)$/s.exec(first(arg)) ?? []
    if (name !== "" && !new RegExp(`^(?:\\w+ )*${name.replaceAll(/[.-]/g, "\\$&")}\\b`).test(text))
      setFunction(state, name, parse(`${text} "$@"`, state.budget))
  }
}

/** A shell that `find` starts for everything is given, before all else, what it begins at. */
const withRoots = (words: readonly Argument[], args: readonly Argument[]): readonly Argument[] => {
  const { chosen, roots, skips } = readFind(args)
  if (chosen || skips || !shells.has(unwrap(words)?.name ?? "")) return words
  const values = roots.flatMap((root) => root.values).slice(0, 16)
  return words.map((one) => (first(one) === unknown ? { ...one, values } : one))
}

const walkExecuted = (call: Call, wanted: Wanted): Verdict | undefined => {
  const depth = call.state.depth + 1
  if (depth > deepestText) return undefined
  const state = copyOf(call.state, { depth })
  for (const words of executed(call.args, call.name !== "find")) {
    const command = unwrap(call.name === "find" ? withRoots(words, call.args) : words)
    const found = command && checkCall({ ...command, state, redirects: [], upstream: [] }, wanted)
    if (found) return found
  }
  return undefined
}
