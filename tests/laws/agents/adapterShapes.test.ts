/** The light check of the hot path agrees with effect's Schema, and the encoder keeps its word for any reply. */
import * as Arbitrary from "effect/Arbitrary"
import * as FastCheck from "effect/FastCheck"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { agents } from "../../../events/agentEvents.ts"
import { IntentSchema } from "../../../events/facts.ts"
import type { JsonObject } from "../../../events/intents.ts"
import { adapters } from "../../../src/agents/adapters.ts"
import { probeTool } from "../../../src/agents/probes.ts"
import { rawOutput } from "../../../src/agents/raw/raw.ts"
import { fold, slotsOf } from "../../../src/agents/reply.ts"
import { mismatches, type Shape } from "../../../src/agents/shape.ts"
import { schemaOf } from "../../../src/agents/shapeSchema.ts"
import { descriptions } from "../../support/adapters/descriptions.ts"
import { objections } from "../../support/adapters/judge.ts"
import { seed } from "../../support/arbitrary.ts"

const described = Object.entries(descriptions)
const payloads = described.flatMap(([agent, { payloads }]) =>
  Object.entries(payloads).map(([event, fields]): readonly [string, Shape] => [
    `${agent} ${event}`,
    { fields }
  ])
)
const outputs = described.flatMap(([agent, { rules }]) =>
  Object.entries(rules).flatMap(([event, { output }]): readonly (readonly [string, Shape])[] =>
    output ? [[`${agent} ${event} output`, output]] : []
  )
)
const shapes: readonly (readonly [string, Shape])[] = [...payloads, ...outputs, ["raw output", rawOutput]]

/** A described value with one thing changed: a field taken out, replaced or added. */
const bent = (value: unknown, [kind, index, wrong]: readonly [string, number, unknown]): unknown => {
  const own = { ...(value as { readonly [field: string]: unknown }) }
  const names = Object.keys(own)
  const name = names[index % Math.max(1, names.length)] ?? "x"
  if (kind === "add") return { ...own, unheard_of: wrong }
  if (kind === "drop") delete own[name]
  else if (kind === "replace") own[name] = wrong
  else return wrong
  return own
}

describe("the light check and the Schema agree", () => {
  it.each(shapes)("on %s", (_, shape) => {
    const schema = schemaOf(shape)
    const is = Schema.is(schema)
    const bend = FastCheck.tuple(
      FastCheck.constantFrom("none", "add", "drop", "replace", "whole"),
      FastCheck.nat(20),
      FastCheck.jsonValue()
    )
    FastCheck.assert(
      FastCheck.property(Arbitrary.make(schema), bend, (value, how) => {
        expect(mismatches(shape, value)).toEqual([])
        const candidate = how[0] === "none" ? value : bent(value, how)
        expect(mismatches(shape, candidate).length === 0).toBe(is(candidate))
      }),
      { numRuns: 40, seed }
    )
  })
})

describe("for any intents", () => {
  const replies = FastCheck.array(Arbitrary.make(IntentSchema), { maxLength: 6 })
  const where = FastCheck.constantFrom(
    ...agents.flatMap((agent) => Object.keys(adapters[agent].events).map((event) => ({ agent, event })))
  )
  const transports = FastCheck.constantFrom("command" as const, "http" as const)

  it("the document is one that the agent takes, and every slot is accounted for", () => {
    FastCheck.assert(
      FastCheck.property(where, transports, replies, ({ agent, event }, transport, intents) => {
        const encoded = adapters[agent].encode(event, transport, fold(intents), probeTool)
        if (encoded.stdout !== "") expect(objections(agent, event, JSON.parse(encoded.stdout))).toEqual([])
        expect(new Set(Object.keys(encoded.carried))).toEqual(new Set(intents.flatMap(slotsOf)))
        expect([0, 255]).toEqual([Math.min(0, encoded.exitCode), Math.max(255, encoded.exitCode)])
      }),
      { numRuns: 2000, seed }
    )
  })
})

describe("for any payload", () => {
  it("decoding neither fails nor changes it", () => {
    const payload = FastCheck.dictionary(
      FastCheck.oneof(
        FastCheck.constantFrom(
          "session_id",
          "cwd",
          "tool_name",
          "tool_input",
          "tool_response",
          "tool_calls",
          "tool_info",
          "workspace_roots",
          "tool_output",
          "result_json",
          "error"
        ),
        FastCheck.constantFrom("prompt", "tool", "llm_request", "last_assistant_message", "__proto__"),
        FastCheck.string()
      ),
      FastCheck.jsonValue()
    )
    const where = FastCheck.constantFrom(
      ...agents.flatMap((agent) =>
        [...Object.keys(adapters[agent].events), "Other"].map((event) => ({ agent, event }))
      )
    )
    FastCheck.assert(
      FastCheck.property(where, payload, ({ agent, event }, value) => {
        const before = JSON.stringify(value)
        const decoded = adapters[agent].decode(event, value as JsonObject)
        expect(decoded.events.length).toBeGreaterThan(0)
        expect(JSON.stringify(value)).toBe(before)
        expect(JSON.parse(JSON.stringify(decoded.events))).toEqual(decoded.events)
      }),
      { numRuns: 2000, seed }
    )
  })
})
