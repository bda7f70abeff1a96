/** The fields of each event as Gemini CLI, Cursor and others report it, and what stands there where a payload lacks them. */
import { describe, expect, it } from "vitest"
import type { Agent } from "../../../events/agentEvents.ts"
import type { JsonObject } from "../../../events/intents.ts"
import { adapters } from "../../../src/agents/adapters.ts"

type Row = readonly [
  agent: Agent,
  native: string,
  event: string,
  payload: JsonObject,
  whole: JsonObject,
  bare: JsonObject
]

const rows: readonly Row[] = [
  [
    "gemini-cli",
    "SessionStart",
    "session.start",
    { source: "resume" },
    { source: "resume" },
    { source: "unknown" }
  ],
  ["gemini-cli", "SessionEnd", "session.end", { reason: "exit" }, { reason: "exit" }, { reason: "unknown" }],
  ["gemini-cli", "BeforeAgent", "prompt.submit", { prompt: "p" }, { prompt: "p" }, { prompt: "" }],
  [
    "gemini-cli",
    "BeforeAgent",
    "prompt.submit",
    {
      prompt:
        "<hook_context>of ours\nin lines</hook_context>\n\n<hook_context>b</hook_context>\n\np <hook_context>"
    },
    { prompt: "p <hook_context>" },
    { prompt: "" }
  ],
  ["gemini-cli", "BeforeModel", "model.before", { llm_request: { model: "m" } }, { model: "m" }, {}],
  ["gemini-cli", "AfterModel", "model.after", { llm_response: { text: "t" } }, { text: "t" }, { text: "" }],
  ["gemini-cli", "BeforeTool", "tool.before", { tool_name: "glob" }, {}, {}],
  ["gemini-cli", "AfterTool", "tool.after", { tool_name: "glob" }, {}, {}],
  [
    "gemini-cli",
    "AfterAgent",
    "turn.stop",
    { stop_hook_active: true, prompt_response: "r" },
    { stopHookActive: true, lastMessage: "r" },
    { stopHookActive: false }
  ],
  [
    "gemini-cli",
    "PreCompress",
    "compact.before",
    { trigger: "auto" },
    { trigger: "auto" },
    { trigger: "unknown" }
  ],
  [
    "gemini-cli",
    "Notification",
    "notify",
    { message: "m", notification_type: "k" },
    { message: "m", kind: "k" },
    { message: "" }
  ],
  [
    "cursor",
    "sessionStart",
    "session.start",
    { is_background_agent: true, model: "m" },
    { source: "background", model: "m" },
    { source: "unknown" }
  ],
  ["cursor", "workspaceOpen", "session.setup", {}, { trigger: "workspace" }, { trigger: "workspace" }],
  ["cursor", "sessionEnd", "session.end", { reason: "error" }, { reason: "error" }, { reason: "unknown" }],
  ["cursor", "beforeSubmitPrompt", "prompt.submit", { prompt: "p" }, { prompt: "p" }, { prompt: "" }],
  ["cursor", "preToolUse", "tool.before", { tool_use_id: "t" }, { toolUseId: "t" }, {}],
  [
    "cursor",
    "postToolUse",
    "tool.after",
    { tool_use_id: "t", duration: 4 },
    { toolUseId: "t", durationMs: 4 },
    {}
  ],
  [
    "cursor",
    "postToolUseFailure",
    "tool.failure",
    { tool_use_id: "t", error_message: "e", is_interrupt: true, duration: 4 },
    { toolUseId: "t", error: "e", interrupted: true, durationMs: 4 },
    { error: "", interrupted: false }
  ],
  ["cursor", "afterAgentResponse", "model.after", { text: "t" }, { text: "t" }, { text: "" }],
  ["cursor", "stop", "turn.stop", { loop_count: 1 }, { stopHookActive: true }, { stopHookActive: false }],
  ["cursor", "stop", "turn.error", { status: "error" }, { error: "unknown" }, { stopHookActive: false }],
  [
    "cursor",
    "subagentStart",
    "subagent.start",
    { subagent_id: "a", subagent_type: "t" },
    { agentId: "a", agentType: "t" },
    { agentId: "", agentType: "" }
  ],
  [
    "cursor",
    "subagentStop",
    "subagent.stop",
    { subagent_type: "t", loop_count: 1, summary: "s" },
    { agentId: "", agentType: "t", stopHookActive: true, lastMessage: "s" },
    { agentId: "", agentType: "", stopHookActive: false }
  ],
  [
    "cursor",
    "preCompact",
    "compact.before",
    { trigger: "auto" },
    { trigger: "auto" },
    { trigger: "unknown" }
  ],
  [
    "copilot",
    "ErrorOccurred",
    "turn.error",
    { error_context: "c", error: { message: "m" } },
    { error: "c", details: "m" },
    { error: "unknown", details: "" }
  ],
  [
    "windsurf",
    "pre_user_prompt",
    "prompt.submit",
    { tool_info: { user_prompt: "p" } },
    { prompt: "p" },
    { prompt: "" }
  ],
  [
    "windsurf",
    "post_cascade_response",
    "turn.stop",
    { tool_info: { response: "r" } },
    { stopHookActive: false, lastMessage: "r" },
    { stopHookActive: false }
  ],
  ["windsurf", "post_setup_worktree", "session.setup", {}, { trigger: "worktree" }, { trigger: "worktree" }],
  [
    "qwen-code",
    "Stop",
    "turn.stop",
    { stop_hook_active: true },
    { stopHookActive: false },
    { stopHookActive: false }
  ],
  [
    "opencode",
    "Stop",
    "turn.stop",
    { stop_hook_active: true },
    { stopHookActive: true },
    { stopHookActive: false }
  ],
  ["cline", "Interrupt", "turn.interrupt", {}, {}, {}]
]

const decoded = (agent: Agent, native: string, payload: JsonObject) => adapters[agent].decode(native, payload)

describe("an event", () => {
  it.each(rows)(
    "of %s, %s, is %s with what its payload says",
    (agent, native, event, payload, whole, bare) => {
      expect(decoded(agent, native, payload).events[0]).toEqual({ event, data: whole })
      expect(decoded(agent, native, {}).events[0].data).toEqual(bare)
    }
  )

  it("brings the end of its session and what was said at last", () => {
    const following = (agent: Agent, native: string, payload: JsonObject) =>
      decoded(agent, native, payload).events.slice(1)
    for (const [agent, native] of [
      ["gemini-cli", "SessionEnd"],
      ["cursor", "sessionEnd"]
    ] as const) {
      expect(following(agent, native, { reason: "r" })).toEqual([
        { event: "session.ending", data: { reason: "r" } }
      ])
      expect(following(agent, native, {})).toEqual([{ event: "session.ending", data: { reason: "unknown" } }])
    }
    expect(following("gemini-cli", "AfterAgent", { prompt_response: "r" })).toEqual([
      { event: "response.given", data: { text: "r" } }
    ])
    expect(following("gemini-cli", "AfterAgent", {})).toEqual([])
  })

  it("of a prompt without a word is none for a hook at Qwen Code", () => {
    expect(decoded("qwen-code", "UserPromptSubmit", { prompt: "" }).events[0].event).toBe(
      "agent.UserPromptSubmit"
    )
    expect(decoded("qwen-code", "UserPromptSubmit", { prompt: "p" }).events[0].event).toBe("prompt.submit")
  })

  it("of a batch has all its calls, and the refusals as errors", () => {
    const refused = "<tool_use_error> no such file </tool_use_error> more"
    const { events } = decoded("claude-code", "PostToolBatch", {
      tool_calls: [
        { tool_name: "Read", tool_input: { file_path: "/a" }, tool_response: refused },
        { tool_name: "Bash", tool_input: {}, tool_response: "said: <tool_use_error>" },
        { tool_name: "Edit", tool_input: {}, tool_response: "<tool_use_error>open" }
      ]
    })
    expect(events[0]).toEqual({
      event: "tool.batch",
      data: {
        tools: [
          { kind: "read", name: "Read", input: { file_path: "/a" }, path: "/a", response: refused },
          { kind: "shell", name: "Bash", input: {}, response: "said: <tool_use_error>" },
          { kind: "edit", name: "Edit", input: {}, response: "<tool_use_error>open" }
        ]
      }
    })
    expect(events.slice(1).map(({ data, event }) => [event, data["message"], data["tool"]])).toEqual([
      ["error.observed", "no such file", "Read"],
      ["error.observed", "open", "Edit"]
    ])
  })

  it("names its session by whichever field there is, and never by an empty one", () => {
    for (const key of ["session_id", "sessionId", "conversation_id", "thread_id", "trajectory_id"])
      expect(decoded("codex", "Other", { [key]: "s" }).session).toBe("s")
    expect(decoded("codex", "Other", { session_id: "", thread_id: "t", trajectory_id: "u" }).session).toBe(
      "t"
    )
    expect(decoded("codex", "Other", { session_id: 7 }).session).toBeNull()
    expect(decoded("cursor", "stop", { workspace_roots: ["/r", "/s"] }).cwd).toBe("/r")
    expect(decoded("cursor", "stop", { workspace_roots: ["/r"], cwd: "/c" }).cwd).toBe("/c")
  })
})
