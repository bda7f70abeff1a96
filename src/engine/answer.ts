/** The intents of an invocation made into its one answer: pure, so that a replay gives the very same. */
import type { Tool } from "../../events/agentEvents.ts"
import type { ChannelTaken } from "../../events/facts.ts"
import type { Intent } from "../../events/intents.ts"
import type { Attributed } from "../../machines/invocation.ts"
import type { Adapter, Encoded, Transport } from "../adapters/Adapter.ts"
import { fold, slotsOf } from "./reply.ts"

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
        reason: carried?.undeliverable ?? "overruled"
      }
    })
  )

export const answer = (
  { adapter, agentEvent, transport, logLevel }: Answering,
  intents: readonly Attributed[],
  tool: Tool | undefined
): Answer => {
  const reply = fold(intents.map(({ intent }) => intent).filter((intent) => isShown(intent, logLevel)))
  const encoded = adapter.encode(agentEvent, transport, reply, tool)
  return { encoded, channels: channelsOf(intents, encoded, logLevel) }
}
