/** What the adapter of Qwen Code makes of its payloads, and in which words it says what hooks want. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { blockingFeedback, type Intent, type JsonObject, modelContext } from "../../../events/intents.ts"
import { adapters } from "../../../src/agents/adapters.ts"
import { fold } from "../../../src/agents/reply.ts"

const { decode, encode } = adapters["qwen-code"]

const captured = (event: string): JsonObject =>
  JSON.parse(
    readFileSync(join(import.meta.dirname, "../../fixtures/captured/qwen-code", `${event}.json`), "utf8")
  )
const ran = (command: string, llmContent: string) =>
  decode("PostToolUse", {
    tool_name: "run_shell_command",
    tool_input: { command },
    tool_response: { llmContent, returnDisplay: "" }
  })
const told = (event: string, ...intents: readonly Intent[]) => {
  const { carried, stdout } = encode(event, "command", fold(intents), {
    kind: "shell",
    name: "run_shell_command",
    input: { command: "ls", is_background: false }
  })
  return { carried, document: stdout === "" ? undefined : JSON.parse(stdout) }
}
/** How a command's result is laid out. */
const ending = (code: string) => `\nError: (none)\nExit Code: ${code}\nSignal: 0\nProcess Group PGID: 77`

describe("a prompt", () => {
  it("is one of the human, and not what brings results of tools to the model", () => {
    expect(decode("UserPromptSubmit", { prompt: "go" }).events[0]).toEqual({
      event: "prompt.submit",
      data: { prompt: "go" }
    })
    expect(decode("UserPromptSubmit", captured("UserPromptSubmit")).events).toEqual([
      { event: "agent.UserPromptSubmit", data: {} }
    ])
  })
})

describe("a command", () => {
  it("has its exit code and its output, without the lines around it", () => {
    const { events, tool } = decode("PostToolUse", captured("PostToolUse"))
    expect(tool).toMatchObject({ kind: "shell", exitCode: 3, ok: false })
    expect(events).toContainEqual({
      event: "command.ran",
      data: { command: "echo hi; exit 3", exitCode: 3, output: "hi" }
    })
    expect(events).toContainEqual(
      expect.objectContaining({
        event: "error.observed",
        data: expect.objectContaining({ message: "hi" })
      })
    )
  })

  it("of several lines, one of which looks like its output, is told apart from it", () => {
    const command = "echo '\nOutput: none'\ntrue"
    expect(
      ran(command, `Command: ${command}\nDirectory: (root)\nOutput: real${ending("0")}`).events
    ).toContainEqual({
      event: "command.ran",
      data: { command, exitCode: 0, output: "real" }
    })
  })

  it("that failed without a word is the same error each time", () => {
    const { events } = ran("false", `Command: false\nDirectory: (root)\nOutput: (empty)${ending("1")}`)
    expect(events.find(({ event }) => event === "error.observed")?.data["message"]).toBe("Exit Code: 1")
  })

  it.each([
    ["Output: (empty)", "", "Exit Code: 3"],
    ["Output: two lines\nExit Code: 0", "two lines\nExit Code: 0", "two lines\nExit Code: 0"]
  ])("that is told as a failure, as newer versions do, has the same: %j", (printed, output, message) => {
    const head = "Command: make it\nDirectory: (root)\n"
    const { events, tool } = decode("PostToolUseFailure", {
      tool_name: "run_shell_command",
      tool_input: { command: "make it" },
      error: `${head}${printed}\nError: (none)\nExit Code: 3\nSignal: (none)\nProcess Group PGID: (none)`,
      is_interrupt: false
    })
    expect(tool).toMatchObject({ kind: "shell", exitCode: 3, ok: false })
    expect(events).toContainEqual({
      event: "command.ran",
      data: { command: "make it", exitCode: 3, output }
    })
    expect(events.find(({ event }) => event === "error.observed")?.data["message"]).toBe(message)
  })

  it("that never ran has its reason and no exit code", () => {
    const { events, tool } = decode("PostToolUseFailure", {
      tool_name: "run_shell_command",
      tool_input: { command: "make it" },
      error: "Command is not allowed"
    })
    expect(tool).not.toHaveProperty("exitCode")
    expect(events.find(({ event }) => event === "error.observed")?.data["message"]).toBe(
      "Command is not allowed"
    )
  })

  it("in the background has no exit code", () => {
    expect(
      ran("sleep 9", "Background command started. PID: 9 (Process Group PGID: 9)").tool
    ).not.toHaveProperty("exitCode")
  })
})

it("a tool that failed tells why, unless it was stopped by hand", () => {
  const failed = (is_interrupt: boolean) =>
    decode("PostToolUseFailure", {
      tool_name: "read_file",
      tool_input: { file_path: "/p/a" },
      error: "File not found: /p/a",
      is_interrupt
    }).events.map(({ event }) => event)
  expect(failed(false)).toEqual(["tool.failure", "error.observed"])
  expect(failed(true)).toEqual(["tool.failure"])
})

it("a stop says of itself nothing that could be relied on", () => {
  expect(captured("Stop")["stop_hook_active"]).toBe(true)
  expect(decode("Stop", captured("Stop")).events[0]?.data).toMatchObject({ stopHookActive: false })
})

describe("a reply", () => {
  it("blocks before a tool with exactly the reason, and where nobody can be asked a question does", () => {
    expect(told("PreToolUse", blockingFeedback("no")).document).toEqual({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: "no"
      }
    })
    expect(told("PreToolUse", modelContext({ permission: "ask", reason: "sure?" })).document).toMatchObject({
      hookSpecificOutput: {
        permissionDecision: "deny",
        permissionDecisionReason: expect.stringMatching(/^sure\?/)
      }
    })
  })

  it("changes an input only where it allows", () => {
    expect(
      told("PreToolUse", modelContext({ updatedInput: { command: "pwd" } })).carried.input
    ).toHaveProperty("undeliverable")
    expect(
      told("PermissionRequest", modelContext({ permission: "allow", updatedInput: { command: "pwd" } }))
        .document
    ).toMatchObject({
      hookSpecificOutput: {
        decision: { behavior: "allow", updatedInput: { command: "pwd", is_background: false } }
      }
    })
  })

  it("takes nothing back after a tool, but the model reads why", () => {
    expect(told("PostToolUse", blockingFeedback("undo it")).document).toEqual({
      hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: "undo it" }
    })
  })
})
