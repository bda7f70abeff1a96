/** How often hooks kept an agent from stopping: told by the facts of its stops, whatever words stand in them. */
import { describe, expect, it } from "vitest"
import type { ChannelTaken } from "../../../events/facts.ts"
import { blockingFeedback } from "../../../events/intents.ts"
import { holding } from "../../../machines/stops.ts"
import { claudeCode } from "../../../src/agents/claude-code/claudeCode.ts"
import { stopsBlocked } from "../../../src/history/stopsBlocked.ts"
import type { Reader, ReadFact } from "../../../src/log/reader.ts"
import { answer } from "../../../src/runtime/answer.ts"

const where = { adapter: claudeCode, agentEvent: "Stop", transport: "command" } as const

/** What becomes of a hook that has something against a stop, after so many that were kept. */
const answered = (blocked: number): readonly ChannelTaken[] => {
  const given = {
    intents: [{ handler: "a", intent: blockingFeedback("not yet") }],
    noise: "",
    stops: { blocked, most: 3 }
  }
  const { held, intents } = holding(given)
  return answer(where, intents, undefined, held).channels
}

const kept = answered(0)
const held = answered(3)

/** A session's stops, oldest first. */
const blockedAfter = (...stops: readonly (readonly ChannelTaken[])[]): number => {
  const facts = stops.map((channels, at) => ({
    stream: `invocation/${at}`,
    type: "REPLY_DELIVERED",
    at,
    data: { type: "REPLY_DELIVERED", stdout: "", stderr: "", exitCode: 0, channels }
  }))
  const reader: Reader = {
    facts: ({ event } = {}) => ({
      facts: event === "turn.stop" ? ([...facts].reverse() as unknown as readonly ReadFact[]) : []
    }),
    ask: () => ({}),
    close: () => undefined
  }
  return stopsBlocked(reader, { event: "turn.stop", session: "s" })
}

const worded = (reason: string): readonly ChannelTaken[] =>
  held.map(({ held: _, ...one }) => (one.channel === "undeliverable" ? { ...one, reason } : one))

describe("a stop that hooks had something against", () => {
  it("counts where that was passed on, and where it was held back the count stands", () => {
    expect(blockedAfter(kept, kept)).toBe(2)
    expect(blockedAfter(kept, kept, kept, held)).toBe(3)
    expect(blockedAfter(kept, kept, kept, held, held, kept)).toBe(4)
  })

  it("ends the count where the agent could stop for another reason", () => {
    expect(blockedAfter(kept, kept, [])).toBe(0)
    expect(blockedAfter(kept, kept, worded("overruled"), kept)).toBe(1)
  })

  it("is known as held back by its mark, whatever the reason says", () => {
    const marked = held.map((one) => (one.held === true ? { ...one, reason: "said in other words" } : one))
    expect(marked.some((one) => one.held === true)).toBe(true)
    expect(blockedAfter(kept, kept, kept, marked)).toBe(3)
  })

  it("is known by its reason where a version before recorded it", () => {
    const before = worded("hooks have kept the agent from stopping 3 times in a row, and 3 is the most")
    expect(blockedAfter(kept, kept, kept, before)).toBe(3)
  })
})
