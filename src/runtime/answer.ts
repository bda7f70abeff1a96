/** The intents of an invocation made into its one answer: pure, so that a replay gives the very same. */
import type { Tool } from "../../events/agentEvents.ts"
import type { ChannelTaken } from "../../events/facts.ts"
import type { Intent } from "../../events/intents.ts"
import type { Attributed } from "../../machines/replyIntents.ts"
import { keepsGoing } from "../../machines/stops.ts"
import type { Adapter, Encoded, Transport } from "../agents/Adapter.ts"
import { fold, slotsOf } from "../agents/reply.ts"

export interface Answering {
  readonly adapter: Adapter
  readonly agentEvent: string
  readonly transport: Transport
  /** The least level of a diagnostic that is shown; all are recorded. Default `info`. */
  readonly logLevel?: string | undefined
}

export interface Answer {
  readonly encoded: Encoded
  readonly channels: readonly ChannelTaken[]
}

const levels = ["debug", "info", "warn", "error"]

/** Whether a diagnostic is loud enough to be shown; the log has it either way. */
const isShown = (intent: Intent, least: string | undefined): boolean =>
  intent.type !== "DIAGNOSTIC" ||
  levels.indexOf(intent.level) >=
    levels.indexOf(least !== undefined && levels.includes(least) ? least : "info")

/** For each intent the channel it took, told by the slots it fills. */
const channelsOf = (
  intents: readonly Attributed[],
  encoded: Encoded,
  logLevel: string | undefined
): readonly ChannelTaken[] =>
  intents.flatMap(({ handler, intent }) =>
    slotsOf(intent).map((slot): ChannelTaken => {
      const name = intent.type === "MODEL_CONTEXT" ? `${intent.type}.${slot}` : intent.type
      if (!isShown(intent, logLevel)) return { intent: name, handler, channel: "log" }
      const carried = encoded.carried[slot]
      if (carried && "channel" in carried) return { intent: name, handler, channel: carried.channel }
      return {
        intent: name,
        handler,
        channel: "undeliverable",
        reason: carried?.undeliverable ?? "overruled",
        ...(carried?.instead === undefined ? {} : { instead: carried.instead })
      }
    })
  )

/** What is left of an intent that must not keep the agent going. */
const withoutIt = (intent: Intent): Intent | undefined => {
  if (!keepsGoing(intent)) return intent
  if (intent.type !== "MODEL_CONTEXT") return undefined
  const { text: _, ...rest } = intent
  return rest
}

const heldBack = ({ handler, intent }: Attributed, reason: string): ChannelTaken => ({
  intent: intent.type === "MODEL_CONTEXT" ? `${intent.type}.context` : intent.type,
  handler,
  channel: "undeliverable",
  reason,
  held: true
})

/** A question without a reason says at least whose it is. */
const reasoned = ({ handler, intent }: Attributed): Intent =>
  intent.type === "MODEL_CONTEXT" && intent.permission === "ask" && (intent.reason ?? "").trim() === ""
    ? { ...intent, reason: `The hook ${handler} wants this to be confirmed.` }
    : intent

export const answer = (
  { adapter, agentEvent, transport, logLevel }: Answering,
  intents: readonly Attributed[],
  tool: Tool | undefined,
  /** Why what would keep the agent from stopping is not passed on. */
  held?: string
): Answer => {
  const passed =
    held === undefined
      ? intents
      : intents.flatMap(({ handler, intent }) => {
          const rest = withoutIt(intent)
          return rest === undefined ? [] : [{ handler, intent: rest }]
        })
  const reply = fold(passed.map(reasoned).filter((intent) => isShown(intent, logLevel)))
  const encoded = adapter.encode(agentEvent, transport, reply, tool)
  const kept = held === undefined ? [] : intents.filter(({ intent }) => keepsGoing(intent))
  const channels = channelsOf(passed, encoded, logLevel)
  return {
    encoded,
    channels: held === undefined ? channels : [...channels, ...kept.map((one) => heldBack(one, held))]
  }
}
