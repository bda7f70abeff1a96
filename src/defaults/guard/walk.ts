/** Goes through a command line as a shell would, and asks every rule about every command that it would start. */

import type { Call, Rule } from "./Call.ts"
import { deletes } from "./deletes.ts"
import { disk } from "./disk.ts"
import { type Argument, argumentsOf, expand, first } from "./expand.ts"
import { forcePush } from "./forcePush.ts"
import { parse } from "./parse.ts"
import { permissions } from "./permissions.ts"
import type { Verdict } from "./rule.ts"
import { type Pipeline, type Script, type Stage, unknown, type Word } from "./script.ts"
import { secrets } from "./secretSinks.ts"
import { carriesSecret, follow } from "./secretSources.ts"
import { copyOf, type ShellState, setVariable } from "./shellState.ts"
import { assign, changeDirectory, executed, joinedTexts, remoteText, shellText } from "./texts.ts"
import { unwrap } from "./unwrap.ts"

const rules: readonly Rule[] = [deletes, forcePush, disk, permissions, secrets]

/** Commands given as text within commands given as text, beyond this, are not read. */
const deepestText = 10
/** What is further up in a pipeline is not asked what it sends down. */
const mostUpstream = 20
const shells = new Set(["bash", "sh", "zsh", "dash", "ksh", "ash"])

/** Tells whether a rule is on; what is switched off is looked past. */
export type Wanted = (verdict: Verdict | undefined) => Verdict | undefined

export const walk = (script: Script, state: ShellState, wanted: Wanted): Verdict | undefined => {
  for (const pipeline of script) {
    const found = walkPipeline(pipeline, state, wanted)
    if (found) return found
  }
  return undefined
}

const walkText = (text: string, state: ShellState, wanted: Wanted, changed: Partial<ShellState> = {}) => {
  const depth = state.depth + 1
  if (depth > deepestText || state.budget.left < 0) return undefined
  return walk(parse(text, state.budget), copyOf(state, { ...changed, depth }), wanted)
}

const outputsOf = (words: readonly Word[]): readonly Script[] =>
  words.flatMap((word) =>
    word.flatMap((part) => {
      if (part.kind === "output") return [part.script]
      return part.kind === "variable" && part.fallback !== undefined ? outputsOf([part.fallback]) : []
    })
  )

const walkPipeline = (pipeline: Pipeline, state: ShellState, wanted: Wanted): Verdict | undefined => {
  for (const [at, stage] of pipeline.entries()) {
    const inside = pipeline.length > 1 ? copyOf(state) : state
    const found = walkStage(stage, pipeline.slice(Math.max(0, at - mostUpstream), at), inside, wanted)
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
  for (const { name, value } of assigns) {
    if (carriesSecret(value, state)) state.secretVariables.add(name)
    setVariable(state, name, expand(value, state))
  }
  const all = [...words, ...assigns.map(({ value }) => value), ...redirects.map(({ target }) => target)]
  for (const script of outputsOf(all)) {
    const found = walk(script, copyOf(state), wanted)
    if (found) return found
  }
  if (isForkBomb(stage)) {
    const bomb = wanted({
      rule: "fork-bomb",
      reason: "A function that starts itself twice fills the machine with processes."
    })
    if (bomb) return bomb
  }
  if (inner !== undefined) {
    const found = walk(inner, stage.apart || stage.defines !== undefined ? copyOf(state) : state, wanted)
    if (found) return found
  }
  const command = unwrap(argumentsOf(words, state))
  const call: Call = { name: "", args: [], fed: false, ...command, redirects, upstream, state }
  return checkCall(call, wanted)
}

const checkCall = (call: Call, wanted: Wanted): Verdict | undefined => {
  for (const rule of rules) {
    const found = wanted(rule(call))
    if (found) return found
  }
  return startedBy(call, wanted)
}

const startedBy = (call: Call, wanted: Wanted): Verdict | undefined => {
  const { args, name, state } = call
  const inner = (text: string | undefined, changed: Partial<ShellState> = {}) =>
    text === undefined || text === "" ? undefined : walkText(text, state, wanted, changed)
  if (shells.has(name)) return inner(shellText(call))
  switch (name) {
    case "cd":
    case "pushd":
      changeDirectory(args, state)
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
    case "read":
      for (const arg of args) setVariable(state, first(arg), [unknown])
      return undefined
    case "eval":
    case "watch":
      return inner(joinedTexts(args.filter((arg) => !first(arg).startsWith("-"))))
    case "trap":
      return inner(args[0] && first(args[0]))
    case "su": {
      const at = args.findIndex((arg) => /^-c$|^--command$/.test(first(arg)))
      return at < 0 ? undefined : inner(args[at + 1] && first(args[at + 1] as Argument))
    }
    case "ssh":
      return inner(remoteText(args), { remote: true, cwd: undefined })
    case "find":
      return walkExecuted(call, wanted)
    default:
      return undefined
  }
}

const walkExecuted = (call: Call, wanted: Wanted): Verdict | undefined => {
  const depth = call.state.depth + 1
  if (depth > deepestText) return undefined
  const state = copyOf(call.state, { depth })
  for (const words of executed(call.args)) {
    const command = unwrap(words)
    const found = command && checkCall({ ...command, state, redirects: [], upstream: [] }, wanted)
    if (found) return found
  }
  return undefined
}
