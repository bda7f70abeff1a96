/** What a filter asks for where no database decides it: each part of it leaves out what differs in that alone. */
import { describe, expect, it } from "vitest"
import type { Recorded } from "../../../events/Recorded.ts"
import type { Filter } from "../../../src/log/EventLog.ts"
import { matches } from "../../../src/log/matches.ts"

const fact = {
  position: 10,
  version: 1,
  id: "i",
  source: "here",
  stream: "invocation/018f",
  type: "HANDLER_SUCCEEDED",
  schemaVersion: 1,
  at: 1000,
  recordedAt: 1000,
  cause: null,
  agent: "codex",
  agentEvent: "PreToolUse",
  event: "tool.before",
  session: "s",
  project: "/p",
  toolUseId: null,
  known: true,
  data: { type: "HANDLER_SUCCEEDED", handler: "guard", event: "file.edited" }
} as unknown as Recorded

const held: readonly Filter[] = [
  {},
  { after: 9 },
  { before: 11 },
  { stream: "invocation/018f" },
  { streamPrefix: "invocation/01" },
  { invocation: "018f" },
  { types: ["EXITED", "HANDLER_SUCCEEDED"] },
  { session: "s" },
  { agent: "codex" },
  { event: "tool.before" },
  { event: "PreToolUse" },
  { event: "file.edited" },
  { handler: "guard" },
  { project: "/p" },
  { since: 1000 }
]

const missed: readonly Filter[] = [
  { after: 10 },
  { before: 10 },
  { stream: "invocation/018" },
  { streamPrefix: "018f" },
  { invocation: "018" },
  { types: ["EXITED"] },
  { types: [] },
  { session: "t" },
  { agent: "cursor" },
  { event: "tool.after" },
  { event: "command.ran" },
  { handler: "other" },
  { project: "/" },
  { since: 1001 }
]

describe("a filter", () => {
  it.each(held)("%j has the fact", (filter) => expect(matches(filter, fact)).toBe(true))
  it.each(missed)("%j has not", (filter) => {
    expect(matches(filter, fact)).toBe(false)
    expect(matches({ ...Object.assign({}, ...held), ...filter }, fact)).toBe(false)
  })

  it("wants all that it asks for", () => expect(matches(Object.assign({}, ...held), fact)).toBe(true))

  it("finds what follows from a call by what the fact is about, and only by that", () => {
    const own = { ...fact, event: "file.edited", data: { type: "HANDLER_SUCCEEDED", event: "tool.before" } }
    expect(matches({ event: "file.edited" }, own as Recorded)).toBe(false)
    expect(matches({ event: "tool.before" }, { ...own, event: "tool.after" } as Recorded)).toBe(false)
  })
})
