/** What of a handler's value can be read without running its code. */
import { describe, expect, it } from "vitest"
import { blockingFeedback, modelContext, userHint } from "../../../events/intents.ts"
import { maxText } from "../../../src/runtime/bounded.ts"
import { isInert, longestJson, toOutcome } from "../../../src/runtime/outcome.ts"

const looked = (): never => {
  throw new Error("code of the value was run")
}

const inert: readonly (readonly [string, unknown])[] = [
  ["nothing", undefined],
  ["null", null],
  ["an intent", { type: "USER_HINT", text: "hello" }],
  ["several", [{ type: "MODEL_CONTEXT", text: "a", updatedInput: { command: "ls", nested: { at: 1 } } }]],
  ["without a prototype", Object.assign(Object.create(null), { type: "USER_HINT", text: "a" })],
  ["metadata beside", { intents: [], metadata: { seen: true }, chain: "a" }]
]

const alive: readonly (readonly [string, unknown])[] = [
  ["a getter", Object.defineProperty({}, "type", { enumerable: true, get: looked })],
  ["a getter further in", [{ a: { b: Object.defineProperty({}, "c", { get: looked }) } }]],
  ["toJSON", { toJSON: looked }],
  ["toJSON of its class", new Date(0)],
  ["an object of a class", new (class Said {})()],
  [
    "a proxy",
    new Proxy(
      {},
      { get: looked, getOwnPropertyDescriptor: looked, getPrototypeOf: looked, has: looked, ownKeys: looked }
    )
  ],
  ["a list whose iterator is its own", Object.assign([], { [Symbol.iterator]: looked })],
  ["a function", looked],
  ["a list that is long", Array.from({ length: 100_000 }, () => 1)],
  ["what is nested deep", { a: { b: { c: { d: { e: 1 } } } } }]
]

describe("a handler's value", () => {
  it.each(inert)("can be read as it is: %s", (_, value) => expect(isInert(value)).toBe(true))
  it.each(alive)("may run code when it is read: %s", (_, value) => expect(isInert(value)).toBe(false))
  it("is no more than it seems where every object has a toJSON", () => {
    Object.defineProperty(Object.prototype, "toJSON", { configurable: true, value: looked })
    try {
      expect(isInert({ type: "USER_HINT", text: "hello" })).toBe(false)
    } finally {
      Reflect.deleteProperty(Object.prototype, "toJSON")
    }
  })
})

it("a text alone is refused with what to write for it", () => {
  expect(() => toOutcome("just a text")).toThrow(
    'returned "just a text", which is not an intent; to tell the model, return modelContext("…")'
  )
  expect(() => toOutcome(7)).toThrow(/^returned 7, which is not an intent$/)
})

describe("what a handler returns is bounded:", () => {
  it("texts are kept up to a sum, and what was cut is said", () => {
    const { intents } = toOutcome([
      blockingFeedback("because"),
      userHint("h".repeat(60_000_000)),
      modelContext("m")
    ])
    expect(intents).toHaveLength(4)
    expect(intents[0]).toEqual(blockingFeedback("because"))
    expect(intents[1]).toEqual(userHint(`${"h".repeat(maxText - "because".length)}…`))
    expect(intents[2]).toEqual(modelContext("…"))
    expect(intents[3]).toEqual({
      type: "DIAGNOSTIC",
      level: "warn",
      message: `a hook's reply was cut: it had 60000008 characters, of which ${maxText} are kept`
    })
  })

  it("as much as there may be is kept whole", () => {
    const most = [userHint("h".repeat(maxText - 1)), modelContext("m")]
    expect(toOutcome(most).intents).toEqual(most)
  })

  it("what cannot be cut is refused, with the size", () => {
    const large = { key: "x".repeat(longestJson) }
    const tooMuch = (what: string) =>
      new RegExp(`returned ${what} of \\d+ characters; at most ${longestJson} are`)
    expect(() => toOutcome({ type: "MODEL_CONTEXT", updatedInput: large })).toThrow(tooMuch("intents"))
    expect(() => toOutcome({ metadata: large })).toThrow(tooMuch("metadata"))
  })
})

describe("a chain that a handler names", () => {
  it.each(["a", "a".repeat(200)])("is taken, beside what it says or alone", (chain) => {
    expect(toOutcome({ chain })).toEqual({ intents: [], chain })
    expect(toOutcome({ chain, intents: [userHint("h")], metadata: { a: 1 } })).toEqual({
      intents: [userHint("h")],
      patch: { a: 1 },
      chain
    })
  })

  it.each(["", "a".repeat(201), 7, null])("is refused where it is no name: %j", (chain) => {
    expect(() => toOutcome({ chain })).toThrow("returned a chain that is no text of 1 to 200 characters")
  })
})
