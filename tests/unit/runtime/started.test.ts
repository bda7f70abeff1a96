/** Whether a handler begins: while its invocation has time, and nothing is said against it. */
import * as Micro from "effect/Micro"
import { describe, expect, it } from "vitest"
import { started } from "../../../src/runtime/start.ts"
import * as fact from "../../support/facts.ts"

const one = fact.plannedHandler("one", 0, { onFailure: "block" })
const begun = (leftMs: number, more: object = {}, planned = one, unwanted?: string) =>
  Micro.runPromise(
    started(
      { type: "START_HANDLER", planned, attempt: 1, ...more },
      () => leftMs,
      () => unwanted
    )
  )
const skipped = (reason: string, more: object = {}) => [
  {
    type: "HANDLER_SKIPPED",
    handler: "one",
    event: "tool.before",
    index: 0,
    reason,
    policy: "block",
    ...more
  }
]
const late = "the invocation's deadline has passed"

describe("a handler", () => {
  it("begins while a millisecond is left", async () => {
    expect(await begun(1)).toEqual([fact.started(one)])
    expect(await begun(0.9)).toEqual(skipped(late))
  })

  it("does not begin where its condition is stuck, or it is not wanted any more", async () => {
    expect(await begun(0, {}, { ...one, stuck: "why" }, "not wanted")).toEqual(skipped("why"))
    expect(await begun(0, {}, one, "not wanted")).toEqual(skipped("not wanted"))
  })

  it("begins again after its delay, where there is time for both", async () => {
    expect(await begun(2, { attempt: 2, delayMs: 1 })).toEqual([fact.started(one, 2)])
    expect(await begun(1.9, { attempt: 2, delayMs: 1 })).toEqual(
      skipped("the invocation's time would be over before the next attempt", { attempt: 2 })
    )
  })

  it("that a policy brought says so where it does not begin", async () => {
    expect(await begun(0, {}, { ...one, from: "team 3" })).toEqual(skipped(late, { from: "team 3" }))
  })
})
