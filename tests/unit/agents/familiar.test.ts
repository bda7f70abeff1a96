/** The fields of each event that Claude Code and Codex report alike, and what stands there where a payload lacks them. */
import { describe, expect, it } from "vitest"
import type { JsonObject } from "../../../events/intents.ts"
import { adapters } from "../../../src/agents/adapters.ts"

const told = (event: string, payload: JsonObject) =>
  adapters["claude-code"].decode(event, payload).events[0].data

const rows: readonly (readonly [event: string, payload: JsonObject, whole: JsonObject, bare: JsonObject])[] =
  [
    [
      "SessionStart",
      { source: "resume", model: "m" },
      { source: "resume", model: "m" },
      { source: "unknown" }
    ],
    ["Setup", { trigger: "init" }, { trigger: "init" }, { trigger: "unknown" }],
    ["SessionEnd", { reason: "clear" }, { reason: "clear" }, { reason: "unknown" }],
    ["UserPromptSubmit", { prompt: "p" }, { prompt: "p" }, { prompt: "" }],
    [
      "UserPromptExpansion",
      { prompt: "p", command_name: "c", command_args: "a" },
      { prompt: "p", command: "c", arguments: "a" },
      { prompt: "", command: "", arguments: "" }
    ],
    ["MessageDisplay", { delta: "d", final: true }, { text: "d", final: true }, { text: "", final: false }],
    ["PreToolUse", { tool_use_id: "t" }, { toolUseId: "t" }, {}],
    [
      "PermissionDenied",
      { tool_use_id: "t", reason: "r" },
      { toolUseId: "t", denied: true, reason: "r" },
      { denied: false }
    ],
    ["PostToolUse", { tool_use_id: "t", duration_ms: 5 }, { toolUseId: "t", durationMs: 5 }, {}],
    [
      "PostToolUseFailure",
      { tool_use_id: "t", error: "e", is_interrupt: true, duration_ms: 0 },
      { toolUseId: "t", error: "e", interrupted: true, durationMs: 0 },
      { error: "", interrupted: false }
    ],
    [
      "Stop",
      { stop_hook_active: true, last_assistant_message: "m" },
      { stopHookActive: true, lastMessage: "m" },
      { stopHookActive: false }
    ],
    ["StopFailure", { error: "e", error_details: "d" }, { error: "e", details: "d" }, { error: "unknown" }],
    [
      "SubagentStart",
      { agent_id: "a", agent_type: "t" },
      { agentId: "a", agentType: "t" },
      { agentId: "", agentType: "" }
    ],
    [
      "SubagentStop",
      { agent_id: "a", agent_type: "t", stop_hook_active: true, last_assistant_message: "m" },
      { agentId: "a", agentType: "t", stopHookActive: true, lastMessage: "m" },
      { agentId: "", agentType: "", stopHookActive: false }
    ],
    [
      "PreCompact",
      { trigger: "auto", custom_instructions: "i" },
      { trigger: "auto", instructions: "i" },
      { trigger: "unknown" }
    ],
    [
      "PostCompact",
      { trigger: "auto", compact_summary: "s" },
      { trigger: "auto", summary: "s" },
      { trigger: "unknown" }
    ],
    [
      "Notification",
      { message: "m", notification_type: "k", title: "t" },
      { message: "m", kind: "k", title: "t" },
      { message: "" }
    ]
  ]

describe("an event", () => {
  it.each(rows)(
    "%s has what its payload says, and its own words where it says nothing",
    (event, payload, whole, bare) => {
      expect(told(event, payload)).toEqual(whole)
      expect(told(event, {})).toEqual(bare)
    }
  )

  it("brings what follows from it", () => {
    const { decode } = adapters["claude-code"]
    const following = (event: string, payload: JsonObject) => decode(event, payload).events.slice(1)
    expect(following("Stop", { last_assistant_message: "done" })).toEqual([
      { event: "response.given", data: { text: "done" } }
    ])
    expect(following("Stop", { last_assistant_message: " \n" })).toEqual([])
    expect(following("SubagentStop", { last_assistant_message: "done" })).toEqual([])
    expect(following("SessionEnd", { reason: "clear" })).toEqual([
      { event: "session.ending", data: { reason: "clear" } }
    ])
    expect(following("SessionEnd", {})).toEqual([{ event: "session.ending", data: { reason: "unknown" } }])
    const edit = { tool_name: "Edit", tool_input: { file_path: "/a.ts" }, tool_response: {} }
    expect(following("PostToolUse", edit).map(({ event }) => event)).toEqual(["file.edited"])
    for (const event of ["PreToolUse", "PermissionRequest"]) expect(following(event, edit)).toEqual([])
  })
})
