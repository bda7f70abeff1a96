/** What the adapters of Cursor, Windsurf and Droid make of tool calls and ends of turns, as far as their vendors document them. */
import { mkdtempSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { blockingFeedback, type Intent, type JsonObject, modelContext } from "../../../events/intents.ts"
import { adapters } from "../../../src/agents/adapters.ts"
import { placeOf } from "../../../src/agents/place.ts"
import { fold } from "../../../src/agents/reply.ts"

const cursor = (event: string, payload: JsonObject) => adapters.cursor.decode(event, payload)
const windsurf = (event: string, tool_info: JsonObject) => adapters.windsurf.decode(event, { tool_info })
const derived = ({ events }: ReturnType<typeof cursor>) => events.slice(1)

describe("Cursor", () => {
  it("a shell call is the same by each of its events", () => {
    const command = { kind: "shell", name: "Shell", command: "npm test" }
    const tool_input = { command: "npm test" }
    expect(cursor("preToolUse", { tool_name: "Shell", tool_input }).tool).toMatchObject(command)
    expect(cursor("beforeShellExecution", { command: "npm test", cwd: "/p" })).toMatchObject({
      cwd: "/p",
      tool: command,
      events: [{ event: "tool.before", data: {} }]
    })
    const ran = cursor("postToolUse", {
      tool_name: "Shell",
      tool_input,
      tool_output: '{"exitCode":1,"stdout":"1 failed","stderr":"Error: no"}',
      duration: 12
    })
    expect(ran.tool).toMatchObject({ ...command, exitCode: 1, ok: false })
    expect(ran.events[0].data).toEqual({ durationMs: 12 })
    expect(derived(ran)).toMatchObject([
      { event: "command.ran", data: { command: "npm test", exitCode: 1, output: "1 failed\nError: no" } },
      { event: "error.observed", data: { tool: "Shell", message: "1 failed\nError: no" } }
    ])
    const after = cursor("afterShellExecution", { command: "npm test", output: "ok" })
    expect(derived(after)).toEqual([{ event: "command.ran", data: { command: "npm test", output: "ok" } }])
    expect(after.tool).not.toHaveProperty("ok")
  })

  it("edits are told with their path, deletions as such", () => {
    const wrote = {
      tool_name: "Write",
      tool_input: { file_path: "/p/a.ts", contents: "" },
      tool_output: "{}"
    }
    const change = (payload: JsonObject, event = "postToolUse") => derived(cursor(event, payload))[0]?.data
    expect(change(wrote)).toEqual({ path: "/p/a.ts", change: "update", language: "typescript" })
    expect(change({ ...wrote, tool_name: "Delete", tool_input: { path: "/p/a.py" } })).toMatchObject({
      path: "/p/a.py",
      change: "delete"
    })
    expect(change({ file_path: "/p/b.ts", edits: [] }, "afterFileEdit")).toMatchObject({ path: "/p/b.ts" })
  })

  it("MCP input and results come as texts and are read", () => {
    const call = { tool_name: "create_issue", tool_input: '{"title":"Bug"}' }
    expect(cursor("beforeMCPExecution", call).tool).toEqual({
      kind: "mcp",
      name: "create_issue",
      input: { title: "Bug" }
    })
    expect(cursor("beforeMCPExecution", { ...call, tool_input: "{broken" }).tool?.input).toBe("{broken")
    const failed = { ...call, result_json: '{"isError":true,"content":[{"type":"text","text":"denied"}]}' }
    expect(derived(cursor("afterMCPExecution", failed))).toMatchObject([
      { event: "error.observed", data: { message: "denied", tool: "create_issue" } }
    ])
    expect(cursor("preToolUse", { tool_name: "MCP:create_issue", tool_input: {} }).tool?.kind).toBe("mcp")
  })

  it("a failure is one unless the user stopped it", () => {
    const failure = { tool_name: "Shell", tool_input: { command: "sleep 9" }, error_message: "timed out" }
    const of = (more: JsonObject) => derived(cursor("postToolUseFailure", { ...failure, ...more }))
    expect(of({}).map(({ event }) => event)).toEqual(["command.ran", "error.observed"])
    expect(of({ is_interrupt: true }).map(({ event }) => event)).toEqual(["command.ran"])
  })

  it("the end of a turn says how it ended, and an answer is one", () => {
    const event = (status: string) => cursor("stop", { status, loop_count: 2 }).events[0]
    expect(event("completed")).toEqual({ event: "turn.stop", data: { stopHookActive: true } })
    expect(event("error").event).toBe("turn.error")
    expect(event("aborted").event).toBe("turn.interrupt")
    expect(cursor("afterAgentResponse", { text: "done" }).events).toEqual([
      { event: "model.after", data: { text: "done" } },
      { event: "response.given", data: { text: "done" } }
    ])
  })

  it("calls of the user's hooks take place in the project, which a variable names", () => {
    const project = mkdtempSync(join(homedir(), "project-"))
    expect(placeOf("cursor", "/elsewhere", () => project)).toBe(project)
    expect(placeOf("cursor", "/elsewhere", () => `${project}/gone`)).toBe("/elsewhere")
    expect(placeOf("cursor", "/elsewhere", () => ".")).toBe("/elsewhere")
    expect(placeOf("cursor", "/elsewhere", () => undefined)).toBe("/elsewhere")
    expect(placeOf("codex", "/elsewhere", () => project)).toBe("/elsewhere")
  })
})

describe("Windsurf", () => {
  it("tells what is done, and handlers see the kind of tool that does it", () => {
    expect(windsurf("pre_run_command", { command_line: "ls", cwd: "/p" })).toMatchObject({
      cwd: "/p",
      tool: { kind: "shell", command: "ls" }
    })
    expect(windsurf("pre_read_code", { file_path: "/p/a" }).tool).toMatchObject({
      kind: "read",
      path: "/p/a"
    })
    const mcp = { mcp_server_name: "github", mcp_tool_name: "list", mcp_tool_arguments: { a: 1 } }
    expect(windsurf("pre_mcp_tool_use", mcp).tool).toEqual({
      kind: "mcp",
      name: "github/list",
      input: { a: 1 }
    })
  })

  it("derives edits, commands without an exit code, and answers under both of their names", () => {
    const told = (event: string, info: JsonObject) => derived(windsurf(event, info))
    expect(told("post_write_code", { file_path: "/p/a.go", edits: [] })).toEqual([
      { event: "file.edited", data: { path: "/p/a.go", change: "update", language: "go" } }
    ])
    expect(told("post_run_command", { command_line: "ls" })).toEqual([
      { event: "command.ran", data: { command: "ls", output: "" } }
    ])
    for (const name of ["response", "cascade_response"])
      expect(told("post_cascade_response", { [name]: "done" })).toEqual([
        { event: "response.given", data: { text: "done" } }
      ])
  })

  it("one wrong field does not cost the others, and is named where it stands", () => {
    const decoded = windsurf("pre_run_command", { command_line: "rm -rf /", cwd: 7 })
    expect(decoded).toMatchObject({ cwd: null, tool: { command: "rm -rf /" }, drift: ["tool_info.cwd"] })
    expect(adapters.windsurf.decode("pre_run_command", { tool_info: 7 }).drift).toEqual(["tool_info"])
  })
})

describe("Droid", () => {
  const droid = (event: string, payload: JsonObject) => adapters.droid.decode(event, payload)

  it("says the same in either case", () => {
    for (const stop of [{ stopHookActive: true }, { stop_hook_active: true }])
      expect(droid("Stop", { ...stop, sessionId: "s" })).toMatchObject({
        session: "s",
        drift: [],
        events: [{ event: "turn.stop", data: { stopHookActive: true } }]
      })
    for (const compaction of [{ customInstructions: "short" }, { custom_instructions: "short" }])
      expect(droid("PreCompact", { ...compaction, trigger: "manual" }).events[0].data).toEqual({
        trigger: "manual",
        instructions: "short"
      })
  })

  it("tools are known under the names of its pages and the earlier ones", () => {
    const tool = (tool_name: string, tool_input: JsonObject) =>
      droid("PreToolUse", { tool_name, tool_input }).tool
    for (const name of ["Execute", "Bash"])
      expect(tool(name, { command: "ls" })).toMatchObject({ kind: "shell", command: "ls" })
    for (const name of ["Create", "Write", "Edit"])
      expect(tool(name, { file_path: "/a" })).toMatchObject({ kind: "edit", path: "/a" })
    expect(
      tool("ApplyPatch", { input: "*** Begin Patch\n*** Add File: a.ts\n+x\n*** End Patch" })
    ).toMatchObject({
      kind: "edit",
      path: "a.ts"
    })
    expect(tool("mcp__github__search", {})).toMatchObject({ kind: "mcp" })
    expect(tool("constructor", {})).toMatchObject({ kind: "other" })
  })

  it("what ran is told with its text, and no exit code that its pages do not name", () => {
    const { events, tool } = droid("PostToolUse", {
      tool_name: "Execute",
      tool_input: { command: "npm test" },
      tool_response: "12 passed"
    })
    expect(events.slice(1)).toEqual([
      { event: "command.ran", data: { command: "npm test", output: "12 passed" } }
    ])
    expect(tool).toMatchObject({ ok: true })
    const created = droid("PostToolUse", {
      tool_name: "Create",
      tool_input: { file_path: "/a.ts" },
      tool_response: { success: true }
    })
    expect(created.events[1]?.data).toMatchObject({ path: "/a.ts", change: "create" })
  })

  it("is denied, asked and changed in Claude Code's words", () => {
    const told = (...intents: readonly Intent[]) =>
      adapters.droid.encode("PreToolUse", "command", fold(intents), {
        kind: "shell",
        name: "Execute",
        input: { command: "ls" }
      })
    const specific = (more: JsonObject) =>
      `${JSON.stringify({ hookSpecificOutput: { ...more, hookEventName: "PreToolUse" } })}\n`
    const parsed = (text: string) => JSON.parse(text) as JsonObject
    expect(parsed(told(blockingFeedback("no")).stdout)).toEqual(
      parsed(specific({ permissionDecision: "deny", permissionDecisionReason: "no" }))
    )
    expect(parsed(told(modelContext({ permission: "ask", reason: "sure?" })).stdout)).toEqual(
      parsed(specific({ permissionDecision: "ask", permissionDecisionReason: "sure?" }))
    )
    expect(parsed(told(modelContext({ updatedInput: { command: "pwd" } })).stdout)).toEqual(
      parsed(specific({ updatedInput: { command: "pwd" } }))
    )
    expect(told(modelContext("look")).carried.context).toHaveProperty("undeliverable")
  })
})
