/** Of a run that was tried several times its last attempt tells how it went. */
import { describe, expect, it } from "vitest"
import { settled } from "../../../src/history/settled.ts"

const told = (type: string, attempt: number, more: object = {}) => ({
  stream: "invocation/a",
  type,
  data: { handler: "h", event: "tool.before", index: 0, attempt, ...more }
})

describe("settled", () => {
  it("leaves out the attempts that another one came after, in whatever order they are", () => {
    const facts = [told("HANDLER_FAILED", 1), told("HANDLER_TIMED_OUT", 2), told("HANDLER_SUCCEEDED", 3)]
    expect(settled(facts)).toEqual([facts[2]])
    expect(settled(facts.toReversed())).toEqual([facts[2]])
  })

  it("takes an outcome that tells no attempt for the first", () => {
    const { attempt: _, ...data } = told("HANDLER_FAILED", 1).data
    const first = { ...told("HANDLER_FAILED", 1), data }
    expect(settled([first])).toEqual([first])
    expect(settled([first, told("HANDLER_SUCCEEDED", 2)])).toEqual([told("HANDLER_SUCCEEDED", 2)])
  })

  it("keeps a failure that was the last, other runs of the same handler, and everything else", () => {
    const facts = [
      told("HANDLER_FAILED", 1),
      told("HANDLER_SUCCEEDED", 1, { index: 1 }),
      { ...told("HANDLER_FAILED", 1), stream: "invocation/b" },
      told("HANDLER_STARTED", 2)
    ]
    expect(settled(facts)).toEqual(facts)
  })
})
