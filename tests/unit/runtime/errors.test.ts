/** Whatever is thrown becomes an error, and data: nothing of it is trusted. */
import { describe, expect, it } from "vitest"
import { asError, errorOf } from "../../../src/runtime/errors.ts"

const silent = {
  toString: () => {
    throw new Error("no words")
  }
}

describe("what was thrown", () => {
  it("stays the error that it is", () => {
    const error = new RangeError("far")
    expect(asError(error)).toBe(error)
  })

  it.each([
    ["a text", "a text"],
    ["", ""],
    [7, "threw 7"],
    [null, "threw null"],
    [undefined, "threw undefined"],
    [Symbol("s"), "threw Symbol(s)"],
    [{ code: 7, why: "no" }, 'threw {"code":7,"why":"no"}'],
    [{ long: "x".repeat(300) }, `threw {"long":"${"x".repeat(191)}…`],
    [Object.create(null), "threw [object Object]"],
    [silent, "threw [object Object]"]
  ])("is an error that says so", (thrown, message) => {
    expect(asError(thrown).message).toBe(message)
  })
})

describe("an error as data", () => {
  it("has its name, its message and the head of its stack", () => {
    const error = new RangeError("far")
    error.stack = "s".repeat(4001)
    expect(errorOf(error)).toEqual({ name: "RangeError", message: "far", stack: "s".repeat(4000) })
  })

  it("has no stack where there is none, and usual words where its own cannot be read", () => {
    const bare = Object.assign(new Error("bare"), { stack: undefined })
    expect(errorOf(bare)).toEqual({ name: "Error", message: "bare" })
    // The stack first: to redefine it, it is made, of the name and the message.
    const names = ["stack", "name", "message"] as const
    const hostile = new Error("hidden")
    for (const name of names)
      Object.defineProperty(hostile, name, {
        get: () => {
          throw new Error("mine")
        }
      })
    expect(errorOf(hostile)).toEqual({ name: "Error", message: "" })
    const gone = new Error("gone")
    for (const name of names) Object.defineProperty(gone, name, { value: undefined })
    expect(errorOf(gone)).toEqual({ name: "Error", message: "" })
  })

  it("is text, whatever its members are", () => {
    const odd = Object.assign(new Error("odd"), { name: 7, message: silent, stack: Symbol("s") })
    expect(errorOf(odd as unknown as Error)).toEqual({
      name: "7",
      message: "[object Object]",
      stack: "Symbol(s)"
    })
  })
})
