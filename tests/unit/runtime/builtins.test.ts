/** What a handler can do to JavaScript's own objects, and whether it is seen. */
import { describe, expect, it } from "vitest"
import { makeIntact, makeMending } from "../../../src/runtime/builtins.ts"

/** Each with how it is undone. */
const changes: Readonly<Record<string, () => () => void>> = {
  "a method is replaced": () => {
    const { map } = Array.prototype
    Array.prototype.map = (() => []) as never
    return () => {
      Object.defineProperty(Array.prototype, "map", { value: map, writable: true, configurable: true })
    }
  },
  "a method is taken away": () => {
    const { trim } = String.prototype
    Reflect.deleteProperty(String.prototype, "trim")
    return () => {
      Object.defineProperty(String.prototype, "trim", { value: trim, writable: true, configurable: true })
    }
  },
  "what is called in a method's place fails": () => {
    const { trim } = String.prototype
    const get = () => {
      throw new Error("no trim")
    }
    Object.defineProperty(String.prototype, "trim", { get, configurable: true })
    return () => {
      Object.defineProperty(String.prototype, "trim", { value: trim, writable: true, configurable: true })
    }
  },
  "every object gets a member": () => {
    Object.defineProperty(Object.prototype, "type", { value: "x", configurable: true })
    return () => {
      Reflect.deleteProperty(Object.prototype, "type")
    }
  },
  "JSON is written by somebody else": () => {
    const { stringify } = JSON
    JSON.stringify = () => "{}"
    return () => {
      JSON.stringify = stringify
    }
  },
  "what is called when a member is read": () => {
    const size = Object.getOwnPropertyDescriptor(Map.prototype, "size") as PropertyDescriptor
    Object.defineProperty(Map.prototype, "size", { get: () => 0, configurable: true })
    return () => {
      Object.defineProperty(Map.prototype, "size", size)
    }
  },
  "every list gets another text": () => {
    Object.defineProperty(Array.prototype, "toJSON", { value: () => [], configurable: true })
    return () => {
      Reflect.deleteProperty(Array.prototype, "toJSON")
    }
  },
  "lists have something else above them": () => {
    Object.setPrototypeOf(Array.prototype, Object.create(Object.prototype, { toJSON: { value: () => [] } }))
    return () => {
      Object.setPrototypeOf(Array.prototype, Object.prototype)
    }
  },
  "every function is waited for": () => {
    Reflect.set(Function.prototype, "then", () => undefined)
    return () => {
      Reflect.deleteProperty(Function.prototype, "then")
    }
  },
  "how lists are gone through": () => {
    const iterator = Object.getPrototypeOf([][Symbol.iterator]()) as { next: unknown }
    const { next } = iterator
    iterator.next = () => ({ done: true })
    return () => {
      iterator.next = next
    }
  }
}

const own = { write: () => "own" }

/** As Node has it for what is seldom used. */
const lazy = (): { readonly holder: object; readonly value: () => string } => {
  const value = () => "made"
  const holder = Object.defineProperty({}, "made", {
    configurable: true,
    get: () => {
      Object.defineProperty(holder, "made", { value, writable: true, configurable: true })
      return value
    }
  })
  return { holder, value }
}

describe("JavaScript's own objects", () => {
  it.each(Object.entries(changes))("are not as they were where %s", (_, change) => {
    const isIntact = makeIntact()
    expect(isIntact()).toBe(true)
    const undo = change()
    let seen = true
    try {
      seen = isIntact()
    } finally {
      undo()
    }
    expect(seen).toBe(false)
    expect(isIntact()).toBe(true)
  })

  it.each(Object.entries(changes))("are put back where %s", (_, change) => {
    const isIntact = makeIntact()
    const mend = makeMending([process])
    const undo = change()
    let whole = false
    let intact = false
    try {
      whole = mend()
      intact = isIntact()
    } finally {
      undo()
    }
    expect({ whole, intact }).toEqual({ whole: true, intact: true })
  })

  it("are not whole where something cannot be put back", () => {
    const mend = makeMending([own])
    Object.defineProperty(own, "write", { value: () => "other", configurable: false, writable: false })
    expect(mend()).toBe(false)
  })

  it("put back a global, and a method of what else is named", () => {
    const other = { write: () => "own" }
    const { write } = other
    const mend = makeMending([other])
    const kept = globalThis.JSON
    globalThis.JSON = {} as never
    other.write = () => "other"
    let whole = false
    let found: unknown
    try {
      whole = mend()
      found = globalThis.JSON
    } finally {
      Object.defineProperty(globalThis, "JSON", { value: kept, writable: true, configurable: true })
    }
    expect({ whole, write: other.write === write, json: found === kept }).toEqual({
      whole: true,
      write: true,
      json: true
    })
  })

  it("are as they were where what is made on first sight was looked at", () => {
    const { holder, value } = lazy()
    const isIntact = makeIntact([holder])
    expect(Reflect.get(holder, "made")).toBe(value)
    expect(isIntact()).toBe(true)
  })

  it("are not where something else was put in the place of that, and it stays there", () => {
    const { holder } = lazy()
    const isIntact = makeIntact([holder])
    const other = () => "other"
    Object.defineProperty(holder, "made", { value: other, writable: true, configurable: true })
    expect(isIntact()).toBe(false)
    expect(Reflect.get(holder, "made")).toBe(other)
  })

  it("are as they were where something is added to them, as polyfills do, or a value is set", () => {
    const isIntact = makeIntact()
    const { stackTraceLimit } = Error
    Object.defineProperty(Array.prototype, "lastOfAll", { value: () => 1, configurable: true })
    Error.stackTraceLimit = 3
    try {
      expect(isIntact()).toBe(true)
    } finally {
      Error.stackTraceLimit = stackTraceLimit
      Reflect.deleteProperty(Array.prototype, "lastOfAll")
    }
  })
})
