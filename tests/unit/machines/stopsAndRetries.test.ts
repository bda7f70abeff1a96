/** When a hook is let go on against a stop, and when one that failed is tried again: every edge of both rules. */
import { describe, expect, it } from "vitest"
import {
  blockingFeedback,
  diagnostic,
  exitSignal,
  type Intent,
  modelContext,
  userHint
} from "../../../events/intents.ts"
import { again, givenUp } from "../../../machines/retry.ts"
import { holding, keepsGoing } from "../../../machines/stops.ts"
import { plannedHandler } from "../../support/facts.ts"

describe("what keeps an agent from stopping", () => {
  it.each<readonly [boolean, Intent]>([
    [true, blockingFeedback("not yet")],
    [true, exitSignal(2)],
    [false, exitSignal(0)],
    [false, exitSignal(1)],
    [true, modelContext("go on")],
    [false, modelContext({ permission: "ask" })],
    [false, userHint("done")],
    [false, diagnostic("warn", "x")]
  ])("%s: %j", (keeps, intent) => {
    expect(keepsGoing(intent)).toBe(keeps)
  })

  const intents = [
    { handler: "a", intent: blockingFeedback("not yet") },
    { handler: "b", intent: userHint("hm") },
    { handler: "c", intent: blockingFeedback("nor now") },
    { handler: "a", intent: exitSignal(2) }
  ]

  it("is passed on below the limit, and where no limit was recorded", () => {
    const as = { intents, noise: "n" }
    expect(holding({ ...as, stops: undefined })).toEqual(as)
    expect(holding({ ...as, stops: { blocked: 2, most: 3 } })).toEqual(as)
  })

  it("is held from the limit on, and who had it is said once each", () => {
    const held = holding({ intents, noise: "n", stops: { blocked: 3, most: 3 } })
    const why = "hooks have kept the agent from stopping 3 times in a row, and 3 is the most"
    expect(held).toMatchObject({ noise: "n", held: why })
    expect(held.intents.slice(0, 4)).toEqual(intents)
    expect(held.intents.slice(4).map(({ intent }) => intent)).toEqual([
      userHint(`hooktape: ${why}: what a, c has against it was not passed on.`),
      diagnostic("warn", `${why}: what a, c has against it was not passed on`)
    ])
  })

  it("is not spoken of where nothing keeps it", () => {
    const quiet = { intents: [{ handler: "b", intent: userHint("hm") }], noise: "" }
    expect(holding({ ...quiet, stops: { blocked: 9, most: 3 } })).toEqual(quiet)
  })
})

describe("a handler that failed", () => {
  const planned = { ...plannedHandler("h", 0), deadlineMs: 1000, retry: { attempts: 3, delayMs: 100 } }
  const failed = (attempt: number, ms: number) =>
    ({
      type: "HANDLER_FAILED",
      handler: "h",
      event: "tool.before",
      index: 0,
      attempt,
      error: { name: "Error", message: "boom" },
      policy: "allow",
      ms
    }) as never
  const running = (spentMs: number) => ({ planned, spentMs }) as never

  it("is tried again with what it has used of its time so far", () => {
    expect(again(running(50), failed(2, 30))).toMatchObject({ attempt: 3, delayMs: 100, spentMs: 180 })
  })

  it.each([
    ["was tried as often as it may be", running(0), failed(3, 1)],
    ["has no time left for another attempt", running(500), failed(1, 400)],
    ["does not run", undefined, failed(1, 1)],
    ["is not to be tried again", { planned: plannedHandler("h", 0), spentMs: 0 }, failed(1, 1)],
    ["did not fail", running(0), { type: "HANDLER_SUCCEEDED", attempt: 1, ms: 1 } as never]
  ])("is not where it %s", (_, run, event) => {
    expect(again(run as never, event)).toBeUndefined()
  })

  it("has its last failure stand when no further attempt begins, with the reason where it was skipped", () => {
    const failure = [{ handler: "h", intent: diagnostic("error", "boom") }]
    const retrying = { attempt: 2, delayMs: 1, spentMs: 2, failure }
    expect(givenUp(retrying, { type: "EXITED", code: 0, ms: {} } as never)).toEqual(failure)
    expect(
      givenUp(retrying, { type: "HANDLER_SKIPPED", handler: "h", reason: "no time is left" } as never)
    ).toEqual([
      ...failure,
      { handler: "h", intent: diagnostic("warn", "hook h was not tried again: no time is left") }
    ])
  })
})
