/** A hook that always has something against stopping would have the agent go on for ever: after so many times it is let stop. */
import { diagnostic, type Intent, userHint } from "../events/intents.ts"
import { type Attributed, own } from "./replyIntents.ts"

/** How often hooks kept the agent from stopping in a row before this, and how often they may. */
export interface Stops {
  readonly blocked: number
  readonly most: number
}

/** Whether an intent keeps an agent from stopping: where it is refused, and where an agent takes text for more to do. */
export const keepsGoing = (intent: Intent): boolean =>
  intent.type === "BLOCKING_FEEDBACK" ||
  (intent.type === "EXIT_SIGNAL" && intent.code === 2) ||
  (intent.type === "MODEL_CONTEXT" && intent.text !== undefined)

interface Delivery {
  readonly intents: readonly Attributed[]
  readonly noise: string
  /** Why what would keep the agent from stopping is not passed on. */
  readonly held?: string
}

/** What is delivered: from the limit on without what would keep the agent going, and with that said. */
export const holding = ({
  intents,
  noise,
  stops
}: Delivery & { readonly stops: Stops | undefined }): Delivery => {
  const keeping = intents.filter(({ intent }) => keepsGoing(intent))
  if (stops === undefined || stops.blocked < stops.most || keeping.length === 0) return { intents, noise }
  const { blocked, most } = stops
  const held = `hooks have kept the agent from stopping ${blocked} times in a row, and ${most} is the most`
  const who = [...new Set(keeping.map(({ handler }) => handler))].join(", ")
  const said = `${held}: what ${who} has against it was not passed on`
  return {
    intents: [
      ...intents,
      { handler: own, intent: userHint(`hooktape: ${said}.`) },
      { handler: own, intent: diagnostic("warn", said) }
    ],
    noise,
    held
  }
}
