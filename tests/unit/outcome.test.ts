/** What of a handler's value can be read without running its code. */
import { describe, expect, it } from "vitest"
import { isInert } from "../../src/engine/outcome.ts"

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
