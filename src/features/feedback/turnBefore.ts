/** What the log tells of the turn before a prompt: what was asked, what the agent said at last, and whether it did anything. */
import type { Dispatched } from "../../../events/agentEvents.ts"
import type { SessionId } from "../../../events/ids.ts"
import type { Reader } from "../../log/reader.ts"
import type { TurnBefore } from "./feedbackAfter.ts"

/** A longer turn was work in any case. */
const maxFacts = 300

const acts = new Set(["command.ran", "file.edited", "tool.before", "tool.after", "tool.failure"])

const textIn = (events: readonly Dispatched[], event: string, name: string): string | undefined => {
  const value = events.find((one) => one.event === event)?.data[name]
  return typeof value === "string" ? value : undefined
}

/** Without a word of its beginning a session may be older than its hooks; one that goes on has a turn that the log may not know. */
const begins = ({ data, event }: Dispatched): boolean =>
  event === "session.start" && (data["source"] === "startup" || data["source"] === "clear")

/** Undefined where the session begins with this prompt; `"unknown"` where the log cannot tell. */
export const turnBefore = (
  reader: Reader,
  session: SessionId,
  invocation: string
): TurnBefore | "unknown" | undefined => {
  const { facts } = reader.facts({
    types: ["PAYLOAD_BUFFERED"],
    session,
    newestFirst: true,
    limit: maxFacts
  })
  const own = facts.findIndex(({ stream }) => stream === `invocation/${invocation}`)
  // Its own payload is on the log before anything is done about it.
  if (own < 0) return "unknown"
  let answer: string | undefined
  let worked = false
  let asked: string | undefined
  let isBegun = false
  for (const { data } of facts.slice(own + 1)) {
    const { events } = data as unknown as { readonly events: readonly Dispatched[] }
    isBegun ||= events.some(begins)
    worked ||= events.some(({ event }) => acts.has(event))
    if (asked !== undefined) continue
    answer ??= textIn(events, "response.given", "text")
    asked = textIn(events, "prompt.submit", "prompt")
  }
  if (asked !== undefined) return { prompt: asked, answer: answer ?? "", worked }
  if (facts.length === maxFacts) return { prompt: "", answer: answer ?? "", worked: true }
  return isBegun ? undefined : "unknown"
}
