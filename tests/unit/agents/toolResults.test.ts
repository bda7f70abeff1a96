/** What results of Claude Code, Codex, Copilot CLI and Cursor tell: whether it went well, exit code, output, files, error. */
import { describe } from "vitest"
import type { Json, JsonObject } from "../../../events/intents.ts"
import { failure, holds, ran } from "../../support/adapters/toolTold.ts"

describe("Claude Code", () => {
  const bash = (response: Json) => ran("Bash", { command: "c" }, response)
  const edit = (name: string, response: Json) => ran(name, { file_path: "/a.ts" }, response)
  holds("claude-code", "PostToolUse", [
    [
      "a command that ended",
      bash({ stdout: "out", stderr: "err" }),
      { ok: true, exitCode: 0, output: "out\nerr" }
    ],
    [
      "its standard error alone",
      bash({ stdout: "", stderr: "err" }),
      { ok: true, exitCode: 0, output: "err" }
    ],
    ["one that was stopped", bash({ stdout: "out", interrupted: true }), { ok: true, output: "out" }],
    ["one in the background", bash({ stdout: "", backgroundTaskId: "b" }), { ok: true, output: "" }],
    ["one whose end is not told", bash({ stderr: "err" }), { ok: true, output: "err" }],
    ["one whose result is a text", bash("just text"), { ok: true, output: "just text" }],
    [
      "a result that is an error",
      bash({ isError: true, content: "no" }),
      { ok: false, output: "no", error: "no" }
    ],
    ["an edit", edit("Edit", {}), { ok: true, change: "update" }],
    ["a file that was made", edit("Edit", { type: "create" }), { ok: true, change: "create" }],
    ["one that was written anew", edit("Write", { originalFile: null }), { ok: true, change: "create" }],
    ["one that was written over", edit("Write", { originalFile: "" }), { ok: true, change: "update" }],
    ["an edit of no new file", edit("Edit", { originalFile: null }), { ok: true, change: "update" }],
    ["an edit that failed", edit("Edit", { is_error: true, text: "no" }), { ok: false, error: "no" }],
    ["what is read", ran("Read", { file_path: "/a.ts" }, { filePath: "/a.ts" }), { ok: true }],
    [
      "an edit whose path the result tells",
      ran("Edit", {}, { filePath: "/b" }),
      { ok: true, change: "update" }
    ],
    ["another tool", ran("Other", {}, { stdout: "x" }), { ok: true }]
  ])
  holds("claude-code", "PostToolUseFailure", [
    [
      "an exit code",
      failure("Bash", { command: "c" }, "Exit code 3\nout\nmore"),
      { ok: false, exitCode: 3, output: "out\nmore", error: "out\nmore" }
    ],
    [
      "an exit code alone",
      failure("Bash", { command: "c" }, "Exit code 3"),
      { ok: false, exitCode: 3, output: "", error: "Exit code 3" }
    ],
    [
      "words",
      failure("Bash", { command: "c" }, "boom\nmore"),
      { ok: false, output: "boom\nmore", error: "boom\nmore" }
    ],
    [
      "an exit code within words",
      failure("Bash", { command: "c" }, "no Exit code 3\nx"),
      { ok: false, output: "no Exit code 3\nx", error: "no Exit code 3\nx" }
    ],
    [
      "what was stopped",
      failure("Bash", { command: "c" }, "stopped", { is_interrupt: true }),
      { ok: false, output: "stopped" }
    ],
    ["an edit", failure("Edit", { file_path: "/a" }, "not found"), { ok: false, error: "not found" }]
  ])
})

describe("Codex", () => {
  const shell = (response: Json) => ran("shell", { command: "c" }, response)
  const wrapped = (value: Json) => shell(JSON.stringify(value))
  const patch = (response: Json) => ran("apply_patch", { command: "*** Add File: a.ts" }, response)
  holds("codex", "PostToolUse", [
    ["text alone", shell("out"), { output: "out" }],
    [
      "a heading",
      shell("Exit code: 0\nWall time: 1\nOutput:\nout"),
      { ok: true, exitCode: 0, output: "out" }
    ],
    [
      "a heading of a failure",
      shell("Exit code: 2\nOutput:\nout"),
      { ok: false, exitCode: 2, output: "out", error: "out" }
    ],
    [
      "a heading without output",
      shell("Exit code: 2"),
      { ok: false, exitCode: 2, output: "Exit code: 2", error: "Exit code: 2" }
    ],
    [
      "text and exit code in JSON",
      wrapped({ output: "out", metadata: { exit_code: 0 } }),
      { ok: true, exitCode: 0, output: "out" }
    ],
    [
      "a failure in JSON",
      wrapped({ output: "out", metadata: { exit_code: 1 } }),
      { ok: false, exitCode: 1, output: "out", error: "out" }
    ],
    [
      "JSON without an exit code",
      wrapped({ output: "out", metadata: { exit_code: "1" } }),
      { output: "out" }
    ],
    ["JSON without metadata", wrapped({ output: "out" }), { output: "out" }],
    ["JSON whose output is no text", wrapped({ output: 1 }), { output: '{"output":1}' }],
    ["what only begins as such JSON", shell('{"output":'), { output: '{"output":' }],
    [
      "a result that is an error",
      shell({ isError: true, content: "no" }),
      { ok: false, output: "no", error: "no" }
    ],
    ["a patch", patch("Success. Updated"), { ok: true, change: "create" }],
    ["a patch that failed", patch("Failed"), { ok: false, error: "Failed" }],
    ["another tool", ran("view_image", { path: "a" }, "x"), { ok: true }]
  ])
})

describe("GitHub Copilot CLI", () => {
  const done = (
    tool_name: string,
    tool_input: JsonObject,
    text: string,
    more: JsonObject = {}
  ): JsonObject => ({
    tool_name,
    tool_input,
    tool_result: { text_result_for_llm: text, ...more }
  })
  const bash = (text: string, more: JsonObject = {}) => done("Bash", { command: "c" }, text, more)
  const end = (code: number) => `<shellId: 0 completed with exit code ${code}>`
  holds("copilot", "PostToolUse", [
    ["an end", bash(`out\n${end(0)}`), { ok: true, exitCode: 0, output: "out" }],
    ["a failure", bash(`out\n${end(3)}`), { ok: false, exitCode: 3, output: "out", error: "out" }],
    ["a failure without output", bash(end(3)), { ok: false, exitCode: 3, output: "", error: end(3) }],
    ["no end", bash("out"), { ok: true, output: "out" }],
    ["an end that is not the last", bash(`${end(3)} more`), { ok: true, output: `${end(3)} more` }],
    [
      "the last of several ends",
      bash(`${end(3)}\nout\n${end(0)}`),
      { ok: true, exitCode: 0, output: `${end(3)}\nout` }
    ],
    [
      "a result that is no success",
      bash("no", { result_type: "failure" }),
      { ok: false, output: "no", error: "no" }
    ],
    ["one that is", bash("out", { result_type: "success" }), { ok: true, output: "out" }],
    ["a file that was made", done("Write", { path: "/a" }, ""), { ok: true, change: "create" }],
    ["one that was edited", done("Edit", { path: "/a" }, ""), { ok: true, change: "update" }],
    [
      "an edit that failed",
      done("Edit", { path: "/a" }, " no ", { result_type: "error" }),
      { ok: false, error: " no " }
    ],
    ["what is read", done("Read", { path: "/a" }, "text"), { ok: true }]
  ])
  holds("copilot", "PostToolUseFailure", [
    ["words", failure("Bash", { command: "c" }, "no"), { ok: false, output: "no", error: "no" }]
  ])
})

describe("Cursor", () => {
  const done = (tool_name: string, tool_input: JsonObject, tool_output: string): JsonObject => ({
    tool_name,
    tool_input,
    tool_output
  })
  const shell = (tool_output: string) => done("Shell", { command: "c" }, tool_output)
  holds("cursor", "postToolUse", [
    ["an end", shell('{"exitCode":0,"stdout":"out","stderr":""}'), { ok: true, exitCode: 0, output: "out" }],
    [
      "under its other name",
      shell('{"exit_code":4,"stderr":"err"}'),
      { ok: false, exitCode: 4, output: "err", error: "err" }
    ],
    ["text", shell("out"), { output: "out" }],
    ["no end", shell('{"stdout":"out"}'), { output: "out" }],
    [
      "a result that is an error",
      shell('{"isError":true,"exitCode":0,"text":"no"}'),
      { ok: false, exitCode: 0, output: "no", error: "no" }
    ],
    ["an edit", done("Edit", { file_path: "/a" }, "{}"), { ok: true, change: "update" }],
    ["a deletion", done("Delete", { file_path: "/a" }, "{}"), { ok: true, change: "delete" }],
    [
      "what is read, whatever it says of an exit code",
      done("Read", { file_path: "/a" }, '{"exitCode":1}'),
      { ok: true }
    ]
  ])
  holds("cursor", "afterShellExecution", [["output", { command: "c", output: "out" }, { output: "out" }]])
  holds("cursor", "afterFileEdit", [
    ["an edit", { file_path: "/a", edits: [] }, { ok: true, change: "update" }]
  ])
  holds("cursor", "afterMCPExecution", [
    ["a result", { tool_name: "t", tool_input: "{}", result_json: '{"content":[]}' }, { ok: true }]
  ])
  holds("cursor", "postToolUseFailure", [
    [
      "words",
      { tool_name: "Shell", tool_input: { command: "c" }, error_message: "no" },
      { ok: false, output: "no", error: "no" }
    ],
    [
      "an edit",
      { tool_name: "Edit", tool_input: { path: "/a" }, error_message: "no" },
      { ok: false, error: "no" }
    ],
    [
      "what was stopped",
      { tool_name: "Shell", tool_input: { command: "c" }, error_message: "no", is_interrupt: true },
      { ok: false, output: "no" }
    ]
  ])
})
