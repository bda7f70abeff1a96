/** Which way each intent went, told beside the answer. */
import { describe, expect, it } from "vitest"
import {
  blockingFeedback,
  diagnostic,
  exitSignal,
  type Intent,
  modelContext,
  userHint
} from "../../../events/intents.ts"
import { claudeCode } from "../../../src/agents/claude-code/claudeCode.ts"
import { type Answering, answer } from "../../../src/runtime/answer.ts"

const tool = { kind: "shell", name: "Bash", input: { command: "ls" } } as const
const at = (agentEvent: string, more: Partial<Answering> = {}): Answering => ({
  adapter: claudeCode,
  agentEvent,
  transport: "command",
  ...more
})
const by = (handler: string, ...intents: readonly Intent[]) => intents.map((intent) => ({ handler, intent }))

describe("an answer", () => {
  it("says of each part of an intent which channel it took", () => {
    const said = by("a", modelContext({ text: "t", permission: "allow", updatedInput: { command: "pwd" } }))
    const { channels, encoded } = answer(at("PreToolUse"), said, tool)
    expect(JSON.parse(encoded.stdout).hookSpecificOutput).toMatchObject({
      additionalContext: "t",
      permissionDecision: "allow",
      updatedInput: { command: "pwd" }
    })
    expect(channels.map(({ channel, handler, intent }) => [intent, handler, channel.split(":")[0]])).toEqual([
      ["MODEL_CONTEXT.context", "a", "stdout"],
      ["MODEL_CONTEXT.permission", "a", "stdout"],
      ["MODEL_CONTEXT.input", "a", "stdout"]
    ])
  })

  it("says why what could not be passed on was not", () => {
    const said = [...by("a", userHint("h"), exitSignal(1)), ...by("b", blockingFeedback("no"))]
    const { channels } = answer(at("Nowhere"), said, undefined)
    expect(channels.map(({ channel, intent }) => [intent, channel])).toEqual([
      ["USER_HINT", "undeliverable"],
      ["EXIT_SIGNAL", "exit code"],
      ["BLOCKING_FEEDBACK", "undeliverable"]
    ])
    expect(channels[0]).toEqual({
      intent: "USER_HINT",
      handler: "a",
      channel: "undeliverable",
      reason: "hooktape does not know this event of the agent"
    })
  })

  it.each([
    [undefined, ["info", "warn", "error"]],
    ["nonsense", ["info", "warn", "error"]],
    ["debug", ["debug", "info", "warn", "error"]],
    ["info", ["info", "warn", "error"]],
    ["warn", ["warn", "error"]],
    ["error", ["error"]]
  ])("shows diagnostics from the level %s on; the log has all", (logLevel, shown) => {
    const levels = ["debug", "info", "warn", "error"] as const
    const said = by("a", ...levels.map((level) => diagnostic(level, level)), userHint("h"))
    const { channels, encoded } = answer(at("PreToolUse", { logLevel }), said, tool)
    expect(encoded.stderr).toBe(shown.map((level) => `hooktape ${level}: ${level}\n`).join(""))
    expect(channels.map(({ channel }) => channel.split(":")[0])).toEqual([
      ...levels.map((level) => (shown.includes(level) ? "stderr" : "log")),
      "stdout"
    ])
  })

  it("gives a question without a reason its hook's name", () => {
    const reasonOf = (reason?: string) => {
      const ask = modelContext({ permission: "ask", ...(reason === undefined ? {} : { reason }) })
      const { stdout } = answer(at("PreToolUse"), by("guard", ask), tool).encoded
      return JSON.parse(stdout).hookSpecificOutput.permissionDecisionReason
    }
    for (const none of [undefined, "", " \n"])
      expect(reasonOf(none)).toBe("The hook guard wants this to be confirmed.")
    expect(reasonOf("why")).toBe("why")
  })

  it("holds back what would keep the agent going, and says why; the rest is passed on", () => {
    const said = [
      ...by("a", blockingFeedback("go on"), userHint("h")),
      ...by("b", modelContext({ text: "more", permission: "allow" }), diagnostic("warn", "w"))
    ]
    const { channels, encoded } = answer(at("Stop"), said, undefined, "it was kept going often enough")
    expect(encoded.stdout).not.toMatch(/go on|more/)
    expect(encoded.exitCode).toBe(0)
    expect(encoded.stdout).toContain("h")
    expect(channels.slice(-2)).toEqual([
      {
        intent: "BLOCKING_FEEDBACK",
        handler: "a",
        channel: "undeliverable",
        reason: "it was kept going often enough",
        held: true
      },
      {
        intent: "MODEL_CONTEXT.context",
        handler: "b",
        channel: "undeliverable",
        reason: "it was kept going often enough",
        held: true
      }
    ])
    expect(channels.map(({ intent }) => intent)).toEqual([
      "USER_HINT",
      "MODEL_CONTEXT.permission",
      "DIAGNOSTIC",
      "BLOCKING_FEEDBACK",
      "MODEL_CONTEXT.context"
    ])
    expect(answer(at("Stop"), said, undefined).channels.map(({ intent }) => intent)).toEqual([
      "BLOCKING_FEEDBACK",
      "USER_HINT",
      "MODEL_CONTEXT.context",
      "MODEL_CONTEXT.permission",
      "DIAGNOSTIC"
    ])
  })
})
