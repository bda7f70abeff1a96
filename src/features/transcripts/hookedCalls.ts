/** What hooks were told of the calls of a session, and which of them they blocked. Pure. */
import { type Buffered, observe } from "../checks/observe.ts"
import type { Told, ToolOutcome } from "../checks/ToolOutcome.ts"

/** As much of a recorded fact as is needed. */
export interface HookFact {
  readonly type: string
  readonly stream: string
  readonly agent: string | null
  readonly at: number
  readonly data: unknown
}

export interface HookedCall {
  readonly begun: boolean
  /** Undefined where no hook was told of its end, null where the agent tells its hooks nothing of how it ended. */
  readonly told?: Told | null
  /** The invocation in which a hook blocked it. */
  readonly blockedBy?: string
}

export interface HookedCalls {
  readonly byId: ReadonlyMap<string, HookedCall>
  /** Calls of agents that give their hooks no id, in order, by what was asked. */
  readonly alike: ReadonlyMap<string, readonly HookedCall[]>
}

/** Calls without an id are told apart by what was asked. */
export const alikeKey = ({ asked, command, name, paths }: ToolOutcome): string =>
  JSON.stringify([name, command ?? asked, paths])

const invocationOf = (stream: string): string => stream.slice(stream.indexOf("/") + 1)

const isBlocking = (data: unknown): boolean =>
  (
    data as { readonly channels: readonly { readonly intent: string; readonly channel: string }[] }
  ).channels.some(({ channel, intent }) => intent === "BLOCKING_FEEDBACK" && channel !== "undeliverable")

const toldBy = ({ exitCode, kind, told }: ToolOutcome): Told | null =>
  told === "untold" || (told === "ok" && kind === "shell" && exitCode === undefined) ? null : told

/** `facts`: of one session, in the order in which they were recorded. */
export const hookedCalls = (facts: readonly HookFact[]): HookedCalls => {
  const blocked = new Set(
    facts.flatMap(({ data, stream, type }) =>
      type === "REPLY_DELIVERED" && isBlocking(data) ? [stream] : []
    )
  )
  const byId = new Map<string, HookedCall>()
  const alike = new Map<string, HookedCall[]>()
  for (const { agent, data, stream, type } of facts) {
    if (type !== "PAYLOAD_BUFFERED") continue
    const fact = data as Buffered
    const observation = observe(fact, agent, invocationOf(stream))
    if (observation?.type !== "started" && observation?.type !== "ended") continue
    const { outcome, type: phase } = observation
    const isNamed = fact.toolUseId !== null
    const key = alikeKey(outcome)
    const others = alike.get(key) ?? []
    // An end belongs to the first call of its kind that has none.
    const nth = phase === "started" ? -1 : others.findIndex(({ told }) => told === undefined)
    const before = isNamed ? byId.get(outcome.id) : others[nth]
    const call: HookedCall = {
      ...before,
      begun: before?.begun === true || phase === "started",
      ...(phase === "ended" ? { told: toldBy(outcome) } : {}),
      ...(phase === "started" && blocked.has(stream) ? { blockedBy: invocationOf(stream) } : {})
    }
    if (isNamed) byId.set(outcome.id, call)
    else if (nth < 0) alike.set(key, [...others, call])
    else alike.set(key, others.with(nth, call))
  }
  return { byId, alike }
}
