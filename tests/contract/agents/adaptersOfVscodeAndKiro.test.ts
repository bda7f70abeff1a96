/** What the adapters of VS Code and Kiro make of calls and ends of turns, and what they answer, as far as their makers say. */
import { describe, expect, it } from "vitest"
import {
  blockingFeedback,
  exitSignal,
  type Intent,
  type JsonObject,
  modelContext,
  userHint
} from "../../../events/intents.ts"
import { adapters } from "../../../src/agents/adapters.ts"
import { fold } from "../../../src/agents/reply.ts"

const decoded = (agent: "vscode" | "kiro") => (event: string, payload: JsonObject) =>
  adapters[agent].decode(event, payload)
const answered =
  (agent: "vscode" | "kiro") =>
  (event: string, ...intents: readonly Intent[]) =>
    adapters[agent].encode(event, "command", fold(intents), {
      kind: "shell",
      name: "run",
      command: "ls",
      input: { command: "ls", isBackground: false }
    })
const document = ({ stdout }: { readonly stdout: string }) => JSON.parse(stdout) as JsonObject

describe("VS Code", () => {
  const vscode = decoded("vscode")
  const told = answered("vscode")

  it("says its session in either of the spellings that it has for it", () => {
    for (const session of [{ session_id: "s" }, { sessionId: "s" }])
      expect(vscode("Stop", { ...session, stop_hook_active: true, transcript_path: null })).toMatchObject({
        session: "s",
        drift: [],
        events: [{ event: "turn.stop", data: { stopHookActive: true } }]
      })
  })

  it("tells of a command what it printed, and not how it ended", () => {
    const ran = vscode("PostToolUse", {
      tool_name: "run_in_terminal",
      tool_input: { command: "npm test" },
      tool_response: "12 passed",
      tool_use_id: "call_1"
    })
    expect(ran.toolUseId).toBe("call_1")
    expect(ran.tool).not.toHaveProperty("ok")
    expect(ran.events.slice(1)).toEqual([
      { event: "command.ran", data: { command: "npm test", output: "12 passed" } }
    ])
  })

  it("tells of edits every file, and which are new or gone", () => {
    const changed = (tool_name: string, tool_input: JsonObject) =>
      vscode("PostToolUse", { tool_name, tool_input, tool_response: "done" })
        .events.slice(1)
        .map(({ data }) => data)
    expect(changed("create_file", { filePath: "/p/a.ts", content: "" })).toMatchObject([
      { path: "/p/a.ts", change: "create" }
    ])
    expect(changed("deleteFile", { path: "/p/a.ts" })).toMatchObject([{ change: "delete" }])
    const replacements = [{ filePath: "/p/a.ts" }, { filePath: "/p/b.ts" }]
    expect(changed("multi_replace_string_in_file", { replacements })).toMatchObject([
      { path: "/p/a.ts", change: "update" },
      { path: "/p/b.ts", change: "update" }
    ])
    expect(changed("read_file", { filePath: "/p/a.ts" })).toEqual([])
  })

  it("is denied, asked, changed and told at once before a tool", () => {
    const specific = (reply: { readonly stdout: string }) => document(reply)["hookSpecificOutput"]
    expect(specific(told("PreToolUse", blockingFeedback("no"), modelContext("look")))).toEqual({
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: "no",
      additionalContext: "look"
    })
    expect(specific(told("PreToolUse", modelContext({ permission: "ask", reason: "sure?" })))).toEqual({
      hookEventName: "PreToolUse",
      permissionDecision: "ask",
      permissionDecisionReason: "sure?"
    })
    // It checks the whole input against the tool's own schema.
    expect(specific(told("PreToolUse", modelContext({ updatedInput: { command: "pwd" } })))).toEqual({
      hookEventName: "PreToolUse",
      updatedInput: { command: "pwd", isBackground: false }
    })
    expect(told("PreToolUse", blockingFeedback("no")).otherwise).toEqual({ stderr: "no\n", exitCode: 2 })
  })

  it("is kept going one level down at a stop, and by exit code at a subagent's, where its makers differ", () => {
    expect(document(told("Stop", blockingFeedback("go on")))).toEqual({
      hookSpecificOutput: { hookEventName: "Stop", decision: "block", reason: "go on" }
    })
    for (const event of ["SubagentStop", "UserPromptSubmit"])
      expect(told(event, blockingFeedback("no"))).toMatchObject({ stdout: "", stderr: "no\n", exitCode: 2 })
    expect(document(told("PostToolUse", blockingFeedback("no")))).toEqual({ decision: "block", reason: "no" })
  })

  it("shows hints at every event, and hears no block where nothing can be stopped", () => {
    for (const event of Object.keys(adapters.vscode.events))
      expect(document(told(event, userHint("hello"))), event).toEqual({ systemMessage: "hello" })
    for (const event of ["SessionStart", "SubagentStart", "PreCompact"])
      expect(told(event, blockingFeedback("no")).carried.block, event).toHaveProperty("undeliverable")
  })
})

describe("Kiro", () => {
  const kiro = decoded("kiro")
  const told = answered("kiro")

  it("may say no session, and then there is none", () => {
    expect(kiro("PreToolUse", { hook_event_name: "preToolUse", cwd: "/p" })).toMatchObject({
      session: null,
      cwd: "/p",
      drift: []
    })
  })

  it("says how a command ended, as a text", () => {
    const ran = (exit_status: string | number, success = true) =>
      kiro("PostToolUse", {
        tool_name: "execute_bash",
        tool_input: { command: "npm test" },
        tool_response: { success, result: [{ exit_status, stdout: "1 failed", stderr: "oh" }] }
      })
    expect(ran("1").tool).toMatchObject({ exitCode: 1, ok: false })
    expect(ran("1").events.slice(1)).toMatchObject([
      { event: "command.ran", data: { exitCode: 1, output: "1 failed\noh" } },
      { event: "error.observed", data: { message: "1 failed\noh" } }
    ])
    expect(ran(0).tool).toMatchObject({ exitCode: 0, ok: true })
    expect(ran("0", false).tool).toMatchObject({ ok: false })
    const text = { tool_name: "shell", tool_input: { command: "ls" }, tool_response: "a\nb" }
    expect(kiro("PostToolUse", text).events[1]?.data).toEqual({ command: "ls", output: "a\nb" })
  })

  it("tells edits, and which are new or gone", () => {
    const changed = (tool_name: string, tool_input: JsonObject, success = true) =>
      kiro("PostToolUse", { tool_name, tool_input, tool_response: { success, result: [""] } }).events[1]?.data
    expect(changed("fs_write", { command: "create", path: "/p/a.ts" })).toMatchObject({ change: "create" })
    expect(changed("str_replace", { path: "/p/a.ts" })).toMatchObject({ path: "/p/a.ts", change: "update" })
    expect(changed("delete_file", { path: "/p/a.ts" })).toMatchObject({ change: "delete" })
    expect(changed("str_replace", { path: "/p/a.ts" }, false)).not.toHaveProperty("path")
  })

  it("says its last words under a name of its own", () => {
    expect(kiro("Stop", { assistant_response: "done" }).events).toEqual([
      { event: "turn.stop", data: { stopHookActive: false, lastMessage: "done" } },
      { event: "response.given", data: { text: "done" } }
    ])
  })

  it("is stopped by exit code, and kept going by a document", () => {
    for (const event of ["PreToolUse", "UserPromptSubmit", "PostToolUse"])
      expect(told(event, blockingFeedback("no"))).toMatchObject({ stdout: "", stderr: "no\n", exitCode: 2 })
    expect(document(told("Stop", blockingFeedback("go on")))).toEqual({ decision: "block", reason: "go on" })
    expect(told("PreToolUse", exitSignal(2)).carried.exit).toHaveProperty("undeliverable")
  })

  it("can ask nobody: a question stops the call, with what to do instead", () => {
    const { exitCode, stderr } = told("PreToolUse", modelContext({ permission: "ask", reason: "sure?" }))
    expect(exitCode).toBe(2)
    expect(stderr).toContain("sure?")
    expect(stderr).toContain("Kiro has no question that a hook could answer")
    expect(told("PreToolUse", modelContext({ permission: "ask", ifCannotAsk: "allow" }))).toMatchObject({
      stdout: "",
      exitCode: 0
    })
  })

  it("reads text for the model in a document of one field, where it reads any", () => {
    for (const event of ["SessionStart", "UserPromptSubmit"])
      expect(document(told(event, modelContext("look"))), event).toEqual({ additionalContext: "look" })
    // Whatever stands there is put before the model, or is a broken document.
    for (const event of ["PreToolUse", "PostToolUse", "Stop"])
      expect(told(event, modelContext("look"), userHint("h")), event).toMatchObject({
        stdout: "",
        exitCode: 0
      })
  })
})
