/** Whether a fact is among those that a filter asks for, where no database decides it. */
import { followsFromCalls } from "../../events/agentEvents.ts"
import { invocationOf } from "../../events/invocationOf.ts"
import type { Recorded } from "../../events/Recorded.ts"
import type { Filter } from "./EventLog.ts"

const isOf = (event: string, { agentEvent, data, event: own }: Recorded): boolean =>
  followsFromCalls(event)
    ? (data as { event?: unknown }).event === event
    : own === event || agentEvent === event

export const matches = (filter: Filter, fact: Recorded): boolean =>
  (filter.after === undefined || fact.position > filter.after) &&
  (filter.before === undefined || fact.position < filter.before) &&
  (filter.stream === undefined || fact.stream === filter.stream) &&
  (filter.streamPrefix === undefined || fact.stream.startsWith(filter.streamPrefix)) &&
  (filter.invocation === undefined || invocationOf(fact) === filter.invocation) &&
  (filter.types === undefined || filter.types.includes(fact.type)) &&
  (filter.session === undefined || fact.session === filter.session) &&
  (filter.agent === undefined || fact.agent === filter.agent) &&
  (filter.event === undefined || isOf(filter.event, fact)) &&
  (filter.handler === undefined || (fact.data as { handler?: unknown }).handler === filter.handler) &&
  (filter.project === undefined || fact.project === filter.project) &&
  (filter.since === undefined || fact.at >= filter.since)
