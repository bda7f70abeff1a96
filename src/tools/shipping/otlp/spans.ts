/** The spans of a hook call: its own, one for each handler, and those of the tool call, the turn and the session that end with it. Pure. */
import type { InvocationFact } from "../../../../events/facts.ts"
import { names, operations } from "./conventions.ts"
import type { HookCall, SpanContext } from "./HookCall.ts"
import type { Ids } from "./spanIds.ts"
import { type Surroundings, sessionEnd, toolEnds, turnEnds } from "./surroundings.ts"
import { attributes, type KeyValue, nanoseconds } from "./values.ts"

export interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  /** INTERNAL: nobody's server, nobody's client. */
  readonly kind: 1
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly KeyValue[]
  readonly links?: readonly SpanContext[]
  readonly status?: { readonly code: 2; readonly message?: string }
}

type HandlerFact = Extract<
  InvocationFact,
  { type: "HANDLER_SUCCEEDED" | "HANDLER_FAILED" | "HANDLER_TIMED_OUT" }
>

type PlanFact = Extract<InvocationFact, { type: "HANDLERS_PLANNED" }>

const handlerFacts: readonly string[] = ["HANDLER_SUCCEEDED", "HANDLER_FAILED", "HANDLER_TIMED_OUT"]

/** Where a hook call stands in the tree of its session. */
export interface Branch {
  readonly traceId: string
  readonly session: string | undefined
  readonly turn: string | undefined
  readonly tool: string | undefined
  readonly call: string
}

export const branchOf = (
  ids: Ids,
  { invocation, session, toolUseId }: HookCall,
  around: Surroundings
): Branch => ({
  // Whoever names no session has a tree for each call.
  traceId: session === null ? ids.trace("invocation", invocation) : ids.trace("session", session),
  session: session === null ? undefined : ids.span("session", session),
  turn: session === null || around.turn === null ? undefined : ids.span("turn", session, around.turn),
  tool: session === null || toolUseId === null ? undefined : ids.span("tool", session, toolUseId),
  call: ids.span("invocation", invocation)
})

/** What joins it with the agent's own telemetry. */
export const joining = (call: HookCall): Readonly<Record<string, string | null | undefined>> => ({
  [names.session]: call.session,
  [names.conversation]: call.session,
  [names.prompt]: call.turn,
  [names.agent]: call.agent,
  [names.subagent]: call.subagent,
  [names.toolCall]: call.toolUseId,
  [names.tool]: call.toolName
})

const span = (
  { traceId }: Branch,
  spanId: string,
  parent: string | undefined,
  name: string,
  [from, to]: readonly [number, number],
  of: Parameters<typeof attributes>[0],
  error?: string
): Span => ({
  traceId,
  spanId,
  ...(parent === undefined ? {} : { parentSpanId: parent }),
  name,
  kind: 1,
  startTimeUnixNano: nanoseconds(from),
  endTimeUnixNano: nanoseconds(Math.max(from, to)),
  attributes: attributes(error === undefined ? of : { ...of, [names.error]: error }),
  ...(error === undefined ? {} : { status: { code: 2 } as const })
})

/**
 * A link, and not a parent: what was called where no trace was on, or over HTTP, stands in the same tree, and a receiver that has none of the
 * agent's spans has a whole one all the same.
 */
const linked = (one: Span, { within }: HookCall): Span =>
  within === undefined ? one : { ...one, links: [within] }

const errorOf = (fact: HandlerFact): string | undefined => {
  if (fact.type === "HANDLER_SUCCEEDED") return undefined
  return fact.type === "HANDLER_FAILED" ? fact.error.name : "timeout"
}

/** Of each hook that a team's policy brought, which version of it; by the hook's place in the plan. */
const policiesOf = ({ facts }: HookCall): ReadonlyMap<number, string> => {
  const planned = facts.find(({ known, type }) => known && type === "HANDLERS_PLANNED")?.data
  const handlers = (planned as PlanFact | undefined)?.handlers ?? []
  return new Map(handlers.flatMap(({ from, index }) => (from === undefined ? [] : [[index, from] as const])))
}

const ofHandlers = (ids: Ids, call: HookCall, branch: Branch): readonly Span[] => {
  const policies = policiesOf(call)
  return call.facts.flatMap(({ data, known, type }) => {
    if (!known || !handlerFacts.includes(type)) return []
    const fact = data as HandlerFact
    const from = call.from + (fact.fromUs ?? 0) / 1000
    const own = {
      ...joining(call),
      "hooktape.hook": fact.handler,
      "hooktape.event": fact.event,
      "hooktape.policy": policies.get(fact.index),
      "hooktape.attempt": fact.attempt,
      "hooktape.intents": (fact.intents ?? []).map(({ type: intent }) => intent)
    }
    const id = ids.span("handler", call.invocation, String(fact.index), String(fact.attempt))
    return [span(branch, id, branch.call, `hook ${fact.handler}`, [from, from + fact.ms], own, errorOf(fact))]
  })
}

/** Of the tool call that ends with this call; what a hook stopped ends where it began. */
const ofTool = (call: HookCall, branch: Branch, { toolBegan = call.from }: Surroundings): readonly Span[] => {
  const isStopped = call.event === "tool.before" && call.isBlocked
  if (branch.tool === undefined || !(isStopped || toolEnds.includes(call.event))) return []
  const error = isStopped ? "blocked" : call.event === "tool.failure" ? "tool_failure" : undefined
  const own = { ...joining(call), [names.operation]: operations.tool }
  const name = `${operations.tool} ${call.toolName ?? "tool"}`
  return [span(branch, branch.tool, branch.turn ?? branch.session, name, [toolBegan, call.to], own, error)]
}

/** Of the turn that ends with this call. A subagent's end is not its session's. */
const ofTurn = (call: HookCall, branch: Branch, { turnBegan = call.from }: Surroundings): readonly Span[] => {
  if (branch.turn === undefined || !turnEnds.includes(call.event) || call.subagent !== null) return []
  const error = call.event === "turn.error" ? "turn_error" : undefined
  const own = { ...joining(call), [names.operation]: operations.turn }
  const name = `${operations.turn} ${call.agent}`
  return [span(branch, branch.turn, branch.session, name, [turnBegan, call.to], own, error)]
}

const ofSession = (
  call: HookCall,
  branch: Branch,
  { sessionBegan = call.from }: Surroundings
): readonly Span[] =>
  branch.session === undefined || call.event !== sessionEnd
    ? []
    : [span(branch, branch.session, undefined, "session", [sessionBegan, call.to], joining(call))]

export const spansOf = (ids: Ids, call: HookCall, around: Surroundings): readonly Span[] => {
  const branch = branchOf(ids, call, around)
  const own = {
    ...joining(call),
    "hooktape.invocation": call.invocation,
    "hooktape.agent_event": call.agentEvent,
    "hooktape.event": call.event,
    "hooktape.exit_code": call.exitCode,
    "hooktape.blocked": call.isBlocked,
    "hooktape.tool.kind": call.toolKind
  }
  const parent = branch.tool ?? branch.turn ?? branch.session
  return [
    linked(span(branch, branch.call, parent, `hooks ${call.agentEvent}`, [call.from, call.to], own), call),
    ...ofHandlers(ids, call, branch),
    ...ofTool(call, branch, around),
    ...ofTurn(call, branch, around),
    ...ofSession(call, branch, around)
  ]
}
