/** What handlers cannot do to the process while an invocation runs, and that it is all given back. */
import { describe, expect, it } from "vitest"
import { isolate } from "../../../src/runtime/isolate.ts"
import { later } from "../../support/misbehaving.ts"

/** The test runner listens too; for a moment only we do. */
const alone = async (work: () => Promise<void>): Promise<void> => {
  const events = ["uncaughtException", "unhandledRejection"] as const
  const kept = events.map((event) => process.listeners(event as "uncaughtException"))
  for (const event of events) process.removeAllListeners(event)
  try {
    await work()
  } finally {
    events.forEach((event, index) => {
      for (const listener of kept[index] ?? []) process.on(event, listener)
    })
  }
}

describe("isolation", () => {
  it("makes every way of ending the process throw, and says which it was", () => {
    const { release } = isolate(() => {})
    try {
      expect(() => process.exit(3)).toThrow("called process.exit(3), which would have ended the hook")
      expect(() => process.exit()).toThrow("called process.exit()")
      expect(() => process.abort()).toThrow("called process.abort()")
      const { reallyExit } = process as unknown as { reallyExit: (code: number) => void }
      expect(() => reallyExit(0)).toThrow("called process.reallyExit(0)")
    } finally {
      release()
    }
  })

  it("gives back what it took", () => {
    const { exit, abort } = process
    const listeners = process.listenerCount("uncaughtException")
    const { release } = isolate(() => {})
    expect(process.exit).not.toBe(exit)
    release()
    expect([process.exit, process.abort]).toEqual([exit, abort])
    expect(process.listenerCount("uncaughtException")).toBe(listeners)
  })

  it("hands on what is thrown and rejected outside of any call, with its owner", () =>
    alone(async () => {
      const strays: [string, number | undefined][] = []
      const { attribute, release } = isolate((error, owner) => void strays.push([error.message, owner]))
      attribute(
        1,
        () =>
          void setTimeout(() => {
            throw new Error("timer of 1")
          }, 0)
      )
      attribute(2, () => void Promise.reject(new Error("promise of 2")))
      void Promise.reject("of nobody")
      setTimeout(() => {
        throw Object.create(null)
      }, 0)
      while (strays.length < 4) await later()
      release()
      expect(strays.sort(([a], [b]) => a.localeCompare(b))).toEqual([
        ["of nobody", undefined],
        ["promise of 2", 2],
        ["threw [object Object]", undefined],
        ["timer of 1", 1]
      ])
    }))

  it("returns what the work returns", () => {
    const { attribute, release } = isolate(() => {})
    release()
    expect(attribute(0, () => 42)).toBe(42)
  })
})
