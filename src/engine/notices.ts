/** What the runtime itself has to say in a reply, as intents like any other. */
import { diagnostic, type Intent, userHint } from "../../events/intents.ts"
import type { Adapter, Decoded } from "../adapters/Adapter.ts"
import type { Plan } from "./registry.ts"

/** For the human: the agent's own message field, or standard error where the agent has none at this event. */
export const hintFor = (adapter: Adapter, agentEvent: string, text: string): Intent => {
  const known = Object.hasOwn(adapter.events, agentEvent) ? adapter.events[agentEvent] : undefined
  const carried = known?.carries("hint", "command")
  return carried !== undefined && "channel" in carried
    ? userHint(text)
    : diagnostic("warn", text.replace(/^hooktape: /, ""))
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
