/** What every adapter owes the edge, over all agents, events, transports and combinations of intents. */
import { describe, expect, it } from "vitest"
import { agents } from "../../../events/agentEvents.ts"
import {
  blockingFeedback,
  diagnostic,
  exitSignal,
  type Intent,
  modelContext,
  userHint
} from "../../../events/intents.ts"
import type { Adapter, Transport } from "../../../src/agents/Adapter.ts"
import { adapters } from "../../../src/agents/adapters.ts"
import { encodeWith } from "../../../src/agents/encode.ts"
import { probeTool } from "../../../src/agents/probes.ts"
import { empty, fold, type Slot, slotsOf } from "../../../src/agents/reply.ts"
import { at } from "../../../src/agents/ways.ts"
import { objections } from "../../support/adapters/judge.ts"

const intents: readonly Intent[] = [
  modelContext("CONTEXT-FOR-MODEL"),
  modelContext({ permission: "allow" }),
  modelContext({ permission: "ask" }),
  modelContext({ updatedInput: { command: "INPUT-FOR-AGENT" } }),
  modelContext({ updatedOutput: "OUTPUT-FOR-MODEL" }),
  userHint("HINT-FOR-HUMAN"),
  blockingFeedback("REASON-FOR-MODEL"),
  diagnostic("warn", "DIAGNOSTIC-FOR-OPERATOR"),
  exitSignal(1),
  exitSignal(2)
]
const modelBound = ["CONTEXT-FOR-MODEL", "INPUT-FOR-AGENT", "OUTPUT-FOR-MODEL", "REASON-FOR-MODEL"]

const combinations: readonly (readonly Intent[])[] = Array.from({ length: 2 ** intents.length }, (_, bits) =>
  intents.filter((_, index) => (bits >> index) & 1)
)

/** An `expect` for each of some hundred thousand combinations would take a minute; this takes seconds. */
const complaints = (
  adapter: Adapter,
  event: string,
  transport: Transport,
  said: readonly Intent[]
): readonly string[] => {
  const found: string[] = []
  const check = (holds: boolean, what: string) => {
    if (!holds) found.push(what)
  }
  const reply = fold(said)
  const { stdout, stderr, exitCode, carried } = adapter.encode(event, transport, reply, probeTool)
  const arrives = (slot: Slot) => {
    const channel = carried[slot]
    return channel !== undefined && "channel" in channel && channel.channel.startsWith("std")
  }
  const byExit = exitCode === 2 && adapter.agent !== "raw"

  const { permission } = carried
  const unasked = permission !== undefined && "instead" in permission && permission.instead === "block"

  if (stdout !== "") {
    check(stdout.indexOf("\n") === stdout.length - 1, "stdout is one line")
    found.push(...objections(adapter.agent, event, JSON.parse(stdout)))
  }
  check(!stdout.includes("DIAGNOSTIC-FOR-OPERATOR"), "diagnostics stay off stdout")
  check(!stderr.includes("HINT-FOR-HUMAN"), "hints stay off stderr")
  const onStderr = modelBound.filter((text) => stderr.includes(text))
  check(
    onStderr.length === (byExit && reply.blocks.length > 0 ? 1 : 0),
    "text for the model stays off stderr"
  )
  check(
    !byExit || (stdout === "" && (unasked || stderr === "REASON-FOR-MODEL\n")),
    "a block by exit code is the reason alone"
  )
  check(exitCode !== 2 || reply.blocks.length > 0 || unasked, "exit code 2 is a block")
  check(transport === "command" || (stderr === "" && exitCode === 0), "HTTP has neither stderr nor exit code")
  const filled = new Set(said.flatMap(slotsOf))
  for (const slot of filled) check(carried[slot] !== undefined, `${slot} has a channel or a reason`)
  for (const slot of Object.keys(carried)) check(filled.has(slot as Slot), `${slot} was never said`)
  check(stdout.includes("CONTEXT-FOR-MODEL") === arrives("context"), "a context that has a channel is there")
  check(stdout.includes("HINT-FOR-HUMAN") === arrives("hint"), "a hint that has a channel is there")
  check(
    stderr.includes("DIAGNOSTIC-FOR-OPERATOR") === arrives("diagnostic"),
    "a diagnostic with a channel is there"
  )
  const isWordless = /hookSpecificOutput\.action|stdout: permission"/.test(
    JSON.stringify(carried.block ?? "")
  )
  const isReasonSaid = (stdout + stderr).includes("REASON-FOR-MODEL")
  check(isReasonSaid === (arrives("block") && !isWordless), "a block that has a channel is there")
  return found
}

for (const agent of agents) {
  const adapter = adapters[agent]
  const events = [...Object.keys(adapter.events), "AnEventOfTomorrow", "__proto__"]
  for (const transport of ["command", "http"] as const) {
    describe(`${agent} by ${transport}`, () => {
      it.each(events)("answers every combination of intents at %s", (event) => {
        const found = combinations.flatMap((said) =>
          complaints(adapter, event, transport, said).map(
            (complaint) => `${complaint}: ${JSON.stringify(said)}`
          )
        )
        expect(found).toEqual([])
      })

      it("answers an empty reply with the agent's neutral one", () => {
        for (const event of events)
          expect(adapter.encode(event, transport, empty)).toEqual({
            stdout: agent === "raw" || agent === "cursor" ? "{}\n" : "",
            stderr: "",
            exitCode: 0,
            carried: {}
          })
      })
    })
  }
}

const encode = (agent: keyof typeof adapters, event: string, ...said: readonly Intent[]) =>
  adapters[agent].encode(event, "command", fold(said), probeTool)

describe("the bytes an agent gets", () => {
  it("Claude Code: context, a decision and a changed input in one document", () => {
    const { stdout } = encode(
      "claude-code",
      "PreToolUse",
      modelContext({ text: "one", permission: "ask", reason: "why", updatedInput: { timeout: 5 } }),
      modelContext("two"),
      userHint("hint")
    )
    expect(JSON.parse(stdout)).toEqual({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        additionalContext: "one\n\ntwo",
        permissionDecision: "ask",
        permissionDecisionReason: "why",
        updatedInput: { command: "true", timeout: 5 }
      },
      systemMessage: "hint"
    })
  })

  it("Claude Code: a block at a permission request is a decision, because exit code 2 does nothing there", () => {
    const { stdout, stderr, exitCode } = encode("claude-code", "PermissionRequest", blockingFeedback("no"))
    expect([stderr, exitCode]).toEqual(["", 0])
    expect(JSON.parse(stdout)).toEqual({
      hookSpecificOutput: {
        hookEventName: "PermissionRequest",
        decision: { behavior: "deny", message: "no" }
      }
    })
  })

  it("Claude Code: over HTTP a block is a decision", () => {
    const { stdout } = adapters["claude-code"].encode("Stop", "http", fold([blockingFeedback("no")]))
    expect(JSON.parse(stdout)).toEqual({ decision: "block", reason: "no" })
  })

  it("Codex: permission allow goes only with a changed input", () => {
    expect(encode("codex", "PreToolUse", modelContext({ permission: "allow" }))).toMatchObject({
      stdout: "",
      carried: { permission: { undeliverable: expect.stringContaining("changed input") } }
    })
    const changed = encode("codex", "PreToolUse", modelContext({ updatedInput: { command: "ls" } }))
    expect(JSON.parse(changed.stdout)).toEqual({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "allow",
        updatedInput: { command: "ls" }
      }
    })
  })

  it.each([{ tool: undefined }, { tool: { ...probeTool, input: "text" } }])(
    "no agent gets half an input where the tool's own is not known",
    ({ tool }) => {
      const reply = fold([modelContext({ permission: "allow", updatedInput: { command: "ls" } })])
      for (const agent of ["claude-code", "codex"] as const) {
        const encoded = adapters[agent].encode("PreToolUse", "command", reply, tool)
        expect(encoded.stdout).not.toContain("updatedInput")
        if (encoded.stdout !== "")
          expect(objections(agent, "PreToolUse", JSON.parse(encoded.stdout))).toEqual([])
        expect(encoded.carried.input).toHaveProperty("undeliverable")
      }
    }
  )

  it("Gemini CLI: diagnostics alone leave an empty document where it would read them as the answer", () => {
    expect(encode("gemini-cli", "AfterTool", diagnostic("info", "note"))).toMatchObject({
      stdout: "{}\n",
      stderr: "hooktape info: note\n"
    })
  })

  it.each(["BeforeAgent", "BeforeModel", "AfterModel", "BeforeTool", "AfterTool", "AfterAgent"])(
    "Gemini CLI: a block at %s is a decision, because a hook that ends with 2 is shown as a failed one",
    (event) => {
      expect(encode("gemini-cli", event, blockingFeedback("no"))).toEqual({
        stdout: '{"reason":"no","decision":"deny"}\n',
        stderr: "",
        exitCode: 0,
        carried: { block: { channel: "stdout: reason" } },
        otherwise: { stderr: "no\n", exitCode: 2 }
      })
    }
  )

  it("Gemini CLI: what it would leave out beside a block, or show in place of its reason, is not sent", () => {
    const said = [blockingFeedback("no"), userHint("hint"), modelContext("context")]
    const document = (event: string) => JSON.parse(encode("gemini-cli", event, ...said).stdout)
    expect(document("BeforeTool")).toEqual({ decision: "deny", reason: "no", systemMessage: "hint" })
    expect(document("AfterTool")).toEqual({ decision: "deny", reason: "no", systemMessage: "hint" })
    expect(document("BeforeAgent")).toEqual({ decision: "deny", reason: "no" })
    expect(encode("gemini-cli", "BeforeAgent", ...said).carried).toMatchObject({
      hint: { undeliverable: expect.stringContaining("in place of the reason") },
      context: { undeliverable: expect.stringContaining("leaves it out") }
    })
    // Nothing is blocked at the start of a session.
    expect(encode("gemini-cli", "SessionStart", ...said)).not.toHaveProperty("otherwise")
    expect(document("SessionStart")).toMatchObject({
      systemMessage: "hint",
      hookSpecificOutput: { additionalContext: "context" }
    })
  })

  it.each(['{"decision":"allow"}', "42", "null", '"text"', " true "])(
    "Gemini CLI: the reason %s, which it would parse, travels as JSON",
    (reason) => {
      const { stdout, stderr, exitCode } = encode("gemini-cli", "BeforeTool", blockingFeedback(reason))
      expect([stderr, exitCode]).toEqual(["", 0])
      expect(JSON.parse(stdout)).toEqual({ decision: "deny", reason })
    }
  )

  it("Cursor: a denial tells the model why, with what else there is for it, and the human what is for the human", () => {
    const said = [modelContext("context"), userHint("hint"), blockingFeedback("no")]
    const parsed = (event: string, ...intents: readonly Intent[]) =>
      JSON.parse(encode("cursor", event, ...intents).stdout)
    expect(parsed("beforeShellExecution", ...said)).toEqual({
      permission: "deny",
      agent_message: "no\n\ncontext",
      user_message: "hint"
    })
    expect(parsed("beforeSubmitPrompt", ...said)).toEqual({ continue: false, user_message: "no\n\nhint" })
    expect(parsed("stop", blockingFeedback("go on"))).toEqual({ followup_message: "go on" })
    expect(parsed("postToolUse", ...said)).toEqual({ additional_context: "no\n\ncontext" })
    expect(parsed("preToolUse", modelContext({ updatedInput: { timeout: 5 } }))).toEqual({
      updated_input: { command: "true", timeout: 5 }
    })
    expect(encode("cursor", "preToolUse", modelContext("context"))).toMatchObject({
      stdout: "{}\n",
      carried: { context: { undeliverable: expect.stringContaining("only with a denial") } }
    })
  })

  it("Cursor: a changed output is for MCP tools", () => {
    const reply = fold([modelContext({ updatedOutput: { content: [] } })])
    const mcp = { kind: "mcp", name: "MCP:create_issue", input: {}, response: {} } as const
    const { stdout } = adapters.cursor.encode("postToolUse", "command", reply, mcp)
    expect(JSON.parse(stdout)).toEqual({ updated_mcp_tool_output: { content: [] } })
    expect(adapters.cursor.encode("postToolUse", "command", reply, probeTool).carried.output).toHaveProperty(
      "undeliverable"
    )
  })

  it("Windsurf: a block is exit code 2 with its reason, everything else goes unheard and is said to", () => {
    const said = [modelContext("context"), userHint("hint"), blockingFeedback("no")]
    for (const event of ["pre_run_command", "post_write_code", "pre_user_prompt"])
      expect(encode("windsurf", event, ...said)).toMatchObject({ stdout: "", stderr: "no\n", exitCode: 2 })
    expect(encode("windsurf", "post_cascade_response", ...said)).toMatchObject({ exitCode: 0, stderr: "" })
    expect(encode("windsurf", "pre_run_command", modelContext("x"), userHint("y")).carried).toMatchObject({
      context: { undeliverable: expect.stringContaining("only the exit code") },
      hint: { undeliverable: expect.stringContaining("only the exit code") }
    })
  })

  it.each(["claude-code", "codex"] as const)("%s: a block without a reason gets one", (agent) => {
    const { stdout, ...rest } = encode(agent, "PreToolUse", blockingFeedback("  "))
    expect(rest).toMatchObject({ exitCode: 0, stderr: "" })
    expect(JSON.parse(stdout).hookSpecificOutput).toMatchObject({
      permissionDecision: "deny",
      permissionDecisionReason: "Blocked by a hook."
    })
  })

  it("gemini-cli: a block without a reason gets one", () => {
    expect(JSON.parse(encode("gemini-cli", "BeforeTool", blockingFeedback("  ")).stdout)).toEqual({
      decision: "deny",
      reason: "Blocked by a hook."
    })
  })

  it("a text beyond the agent's limit is sent whole and noted", () => {
    const text = "x".repeat(10_001)
    const { stdout, carried } = encode("claude-code", "SessionStart", modelContext(text))
    expect(stdout).toContain(text)
    expect(carried.context).toMatchObject({ note: expect.stringContaining("10001 characters") })
  })

  it("diagnostics never mix into the reason of a block", () => {
    const { stderr, carried } = encode(
      "windsurf",
      "pre_user_prompt",
      diagnostic("error", "boom"),
      blockingFeedback("go on")
    )
    expect(stderr).toBe("go on\n")
    expect(carried.diagnostic).toEqual({ channel: "log" })
  })

  it("an exit code is used where it means no denial", () => {
    expect(encode("claude-code", "Stop", exitSignal(3))).toEqual({
      stdout: "",
      stderr: "",
      exitCode: 3,
      carried: { exit: { channel: "exit code" } }
    })
    expect(encode("gemini-cli", "AfterAgent", exitSignal(3)).exitCode).toBe(0)
    expect(encode("codex", "SessionStart", exitSignal(3), modelContext("kept")).exitCode).toBe(0)
    expect(encode("raw", "tool.before", exitSignal(300)).exitCode).toBe(0)
  })
})

describe("the output schema stands at the boundary", () => {
  const rules = {
    output: { only: { "reason?": "string" } },
    command: { hint: at("reason"), context: at("unheardOf"), block: at("reason", 7) }
  } as const
  const encode = encodeWith({ exit: () => undefined }, () => rules)

  it("leaves out what the agent has no field for, says so, and keeps the rest", () => {
    const { stdout, carried } = encode("Any", "command", fold([modelContext("text"), userHint("hint")]))
    expect(JSON.parse(stdout)).toEqual({ reason: "hint" })
    expect(carried.context).toEqual({ undeliverable: "the agent's output schema has no place for unheardOf" })
  })

  it("is neutral when nothing fits", () => {
    expect(encode("Any", "command", fold([blockingFeedback("no")]))).toMatchObject({
      stdout: "",
      stderr: "",
      exitCode: 0,
      carried: { block: { undeliverable: expect.stringContaining("reason") } }
    })
  })
})
