/** Names by which calls are found again: one that no agent gives is no key. */
import { describe, expect, it } from "vitest"
import { agents } from "../../../events/agentEvents.ts"
import { adapters } from "../../../src/agents/adapters.ts"

const long = "x".repeat(1_000_000)

describe.each(agents)("a payload of %s", (agent) => {
  const { decode, events } = adapters[agent]
  const [event = ""] = Object.keys(events)
  const named = (session: string, use: string) =>
    agent === "raw" ? { session, toolUseId: use } : { session_id: session, tool_use_id: use }

  it("is of no session where its name is a megabyte, and says so", () => {
    const { drift, session, toolUseId } = decode(event, named(long, long))
    expect({ session, toolUseId }).toEqual({ session: null, toolUseId: null })
    expect(drift).toEqual(expect.arrayContaining(Object.keys(named("", ""))))
  })

  it("is of a session of any length that agents give", () => {
    const { drift, session, toolUseId } = decode(event, named("s".repeat(512), "t".repeat(512)))
    expect(session).toHaveLength(512)
    expect(toolUseId).toHaveLength(512)
    expect(drift.filter((name) => /session|use/i.test(name))).toEqual([])
  })
})
