/** Bounds what a fact repeats of the payload: the whole of it stands in the payload already. */
import type { Dispatched, Tool } from "../../events/agentEvents.ts"
import type { InvocationFact } from "../../events/facts.ts"
import type { Json, JsonObject } from "../../events/intents.ts"
import type { Decoded } from "../agents/Adapter.ts"
import { cut } from "../redact/cut.ts"

const longest = 2048
const widest = 64
const deepest = 6

/** Strings, lists and nesting cut to a bounded size; what was cut ends in `…`. */
export const clip = (value: Json, depth = 0): Json => {
  if (typeof value === "string") return value.length > longest ? `${cut(value, longest)}…` : value
  if (typeof value !== "object" || value === null) return value
  if (depth >= deepest) return "…"
  if (Array.isArray(value)) {
    const kept = value.slice(0, widest).map((item: Json) => clip(item, depth + 1))
    return value.length > widest ? [...kept, "…"] : kept
  }
  // Not by assignment: that would make a key called `__proto__` the prototype.
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, widest)
      .map(([key, item]): [string, Json] => [key, clip(item, depth + 1)])
  )
}

const toolMarks = ({ input: _input, response: _response, ...rest }: Tool): Tool => ({
  ...(clip(rest as unknown as Json) as unknown as Tool),
  input: null
})

const clipped = ({ event, data }: Dispatched): Dispatched => ({ event, data: clip(data) as JsonObject })

type Repeated = Pick<
  Extract<InvocationFact, { type: "PAYLOAD_BUFFERED" }>,
  "session" | "toolUseId" | "tool" | "events" | "drift"
>

/** What PAYLOAD_BUFFERED says of a decoded payload. */
export const repeated = ({ session, toolUseId, tool, events, drift }: Decoded): Repeated => ({
  session,
  toolUseId,
  ...(tool ? { tool: toolMarks(tool) } : {}),
  events: events.map(clipped),
  ...(drift.length > 0 ? { drift } : {})
})
