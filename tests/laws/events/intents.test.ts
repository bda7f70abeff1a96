/** The check that runs on every hook and the schema that reads the log agree on what an intent is. */
import * as Arbitrary from "effect/Arbitrary"
import * as FastCheck from "effect/FastCheck"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { IntentSchema } from "../../../events/facts.ts"
import type { Intent } from "../../../events/intents.ts"
import { isIntent, toOutcome } from "../../../src/runtime/outcome.ts"
import { holds, intent, json } from "../../support/arbitrary.ts"

const bySchema = Schema.is(IntentSchema)

/** A valid intent of which one field was replaced, removed, or given to another type. */
const nearMiss: FastCheck.Arbitrary<unknown> = FastCheck.tuple(
  intent,
  FastCheck.constantFrom(
    "type",
    "text",
    "level",
    "message",
    "reason",
    "code",
    "permission",
    "replacesInput",
    "updatedInput"
  ),
  FastCheck.oneof(
    json,
    FastCheck.constantFrom<unknown>(
      "DIAGNOSTIC",
      "MODEL_CONTEXT",
      "USER_HINT",
      "EXIT_SIGNAL",
      "allow",
      "deny"
    ),
    FastCheck.constantFrom<unknown>(-1, 0, 2, 255, 256, 1.5, [], {}, "0")
  ),
  FastCheck.boolean()
).map(([valid, key, value, removes]) => {
  const { [key]: _, ...rest } = valid as unknown as Record<string, unknown>
  return removes ? rest : { ...rest, [key]: value }
})

describe("the hand-written check of intents", () => {
  it("takes whatever the schema can make", () =>
    holds(Arbitrary.make(IntentSchema), (value) => {
      const written = JSON.parse(JSON.stringify(value)) as unknown
      expect(isIntent(written)).toBe(true)
    }))

  it("takes every intent of our own generator, and so does the schema", () =>
    holds(intent, (value) => {
      expect([isIntent(value), bySchema(value)]).toEqual([true, true])
    }))

  it("gives the schema's verdict on near misses", () => {
    const verdicts = { yes: 0, no: 0 }
    holds(
      nearMiss,
      (value) => {
        const verdict = bySchema(value)
        verdicts[verdict ? "yes" : "no"]++
        expect(isIntent(value), JSON.stringify(value)).toBe(verdict)
      },
      2000
    )
    // Agreement on one side only would prove little.
    expect(Math.min(verdicts.yes, verdicts.no)).toBeGreaterThan(200)
  })

  it.each([
    [{ type: "EXIT_SIGNAL", code: 255 }, true],
    [{ type: "EXIT_SIGNAL", code: 256 }, false],
    [{ type: "EXIT_SIGNAL", code: -1 }, false],
    [{ type: "EXIT_SIGNAL", code: 0.5 }, false],
    [{ type: "MODEL_CONTEXT" }, true],
    [{ type: "MODEL_CONTEXT", permission: "deny" }, false],
    [{ type: "MODEL_CONTEXT", updatedInput: [] }, false],
    [{ type: "MODEL_CONTEXT", updatedOutput: null, extra: 1 }, true],
    [{ type: "DIAGNOSTIC", level: "fatal", message: "x" }, false],
    [{ type: "user_hint", text: "x" }, false],
    [null, false]
  ])("gives the schema's verdict on %j", (value, verdict) => {
    expect([isIntent(value), bySchema(value)]).toEqual([verdict, verdict])
  })

  it("gives the schema's verdict on any JSON", () =>
    holds(json, (value) => {
      expect(isIntent(value)).toBe(bySchema(value))
    }))
})

describe("an outcome", () => {
  it("holds only intents that the schema takes, and that come back from the log unchanged", () =>
    holds(FastCheck.array(intent, { maxLength: 4 }), (list) => {
      const { intents } = toOutcome(list)
      expect(intents.every((one) => bySchema(one))).toBe(true)
      expect(JSON.parse(JSON.stringify(intents))).toEqual(intents)
      expect(intents).toEqual(JSON.parse(JSON.stringify(list)) as readonly Intent[])
    }))

  it("is made of a copy: what a handler changes afterwards is not in it", () =>
    holds(intent, (value) => {
      const mutable = JSON.parse(JSON.stringify(value)) as Record<string, unknown>
      const { intents } = toOutcome(mutable)
      const before = JSON.stringify(intents)
      for (const key of Object.keys(mutable)) mutable[key] = "changed"
      expect(JSON.stringify(intents)).toBe(before)
    }))
})
