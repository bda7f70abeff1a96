import { describe, expect, it } from "vitest"
import type { LeftOut } from "../../../events/facts.ts"
import { recalled } from "../../../src/tools/replay/recalled.ts"

const hook = { name: "slow", on: "turn.stop" } as never

const pastOf = (left: Pick<LeftOut, "reason" | "by">) =>
  recalled({ handlers: [], left: [{ handler: "slow", event: "turn.stop", ...left }] })

const admitted = (left: Pick<LeftOut, "reason" | "by">) => pastOf(left).admit(hook, "turn.stop", {} as never)
const switched = (left: Pick<LeftOut, "reason" | "by">) => pastOf(left).switched("slow", {} as never)

describe("what a plan recalls of its time", () => {
  it.each(["past", "directory"] as const)(
    "leaves out again what the %s left out, in whatever words",
    (by) => {
      expect(admitted({ reason: "in other words", by })).toBe("in other words")
      expect(switched({ reason: "in other words", by })).toBeUndefined()
    }
  )

  it("has off what a switch had off, in whatever words", () => {
    const left = { reason: "in other words", by: "switch" } as const
    expect(switched(left)).toEqual({ enabled: false, reason: "in other words" })
    expect(admitted(left)).toBeUndefined()
  })

  it("asks anew what hook and call say themselves", () => {
    const left = { reason: "when: matches said no" }
    expect(admitted(left)).toBeUndefined()
    expect(switched(left)).toBeUndefined()
  })

  it.each([
    "once: it ran in this session already",
    "cooldown: 3 s are left",
    "rateLimit: 5 runs in the last minute",
    "nothing waits for this session",
    "the working directory does not exist",
    "the payload's working directory is no text"
  ])("understands facts that have words alone: %s", (reason) => {
    expect(admitted({ reason })).toBe(reason)
  })

  it.each([
    'disabled with "hooktape hooks"',
    'disabled for this session with "hooktape hooks"',
    'disabled for this project with "hooktape hooks"'
  ])("understands facts that have words alone: %s", (reason) => {
    expect(switched({ reason })).toEqual({ enabled: false, reason })
  })
})
