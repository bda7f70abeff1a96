/** Takes along what waits for the session, as far as the agent takes it at this event, and looks up what became of what others took. */
import type { InvocationFact } from "../../../events/facts.ts"
import { timeOf } from "../../../events/ids.ts"
import type { JsonObject } from "../../../events/intents.ts"
import { adapters } from "../../agents/adapters.ts"
import { placeInSession } from "../../agents/placeInSession.ts"
import type { Slot } from "../../agents/reply.ts"
import { type Carried, takeAlong, type Waiting } from "../../history/deliveries.ts"
import { isLost } from "../../log/lost.ts"
import type { Reader } from "../../log/reader.ts"
import { span } from "../timeline/words.ts"
import { hookName } from "./saidOf.ts"

export interface Hearing {
  readonly state: string
  readonly reader: Reader
  readonly agent: string
  readonly agentEvent: string
  readonly session: string
  readonly invocation: string
  readonly payload: JsonObject
  /** Milliseconds since 1970. */
  readonly now: number
}

/** One job's word, as it is recorded with the reply that takes it along. */
export interface Heard extends Pick<Waiting, "job" | "handler" | "event" | "intents"> {
  /** How long ago it was said. */
  readonly ago: string
}

export interface AllHeard {
  readonly heard: readonly Heard[]
  /** Nobody hears of them any more. */
  readonly tooOld: readonly Heard[]
}

/** Longer than any call takes. One that is not on the log by then never was recorded. */
const longestCallMs = 10 * 60_000

type Channels = Extract<InvocationFact, { type: "REPLY_DELIVERED" }>["channels"]

const became = ({ reader, now }: Hearing, invocation: string): Carried => {
  const { facts } = reader.facts({ stream: `invocation/${invocation}`, limit: 1000 })
  // Of one that its client could not pass on, both are there.
  if (facts.some(({ type }) => type === "DELIVERY_FAILED")) return "no"
  const reply = facts.find(({ type }) => type === "REPLY_DELIVERED")
  if (reply !== undefined) {
    const { channels } = reply.data as unknown as { readonly channels: Channels }
    const own = channels.filter(({ handler }) => handler === hookName)
    return own.some(({ channel }) => channel !== "undeliverable" && channel !== "log") ? "yes" : "no"
  }
  if (facts.length === 0) return now - timeOf(invocation) > longestCallMs ? "no" : "open"
  return isLost(facts, now) ? "no" : "open"
}

const slotOf = ({ intents }: Waiting): Slot =>
  intents.some(({ type }) => type === "MODEL_CONTEXT") ? "context" : "hint"

const told =
  (now: number) =>
  ({ at, event, handler, intents, job }: Waiting): Heard => ({
    job,
    handler,
    event,
    ago: span(now - at),
    intents
  })

export const hear = (hearing: Hearing): AllHeard => {
  const { agent, agentEvent, invocation, now, payload, session, state } = hearing
  const adapter = Object.hasOwn(adapters, agent) ? adapters[agent as keyof typeof adapters] : undefined
  const native = adapter?.events[agentEvent]
  // What a subagent hears is gone with it.
  if (native === undefined || placeInSession(agent, payload).subagent !== null)
    return { heard: [], tooOld: [] }
  const { heard, tooOld } = takeAlong(state, {
    session,
    invocation,
    now,
    carried: (other) => became(hearing, other),
    accepts: (waiting) => !("undeliverable" in native.carries(slotOf(waiting), "command"))
  })
  return { heard: heard.map(told(now)), tooOld: tooOld.map(told(now)) }
}
