/** What was said, read from files as the real agents write them. */
import { execFileSync } from "node:child_process"
import { appendFileSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { entriesOf, maxBytes, readTranscript } from "../../../src/runtime/services/readTranscript.ts"

const file = (agent: string) =>
  fileURLToPath(new URL(`../../support/transcripts/${agent}.jsonl`, import.meta.url))
const recorded = (agent: string) => entriesOf(readFileSync(file(agent), "utf8"))
const plain = (agent: string) => recorded(agent).map(({ at: _, ...entry }) => entry)
const scratch = (text: string): string => {
  const path = join(mkdtempSync(join(homedir(), "transcript-")), "t.jsonl")
  writeFileSync(path, text)
  return path
}

const fromUser = { role: "user", text: "Do the work." }
const done = { role: "assistant", text: "All done. Shall I go on?" }

describe("a transcript", () => {
  it("of Claude Code: what was said, and the tools between", () => {
    expect(plain("claude-code")).toEqual([
      fromUser,
      {
        role: "assistant",
        text: "",
        tool: "Bash",
        input: { command: "echo hello && ls nothere", description: "run a command" }
      },
      {
        role: "tool",
        text: "Exit code 2\nhello\nls: cannot access 'nothere': No such file or directory",
        tool: "Bash"
      },
      { role: "assistant", text: "", tool: "Write", input: { file_path: "new.txt", content: "text\n" } },
      { role: "tool", text: expect.stringContaining("File created successfully at: new.txt"), tool: "Write" },
      done
    ])
  })

  it("of Codex", () => {
    expect(plain("codex")).toEqual([
      fromUser,
      { role: "assistant", text: "", tool: "exec_command", input: { cmd: "echo hello && ls nothere" } },
      { role: "tool", text: expect.stringContaining("Process exited with code 2"), tool: "exec_command" },
      {
        role: "assistant",
        text: "",
        tool: "apply_patch",
        input: expect.stringContaining("*** Add File: new.txt")
      },
      {
        role: "tool",
        text: expect.stringContaining("Success. Updated the following files"),
        tool: "apply_patch"
      },
      done
    ])
  })

  it("of Gemini CLI, which writes a message again as it grows", () => {
    expect(plain("gemini-cli")).toEqual([
      fromUser,
      {
        role: "assistant",
        text: "",
        tool: "run_shell_command",
        input: { command: "echo hello && ls nothere" }
      },
      { role: "tool", text: expect.stringContaining("Exit Code: 2"), tool: "run_shell_command" },
      { role: "assistant", text: "", tool: "write_file", input: { file_path: "new.txt", content: "text\n" } },
      { role: "tool", text: expect.stringContaining("Successfully created"), tool: "write_file" },
      done
    ])
  })

  it.each(["claude-code", "codex", "gemini-cli"])("of %s says when", (agent) => {
    for (const { at } of recorded(agent)) expect(at).toMatch(/^2026-11-21T20:04:\d\d\.\d+Z$/)
  })

  it("of an older Gemini CLI is one document", () => {
    const messages = [
      { id: "1", type: "user", content: "Hello" },
      { id: "2", type: "gemini", content: "Hi", toolCalls: [{ id: "c", name: "ls", args: { path: "." } }] }
    ]
    expect(entriesOf(JSON.stringify({ sessionId: "s", messages }, null, 2))).toEqual([
      { role: "user", text: "Hello" },
      { role: "assistant", text: "Hi" },
      { role: "assistant", text: "", tool: "ls", input: { path: "." } }
    ])
  })

  it("of a subagent, and what the agent says to itself, is left out", () => {
    const line = (over: object) =>
      JSON.stringify({ type: "user", message: { role: "user", content: "said" }, ...over })
    expect(entriesOf(line({}))).toHaveLength(1)
    expect(entriesOf(line({ isSidechain: true }))).toEqual([])
    expect(entriesOf(line({ isMeta: true }))).toEqual([])
  })
})

describe("reading one", () => {
  it("gives the newest, and says that there is more", () => {
    expect(readTranscript(file("codex"), 2)).toMatchObject({
      entries: [{ tool: "apply_patch" }, done],
      truncated: true
    })
    expect(readTranscript(file("codex"), undefined)).toMatchObject({ truncated: false })
  })

  it("reads the end of a long file only, from a whole line on", () => {
    const line = (n: number) =>
      `${JSON.stringify({ type: "user", message: { role: "user", content: `${n} ${"x".repeat(4000)}` } })}\n`
    const path = scratch("")
    const lines = Math.ceil((maxBytes * 1.5) / line(1).length)
    for (let n = 0; n < lines; n += 100)
      appendFileSync(path, Array.from({ length: 100 }, (_, at) => line(n + at)).join(""))
    const { entries, truncated } = readTranscript(path, 3)
    expect(truncated).toBe(true)
    expect(entries).toHaveLength(3)
    expect(entries.every(({ text }) => /^\d+ x+$/.test(text))).toBe(true)
  })

  it.each([
    [undefined, /does not say where/],
    [7, /does not say where/],
    ["relative.jsonl", /no absolute path/],
    ["/nowhere/at/all.jsonl", /is not there/]
  ])("of %j says what is wrong", (path, problem) => {
    expect(readTranscript(path, undefined)).toEqual({
      entries: [],
      truncated: false,
      problem: expect.stringMatching(problem)
    })
  })

  it.skipIf(process.platform === "win32")("waits for no pipe, and says what is wrong", () => {
    const path = `${scratch("")}.pipe`
    execFileSync("mkfifo", [path])
    expect(readTranscript(path, undefined)).toEqual({
      entries: [],
      truncated: false,
      problem: `${path} is not a file`
    })
  })

  it("survives lines that are torn, foreign, or strange", () => {
    const text = [
      "not json",
      "[1,2]",
      '{"type":"user"}',
      '{"type":"user","message":{"content":[null,7,{"type":"tool_result","content":{"a":1}}]}}',
      '{"type":"response_item","payload":null}',
      '{"type":"gemini","content":[{"functionResponse":{}}],"toolCalls":"x"}',
      '{"type":"user","message":{"role":"user","content":"kept"}}',
      '{"type":"user","message":{"role":"us'
    ].join("\n")
    expect(readTranscript(scratch(text), undefined).entries).toEqual(
      expect.arrayContaining([{ role: "user", text: "kept" }])
    )
    expect(readTranscript(scratch("nothing of it\n"), undefined).problem).toMatch(/known shape/)
  })
})
