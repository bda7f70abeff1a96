/** Who got what of a reply: the model, the human, the log, or nobody. Pure. */
import type { ChannelTaken } from "../../../events/facts.ts"
import type { Intent } from "../../../events/intents.ts"
import { inline } from "./words.ts"

export interface Reached {
  readonly whom: "the model" | "the agent" | "the human" | "the log" | "nobody"
  readonly handler: string
  readonly text: string
  /** The channel, or why there was none. */
  readonly how: string
}

type Wanted = { readonly handler: string } & Intent

/** What an intent says in one of its parts: `context`, `permission`, `input`, `output`. */
const partText = (intent: Intent, part: string | undefined): string => {
  switch (intent.type) {
    case "DIAGNOSTIC":
      return `${intent.level}: ${intent.message}`
    case "MODEL_CONTEXT": {
      const { permission, reason, replacesInput, text, updatedInput, updatedOutput } = intent
      const parts: Readonly<Record<string, string | undefined>> = {
        context: text,
        permission: permission && `permission: ${permission}${reason === undefined ? "" : `: ${reason}`}`,
        input: updatedInput && `${replacesInput === true ? "whole " : ""}input ${inline(updatedInput)}`,
        output: updatedOutput === undefined ? undefined : `output ${inline(updatedOutput)}`
      }
      return part === undefined
        ? Object.values(parts)
            .filter((one) => one !== undefined)
            .join(" · ")
        : (parts[part] ?? "")
    }
    case "USER_HINT":
      return intent.text
    case "BLOCKING_FEEDBACK":
      return intent.reason
    case "EXIT_SIGNAL":
      return `exit code ${intent.code}`
  }
}

export const intentText = (intent: Intent): string => partText(intent, undefined)

const whomOf = (intent: string, channel: string): Reached["whom"] => {
  if (channel === "undeliverable") return "nobody"
  if (channel === "log" || intent === "DIAGNOSTIC") return "the log"
  if (intent === "USER_HINT") return "the human"
  return intent === "BLOCKING_FEEDBACK" || intent === "MODEL_CONTEXT.context" ? "the model" : "the agent"
}

/** Each channel with the words that took it: those of the same handler and type come in the same order on both sides. */
export const reachedBy = (
  channels: readonly ChannelTaken[],
  wanted: readonly Wanted[]
): readonly Reached[] => {
  const taken = new Map<string, number>()
  return channels.map(({ channel, handler, intent: name, reason }) => {
    const [type, part] = name.split(".")
    const key = `${handler} ${name}`
    const nth = taken.get(key) ?? 0
    taken.set(key, nth + 1)
    const same = wanted.filter(
      (one) => one.handler === handler && one.type === type && partText(one, part) !== ""
    )
    const intent = same[nth]
    return {
      whom: whomOf(name, channel),
      handler,
      text: intent === undefined ? name : partText(intent, part),
      how: channel === "undeliverable" ? (reason ?? "there is no way") : channel
    }
  })
}
