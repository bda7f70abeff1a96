/** Which turn and which subagent a payload belongs to. */
import { describe, expect, it } from "vitest"
import { placeInSession } from "../../../src/agents/placeInSession.ts"

describe("a payload", () => {
  it.each([
    ["claude-code", "prompt_id", "agent_id"],
    ["codex", "turn_id", "agent_id"],
    ["opencode", "turn_id", "agent_id"],
    ["cline", "turn_id", "agent_id"],
    ["cursor", "generation_id", "subagent_id"],
    ["windsurf", "execution_id", "none"],
    ["vscode", "none", "agent_id"]
  ])("of %s says its turn in %s and its subagent in %s", (agent, turn, subagent) => {
    expect(placeInSession(agent, { [turn]: "t", [subagent]: "s" })).toEqual({
      turn: turn === "none" ? null : "t",
      subagent: subagent === "none" ? null : "s"
    })
    expect(placeInSession(agent, { [turn]: "", [subagent]: 7 })).toEqual({ turn: null, subagent: null })
    expect(placeInSession(agent, {})).toEqual({ turn: null, subagent: null })
  })

  it("of any other says neither", () => {
    const all = { prompt_id: "a", turn_id: "b", generation_id: "c", agent_id: "d", undefined: "e" }
    for (const agent of ["gemini-cli", "kiro", "raw", null])
      expect(placeInSession(agent, all)).toEqual({ turn: null, subagent: null })
  })
})
