import { describe, expect, it } from "vitest"
import type { Agent } from "../../../events/agentEvents.ts"
import type { Intent } from "../../../events/intents.ts"
import {
  blockingFeedback as block,
  modelContext as context,
  userHint as hint
} from "../../../events/intents.ts"
import { adapters } from "../../../src/agents/adapters.ts"
import { readAnswer } from "../../../src/agents/answers/readAnswer.ts"
import { of } from "../../../src/agents/reply.ts"

const ask = {
  hookSpecificOutput: {
    hookEventName: "PreToolUse",
    permissionDecision: "ask",
    permissionDecisionReason: "sure?"
  }
}
const json = (document: object) => ({ exitCode: 0, stdout: `${JSON.stringify(document)}\n`, stderr: "" })
const ends = (exitCode: number, stderr = "", stdout = "") => ({ exitCode, stdout, stderr })

/** What a command may answer, and what it means to its agent. */
const cases = [
  ["claude-code", "PreToolUse", ends(0), []],
  ["claude-code", "PreToolUse", ends(0, "to nobody", "only said"), []],
  ["claude-code", "PreToolUse", ends(2, "not so\n"), [block("not so")]],
  ["claude-code", "PreToolUse", ends(2, "", '{"decision":"approve"}'), [block("")]],
  ["claude-code", "Notification", ends(2, "heard by nobody"), []],
  ["claude-code", "SessionStart", ends(2, "to the human"), [hint("to the human")]],
  ["claude-code", "SessionStart", ends(0, "", "on branch main\n"), [context("on branch main")]],
  ["claude-code", "PreToolUse", json({ decision: "block", reason: "no" }), [block("no")]],
  ["claude-code", "PreToolUse", json({ decision: "approve" }), [context({ permission: "allow" })]],
  ["claude-code", "PreToolUse", json(ask), [context({ permission: "ask", reason: "sure?" })]],
  [
    "claude-code",
    "PreToolUse",
    json({ hookSpecificOutput: { updatedInput: { command: "ls" } }, systemMessage: "changed" }),
    [context({ updatedInput: { command: "ls" }, replacesInput: true }), hint("changed")]
  ],
  [
    "claude-code",
    "PostToolUse",
    json({ hookSpecificOutput: { additionalContext: "lint: 2" } }),
    [context("lint: 2")]
  ],
  ["claude-code", "PostToolUse", json({ continue: false, stopReason: "enough" }), [block("enough")]],
  ["claude-code", "Stop", json({ continue: false, decision: "block", reason: "go on" }), []],
  ["claude-code", "Stop", json({ decision: "block", reason: "go on" }), [block("go on")]],
  [
    "claude-code",
    "PreToolUse",
    ends(1, "", '{"decision":"block","reason":"all the same"}'),
    [block("all the same")]
  ],
  ["codex", "PreToolUse", ends(2, "no"), [block("no")]],
  ["codex", "PostToolUse", json({ decision: "block", reason: "2 warnings" }), [block("2 warnings")]],
  ["codex", "UserPromptSubmit", ends(0, "", "text"), [context("text")]],
  ["gemini-cli", "BeforeTool", ends(3, "no"), [block("no")]],
  ["gemini-cli", "BeforeTool", ends(1, "oh"), [hint("Warning: oh")]],
  ["gemini-cli", "BeforeTool", json({ decision: "deny", reason: "no" }), [block("no")]],
  ["gemini-cli", "AfterTool", ends(0, '{"hookSpecificOutput":{"additionalContext":"x"}}'), [context("x")]],
  ["cursor", "preToolUse", json({ permission: "deny", agent_message: "no" }), [block("no")]],
  ["cursor", "stop", json({ followup_message: "go on" }), [block("go on")]],
  ["qwen-code", "PreToolUse", ends(2, "no"), [block("no")]],
  ["qwen-code", "PostToolUse", ends(2, "no"), []],
  ["qwen-code", "PostToolUse", json({ decision: "block", reason: "no" }), []],
  ["qwen-code", "PostToolUse", json({ continue: false, stopReason: "enough" }), [block("enough")]],
  ["qwen-code", "Stop", ends(0, "", "done"), [hint("done")]],
  ["qwen-code", "PreToolUse", json(ask), [context({ permission: "ask", reason: "sure?" })]],
  ["copilot", "PreToolUse", ends(2, "no"), [block("no")]],
  ["opencode", "PreToolUse", ends(2, "no"), [block("no")]],
  ["opencode", "PreToolUse", json({ decision: "block", reason: "no" }), [block("no")]],
  ["opencode", "PreToolUse", json({ args: { command: "x" } }), [context({ updatedInput: { command: "x" } })]],
  ["opencode", "PostToolUse", json({ context: "x", hint: "y" }), [context("x"), hint("y")]],
  ["opencode", "PostToolUse", json({ output: "x" }), [context({ updatedOutput: "x" })]],
  ["cline", "PreToolUse", ends(2, "no"), [block("no")]],
  ["droid", "PreToolUse", ends(2, "no"), [block("no")]],
  ["droid", "PreCompact", ends(2, "no"), []],
  ["droid", "PreToolUse", json(ask), [context({ permission: "ask", reason: "sure?" })]],
  ["cline", "PreToolUse", json({ decision: "block", reason: "no" }), [block("no")]],
  [
    "cline",
    "PreToolUse",
    json({ decision: "ask", reason: "sure?" }),
    [context({ permission: "ask", reason: "sure?" })]
  ],
  ["cline", "PreToolUse", json({ decision: "allow" }), [context({ permission: "allow" })]],
  [
    "cline",
    "PreToolUse",
    json({ args: { commands: ["x"] } }),
    [context({ updatedInput: { commands: ["x"] } })]
  ],
  [
    "cline",
    "PostToolUse",
    json({ context: "x", output: "y" }),
    [context("x"), context({ updatedOutput: "y" })]
  ],
  ["vscode", "PreToolUse", ends(2, "no"), [block("no")]],
  ["vscode", "SessionStart", ends(2, "no"), []],
  ["vscode", "PreToolUse", json(ask), [context({ permission: "ask", reason: "sure?" })]],
  ["vscode", "PostToolUse", json({ decision: "block", reason: "no" }), [block("no")]],
  ["vscode", "SubagentStop", json({ decision: "block", reason: "go on" }), [block("go on")]],
  ["vscode", "Stop", json({ hookSpecificOutput: { decision: "block", reason: "go on" } }), [block("go on")]],
  ["vscode", "SessionStart", ends(0, "", "text"), []],
  ["vscode", "SessionStart", json({ hookSpecificOutput: { additionalContext: "x" } }), [context("x")]],
  ["kiro", "PreToolUse", ends(2, "no"), [block("no")]],
  ["kiro", "SessionStart", ends(0, "", "text\n"), [context("text")]],
  ["kiro", "PreToolUse", ends(0, "", "text"), []],
  ["kiro", "Stop", json({ decision: "block", reason: "go on" }), [block("go on")]],
  ["kiro", "Stop", ends(0, "", "text"), []],
  ["windsurf", "pre_run_command", ends(2, "no"), [block("no")]],
  ["windsurf", "post_run_command", ends(2, "no"), []]
] as const

describe("a command's answer", () => {
  it.each(cases)("at %s %s: %j", (agent, event, answer, intents) => {
    expect(readAnswer[agent](event, answer)).toEqual({ intents })
  })

  it.each([
    [
      "PreToolUse",
      json({
        version: 1,
        hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: "no", risk: "high" }
      })
    ],
    ["UserPromptSubmit", json({ decision: "block", reason: "no", version: 1 })]
  ] as const)("prevents %s for Codex whatever else it says, which is named", (event, answer) => {
    const { intents = [] } = readAnswer.codex(event, answer) as { readonly intents?: readonly Intent[] }
    expect(intents[0]).toEqual(block("no"))
    expect(JSON.stringify(intents.slice(1))).toContain("version")
  })

  it.each([
    ["claude-code", "PreToolUse", ends(1, "oh no\nat line 1"), "ended with exit code 1: oh no"],
    ["codex", "PreToolUse", json(ask), /does not support/],
    ["codex", "PreToolUse", json({ hookSpecificOutput: { permissionDecision: "allow" } }), /neither alone/],
    ["codex", "Stop", ends(0, "", "text"), /JSON only/],
    ["codex", "PostToolUse", json({ decision: "block", reason: "no", feedback: "x" }), /not know: feedback/],
    [
      "codex",
      "PostToolUse",
      json({ decision: "block", reason: "no", hookSpecificOutput: { updatedToolOutput: "x" } }),
      /not know: updatedToolOutput/
    ],
    ["cursor", "preToolUse", ends(0, "", "text"), /not a JSON object/]
  ] as const)("fails where its agent calls it failed: %s %s", (agent, event, answer, why) => {
    expect(readAnswer[agent](event, answer)).toEqual({ failed: expect.stringMatching(why) })
  })

  it("names fields that nobody passes on", () => {
    expect(
      readAnswer["claude-code"]("SessionStart", json({ hookSpecificOutput: { watchPaths: ["x"] } }))
    ).toEqual({
      intents: [
        {
          type: "DIAGNOSTIC",
          level: "warn",
          message: "of the command's answer this is not passed on: watchPaths"
        }
      ]
    })
  })

  it("in hooktape's own document is a decision that can be read, or failed", () => {
    const read = readAnswer.raw
    expect(read("tool.before", json({ permission: "deny", reason: "no" }))).toEqual({
      intents: [block("no")]
    })
    expect(read("tool.before", json({ permission: "deni" }))).toMatchObject({
      failed: expect.stringContaining("permission")
    })
    expect(read("tool.before", json({ permission: null, block: "no" }))).toEqual({ intents: [block("no")] })
    expect(read("tool.before", json({ permission: "DENY", block: "no" }))).toEqual({ intents: [block("no")] })
    expect(read("tool.before", json({ permission: null }))).toEqual({ intents: [] })
    expect(read("tool.before", ends(2, "because", '{"permission":"deny"}'))).toEqual({
      intents: [block("because")]
    })
    expect(read("tool.before", ends(1, "oops", '{"context":"x"}'))).toEqual({
      failed: "ended with exit code 1: oops"
    })
  })

  it("is read as the reply that it was encoded from", () => {
    const events: Readonly<Partial<Record<Agent, string>>> = {
      "claude-code": "PreToolUse",
      codex: "PreToolUse",
      "gemini-cli": "AfterTool",
      cursor: "postToolUse",
      raw: "tool.before"
    }
    for (const [name, event] of Object.entries(events)) {
      const agent = name as Agent
      for (const intent of [block("why not"), context("for the model")]) {
        // What is left of a block after a tool is text for the model there.
        if (agent === "cursor" && intent.type === "BLOCKING_FEEDBACK") continue
        const read = readAnswer[agent](event, adapters[agent].encode(event, "command", of(intent)))
        expect([agent, read]).toEqual([agent, { intents: [intent] }])
      }
    }
  })
})
