/** One call from its facts, fact by fact. Plain data, so that a call that is not over can be kept between two looks. Pure. */
import { ownEvents, type Tool } from "../../../events/agentEvents.ts"
import type { InvocationFact, ServiceCalled } from "../../../events/facts.ts"
import type { Findings } from "../../../events/findings.ts"
import type { Recorded } from "../../../events/Recorded.ts"
import { type Attributed, intentsOf } from "../../../machines/replyIntents.ts"
import { placeInSession } from "../../agents/placeInSession.ts"
import { probeReason, probeSession } from "../../runtime/probe.ts"
import type { CallOutcome, Decision, HookRun, ServiceUse } from "./Call.ts"
import { clipped, inputText, parsedPayload, subjectOf, toolInputIn, unshippedSubject } from "./subject.ts"
import { asCarried, type Carried, carriedBy, strictest, type Wish, wishIn } from "./wish.ts"

/** One hook of the call; its wish says what its decision does not: whether it was meant by exit code. */
interface Run extends HookRun {
  readonly wish: Wish | null
  /** Whether somebody was to hear of it: what is for whoever looks for a fault says nothing to anybody. */
  readonly spoke: boolean
}

export interface CallState {
  readonly invocation: string
  readonly position: number
  readonly at: number
  readonly agent: string | null
  readonly agentEvent: string | null
  readonly project: string | null
  readonly entry: boolean
  /** The client's id of the call. */
  readonly call: string | null
  readonly pid: number | null
  /** Of the fact that came last. */
  readonly lastAt: number
  readonly event: string | null
  readonly session: string | null
  readonly subagent: string | null
  readonly turn: string | null
  readonly tool: { readonly name: string; readonly kind: string; readonly use: string | null } | null
  readonly subject: string | null
  readonly own: boolean
  /** By their index in the plan. */
  readonly runs: readonly (Run | null)[]
  /** Whether hooktape itself had something to say to the agent or its user. */
  readonly noticed: boolean
  readonly rejected: string | null
  readonly carried: Carried | null
  readonly undelivered: string | null
  readonly waitMs: number | null
  readonly clientMs: number | null
  /** When the call was taken in, milliseconds since 1970: the facts' microseconds count from there. */
  readonly takenAt: number
  /** What its client took to answer it by itself. */
  readonly tookMs: number | null
  /** Position of the fact that ended it. */
  readonly ended: number | null
}

type Opened = Extract<InvocationFact, { type: "INVOCATION_OPENED" }>
type Buffered = Extract<InvocationFact, { type: "PAYLOAD_BUFFERED" }>

const inMs = (microseconds: number | undefined): number | null =>
  microseconds === undefined ? null : microseconds / 1000

const timesOf = ({ client }: Opened, at: number): Pick<CallState, "clientMs" | "takenAt" | "tookMs"> => {
  const clientMs = inMs(client?.beforeUs)
  const takenAt = client === undefined || clientMs === null ? at : client.startUs / 1000 + clientMs
  return { clientMs, takenAt, tookMs: inMs(client?.tookUs) }
}

export const openCall = (fact: Opened, invocation: string, position: number, at: number): CallState => ({
  invocation,
  position,
  at,
  agent: fact.agent,
  agentEvent: fact.agentEvent,
  project: fact.project,
  entry: fact.transport === "entry",
  call: fact.call ?? null,
  pid: fact.pid ?? null,
  lastAt: at,
  event: null,
  session: null,
  subagent: null,
  turn: null,
  tool: null,
  subject: fact.machine ?? null,
  own: fact.agent === "raw" && (ownEvents as readonly string[]).includes(fact.agentEvent),
  runs: [],
  noticed: false,
  rejected: null,
  carried: null,
  undelivered: null,
  waitMs: null,
  ...timesOf(fact, at),
  ended: null
})

/** Of a payload that is elsewhere: what its machine found of the call in it. */
const foundTool = ({ moments = [] }: Findings = {}): Pick<Tool, "name" | "kind"> | undefined => {
  const [first] = moments
  const { name, tool } = first ?? {}
  return name === undefined || tool === undefined ? undefined : { name, kind: tool as Tool["kind"] }
}

const buffered = (state: CallState, fact: Buffered): CallState => {
  const { events, findings, session, toolUseId } = fact
  const tool = fact.tool ?? foundTool(findings)
  const payload = parsedPayload(fact.payload)
  const { subagent, turn } = placeInSession(state.agent, payload)
  return {
    ...state,
    event: events[0]?.event ?? null,
    session,
    subagent,
    turn,
    tool: tool === undefined ? null : { name: tool.name, kind: tool.kind, use: toolUseId },
    subject:
      fact.missing === undefined
        ? subjectOf(events, fact.tool, toolInputIn(payload))
        : unshippedSubject(state.subject, findings?.about),
    own: state.own || session === probeSession
  }
}

const withRun = (state: CallState, index: number, run: Run): CallState => {
  const runs = [...state.runs]
  while (runs.length < index) runs.push(null)
  runs[index] = run
  return { ...state, runs }
}

const typesOf = (intents: readonly Attributed[]): readonly string[] =>
  intents.map(({ intent }) => intent.type)

const isForSomebody = ({ intent }: Attributed): boolean =>
  intent.type !== "DIAGNOSTIC" || intent.level !== "debug"

type Outcome = Extract<
  InvocationFact,
  { type: "HANDLER_SUCCEEDED" | "HANDLER_FAILED" | "HANDLER_TIMED_OUT" | "HANDLER_SKIPPED" }
>

const outcomeOf = (fact: Outcome): Pick<HookRun, "outcome" | "ms" | "reason"> => {
  switch (fact.type) {
    case "HANDLER_SUCCEEDED":
      return { outcome: "succeeded", ms: fact.ms, reason: null }
    case "HANDLER_FAILED":
      return {
        outcome: "failed",
        ms: fact.ms,
        reason: clipped(`${fact.error.name}: ${fact.error.message}`)
      }
    case "HANDLER_TIMED_OUT":
      return { outcome: "timed-out", ms: fact.ms, reason: `not done within ${fact.deadlineMs} ms` }
    case "HANDLER_SKIPPED":
      return { outcome: "skipped", ms: null, reason: clipped(fact.reason) }
  }
}

/** Of the first attempt its start is kept: that is when the hook began. */
const atUs = ({ takenAt }: CallState, fromUs: number | undefined): number | null =>
  fromUs === undefined ? null : takenAt + fromUs / 1000

/** A skip says nothing to anybody unless its hook stands guard. */
const isHeard = (fact: Outcome): boolean =>
  fact.type !== "HANDLER_SKIPPED" || (fact.policy !== undefined && fact.policy !== "allow")

const settled = (state: CallState, fact: Outcome): CallState => {
  const { event, handler, index } = fact
  const before = state.runs[index]
  // Only its next attempt did not come about: it has failed.
  if (fact.type === "HANDLER_SKIPPED" && before?.outcome === "failed") return state
  const intents = isHeard(fact) ? intentsOf(fact) : []
  const wish = wishIn(intents) ?? null
  const outcome = outcomeOf(fact)
  const { fromUs, process } = fact.type === "HANDLER_SKIPPED" ? {} : fact
  return withRun(state, index, {
    hook: handler,
    event,
    attempts: fact.attempt ?? 1,
    at: (fact.attempt ?? 1) > 1 ? (before?.at ?? null) : (atUs(state, fromUs) ?? before?.at ?? null),
    ...(process === undefined ? {} : { process: `${process.kind} ${process.pid}` }),
    ...outcome,
    reason: outcome.reason ?? wish?.reason ?? null,
    decision: wish?.decision ?? null,
    said: typesOf(intents),
    services: before?.services ?? [],
    wish,
    spoke: intents.some(isForSomebody)
  })
}

export const serviceUse = (
  { error, fromUs, input, ms, service }: ServiceCalled,
  takenAt: number
): ServiceUse => ({
  service,
  subject: inputText(input),
  ...(fromUs === undefined ? {} : { at: takenAt + fromUs / 1000 }),
  ms,
  ...(error === undefined ? {} : { error: clipped(error.message, 200) })
})

/** More of them are on the log, and no list is read so far. */
const maxServices = 50

const asked = (state: CallState, fact: ServiceCalled): CallState => {
  const run = state.runs[fact.index]
  if (!run || run.services.length >= maxServices) return state
  return withRun(state, fact.index, { ...run, services: [...run.services, serviceUse(fact, state.takenAt)] })
}

const sumOf = (ms: Readonly<Record<string, number>>): number =>
  Math.round(Object.values(ms).reduce((sum, one) => sum + one, 0) * 1000) / 1000

/** As its caller had it, as far as that is on the log. */
const waitOf = ({ clientMs, tookMs }: CallState, ms: Readonly<Record<string, number>>): number =>
  tookMs ?? sumOf({ ...ms, client: clientMs ?? 0 })

export const evolveCall = (
  before: CallState,
  fact: InvocationFact,
  place: { readonly position: number; readonly at: number }
): CallState => {
  const state = { ...before, lastAt: place.at }
  switch (fact.type) {
    case "PAYLOAD_BUFFERED":
      return buffered(state, fact)
    case "PAYLOAD_REJECTED":
      return { ...state, rejected: clipped(`${fact.reason}: ${fact.detail}`) }
    case "HANDLERS_PLANNED":
      return {
        ...state,
        noticed: (fact.notices ?? []).some(({ type }) => type !== "DIAGNOSTIC"),
        own: state.own || fact.left.some(({ reason }) => reason === probeReason)
      }
    case "HANDLER_STARTED": {
      const { attempt, event, handler: hook, index } = fact
      const { at = null, services = [] } = state.runs[index] ?? {}
      return withRun(state, index, {
        hook,
        event,
        outcome: "running",
        attempts: attempt,
        at: at ?? place.at,
        ms: null,
        decision: null,
        reason: null,
        said: [],
        services,
        wish: null,
        spoke: false
      })
    }
    case "HANDLER_SUCCEEDED":
    case "HANDLER_FAILED":
    case "HANDLER_TIMED_OUT":
    case "HANDLER_SKIPPED":
      return settled(state, fact)
    case "SERVICE_CALLED":
      return asked(state, fact)
    case "REPLY_DELIVERED":
      return { ...state, carried: carriedBy(fact.channels) }
    case "DELIVERY_FAILED":
      return { ...state, carried: carriedBy(fact.channels), undelivered: clipped(fact.error.message) }
    case "EXITED":
      return { ...state, waitMs: waitOf(state, fact.ms), ended: place.position }
    default:
      return state
  }
}

export interface Verdict {
  readonly outcome: Exclude<CallOutcome, "lost" | "replaced">
  readonly decision: Decision | null
  readonly by: string | null
  readonly reason: string | null
}

const runsOf = ({ runs }: CallState): readonly Run[] => runs.filter((run) => run !== null)

const unnamed = { decision: null, by: null, reason: null } as const

interface NamedWish extends Wish {
  readonly by: string
}

const wishesOf = (state: CallState): readonly NamedWish[] =>
  runsOf(state).flatMap(({ hook, wish }) => (wish === null ? [] : [{ ...wish, by: hook }]))

/** All hooks that wanted what was decided, in the order in which they ran. */
export const decidersOf = (state: CallState): readonly string[] => {
  const wishes = wishesOf(state)
  const decided = strictest(wishes)?.decision
  return [...new Set(wishes.filter(({ decision }) => decision === decided).map(({ by }) => by))]
}

/** How the call came out, by whom, and why. */
export const verdictOf = (state: CallState): Verdict => {
  const { carried, ended, noticed, rejected, undelivered } = state
  const runs = runsOf(state)
  const wish = strictest(wishesOf(state))
  const decision = (wish && carried && asCarried(wish, carried)) ?? null
  const decided = { decision, by: wish?.by ?? null, reason: wish?.reason ?? null }
  if (ended === null) return { outcome: "open", ...unnamed }
  if (rejected !== null) return { outcome: "rejected", ...unnamed, reason: rejected }
  if (undelivered !== null) return { outcome: "undelivered", ...unnamed, by: decided.by, reason: undelivered }
  if (decision === "block") return { outcome: "blocked", ...decided }
  if (decision === "ask") return { outcome: "asked", ...decided }
  const broken = runs.find(({ outcome }) => outcome === "failed" || outcome === "timed-out")
  if (broken !== undefined)
    return {
      outcome: broken.outcome === "failed" ? "failed" : "late",
      decision,
      by: broken.hook,
      reason: broken.reason
    }
  if (wish !== undefined && decision === null) return { outcome: "unheard", ...decided }
  const spoken = runs.find(({ spoke }) => spoke)
  if (spoken !== undefined || noticed)
    return { outcome: "spoke", decision, by: spoken?.hook ?? "hooktape", reason: decided.reason }
  return { outcome: "silent", ...unnamed }
}

/** Its hooks as they are shown: without what only the fold needs. */
export const hookRunsOf = (state: CallState): readonly HookRun[] =>
  runsOf(state).map(({ spoke: _, wish: __, ...run }) => run)

/** The call of these facts, which are those of one invocation, in order. Undefined where they have no beginning. */
export const foldCall = (
  recorded: readonly Pick<Recorded, "position" | "at" | "known" | "data" | "stream">[]
): CallState | undefined => {
  let state: CallState | undefined
  for (const { at, data, known, position, stream } of recorded) {
    const fact = data as InvocationFact
    if (!known) continue
    if (state !== undefined) state = evolveCall(state, fact, { at, position })
    else if (fact.type === "INVOCATION_OPENED")
      state = openCall(fact, stream.slice("invocation/".length), position, at)
  }
  return state
}
