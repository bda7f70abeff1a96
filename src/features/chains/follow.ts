/** One fact after the other, taken into the chains of its session. The store says where they are kept. */

import type { Fact } from "../../../events/facts.ts"
import type { ChainSign, Effect, Ending, Sighting } from "../../../machines/chain.ts"
import type { FactPlace } from "../../log/projection.ts"
import { patternOfProblem } from "../checks/signature.ts"
import { attribute } from "./attribute.ts"
import { type Chain, isFollowed, moved, type Opening, openedBy } from "./Chain.ts"
import { type Clearing, clears } from "./clears.ts"
import { happenedIn } from "./happened.ts"
import {
  type EndedCall,
  type Happened,
  noCalls,
  type SessionCalls,
  settled,
  type Taken,
  takeUp
} from "./SessionCalls.ts"
import { effectOf, noLines, type Step, stepOf, whatOf } from "./Step.ts"
import { type Subject, subjectOf } from "./Subject.ts"
import { chainOf, toldInFull } from "./sameProblem.ts"
import type { Scope } from "./scopeKey.ts"
import { type ShownProblem, shownProblems } from "./shown.ts"

export interface ChainStore {
  readonly calls: (scope: Scope) => SessionCalls | undefined
  readonly putCalls: (scope: Scope, calls: SessionCalls) => void
  readonly addStep: (scope: Scope, step: Step) => void
  /** What was done at this count or later, in order. */
  readonly stepsFrom: (scope: Scope, n: number) => readonly Step[]
  /** Nothing before this count is asked for again. */
  readonly forgetSteps: (scope: Scope, before: number) => void
  /** Those of the scope that are followed, in the order in which they were opened. */
  readonly followed: (scope: Scope) => readonly Chain[]
  /** Those of a project that have not moved since. */
  readonly stale: (project: string | null, before: number) => readonly Chain[]
  /** Whether another session has shown this very call: a copy of its history does. */
  readonly isCopied: (toolUseId: string, scope: Scope) => boolean
  /** The chain after this sign. */
  readonly put: (chain: Chain, sign: ChainSign) => void
}

/** A fact's place; one that waits in the spool has no position yet. */
export type Where = Omit<FactPlace, "position"> & { readonly position: number | undefined }

/** Sessions that never end leave no more than this behind, and for no longer than that. */
const maxFollowed = 60
const longestMs = 7 * 86_400_000

export const invocationOf = (stream: string): string => stream.slice(stream.indexOf("/") + 1)

interface Turn {
  readonly store: ChainStore
  readonly scope: Scope
  readonly agent: string | null
  /** The count at which it is known what the calls have shown. */
  readonly seen: number
  /** How many problems each invocation has brought to light so far: a batch tells of several calls at once. */
  readonly opened: Map<string, number>
}

const idIn = ({ opened }: Turn, invocation: string): string => {
  const nth = (opened.get(invocation) ?? 0) + 1
  opened.set(invocation, nth)
  return nth === 1 ? invocation : `${invocation}.${nth}`
}

const stepsSince = ({ scope, store }: Turn, chain: Chain, before: number): readonly Step[] =>
  store.stepsFrom(scope, chain.seen).filter(({ n }) => n > chain.seen && n < before)

const effectsOf = (steps: readonly Step[]): readonly Effect[] => steps.map(effectOf)

/** What a call shows, beside the problem itself. */
interface Around {
  readonly revealedBy: string | null
  /** A call that showed no more of it than that something had failed. */
  readonly before: Sighting | undefined
}

const observeAgain = (turn: Turn, known: Chain, call: EndedCall, subject: Subject): void => {
  const { at, judged, n, outcome } = call
  if (known.sightings.at(-1)?.toolUseId === outcome.id) return
  const effects = effectsOf(stepsSince(turn, known, n))
  const sighting = { toolUseId: outcome.id, at }
  const again: ChainSign = { type: "PROBLEM_OBSERVED", sighting, effects }
  const { collected } = judged
  turn.store.put({ ...moved(known, again), seen: turn.seen, subject, collected }, again)
}

const observeProblem = (turn: Turn, call: EndedCall, shown: ShownProblem, around: Around): void => {
  const { agent, scope, seen, store } = turn
  const { at, invocation, judged, outcome, position } = call
  const { problem, signature } = shown
  const subject = subjectOf(outcome, judged, problem)
  const known = chainOf(store.followed(scope), shown, subject)
  if (known !== undefined) {
    // What shows less than is known already does not say what has to go well.
    observeAgain(turn, known, call, problem.code === "summary" ? known.subject : subject)
    return
  }
  const opening: Opening = {
    id: idIn(turn, invocation),
    ...scope,
    agent,
    position,
    signature,
    pattern: patternOfProblem(problem),
    problem,
    subject,
    context: {
      tool: outcome.name,
      command: outcome.command?.slice(0, 500) ?? null,
      path: outcome.paths[0] ?? null,
      cwd: outcome.cwd
    },
    seen,
    collected: judged.collected,
    revealedBy: around.revealedBy
  }
  const sighting = around.before ?? { toolUseId: outcome.id, at }
  const first = openedBy(opening, sighting)
  store.put(first, { type: "PROBLEM_OBSERVED", sighting, effects: [] })
  if (around.before !== undefined) observeAgain(turn, first, call, subject)
}

const byOf = ({ outcome }: EndedCall): string =>
  (outcome.command ?? [outcome.name, ...outcome.paths].join(" ")).replace(/\s+/g, " ").trim().slice(0, 200)

/** The call as something that was done, though it may only have asked. */
const asStep = ({ at, n, outcome }: EndedCall): Step => ({
  toolUseId: outcome.id,
  kind: outcome.kind === "edit" ? "edit" : "command",
  what: whatOf(outcome.kind === "edit" ? outcome.paths.join(", ") : (outcome.command ?? outcome.name)),
  at,
  n,
  files: outcome.paths,
  words: [],
  manner: "",
  acts: 0,
  ...noLines,
  drops: [],
  removes: [],
  edits: false,
  suppresses: false
})

const endingOf = (
  call: EndedCall,
  clearing: Clearing,
  { fix, flaky, grade, suppressed }: ReturnType<typeof attribute>
): Omit<Ending, "ms"> => ({
  at: call.at,
  by: byOf(call),
  toolUseId: call.outcome.id,
  shown: clearing.shown,
  // Nothing was learned of what helps against it.
  grade: suppressed ? "C" : grade,
  fix: effectsOf(fix),
  flaky
})

/** Where a run had shown it gone before this one proves it, what was done since was good for something else. */
const doneUntil = ({ ending, state }: Chain, steps: readonly Step[]): readonly Step[] =>
  state === "cleared" && ending !== undefined ? steps.filter(({ at }) => at <= ending.at) : steps

const clearBy = (turn: Turn, call: EndedCall, chain: Chain, self: Step | undefined): boolean => {
  if (call.n <= chain.seen) return false
  const clearing = clears(chain, call.outcome, call.judged, () => stepsSince(turn, chain, call.n))
  if (clearing === undefined || (chain.state === "cleared" && clearing.shown === "cleared")) return false
  const steps = stepsSince(turn, chain, call.n)
  const done = doneUntil(chain, steps)
  const own = done === steps ? self : undefined
  const attributed = attribute(chain, done, own ?? asStep(call), own, clearing)
  const ending = endingOf(call, clearing, attributed)
  const effects = chain.state === "cleared" ? [] : effectsOf(steps)
  const type = attributed.suppressed ? "PROBLEM_SUPPRESSED" : "PROBLEM_GONE"
  const sign: ChainSign = { type, ending, effects }
  const next = moved(chain, sign)
  if (next === chain) return false
  turn.store.put(next, sign)
  return true
}

const leave = (store: ChainStore, chain: Chain, at: number, why: string): void => {
  const sign: ChainSign = { type: "CHAIN_LEFT", at, why }
  const next = moved(chain, sign)
  if (next !== chain) store.put(next, sign)
}

const take = (turn: Turn, call: EndedCall): void => {
  const { scope, store } = turn
  const { judged, outcome } = call
  if (store.isCopied(outcome.id, scope)) return
  const step = stepOf(outcome, judged, call.n, call.at)
  const problems = shownProblems(judged.problems)
  const shown = new Set(problems.flatMap(({ signatures }) => signatures))
  const before = store.followed(scope)
  const cleared = before.filter((chain) => !shown.has(chain.signature) && clearBy(turn, call, chain, step))
  const revealing = cleared.at(-1)?.id ?? null
  const summed = toldInFull(before, judged, (chain) => stepsSince(turn, chain, call.n).length === 0)
  for (const chain of summed) leave(store, chain, call.at, "the same call told the rest")
  const around = { revealedBy: revealing, before: summed.at(-1)?.sightings.at(-1) }
  for (const problem of problems) observeProblem(turn, call, problem, around)
  if (step === undefined) return
  store.addStep(scope, step)
  const sign: ChainSign = { type: "EFFECT_OBSERVED", at: call.at }
  for (const chain of store.followed(scope))
    if (chain.state === "open" && chain.seen < call.n) store.put(moved(chain, sign), sign)
}

const takeAll = (
  store: ChainStore,
  scope: Scope,
  agent: string | null,
  { calls, due, seen }: Taken
): void => {
  const turn: Turn = { store, scope, agent, seen, opened: new Map() }
  for (const call of due) take(turn, call)
  const followed = store.followed(scope)
  for (const oldest of followed.slice(0, Math.max(0, followed.length - maxFollowed)))
    leave(store, oldest, due.at(-1)?.at ?? oldest.moved, "too many others are open")
  store.forgetSteps(scope, Math.min(calls.n, ...followed.map(({ seen }) => seen)))
}

/** What ended though others of its answer are still under way: for whoever wants to know how things stand now. */
export const settle = (store: ChainStore, scope: Scope, agent: string | null): void => {
  takeAll(store, scope, agent, settled(store.calls(scope) ?? noCalls))
}

/** No more was heard of them for a week: they are left from then on, whenever that is noticed. */
export const leaveStale = (store: ChainStore, project: string | null, now: number): void => {
  for (const one of store.stale(project, now - longestMs))
    leave(store, one, one.moved + longestMs, "no more was heard of it for a week")
}

/** One thing after the other, in the order in which they happened. `invocation`: names what is found. */
export const followHappened = (
  store: ChainStore,
  happened: Happened,
  { agent, at, position, project, session }: Omit<Where, "stream">,
  invocation: string
): void => {
  const scope = { session, project }
  leaveStale(store, project, at)
  const before = store.calls(scope) ?? noCalls
  const taken = takeUp(before, happened, { at, invocation, position })
  const { calls } = taken
  if (taken.due.length > 0) takeAll(store, scope, agent, taken)
  if (happened.type === "left" && session !== null)
    for (const one of store.followed(scope)) if (isFollowed(one)) leave(store, one, at, "the session ended")
  if (calls !== before) store.putCalls(scope, calls)
}

export const follow = (store: ChainStore, fact: Fact, where: Where): void => {
  const invocation = invocationOf(where.stream)
  const happened = happenedIn(fact, where.agent, invocation)
  if (happened !== undefined) followHappened(store, happened, where, invocation)
}
