/** A fact as CloudEvents 1.0 has it: its id is the fact's own, so that whoever gets it twice can tell. */
import { createHmac } from "node:crypto"
import type { Recorded } from "../../../events/Recorded.ts"
import { redactText } from "../../redact/redact.ts"
import { shapeOf } from "./shape.ts"
import { longestEvent, wholeOf, wholeTypes } from "./whole.ts"

export type CloudEvent = Readonly<Record<string, unknown>>

const orNothing = (name: string, value: string | null): Readonly<Record<string, string>> =>
  value === null || value === "" ? {} : { [name]: redactText(value) }

const eventWith = (fact: Recorded, key: Buffer, data: unknown): CloudEvent => {
  const project =
    fact.project === null ? null : createHmac("sha256", key).update(fact.project).digest("hex").slice(0, 32)
  return {
    specversion: "1.0",
    id: fact.id,
    source: `urn:hooktape:${fact.source}`,
    type: `hooktape.${fact.type.toLowerCase()}`,
    subject: fact.stream,
    time: new Date(fact.at).toISOString(),
    datacontenttype: "application/json",
    // Texts of one length, as the extension "sequence" wants them: they sort as they happened.
    sequence: String(fact.position).padStart(16, "0"),
    ...orNothing("agent", fact.agent),
    ...orNothing("agentevent", fact.agentEvent),
    ...orNothing("session", fact.session),
    ...orNothing("project", project),
    ...orNothing("tooluseid", fact.toolUseId),
    ...orNothing("cause", fact.cause),
    data
  }
}

/** With all of the fact, where it is sent and a collector takes the event that it makes. */
const wholeEvent = (fact: Recorded, key: Buffer, shape: unknown): CloudEvent | undefined => {
  const whole = fact.known && wholeTypes.includes(fact.type) ? wholeOf(fact) : undefined
  if (whole === undefined) return undefined
  const event = eventWith(fact, key, { ...(shape as object | undefined), whole })
  return JSON.stringify(event).length <= longestEvent ? event : undefined
}

/**
 * `key`: the installation's. A project is sent as a digest under it, since its path may name people. `withPayloads`: what does not fit is sent as
 * without.
 */
export const cloudEvent = (fact: Recorded, key: Buffer, withPayloads = false): CloudEvent | undefined => {
  const shape = shapeOf(fact.type, fact.data)
  const whole = withPayloads ? wholeEvent(fact, key, shape) : undefined
  return whole ?? (shape === undefined ? undefined : eventWith(fact, key, shape))
}
