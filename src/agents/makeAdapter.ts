/** Puts an adapter together from an agent's tables: names, payloads, rules, and its way of reading tool calls. */
import type { Agent, CanonicalEvent, PassedEvent } from "../../events/agentEvents.ts"
import type { Adapter, Carried, NativeEvent, Transport } from "./Adapter.ts"
import { decodeWith, type Reader } from "./decode.ts"
import { type Dialect, encodeWith } from "./encode.ts"
import { probes, probeTool } from "./probes.ts"
import type { Slot } from "./reply.ts"
import type { Rules } from "./ways.ts"

/** One native event's row. */
export interface EventRow {
  readonly event: CanonicalEvent | PassedEvent
  readonly register?: NativeEvent["register"]
}

interface Parts {
  readonly agent: Agent
  readonly rows: { readonly [nativeEvent: string]: EventRow }
  readonly payloads: Reader["payloads"]
  readonly readEvent: Reader["readEvent"]
  readonly cwd?: Reader["cwd"]
  readonly rules: { readonly [nativeEvent: string]: Rules }
  readonly dialect: Dialect
}

export const makeAdapter = (parts: Parts): Adapter => {
  const { agent, rows, payloads, readEvent, cwd, rules, dialect } = parts
  const rulesOf = (nativeEvent: string) =>
    Object.hasOwn(rules, nativeEvent) ? rules[nativeEvent] : undefined
  const encode = encodeWith(dialect, rulesOf, (name) =>
    Object.hasOwn(rows, name) ? rows[name]?.event : undefined
  )
  // Asked, not repeated: what the table says is what the encoder does.
  const carries =
    (nativeEvent: string) =>
    (slot: Slot, transport: Transport): Carried =>
      encode(nativeEvent, transport, probes[slot], probeTool).carried[slot] ?? {
        undeliverable: "nothing to carry"
      }
  const events: Record<string, NativeEvent> = {}
  for (const [name, { event, register = "always" }] of Object.entries(rows))
    events[name] = { event, register, carries: carries(name) }
  return { agent, events, decode: decodeWith({ payloads, events: rows, readEvent, cwd }), encode }
}
