/** What would be answered if a process ended here: every handler that is not through speaks by its policy. */
import { describe, expect, it } from "vitest"
import type { InvocationFact } from "../../../events/facts.ts"
import { userHint } from "../../../events/intents.ts"
import { invocation } from "../../../machines/invocation.ts"
import { replay } from "../../../machines/step.ts"
import { type Answer, howItEnded, provisional } from "../../../src/runtime/provisional.ts"
import * as fact from "../../support/facts.ts"

const one = fact.plannedHandler("one", 0, { retry: { attempts: 3, delayMs: 1 }, onFailure: "ask" })
const two = fact.plannedHandler("two", 1, { onFailure: "block" })
const received = [fact.opened(), fact.buffered()] as const

const encoded = { stdout: "out", stderr: "", exitCode: 2, carried: {} }
const said: Parameters<Answer>[0][] = []
const answer: Answer = (command) => {
  said.push(command)
  return { encoded, channels: [] }
}
const endingAfter = (facts: readonly InvocationFact[], attempt = 1, how?: string) => {
  said.length = 0
  return provisional(replay(invocation, facts), attempt, answer, how)
}
const place = ({ handler, event, index }: typeof one) => ({ handler, event, index })
const unheard = (planned: typeof one, reason: string, more = {}) => ({
  type: "HANDLER_SKIPPED",
  ...place(planned),
  reason,
  policy: planned.onFailure,
  ...more
})

describe("a process that ends", () => {
  it("fails the handler that runs, whichever attempt it is, and skips those after it", () => {
    const facts = [...received, fact.planned([one, two]), fact.started(one), fact.noise("stderr", "n")]
    const told = endingAfter(facts, 3, "was killed")
    expect(told).toEqual({
      facts: [
        {
          type: "HANDLER_FAILED",
          ...place(one),
          attempt: 3,
          error: { name: "HandlerProcessEnded", message: "its process was killed" },
          policy: "ask",
          ms: 0
        },
        unheard(two, "its process was killed")
      ],
      encoded,
      channels: [],
      noise: "n"
    })
    expect(said).toHaveLength(1)
    expect(said[0]?.intents.map(({ handler, intent }) => [handler, intent.type])).toEqual([
      ["one", "DIAGNOSTIC"],
      ["one", "MODEL_CONTEXT"],
      ["two", "DIAGNOSTIC"],
      ["two", "BLOCKING_FEEDBACK"]
    ])
  })

  it("keeps what was said before, and does not know how it will end", () => {
    const facts = [
      ...received,
      fact.planned([one, two]),
      fact.started(one),
      fact.succeeded(one, [userHint("h")])
    ]
    expect(endingAfter(facts)?.facts).toEqual([unheard(two, `its process ${howItEnded}`)])
    expect(said[0]?.intents[0]).toEqual({ handler: "one", intent: userHint("h") })
  })

  it("between two attempts says which of them did not begin", () => {
    const facts = [...received, fact.planned([one]), fact.started(one), fact.failed(one)]
    expect(endingAfter(facts, 1, "ended")?.facts).toEqual([unheard(one, "its process ended", { attempt: 2 })])
  })

  it("of which the handlers came with a policy says with which version", () => {
    const from = { policy: "team", version: 3 } as never
    const facts = [
      ...received,
      fact.planned([
        { ...one, from },
        { ...two, from }
      ]),
      fact.started(one)
    ]
    const told = endingAfter(facts, 3)
    expect(told?.facts.map((one) => "from" in one && one.from)).toEqual([from, from])
  })

  it("answers nothing where no handler is under way", () => {
    const answered = [...received, fact.planned([])]
    for (const facts of [[], [fact.opened()], received, answered, [...answered, fact.delivered()]])
      expect(endingAfter(facts)).toBeUndefined()
    expect(said).toEqual([])
  })
})
