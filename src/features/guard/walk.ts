/** Goes through a command line as a shell would, and asks every rule about every command that it would start. */
import type { Call, Rule } from "./Call.ts"
import { asExpanded } from "./evaluated.ts"
import { type Argument, argumentsOf, expand } from "./expand.ts"
import { givenTo } from "./input.ts"
import { madeUntilNow, withoutMade } from "./made.ts"
import { originOfArguments } from "./packs/everyProcess.ts"
import { isKeptApart, repeats, seenFrom } from "./packs/handsOn.ts"
import { parse } from "./parse.ts"
import type { Verdict } from "./rule.ts"
import { type Pipeline, passOver, plainText, type Script, type Stage } from "./script.ts"
import { follow } from "./secretSources.ts"
import { runAmong, setBefore, settingOf, withSet } from "./settingsOfStage.ts"
import { copyOf, type ShellState, setFunction, setVariable, withArguments } from "./shellState.ts"
import { isForkBomb, outputsOf } from "./stage.ts"
import { startedBy } from "./started.ts"
import { walkRunVariables } from "./startedBySettings.ts"
import { movedTo } from "./texts.ts"
import { noteTested } from "./unset.ts"
import { unwrap } from "./unwrap.ts"
import { withVariables } from "./variableOptions.ts"
import { deepestText, type Walker } from "./Walker.ts"
import { followWritten } from "./written.ts"

/** What is further up in a pipeline is not asked what it sends down. */
const maxUpstream = 30
/** One command is asked about by every rule, with what may be in its place. */
const costOfStage = 40
/** Each word and each value is asked about by every rule: more of them than are written down cost as if they were. */
const costOfWord = 30
const costOfValue = 12
/** A function is read again each time that it is started: so much of the budget goes. */
const costOfCall = 500

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
  let since = madeUntilNow(state)
  let { exported } = state
  for (const [at, pipeline] of script.entries()) {
    if (state.budget.left < 0) return undefined
    const begin = pipeline[0]
    const isOtherwise = begin?.otherwise === true
    const isPerhaps = begin?.perhaps === true
    // Behind `&&` what stands before it was done; anywhere else only what was done surely.
    if (isOtherwise || !isPerhaps) state.exported = exported
    // Of several in a row each starts only where all before it failed.
    if (!isOtherwise) since = madeUntilNow(state)
    const given = at === 0 ? piped : []
    const found = isOtherwise
      ? withoutMade(state, since, () => walkPipeline(pipeline, state, wanted, given))
      : walkPipeline(pipeline, state, wanted, given)
    if (found) return found
    if (!isPerhaps) exported = state.exported
  }
  return undefined
}

const walkText = (
  text: string,
  state: ShellState,
  wanted: Wanted,
  changed: Partial<ShellState> = {},
  args?: readonly Argument[],
  piped: Pipeline = []
) => {
  const depth = state.depth + 1
  if (depth > deepestText) return passOver(state.budget)
  if (state.budget.left < 0) return undefined
  const inside = copyOf(state, { ...changed, depth })
  const walked = () => walk(parse(text, state.budget), inside, wanted, piped)
  return args === undefined
    ? walked()
    : withArguments(inside, valuesOfAll(args), originOfArguments(args, state), walked)
}

const valuesOfAll = (args: readonly Argument[]) => args.map(({ values }) => values)

/** Goes through commands of this very shell, which stays as they leave it. */
const walkHere = (
  state: ShellState,
  through: (inside: ShellState) => Verdict | undefined,
  running = state.running
) => {
  const inside = { ...state, running, depth: state.depth + 1 }
  const found = through(inside)
  state.cwd = inside.cwd
  state.before = inside.before
  state.left = inside.left
  state.dotted = inside.dotted
  state.sure = inside.sure
  state.elements = inside.elements
  return found
}

/** `eval`, `source`: as `walkText`, in the same shell. */
const walkTextHere = (text: string, state: ShellState, wanted: Wanted) =>
  state.depth < deepestText && state.budget.left >= 0
    ? walkHere(state, (inside) => walk(parse(text, state.budget), inside, wanted))
    : walkText(text, state, wanted)

/** What a function does it does to the shell that starts it, all but its arguments. */
const walkFunction = ({ args, name, state, upstream }: Call, wanted: Wanted): Verdict | undefined => {
  const body = state.functions.get(name)
  const depth = state.depth + 1
  state.budget.left -= body === undefined ? 0 : costOfCall
  if (body === undefined || state.budget.left < 0) return undefined
  const running = [...state.running, body]
  // What starts itself again was read the first time, and so was what it starts.
  if (depth > deepestText) return new Set(running).size < running.length ? undefined : passOver(state.budget)
  return walkHere(
    state,
    (inside) =>
      withArguments(inside, valuesOfAll(args), originOfArguments(args, state), () =>
        walk(body, inside, wanted, upstream)
      ),
    running
  )
}

const upstreamOf = (pipeline: Pipeline, at: number, piped: Pipeline, { budget }: ShellState): Pipeline => {
  const before = pipeline.slice(Math.max(0, at - maxUpstream), at)
  const upstream = piped.length === 0 ? before : [...piped, ...before].slice(-maxUpstream)
  return upstream.length < at + piped.length ? (passOver(budget) ?? upstream) : upstream
}

const walkPipeline = (
  pipeline: Pipeline,
  state: ShellState,
  wanted: Wanted,
  piped: Pipeline
): Verdict | undefined => {
  const seen = pipeline.length > 1 ? seenFrom(pipeline) : 0
  for (const [at, stage] of pipeline.entries()) {
    const taken = state.taken || at < seen
    const inside = pipeline.length > 1 ? copyOf(state, { taken }) : state
    const upstream = upstreamOf(pipeline, at, piped, state)
    const found = walkStage(stage, upstream, inside, wanted)
    if (found) return found
  }
  follow(pipeline, state)
  followWritten(pipeline, state)
  return undefined
}

const walkStage = (
  stage: Stage,
  upstream: Pipeline,
  state: ShellState,
  wanted: Wanted
): Verdict | undefined => {
  const { assigns, inner, redirects, words } = stage
  state.budget.left -= costOfStage + 4 * (assigns.length + words.length + redirects.length)
  if (state.budget.left < 0) return undefined
  const given = argumentsOf(words, state)
  state.budget.left -= costOfWord * Math.max(0, given.length - words.length)
  for (const { values } of given) state.budget.left -= costOfValue * (values.length - 1)
  const restore = setBefore(stage, state)
  const all = [
    ...words,
    ...assigns.flatMap(({ index, items = [], value }) => [value, ...items, ...(index ? [index] : [])]),
    ...redirects.map(({ target }) => target)
  ]
  for (const word of all) state.budget.left -= word.length
  const taken = state.taken || !repeats(stage)
  for (const script of outputsOf(all)) {
    const found = walk(script, copyOf(state, { taken }), wanted)
    if (found) return found
  }
  for (const { index } of assigns) {
    const text = index && asExpanded(expand(index, state).join("\n"))
    const found = text === undefined ? undefined : walkText(text, state, wanted)
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
    // What a function finds set is known only where it is started.
    const inside =
      stage.defines !== undefined ? copyOf(state, { sure: false }) : stage.apart ? copyOf(state) : state
    const { exported, taken } = state
    // Who reads what a function prints is known only where it is started.
    inside.taken ||= stage.defines !== undefined || isKeptApart(redirects)
    const found = walk(inner, inside, wanted, givenTo(redirects) ?? upstream)
    // It may be that of a condition, or of a loop.
    state.exported = exported
    state.taken = taken
    if (found) return found
  }
  const command = unwrap(given, state.budget)
  const there = withSet(command?.set ?? [], movedTo(command?.folders ?? [], state))
  const own = assigns.flatMap((one) => settingOf(one, state))
  const set = [...own, ...(command?.set ?? [])]
  const begun = { name: "", args: [], fed: false, ...command, redirects, upstream, words, set }
  const call: Call = { ...begun, ...(inner === undefined ? {} : { group: true }), state: there }
  noteTested(call)
  const run = [...runAmong(own), ...(command?.set ?? [])]
  const found =
    (run.length === 0 ? undefined : walkRunVariables(run, call, walkerFor(wanted))) ?? checkCall(call, wanted)
  restore()
  const last = given.at(-1)
  if (last !== undefined) setVariable(state, "_", last.values)
  return found
}

const checkCall = (started: Call, wanted: Wanted): Verdict | undefined => {
  const call = withVariables(started)
  // A function of that name is started instead, unless something stands before it.
  const isFunction = call.state.functions.has(call.name) && plainText(call.words?.[0] ?? []) === call.name
  for (const rule of isFunction ? [] : wanted.rules) {
    const found = wanted.verdict(rule(call))
    if (found) return found
  }
  return startedBy(call, walkerFor(wanted))
}

/** Of what is deleted the rule itself tells whether it is the host's. */
const softened = (found: Verdict | undefined): Verdict | undefined =>
  found === undefined || found.action !== undefined || found.rule.startsWith("delete-")
    ? found
    : { ...found, action: "ask" }

const walkerFor = (wanted: Wanted): Walker => ({
  verdict: wanted.verdict,
  text: (text, state, changed, args, piped) => walkText(text, state, wanted, changed, args, piped),
  here: (text, state) => walkTextHere(text, state, wanted),
  call: (call) => checkCall(call, wanted),
  contained: (call) => checkCall(call, { ...wanted, verdict: (found) => wanted.verdict(softened(found)) }),
  definition: (call) => walkFunction(call, wanted)
})
