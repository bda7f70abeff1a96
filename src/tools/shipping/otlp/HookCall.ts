/** A hook call that has ended, told from its facts, with what of its payload may leave the machine: ids, and the tool's name. */
import type { InvocationFact } from "../../../../events/facts.ts"
import type { JsonObject } from "../../../../events/intents.ts"
import type { Recorded } from "../../../../events/Recorded.ts"
import { placeInSession } from "../../../agents/placeInSession.ts"

type FactOf<T extends InvocationFact["type"]> = Extract<InvocationFact, { type: T }>

/** Where something of another trace stands. */
export interface SpanContext {
  readonly traceId: string
  readonly spanId: string
}

export interface HookCall {
  readonly invocation: string
  /** Random id of the installation. */
  readonly source: string
  /** Where its first fact stands on the log. */
  readonly position: number
  readonly agent: string
  readonly agentEvent: string
  /** By its canonical name. */
  readonly event: string | null
  readonly session: string | null
  readonly toolUseId: string | null
  readonly toolName: string | undefined
  readonly toolKind: string | undefined
  /** The agent's own id of the turn, and of the subagent. */
  readonly turn: string | null
  readonly subagent: string | null
  /** The span of the agent's own trace that it was started in, where the agent says so. */
  readonly within: SpanContext | undefined
  /** Milliseconds since 1970. */
  readonly from: number
  readonly to: number
  readonly exitCode: number
  readonly isBlocked: boolean
  readonly facts: readonly Recorded[]
}

const dataOf = <T extends InvocationFact["type"]>(
  facts: readonly Recorded[],
  type: T
): FactOf<T> | undefined =>
  facts.find((fact) => fact.known && fact.type === type)?.data as FactOf<T> | undefined

/** What the agent sent, as far as it is an object. */
export const payloadOf = (text: string | undefined): JsonObject => {
  try {
    const payload: unknown = JSON.parse(text ?? "{}")
    return typeof payload === "object" && payload !== null && !Array.isArray(payload)
      ? (payload as JsonObject)
      : {}
  } catch {
    return {}
  }
}

/** As W3C's recommendation has it; zeros name nothing. */
export const contextIn = (traceparent: string | undefined): SpanContext | undefined => {
  const [, traceId, spanId] =
    /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}$/.exec(traceparent ?? "") ?? []
  return traceId === undefined || spanId === undefined ? undefined : { traceId, spanId }
}

const blocks = ({ channel, intent }: { readonly channel: string; readonly intent: string }): boolean =>
  intent === "BLOCKING_FEEDBACK" && channel !== "undeliverable"

/** Undefined where it has not ended, or where what is left of it does not tell. */
export const hookCallOf = (facts: readonly Recorded[]): HookCall | undefined => {
  const [first] = facts
  const opened = dataOf(facts, "INVOCATION_OPENED")
  const exited = dataOf(facts, "EXITED")
  if (first === undefined || opened === undefined || exited === undefined) return undefined
  const buffered = dataOf(facts, "PAYLOAD_BUFFERED")
  const marked = facts.find(({ event }) => event !== null)
  const { agent, agentEvent } = opened
  const took = Object.values(exited.ms).reduce((sum, ms) => sum + ms, 0)
  return {
    invocation: first.stream.slice("invocation/".length),
    source: first.source,
    position: first.position,
    agent,
    agentEvent,
    event: buffered?.events[0]?.event ?? marked?.event ?? null,
    session: buffered?.session ?? null,
    toolUseId: buffered?.toolUseId ?? null,
    toolName: buffered?.tool?.name,
    toolKind: buffered?.tool?.kind,
    ...placeInSession(agent, payloadOf(buffered?.payload)),
    within: contextIn(opened.env?.["TRACEPARENT"]),
    from: first.at,
    to: first.at + took,
    exitCode: exited.code,
    isBlocked: (dataOf(facts, "REPLY_DELIVERED")?.channels ?? []).some(blocks),
    facts
  }
}
