/** CloudEvents, each as soon as it is there: a receiver of anybody's. */
import * as Effect from "effect/Effect"
import type { Batch, Courier } from "./Courier.ts"
import { type CloudEvent, cloudEvent } from "./cloudEvent.ts"
import { deliver } from "./deliver.ts"
import type { Sink } from "./Sink.ts"

export const eventsOf = (facts: Batch, key: Buffer, withPayloads = false): readonly CloudEvent[] =>
  facts.flatMap((fact): readonly CloudEvent[] => {
    const event = cloudEvent(fact, key, withPayloads)
    return event === undefined ? [] : [event]
  })

export const lastOf = (facts: Batch): number => (facts.at(-1) ?? facts[0]).position

export const eventCourier = (sink: Sink, key: Buffer, timeoutMs: number): Courier => ({
  most: 100,
  isDue: () => true,
  send: (facts) => Effect.as(deliver(sink, eventsOf(facts, key), timeoutMs), lastOf(facts))
})
