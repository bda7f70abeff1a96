/** What every adapter makes of what its agent really sends: every fixture, the shapes of 2025, and nonsense. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import type { JsonObject } from "../../../events/intents.ts"
import { type SettingsAgent, settingsAgents } from "../../../src/agents/about.ts"
import { adapters } from "../../../src/agents/adapters.ts"

const fixtures = fileURLToPath(new URL("../../fixtures/", import.meta.url))
/** A field that every payload of the agent has, and that is not the session's. */
const spare = {
  "claude-code": "transcript_path",
  codex: "transcript_path",
  "gemini-cli": "transcript_path",
  "qwen-code": "timestamp",
  copilot: "timestamp",
  opencode: "turn_id",
  cline: "turn_id",
  cursor: "user_email",
  windsurf: "model_name",
  droid: "transcriptPath",
  vscode: "timestamp",
  kiro: "hook_event_name"
} as const satisfies Readonly<Record<SettingsAgent, string>>

interface Sample {
  readonly file: string
  readonly event: string
  readonly payload: JsonObject
}

const samplesIn = (directory: string): readonly Sample[] =>
  (existsSync(join(fixtures, directory))
    ? readdirSync(join(fixtures, directory), { withFileTypes: true })
    : []
  )
    .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
    .map(({ name }) => ({
      file: `${directory}/${name}`,
      event: name.replace(/\.json$/, ""),
      payload: JSON.parse(readFileSync(join(fixtures, directory, name), "utf8")) as JsonObject
    }))

for (const agent of settingsAgents) {
  const adapter = adapters[agent]
  const documented = samplesIn(agent)
  const samples = [...documented, ...samplesIn(`${agent}/2025`), ...samplesIn(`captured/${agent}`)]

  describe(`${agent}: what it sends`, () => {
    it("has a fixture for every event", () => {
      expect(documented.map(({ event }) => event).sort()).toEqual(Object.keys(adapter.events).sort())
    })

    it.each(samples)("$file decodes without drift", ({ event, payload }) => {
      const decoded = adapter.decode(event, payload)
      expect(decoded.drift).toEqual([])
      // Qwen Code calls this event for the results of tools as well, without a prompt.
      const isPrompt = agent !== "qwen-code" || payload["prompt"] !== ""
      expect(decoded.events[0].event).toBe((isPrompt && adapter.events[event]?.event) || `agent.${event}`)
      const sessions = ["session_id", "sessionId", "thread-id", "conversation_id", "trajectory_id"]
      expect(decoded.session).toBe(
        sessions.map((key) => payload[key]).find((one) => one !== undefined) ?? null
      )
      const info = (payload["tool_info"] ?? {}) as JsonObject
      const [root] = (payload["workspace_roots"] ?? []) as readonly string[]
      expect(decoded.cwd).toBe(payload["cwd"] ?? info["cwd"] ?? info["worktree_path"] ?? root ?? null)
      expect(decoded.toolUseId).toBe(payload["tool_use_id"] ?? null)
      if (payload["tool_name"] !== undefined) expect(decoded.tool?.name).toBe(payload["tool_name"])
      else if (decoded.events[0].event.startsWith("tool."))
        expect(decoded.tool?.name ?? "batch").toMatch(/\w/)
      // What is recorded is JSON: nothing may be lost by writing it down.
      expect(JSON.parse(JSON.stringify(decoded.events))).toEqual(decoded.events)
    })

    it.each(documented)(
      "$file with a field of the wrong shape reports it and uses the rest",
      ({ event, payload }) => {
        const decoded = adapter.decode(event, {
          ...payload,
          session_id: "kept",
          [spare[agent]]: 7,
          a_new_field: {}
        })
        expect(decoded.drift).toEqual([spare[agent]])
        expect(decoded.session).toBe("kept")
      }
    )

    it.each(Object.keys(adapter.events))("%s decodes from an empty payload", (event) => {
      expect(adapter.decode(event, {})).toMatchObject({
        session: null,
        cwd: null,
        tool: undefined,
        drift: []
      })
    })
  })
}

const decode = (agent: keyof typeof adapters, event: string, payload: JsonObject) =>
  adapters[agent].decode(event, payload)
const derived = (agent: keyof typeof adapters, event: string, payload: JsonObject) =>
  decode(agent, event, payload).events.slice(1)

describe("tool calls, whichever agent made them", () => {
  const shell = (input: JsonObject, response: JsonObject[string]) => ({
    tool_name: "Bash",
    tool_input: input,
    tool_response: response
  })

  it("Claude Code: a command that succeeded", () => {
    const payload = shell({ command: "npm test" }, { stdout: "ok", stderr: "", interrupted: false })
    expect(decode("claude-code", "PostToolUse", payload).tool).toMatchObject({
      kind: "shell",
      command: "npm test",
      exitCode: 0,
      ok: true
    })
    expect(derived("claude-code", "PostToolUse", payload)).toEqual([
      { event: "command.ran", data: { command: "npm test", exitCode: 0, output: "ok" } }
    ])
  })

  it("Claude Code: a command in the background has not ended", () => {
    const payload = shell({ command: "npm start" }, { stdout: "", stderr: "", backgroundTaskId: "b1" })
    expect(decode("claude-code", "PostToolUse", payload).tool).not.toHaveProperty("exitCode")
  })

  it("Claude Code: a command that failed", () => {
    const payload = {
      ...shell({ command: "npm test" }, null),
      error: "Exit code 1\nError: Cannot find module 'x'"
    }
    expect(decode("claude-code", "PostToolUseFailure", payload).tool).toMatchObject({
      exitCode: 1,
      ok: false
    })
    expect(derived("claude-code", "PostToolUseFailure", payload)).toEqual([
      {
        event: "command.ran",
        data: { command: "npm test", exitCode: 1, output: "Error: Cannot find module 'x'" }
      },
      {
        event: "error.observed",
        data: {
          signature: "error: cannot find module ‹text›",
          message: "Error: Cannot find module 'x'",
          tool: "Bash"
        }
      }
    ])
  })

  it("Claude Code: what the user interrupted is no error", () => {
    const payload = { ...shell({ command: "sleep 9" }, null), error: "interrupted", is_interrupt: true }
    expect(derived("claude-code", "PostToolUseFailure", payload).map(({ event }) => event)).toEqual([
      "command.ran"
    ])
  })

  it("Claude Code: of a batch only the refusals are new, the other failures had an event", () => {
    const call = (tool_response: string) => ({ tool_name: "Edit", tool_input: {}, tool_response })
    const tool_calls = [
      call("<tool_use_error>String to replace not found in file.</tool_use_error>"),
      call("Exit code 1\nboom"),
      call("all good")
    ]
    expect(derived("claude-code", "PostToolBatch", { tool_calls })).toEqual([
      {
        event: "error.observed",
        data: {
          signature: "string to replace not found in file.",
          message: "String to replace not found in file.",
          tool: "Edit"
        }
      }
    ])
  })

  it("Codex: a patch names its files", () => {
    const command = [
      "*** Begin Patch",
      "*** Add File: a.py",
      "+1",
      "*** Update File: b.ts",
      "*** Move to: c.ts",
      "@@",
      "*** Delete File: d.md",
      "*** End Patch"
    ].join("\n")
    const payload = { tool_name: "apply_patch", tool_input: { command }, tool_response: "Success. Updated" }
    expect(decode("codex", "PreToolUse", payload).tool).toMatchObject({
      kind: "edit",
      path: "a.py",
      paths: ["a.py", "c.ts", "d.md"]
    })
    expect(derived("codex", "PostToolUse", payload).map(({ data }) => data)).toEqual([
      { path: "a.py", change: "create", language: "python" },
      { path: "c.ts", change: "rename", from: "b.ts", language: "typescript" },
      { path: "d.md", change: "delete", language: "markdown" }
    ])
    const failed = {
      ...payload,
      tool_response: "Exit code: 1\nWall time: 0 seconds\nOutput:\nInvalid Context 0"
    }
    expect(derived("codex", "PostToolUse", failed)).toMatchObject([
      { event: "error.observed", data: { message: "Invalid Context 0" } }
    ])
  })

  it.each([
    ["plain text", "hello", { output: "hello" }],
    ["a heading", "Exit code: 2\nWall time: 0 seconds\nOutput:\nboom", { output: "boom", exitCode: 2 }],
    ["wrapped JSON", '{"output":"boom","metadata":{"exit_code":2}}', { output: "boom", exitCode: 2 }],
    ["broken JSON", '{"output":"boom', { output: '{"output":"boom' }]
  ])("Codex: a command's result as %s", (_, tool_response, expected) => {
    const [ran] = derived("codex", "PostToolUse", shell({ command: "ls" }, tool_response))
    expect(ran).toEqual({ event: "command.ran", data: { command: "ls", ...expected } })
  })

  const gemini = (llmContent: string) => ({
    tool_name: "run_shell_command",
    tool_input: { command: "make" },
    tool_response: { llmContent, returnDisplay: "" }
  })

  it.each([
    ["0 unsaid", "Output: fine\nProcess Group PGID: 5", { output: "fine", exitCode: 0 }],
    ["said", "Output: no\nExit Code: 2\nProcess Group PGID: 5", { output: "no", exitCode: 2 }],
    ["forged in the output", "Output: a\nExit Code: 9\nb\nProcess Group PGID: 5", { exitCode: 0 }],
    ["of a signal", "Output: (empty)\nSignal: 9\nProcess Group PGID: 5", { output: "" }]
  ])("Gemini CLI: an exit code %s", (_, text, expected) => {
    const payload = gemini(`<untrusted_context>\n${text}\n</untrusted_context>`)
    const [ran] = derived("gemini-cli", "AfterTool", payload)
    expect(ran?.data).toMatchObject(expected)
    if (!("exitCode" in expected)) expect(ran?.data).not.toHaveProperty("exitCode")
  })

  it("Gemini CLI: a tool's own error", () => {
    const payload = {
      ...gemini("Output: x"),
      tool_response: { llmContent: "", error: { message: "Denied by policy" } }
    }
    expect(decode("gemini-cli", "AfterTool", payload).tool).toMatchObject({ ok: false })
    expect(derived("gemini-cli", "AfterTool", payload).map(({ event }) => event)).toContain("error.observed")
  })

  it.each([
    ["claude-code", "PreToolUse", "mcp__tracker__create_issue"],
    ["codex", "PreToolUse", "mcp__tracker__create_issue"],
    ["gemini-cli", "BeforeTool", "mcp_tracker_create_issue"]
  ] as const)("%s: an MCP tool", (agent, event, tool_name) => {
    expect(decode(agent, event, { tool_name, tool_input: {} }).tool?.kind).toBe("mcp")
  })
})

describe("canonical JSON from any program", () => {
  it("gives every event the fields its handlers are promised", () => {
    expect(decode("raw", "prompt.submit", { session: "s", prompt: "hi", note: 1 })).toMatchObject({
      session: "s",
      events: [{ event: "prompt.submit", data: { prompt: "hi", note: 1 } }]
    })
    expect(decode("raw", "turn.stop", {}).events[0].data).toEqual({ stopHookActive: false })
    expect(decode("raw", "prompt.submit", { prompt: 7 })).toMatchObject({
      drift: ["prompt"],
      events: [{ data: { prompt: "" } }]
    })
  })

  it("takes a tool and derives from it", () => {
    const tool = { name: "sh", command: "make", exitCode: 2, response: "error: no rule" }
    expect(decode("raw", "tool.after", { tool }).tool).toMatchObject({ kind: "shell", input: null })
    expect(derived("raw", "tool.after", { tool }).map(({ event }) => event)).toEqual([
      "command.ran",
      "error.observed"
    ])
  })

  it("passes any other name through", () => {
    expect(decode("raw", "deploy.before", { target: "x" }).events).toEqual([
      { event: "agent.deploy.before", data: { target: "x" } }
    ])
  })
})

describe("nonsense is survived", () => {
  const hostile = JSON.parse(
    '{"__proto__":{"tool_name":"Bash","polluted":true},"constructor":1,"session_id":"s","tool_input":{"__proto__":{"command":"x"}}}'
  ) as JsonObject

  it.each(["PreToolUse", "PostToolUse", "__proto__", "constructor", "toString"])(
    "%s with keys of every object",
    (event) => {
      for (const agent of settingsAgents) {
        const decoded = adapters[agent].decode(event, { ...hostile, tool_name: "constructor" })
        expect(decoded.session).toBe("s")
        expect(decoded.tool?.command).toBeUndefined()
      }
      expect({}).not.toHaveProperty("polluted")
    }
  )

  const big = 10_000_000
  const texts: readonly (readonly [string, string])[] = [
    ["letters", "a".repeat(big)],
    ["slashes", "/a".repeat(big / 2)],
    ["quotes", `"'`.repeat(big / 2)],
    ["newlines", "\n".repeat(big)],
    ["exit codes", "\nExit Code: 1".repeat(big / 13)],
    ["patch headers", "*** Update File: a\n".repeat(big / 19)],
    ["errors", "error \u001b[0m/x".repeat(big / 13)]
  ]

  it.each(texts)("ten megabytes of %s", (_, text) => {
    const started = process.cpuUsage()
    decode("claude-code", "PostToolUseFailure", {
      tool_name: "Bash",
      tool_input: { command: text },
      error: text
    })
    decode("codex", "PostToolUse", {
      tool_name: "apply_patch",
      tool_input: { command: text },
      tool_response: `Exit code: 1\n${text}`
    })
    decode("gemini-cli", "AfterTool", {
      tool_name: "run_shell_command",
      tool_input: { command: text },
      tool_response: { llmContent: `Output: ${text}\nExit Code: 1`, error: { message: text } }
    })
    decode("claude-code", "PostToolBatch", {
      tool_calls: [{ tool_name: "Edit", tool_input: {}, tool_response: `<tool_use_error>${text}` }]
    })
    // Linear takes a few hundred milliseconds; quadratic would take days. Of the process's own time: others may want the machine.
    expect(process.cpuUsage(started).user).toBeLessThan(60_000_000)
  })
})
