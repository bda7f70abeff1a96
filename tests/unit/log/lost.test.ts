/** What came to no end: told by its facts, the time that passed, and whether its process is still there. */
import { describe, expect, it } from "vitest"
import { isLost, isProcessOver, isSessionOver, silentMs } from "../../../src/log/lost.ts"

const fact = (type: string, at = 0, data: object = {}) => ({ type, at, data })
const opened = fact("INVOCATION_OPENED", 0, { pid: 7 })
const gone = () => false
const alive = (pid: number) => pid === 7

describe("an invocation", () => {
  it("is lost once its process is gone, whatever came first", () => {
    expect(isLost([opened], 0, gone)).toBe(true)
    expect(isLost([opened], 0, alive)).toBe(false)
    expect(isLost([fact("HANDLER_STARTED", 0, { pid: 8 }), opened], 0, alive)).toBe(false)
  })

  it("is lost when nothing came for more than ten minutes, though its process is there", () => {
    const late = [opened, fact("HANDLER_STARTED", 1000)]
    expect(isLost(late, 601_000, alive)).toBe(false)
    expect(isLost(late, 601_001, alive)).toBe(true)
  })

  it("is not lost where it exited, where nothing is known of it, or where nobody said which process", () => {
    expect(isLost([opened, fact("EXITED"), fact("NOISE_CAPTURED")], 1e9, gone)).toBe(false)
    expect(isLost([], 1e9, gone)).toBe(false)
    expect(isLost([fact("INVOCATION_OPENED")], 0, gone)).toBe(false)
    expect(isLost([fact("HANDLER_STARTED", 0, { pid: 8 })], 0, gone)).toBe(false)
  })
})

describe("a session", () => {
  it("is over with its end, after a day of silence, and where there is none", () => {
    expect(isSessionOver([fact("SESSION_OPENED", 5)], silentMs + 5)).toBe(false)
    expect(isSessionOver([fact("SESSION_OPENED", 5)], silentMs + 6)).toBe(true)
    expect(isSessionOver([fact("SESSION_OPENED"), fact("SESSION_ENDED")], 0)).toBe(true)
    expect(isSessionOver([fact("SESSION_ENDED"), fact("SESSION_OPENED")], 0)).toBe(false)
    expect(isSessionOver([], 0)).toBe(true)
  })
})

describe("a process", () => {
  it.each(["HOST_STOPPED", "HANDLER_PROCESS_ENDED"])(
    "is over with %s, though its number is taken",
    (type) => {
      expect(isProcessOver([fact("HOST_STARTED", 0, { pid: 7 }), fact(type), fact("X")], alive)).toBe(true)
    }
  )

  it("is over when it is gone, or cannot be looked for", () => {
    expect(isProcessOver([fact("HOST_STARTED", 0, { pid: 7 })], alive)).toBe(false)
    expect(isProcessOver([fact("HOST_STARTED", 0, { pid: 7 })], gone)).toBe(true)
    expect(isProcessOver([fact("HOST_STARTED", 0, { pid: "7" })], () => true)).toBe(true)
    expect(isProcessOver([], () => true)).toBe(true)
  })
})
