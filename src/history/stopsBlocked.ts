/** How often hooks have kept an agent from stopping since somebody spoke to it, told from the log. */
import type { InvocationFact } from "../../events/facts.ts"
import type { Reader, ReadFact } from "../log/reader.ts"
import { byKey } from "../state/byKey.ts"
import type { Run } from "./ledger.ts"

export interface StopOf {
  readonly event: string
  readonly session: string
  /** The subagent that wants to stop. */
  readonly agentId?: string | undefined
  /** Invocations that asked before this one. One that has no answer yet may keep the agent going as well. */
  readonly waiting?: readonly Run[]
}

type FactOf<T extends InvocationFact["type"]> = Extract<InvocationFact, { type: T }>
type Delivered = FactOf<"REPLY_DELIVERED">

interface Call {
  readonly stream: string
  readonly event: string | null
  readonly data: Readonly<Record<string, unknown>>
  readonly reply: Delivered | undefined
}

/** More than any limit, with calls of other subagents and other stops in between. */
const maxFacts = 1000

const keeping = new Set(["BLOCKING_FEEDBACK", "EXIT_SIGNAL", "MODEL_CONTEXT.context"])

/** Before there was a mark for it, the reason alone said so. */
const heldBefore = /^hooks have kept the agent from stopping \d+ times in a row, /

const isHeld = ({ held, reason = "" }: Delivered["channels"][number]): boolean =>
  held ?? heldBefore.test(reason)

/** Whether something was said at a stop that keeps the agent going: passed on, or held back, or nothing of the kind. */
const outcomeOf = ({ channels, exitCode }: Delivered): "kept" | "held" | "let stop" => {
  const said = channels.filter(({ intent }) => keeping.has(intent))
  if (
    said.some(
      ({ channel, intent }) => channel !== "undeliverable" && (intent !== "EXIT_SIGNAL" || exitCode === 2)
    )
  )
    return "kept"
  return said.some(isHeld) ? "held" : "let stop"
}

/** What an agent asks of itself because of a hook is no word of a human. */
const isEcho = (prompt: unknown, { stderr, stdout }: Delivered): boolean =>
  typeof prompt === "string" &&
  prompt.trim() !== "" &&
  (stderr.includes(prompt.trim()) || stdout.includes(JSON.stringify(prompt.trim()).slice(1, -1)))

/** Newest first. */
const callsOf = (
  reader: Reader,
  session: string,
  event: string
): readonly (Call & { readonly at: number })[] => {
  const types = ["PAYLOAD_BUFFERED", "REPLY_DELIVERED"]
  const { facts } = reader.facts({ types, session, event, newestFirst: true, limit: maxFacts })
  return [...byKey(facts, ({ stream }) => stream)].map(([stream, of]) => {
    const find = (type: string): ReadFact | undefined => of.find((one) => one.type === type)
    const buffered = find("PAYLOAD_BUFFERED")
    return {
      stream,
      event,
      at: buffered?.at ?? of[0]?.at ?? 0,
      data: (buffered?.data as FactOf<"PAYLOAD_BUFFERED"> | undefined)?.events[0]?.data ?? {},
      reply: find("REPLY_DELIVERED")?.data as Delivered | undefined
    }
  })
}

export const stopsBlocked = (reader: Reader, { agentId, event, session, waiting = [] }: StopOf): number => {
  const calls = callsOf(reader, session, event)
  const answered = new Set(calls.flatMap(({ reply, stream }) => (reply === undefined ? [] : [stream])))
  const stops = calls
    .filter(({ data }) => agentId === undefined || data["agentId"] === agentId)
    .flatMap((call) => (call.reply === undefined ? [] : [{ ...call, reply: call.reply }]))
    .sort((a, b) => b.at - a.at)
  const isHuman = ({ at, data }: Call & { readonly at: number }): boolean => {
    const before = stops.find((stop) => stop.at <= at)
    return before === undefined || !isEcho(data["prompt"], before.reply)
  }
  const spoke = callsOf(reader, session, "prompt.submit")
    .filter(isHuman)
    .reduce((latest, { at }) => Math.max(latest, at), Number.NEGATIVE_INFINITY)
  let blocked = waiting.filter(({ at, who }) => at > spoke && !answered.has(`invocation/${who}`)).length
  for (const { at, reply } of stops) {
    const outcome = outcomeOf(reply)
    if (at <= spoke || outcome === "let stop") break
    if (outcome === "kept") blocked++
  }
  return blocked
}
