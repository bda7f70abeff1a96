/** A question that nobody can be asked stops what it is about, unless its hook says otherwise or nothing is left to stop. */
import { describe, expect, it } from "vitest"
import type { Tool } from "../../../events/agentEvents.ts"
import { reasonToAsk, unasked } from "../../../src/agents/cannotAsk.ts"
import { type Ask, empty, type Reply } from "../../../src/agents/reply.ts"

const asking = (...asks: readonly Ask[]): Reply => ({ ...empty, permission: "ask", asks })
const strict = (reason?: string): Ask => ({ reason, ifCannotAsk: "block" })
const lenient: Ask = { reason: "maybe", ifCannotAsk: "allow" }
const shell: Tool = { kind: "shell", name: "Bash", input: {} }
const why = "nobody is there"

describe("a question that cannot be asked", () => {
  it("blocks with its reason and what to do instead", () => {
    expect(unasked(asking(strict("sure?"), lenient, strict("really?")), why, "tool.before", shell)).toEqual([
      "sure?",
      "really?",
      "nobody is there. If it is meant, ask the user to run it in a terminal."
    ])
    expect(unasked(asking(strict()), why, "tool.before", { ...shell, kind: "edit" })).toEqual([
      "nobody is there. If it is meant, ask the user to do it by hand."
    ])
    expect(unasked(asking(strict(" \n")), why, undefined, undefined)).toEqual(["nobody is there."])
  })

  it("blocks nothing where every hook lets it pass", () => {
    expect(unasked(asking(lenient), why, "tool.before", shell)).toEqual([])
    expect(unasked(empty, why, "tool.before", shell)).toEqual([])
  })

  it.each([
    "session.start",
    "session.setup",
    "session.end",
    "model.after",
    "tool.after",
    "tool.failure",
    "tool.batch",
    "turn.stop",
    "turn.error",
    "turn.interrupt",
    "subagent.stop",
    "compact.after",
    "notify",
    "agent.TaskCompleted",
    "agent.TeammateIdle"
  ])("blocks nothing at %s: what it is about is over", (event) => {
    expect(unasked(asking(strict("sure?")), why, event, shell)).toEqual([])
  })

  it.each([
    "tool.before",
    "tool.permission",
    "prompt.submit",
    "compact.before",
    "subagent.start",
    "agent.Other"
  ])("blocks at %s", (event) =>
    expect(unasked(asking(strict("sure?")), why, event, undefined)).toEqual(["sure?", `${why}.`])
  )
})

describe("the reason to ask", () => {
  it("is that of every question that has one", () => {
    expect(reasonToAsk(asking(strict("a"), strict(), lenient, strict("  ")))).toBe("a\n\nmaybe")
    expect(reasonToAsk(empty)).toBe("")
  })
})
