/** What the adapter of Cline makes of its payloads, and in which words it says what hooks want. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import {
  blockingFeedback,
  type Intent,
  type Json,
  type JsonObject,
  modelContext,
  userHint
} from "../../../events/intents.ts"
import { adapters } from "../../../src/agents/adapters.ts"
import { fold } from "../../../src/agents/reply.ts"

const { decode, encode } = adapters.cline

const captured = (event: string): JsonObject =>
  JSON.parse(
    readFileSync(join(import.meta.dirname, "../../fixtures/captured/cline", `${event}.json`), "utf8")
  )
const ran = (tool_name: string, tool_input: JsonObject, tool_response: Json) =>
  decode("PostToolUse", { tool_name, tool_input, tool_response })
const told = (event: string, ...intents: readonly Intent[]) => {
  const { carried, stdout } = encode(event, "command", fold(intents), {
    kind: "shell",
    name: "run_commands",
    input: { commands: ["ls"] }
  })
  return { carried, document: stdout === "" ? undefined : JSON.parse(stdout) }
}

describe("commands", () => {
  it("of one call are one script, with the exit code of the first that failed and what all of them printed", () => {
    const { events, tool } = decode("PostToolUse", captured("PostToolUse"))
    expect(tool).toMatchObject({
      kind: "shell",
      command: "ls missing; exit 3\necho two",
      exitCode: 3,
      ok: false
    })
    expect(events).toContainEqual({
      event: "command.ran",
      data: {
        command: "ls missing; exit 3\necho two",
        exitCode: 3,
        output: "ls: cannot access 'missing': No such file or directory\ntwo"
      }
    })
    expect(events).toContainEqual(
      expect.objectContaining({
        event: "error.observed",
        data: expect.objectContaining({
          message: "ls: cannot access 'missing': No such file or directory",
          tool: "run_commands"
        })
      })
    )
  })

  it("that went well ended with 0; one that was ended from outside has no code", () => {
    const input = { commands: ["sleep 9"] }
    expect(ran("run_commands", input, [{ query: "sleep 9", result: "", success: true }]).tool).toMatchObject({
      exitCode: 0,
      ok: true
    })
    const { tool } = ran("run_commands", input, [
      { query: "sleep 9", result: "", error: "Command timed out", success: false }
    ])
    expect(tool).toMatchObject({ ok: false })
    expect(tool).not.toHaveProperty("exitCode")
  })

  it("may be objects; what is no list of commands is a shell tool without one", () => {
    expect(
      decode("PreToolUse", { tool_name: "run_commands", tool_input: { commands: [{ command: "ls" }] } }).tool
    ).toMatchObject({
      command: "ls"
    })
    for (const tool_input of [{ commands: "ls" }, { commands: [] }, {}, null, { commands: [7] }])
      expect(decode("PreToolUse", { tool_name: "run_commands", tool_input }).tool).not.toHaveProperty(
        "command"
      )
  })
})

describe("files", () => {
  it("of a patch and of a read are named, and what a patch changed is told", () => {
    const patch = "*** Begin Patch\n*** Add File: a.ts\n+x\n*** Delete File: b.ts\n*** End Patch"
    const { events, tool } = ran(
      "apply_patch",
      { input: patch },
      { query: "apply_patch", result: "", success: true }
    )
    expect(tool).toMatchObject({ kind: "edit", path: "a.ts", paths: ["a.ts", "b.ts"] })
    expect(events.filter(({ event }) => event === "file.edited").map(({ data }) => data)).toMatchObject([
      { path: "a.ts", change: "create" },
      { path: "b.ts", change: "delete" }
    ])
    const read = { tool_name: "read_files", tool_input: { files: [{ path: "/a" }, "/b", 7] } }
    expect(decode("PreToolUse", read).tool).toMatchObject({ kind: "read", path: "/a", paths: ["/a", "/b"] })
  })

  it("that the editor writes are new where nothing of the old is named", () => {
    const changes = [
      { path: "/a", new_text: "x" },
      { path: "/a", new_text: "x", old_text: "y" },
      { path: "/a", new_text: "x", insert_line: 3 }
    ].map((input) => ran("editor", input, { query: "editor", result: "ok", success: true }).events[1]?.data)
    expect(changes).toMatchObject([{ change: "create" }, { change: "update" }, { change: "update" }])
  })
})

it("a tool of an MCP server is known by its name", () => {
  expect(decode("PreToolUse", { tool_name: "docs__search", tool_input: {} }).tool).toMatchObject({
    kind: "mcp"
  })
})

it("a refusal of the human is no error of the work", () => {
  const failure = (more: JsonObject) =>
    decode("PostToolUseFailure", { tool_name: "editor", tool_input: {}, error: "no", ...more }).events.map(
      ({ event }) => event
    )
  expect(failure({})).toContain("error.observed")
  expect(failure({ is_interrupt: true })).not.toContain("error.observed")
})

describe("what hooks want", () => {
  it("before a tool stands in the document that the plugin reads", () => {
    expect(told("PreToolUse", blockingFeedback("no")).document).toEqual({ decision: "block", reason: "no" })
    expect(told("PreToolUse", modelContext({ permission: "ask", reason: "sure?" })).document).toEqual({
      decision: "ask",
      reason: "sure?"
    })
    expect(told("PreToolUse", modelContext({ permission: "allow" })).document).toEqual({ decision: "allow" })
    expect(told("PreToolUse", modelContext({ updatedInput: { commands: ["pwd"] } })).document).toEqual({
      args: { commands: ["pwd"] }
    })
  })

  it("and Cline has no place for is recorded with the reason", () => {
    const { carried, document } = told("PreToolUse", userHint("look"))
    expect(document).toBeUndefined()
    expect(carried.hint).toEqual({ undeliverable: "Cline has no place for a hook's words to the human" })
    expect(told("Stop", blockingFeedback("more")).carried.block).toEqual({
      undeliverable: "Cline has ended the turn already"
    })
    expect(told("PostToolUse", modelContext({ updatedOutput: { a: 1 } })).carried.output).toEqual({
      undeliverable: "Cline takes a text as a changed output"
    })
  })

  it("after a tool reaches the model, a block as well", () => {
    expect(told("PostToolUse", blockingFeedback("undo it")).document).toEqual({ context: "undo it" })
    expect(told("PostToolUseFailure", modelContext("try b")).document).toEqual({ context: "try b" })
  })
})
