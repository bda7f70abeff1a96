/** What the runtime itself has to say in a reply, as intents like any other. */
import { diagnostic, type Intent, userHint } from "../../events/intents.ts"
import type { Adapter, Decoded, Transport } from "../agents/Adapter.ts"
import type { Plan } from "./registry.ts"

/** For the human: the agent's own message field, or standard error where the agent has none at this event. */
export const hintFor = (adapter: Adapter, agentEvent: string, text: string, transport: Transport): Intent => {
  const known = Object.hasOwn(adapter.events, agentEvent) ? adapter.events[agentEvent] : undefined
  const carried = known?.carries("hint", transport)
  return carried !== undefined && "channel" in carried
    ? userHint(text)
    : diagnostic("warn", text.replace(/^hooktape: /, ""))
}

/** What was found on the way to the handlers, before any of them ran. */
export interface FoundOnTheWay {
  readonly adapter: Adapter
  readonly agentEvent: string
  readonly transport: Transport
  /** What the build itself has to say at this event. */
  readonly notices?: readonly Intent[] | undefined
  /** For the operator. */
  readonly warnings: readonly string[]
  /** For the human. */
  readonly hints: readonly string[]
}

/** All of it as intents; a hint that several have found is said once. */
export const noticesOf = (found: FoundOnTheWay): readonly Intent[] => {
  const { adapter, agentEvent, hints, notices = [], warnings, transport } = found
  const said = new Set(notices.flatMap((notice) => (notice.type === "USER_HINT" ? [notice.text] : [])))
  const hint = (text: string) => hintFor(adapter, agentEvent, text, transport)
  return [
    ...notices.map((notice) => (notice.type === "USER_HINT" ? hint(notice.text) : notice)),
    ...warnings.map((warning) => diagnostic("warn", warning)),
    ...hints.filter((text) => !said.has(text)).map(hint)
  ]
}

/** A misspelt event would be silence for ever; one that a hook waits for is none. */
export const unknownEvent = (
  adapter: Adapter,
  agentEvent: string,
  decoded: Decoded | undefined,
  { handlers, left }: Plan
): readonly Intent[] => {
  const event = decoded?.events[0].event
  if (event === undefined || !event.startsWith("agent.") || event === agentEvent) return []
  if (Object.hasOwn(adapter.events, agentEvent) || handlers.length + left.length > 0) return []
  return [
    diagnostic(
      "warn",
      `unknown event of ${adapter.agent}: ${agentEvent}. It is recorded; a hook can subscribe to it as "${event}".`
    )
  ]
}
