/** A handler that failed and is tried again, as its invocation goes through it. */
import { describe, expect, it } from "vitest"
import type { InvocationFact } from "../../../events/facts.ts"
import { diagnostic } from "../../../events/intents.ts"
import { invocation } from "../../../machines/invocation.ts"
import * as fact from "../../support/facts.ts"
import { given } from "../../support/given.ts"

const one = fact.plannedHandler("one", 0, { retry: { attempts: 3, delayMs: 20 } })
const two = fact.plannedHandler("two", 1)
const begun = [fact.opened(), fact.buffered(), fact.planned([one, two]), fact.started(one)] as const
const again = [...begun, fact.failed(one)] as const
const told = { handler: "one", intent: diagnostic("warn", "hook one failed: boom; it is tried again") }

describe("a handler that failed", () => {
  it("begins again after its delay, before those after it", () =>
    given(invocation, ...begun)
      .when(fact.failed(one))
      .gives("handling", { type: "START_HANDLER", planned: one, attempt: 2, delayMs: 20 }))

  it("runs with what it has used of its time", () => {
    given(invocation, ...again)
      .when(fact.started(one, 2))
      .gives("handling", { type: "RUN_HANDLER", planned: one, attempt: 2, metadata: {}, spentMs: 21 })
    given(invocation, ...begun, fact.succeeded(one))
      .when(fact.started(two))
      .gives("handling", { type: "RUN_HANDLER", planned: two, attempt: 1, metadata: {} })
  })

  it("that succeeds at last has said that it failed, and lets the next begin", () => {
    const { context } = given(invocation, ...again, fact.started(one, 2)).when(fact.succeeded(one))
    expect(context).toMatchObject({ intents: [told], queue: [two], running: undefined, retrying: undefined })
    given(invocation, ...again, fact.started(one, 2))
      .when(fact.succeeded(one))
      .gives("handling", { type: "START_HANDLER", planned: two, attempt: 1 })
  })

  it("counts its attempts up to the last, and all their time", () => {
    const second = { ...fact.failed(one), attempt: 2 } as InvocationFact
    given(invocation, ...again, fact.started(one, 2))
      .when(second)
      .gives("handling", { type: "START_HANDLER", planned: one, attempt: 3, delayMs: 20 })
    given(invocation, ...again, fact.started(one, 2), second)
      .when(fact.started(one, 3))
      .gives("handling", { type: "RUN_HANDLER", planned: one, attempt: 3, metadata: {}, spentMs: 42 })
  })

  it("leaves a failure as it stands where it does not begin again", () => {
    const { context } = given(invocation, ...again).when(fact.skipped(one))
    expect(
      (context as { intents: readonly { intent: { message: string } }[] }).intents.map(
        ({ intent }) => intent.message
      )
    ).toEqual([
      "hook one failed: boom; it is tried again",
      "hook one failed: boom",
      "hook one was not tried again: late"
    ])
  })
})
