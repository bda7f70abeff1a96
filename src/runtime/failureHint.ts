/** Whether a hook's failure is told the human: where nobody else would see it, once a session, where the agent has a channel for it. */
import type { ChannelTaken, InvocationFact } from "../../events/facts.ts"
import type { InvocationCommand } from "../../machines/invocation.ts"
import { own } from "../../machines/replyIntents.ts"
import { again } from "../../machines/retry.ts"
import type { Adapter, Transport } from "../agents/Adapter.ts"
import type { FailureHints } from "../history/failureHints.ts"

type Run = Extract<InvocationCommand, { type: "RUN_HANDLER" }>

interface Telling {
  readonly adapter: Adapter
  readonly agentEvent: string
  readonly transport: Transport
  /** Without them nobody is told. */
  readonly failureHints?: FailureHints | undefined
}

const hasChannel = ({ adapter, agentEvent, transport }: Telling): boolean => {
  const known = Object.hasOwn(adapter.events, agentEvent) ? adapter.events[agentEvent] : undefined
  const carried = known?.carries("hint", transport)
  return carried !== undefined && "channel" in carried
}

/** A policy to block or to ask is seen by itself, and so is what the hook says on its own failure. */
const isUnseen = (fact: InvocationFact, { planned, spentMs = 0 }: Run): boolean =>
  (fact.type === "HANDLER_FAILED" || fact.type === "HANDLER_TIMED_OUT") &&
  fact.policy === "allow" &&
  fact.intents?.some(({ type }) => type === "USER_HINT") !== true &&
  again({ planned, spentMs }, fact) === undefined

export const makeFailureTelling = (world: Telling) => {
  const { failureHints: hints } = world
  let told: readonly (readonly [hook: string, session: string])[] = []

  const mark = (
    facts: readonly InvocationFact[],
    run: Run,
    session: string | null | undefined
  ): readonly InvocationFact[] =>
    facts.map((fact) => {
      if (hints === undefined || typeof session !== "string") return fact
      if (!isUnseen(fact, run) || !hasChannel(world)) return fact
      const { handler } = run.planned
      if (!hints.enter(handler, session)) return fact
      told = [...told, [handler, session]]
      return { ...fact, hinted: true } as InvocationFact
    })

  /** After the reply: where its way was taken by another part of the reply, nobody has read it. */
  const settle = (channels: readonly ChannelTaken[], isDelivered: boolean): void => {
    const isCarried = channels.some(
      ({ channel, handler, intent }) =>
        handler === own && intent === "USER_HINT" && channel !== "undeliverable"
    )
    if (isCarried && isDelivered) return
    for (const [hook, session] of told) hints?.strike(hook, session)
  }

  return { mark, settle }
}
