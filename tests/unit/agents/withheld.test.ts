/** What an agent would not pass on as it is meant is not sent, and the reason is recorded; the same by itself is sent. */
import { describe, expect, it } from "vitest"
import type { Agent, Tool } from "../../../events/agentEvents.ts"
import { blockingFeedback, exitSignal, type Intent, modelContext, userHint } from "../../../events/intents.ts"
import type { Carried } from "../../../src/agents/Adapter.ts"
import { adapters } from "../../../src/agents/adapters.ts"
import { fold, type Slot } from "../../../src/agents/reply.ts"

const tool: Tool = { kind: "shell", name: "Bash", command: "ls", input: { command: "ls" } }
const carriedBy = (
  agent: Agent,
  event: string,
  intents: readonly Intent[],
  slot: Slot,
  over = tool
): Carried => adapters[agent].encode(event, "command", fold(intents), over).carried[slot] as Carried

const block = blockingFeedback("no")
const text = modelContext("text")
const input = modelContext({ updatedInput: { command: "pwd" } })
const allowed = modelContext({ permission: "allow", updatedInput: { command: "pwd" } })
const afterBlock = "the model is not called after a block at this event"
const noResult = "a call that is blocked has no result to stand beside"
const isBlock = "exit code 2 is how a block is said; use blockingFeedback"

type Row = readonly [
  agent: Agent,
  event: string,
  slot: Slot,
  reason: string,
  withheld: readonly Intent[],
  sent?: readonly Intent[]
]

const output = (value: string | { a: number }) => [modelContext({ updatedOutput: value })]

const rows: readonly Row[] = [
  ["claude-code", "UserPromptSubmit", "context", afterBlock, [text, block], [text]],
  ["claude-code", "UserPromptExpansion", "context", afterBlock, [text, block], [text]],
  ["claude-code", "PostToolBatch", "context", afterBlock, [text, block], [text]],
  [
    "claude-code",
    "PermissionRequest",
    "input",
    "Claude Code takes a changed input here only together with permission allow",
    [input],
    [allowed]
  ],
  ["qwen-code", "UserPromptSubmit", "context", afterBlock, [text, block], [text]],
  [
    "qwen-code",
    "PermissionRequest",
    "input",
    "Qwen Code takes a changed input here only together with permission allow",
    [input],
    [allowed]
  ],
  ["copilot", "UserPromptSubmit", "context", afterBlock, [text, block], [text]],
  [
    "copilot",
    "PostToolUse",
    "output",
    "Copilot CLI takes a text as a changed output",
    output({ a: 1 }),
    output("o")
  ],
  ["opencode", "UserPromptSubmit", "context", afterBlock, [text, block], [text]],
  ["opencode", "PreToolUse", "context", noResult, [text, block], [text]],
  [
    "opencode",
    "PostToolUse",
    "output",
    "OpenCode takes a text as a changed output",
    output({ a: 1 }),
    output("o")
  ],
  ["cline", "UserPromptSubmit", "context", afterBlock, [text, block], [text]],
  ["cline", "PreToolUse", "context", noResult, [text, block], [text]],
  ["cline", "PostToolUse", "output", "Cline takes a text as a changed output", output({ a: 1 }), output("o")],
  ["droid", "UserPromptSubmit", "context", afterBlock, [text, block], [text]],
  ["codex", "UserPromptSubmit", "context", afterBlock, [text, block], [text]],
  [
    "codex",
    "PreToolUse",
    "permission",
    "Codex takes permission allow only together with a changed input",
    [modelContext({ permission: "allow" })],
    [allowed]
  ],
  [
    "codex",
    "PreToolUse",
    "input",
    "Codex wants the command of a shell tool to be a string",
    [modelContext({ permission: "allow", updatedInput: { command: 7 } })],
    [allowed, modelContext({ updatedInput: { timeout: 7 } })]
  ],
  [
    "gemini-cli",
    "BeforeAgent",
    "context",
    "Gemini CLI leaves it out of a reply that blocks",
    [text, block],
    [text]
  ],
  [
    "gemini-cli",
    "AfterTool",
    "context",
    "Gemini CLI leaves it out of a reply that blocks",
    [text, block],
    [text]
  ],
  [
    "gemini-cli",
    "BeforeAgent",
    "hint",
    "Gemini CLI shows it in place of the reason of a block",
    [userHint("h"), block],
    [userHint("h")]
  ],
  [
    "cursor",
    "preToolUse",
    "context",
    "Cursor hands the model a message here only with a denial",
    [text],
    [text, block]
  ],
  ["cursor", "postToolUse", "output", "Cursor takes a changed output of MCP tools only", output("o")],
  ["claude-code", "PreToolUse", "exit", isBlock, [exitSignal(2)], [exitSignal(3)]],
  ["codex", "PreToolUse", "exit", isBlock, [exitSignal(2)], [exitSignal(3)]],
  [
    "codex",
    "UserPromptSubmit",
    "exit",
    "Codex drops the reply of a hook that ends with another exit code than 0",
    [text, exitSignal(3)],
    [text, exitSignal(0)]
  ],
  ["copilot", "PreToolUse", "exit", isBlock, [exitSignal(2)], [exitSignal(0)]],
  [
    "copilot",
    "PreToolUse",
    "exit",
    "Copilot CLI denies a call whose hook ends with another exit code than 0",
    [exitSignal(1)]
  ],
  [
    "gemini-cli",
    "BeforeTool",
    "exit",
    "Gemini CLI takes an exit code of 2 and above for a denial; use blockingFeedback",
    [exitSignal(2)],
    [exitSignal(1)]
  ],
  [
    "gemini-cli",
    "BeforeTool",
    "exit",
    "Gemini CLI takes an exit code of 2 and above for a denial; use blockingFeedback",
    [exitSignal(3)]
  ]
]

const whole = rows.map(([agent, event, slot, reason, withheld, sent = []]) => {
  return [agent, event, slot, reason, withheld, sent] as const
})

describe("a reply", () => {
  it.each(whole)("to %s at %s is without its %s: %s", (agent, event, slot, reason, withheld, sent) => {
    expect(carriedBy(agent, event, withheld, slot)).toEqual({ undeliverable: reason })
    if (sent.length > 0) expect(carriedBy(agent, event, sent, slot)).toHaveProperty("channel")
  })

  it("changes the output of an MCP tool at Cursor", () => {
    const mcp: Tool = { kind: "mcp", name: "t", input: {} }
    expect(carriedBy("cursor", "postToolUse", output("o"), "output", mcp)).toHaveProperty("channel")
  })

  it("over HTTP has no exit code", () => {
    const { carried } = adapters["claude-code"].encode("PreToolUse", "http", fold([exitSignal(3)]), tool)
    expect(carried.exit).toEqual({ undeliverable: "an HTTP answer has no exit code" })
    const odd = adapters["claude-code"].encode("PreToolUse", "command", fold([exitSignal(256)]), tool)
    expect(odd.carried.exit).toEqual({ undeliverable: "an exit code is an integer from 0 to 255" })
  })
})
