/** What the adapter of GitHub Copilot CLI makes of tool calls, and in which words it says what hooks want. */
import { describe, expect, it } from "vitest"
import { blockingFeedback, type Intent, modelContext } from "../../../events/intents.ts"
import { adapters } from "../../../src/agents/adapters.ts"
import { fold } from "../../../src/agents/reply.ts"

const { decode, encode } = adapters.copilot

const ranWith = (tool_name: string, tool_input: Readonly<Record<string, string>>, text: string) =>
  decode("PostToolUse", {
    tool_name,
    tool_input,
    tool_result: { result_type: "success", text_result_for_llm: text }
  })
const told = (event: string, ...intents: readonly Intent[]) =>
  encode(event, "command", fold(intents), { kind: "shell", name: "Bash", input: { command: "ls", a: 1 } })

describe("a tool call", () => {
  it("of the shell has its exit code, which stands at the end of the text alone", () => {
    const failed = ranWith(
      "Bash",
      { command: "npm test" },
      "2 failed\n<shellId: 0 completed with exit code 3>"
    )
    expect(failed.tool).toMatchObject({ kind: "shell", command: "npm test", exitCode: 3, ok: false })
    expect(failed.events).toContainEqual(
      expect.objectContaining({
        event: "error.observed",
        data: expect.objectContaining({ message: "2 failed" })
      })
    )
    expect(
      ranWith("Bash", { command: "ls" }, "a\n<shellId: 0 completed with exit code 0>").tool
    ).toMatchObject({
      exitCode: 0,
      ok: true
    })
    const running = ranWith("Bash", { command: "sleep 9" }, "<shellId: 0 is still running>").tool
    expect(running).not.toHaveProperty("exitCode")
    expect(running).toMatchObject({ ok: true })
  })

  it("that edits tells which file", () => {
    expect(ranWith("Write", { path: "/p/a", file_text: "x" }, "Created").tool).toMatchObject({
      kind: "edit",
      path: "/p/a"
    })
  })
})

describe("a reply", () => {
  it("blocks a call as JSON, because by exit code the reason is lost", () => {
    const { exitCode, otherwise, stderr, stdout } = told("PreToolUse", blockingFeedback("no"))
    expect(JSON.parse(stdout)).toEqual({ permissionDecision: "deny", permissionDecisionReason: "no" })
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" })
    expect(otherwise).toEqual({ stderr: "no\n", exitCode: 2 })
  })

  it("changes the whole input, and a result only for a text", () => {
    const changed = told("PreToolUse", modelContext({ updatedInput: { command: "pwd" } }))
    expect(JSON.parse(changed.stdout)).toEqual({ modifiedArgs: { command: "pwd", a: 1 } })
    expect(JSON.parse(told("PostToolUse", modelContext({ updatedOutput: "b" })).stdout)).toEqual({
      modifiedResult: { resultType: "success", textResultForLlm: "b" }
    })
    expect(told("PostToolUse", modelContext({ updatedOutput: 7 }))).toMatchObject({
      stdout: "",
      carried: { output: { undeliverable: "Copilot CLI takes a text as a changed output" } }
    })
  })
})
