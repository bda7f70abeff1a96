/** The same of Gemini CLI, Qwen Code, OpenCode and Cline, which say much of it in the text for the model. */
import { describe } from "vitest"
import type { Json, JsonObject } from "../../../events/intents.ts"
import { failure, holds, ran } from "../../support/adapters/toolTold.ts"

describe("Gemini CLI", () => {
  const shell = (text: string, more: JsonObject = {}) =>
    ran("run_shell_command", { command: "c" }, { llmContent: text, ...more })
  const write = (response: JsonObject) => ran("write_file", { file_path: "/a.ts" }, response)
  holds("gemini-cli", "AfterTool", [
    ["output", shell("Output: out"), { ok: true, exitCode: 0, output: "out" }],
    ["no output", shell("Output: (empty)"), { ok: true, exitCode: 0, output: "" }],
    [
      "within marks",
      shell("<untrusted_context>\nOutput: out\n</untrusted_context>"),
      { ok: true, exitCode: 0, output: "out" }
    ],
    [
      "a mark that does not close",
      shell("<untrusted_context>out"),
      { ok: true, output: "<untrusted_context>out" }
    ],
    ["text without a head", shell("just text"), { ok: true, output: "just text" }],
    [
      "an exit code",
      shell("Output: out\nExit Code: 3\nProcess Group PGID: 1"),
      { ok: false, exitCode: 3, output: "out", error: "out" }
    ],
    [
      "an error before it",
      shell("Output: out\nError: e\nExit Code: 3"),
      { ok: false, exitCode: 3, output: "out", error: "out" }
    ],
    [
      "lines of the output that look the same",
      shell("Output: Exit Code: 9\nExit Code: 0\nExit Code: 2"),
      { ok: false, exitCode: 2, output: "Exit Code: 9\nExit Code: 0", error: "Exit Code: 9\nExit Code: 0" }
    ],
    ["a signal", shell("Output: out\nSignal: 15\nBackground PIDs: 1, 2"), { ok: true, output: "out" }],
    [
      "the tool's own error",
      shell("Output: out", { error: { message: "m" } }),
      { ok: false, exitCode: 0, output: "out", error: "out" }
    ],
    [
      "its own error without output",
      shell("Output: (empty)", { error: { message: "m" } }),
      { ok: false, exitCode: 0, output: "", error: "m" }
    ],
    [
      "an error without words",
      shell("Output: (empty)", { error: {} }),
      { ok: false, exitCode: 0, output: "", error: "Output: (empty)" }
    ],
    [
      "a file that was written over",
      write({ llmContent: "Successfully overwrote" }),
      { ok: true, change: "update" }
    ],
    [
      "one that was made, by its words",
      write({ llmContent: "Successfully created and wrote" }),
      { ok: true, change: "create" }
    ],
    ["by its older words", write({ llmContent: "Created new file: a" }), { ok: true, change: "create" }],
    [
      "by what is shown",
      write({ llmContent: "", returnDisplay: { isNewFile: true } }),
      { ok: true, change: "create" }
    ],
    [
      "an edit that failed",
      write({ llmContent: "text", error: { message: "m" } }),
      { ok: false, error: "m" }
    ],
    ["one without a message", write({ llmContent: "text", error: {} }), { ok: false, error: "text" }]
  ])
})

describe("Qwen Code", () => {
  const text = (output: string) => `Command: c\nDirectory: (root)\n${output}`
  const shell = (output: string) => ran("run_shell_command", { command: "c" }, { llmContent: text(output) })
  const failed = (error: string, more: JsonObject = {}) =>
    failure("run_shell_command", { command: "c" }, error, more)
  holds("qwen-code", "PostToolUse", [
    ["output behind the command", shell("Output: out"), { ok: true, exitCode: 0, output: "out" }],
    [
      "a failure without output",
      shell("Output: (empty)\nExit Code: 4"),
      { ok: false, exitCode: 4, output: "", error: "Exit Code: 4" }
    ],
    [
      "another command's head",
      ran("run_shell_command", { command: "d" }, { llmContent: text("Output: out") }),
      { ok: true, output: text("Output: out") }
    ]
  ])
  holds("qwen-code", "PostToolUseFailure", [
    [
      "an exit code",
      failed(text("Output: out\nExit Code: 4")),
      { ok: false, exitCode: 4, output: "out", error: "out" }
    ],
    [
      "an exit code alone",
      failed(text("Output: (empty)\nExit Code: 4")),
      { ok: false, exitCode: 4, output: "", error: "Exit Code: 4" }
    ],
    [
      "a signal",
      failed(text("Output: (empty)\nSignal: 9")),
      { ok: false, output: "", error: "Exit Code: none" }
    ],
    ["what was stopped", failed("stopped", { is_interrupt: true }), { ok: false, output: "stopped" }],
    ["another tool", failure("edit", { file_path: "/a" }, "no"), { ok: false, error: "no" }]
  ])
})

describe("OpenCode", () => {
  const bash = (response: JsonObject) => ran("bash", { command: "c" }, response)
  const write = (response: JsonObject) => ran("write", { filePath: "/a" }, response)
  holds("opencode", "PostToolUse", [
    ["an end", bash({ output: "out", metadata: { exit: 0 } }), { ok: true, exitCode: 0, output: "out" }],
    [
      "no output",
      bash({ output: "(no output)", metadata: { exit: 0 } }),
      { ok: true, exitCode: 0, output: "" }
    ],
    [
      "a failure",
      bash({ output: " out ", metadata: { exit: 2 } }),
      { ok: false, exitCode: 2, output: " out ", error: "out" }
    ],
    [
      "a failure without output",
      bash({ output: "(no output)", metadata: { exit: 2 } }),
      { ok: false, exitCode: 2, output: "", error: "Exit code 2" }
    ],
    ["a command that was ended", bash({ output: "" }), { ok: false, output: "", error: "Exit code unknown" }],
    [
      "a result of another shape",
      bash({ text: "out", metadata: { exit: 0 } }),
      { ok: true, exitCode: 0, output: "out" }
    ],
    [
      "a file that was made",
      write({ output: "", metadata: { exists: false } }),
      { ok: true, change: "create" }
    ],
    ["one that was there", write({ output: "", metadata: { exists: true } }), { ok: true, change: "update" }],
    ["an edit", write({ output: "" }), { ok: true, change: "update" }],
    [
      "a patch",
      ran("apply_patch", { patchText: "*** Delete File: a" }, { output: "" }),
      { ok: true, change: "delete" }
    ],
    [
      "what is read",
      ran("read", { filePath: "/a" }, { output: "(no output)", metadata: { exit: 1 } }),
      { ok: true }
    ]
  ])
  holds("opencode", "PostToolUseFailure", [
    ["words", failure("bash", { command: "c" }, "no"), { ok: false, output: "no", error: "no" }],
    [
      "what was stopped",
      failure("bash", { command: "c" }, "no", { is_interrupt: true }),
      { ok: false, output: "no" }
    ]
  ])
})

describe("Cline", () => {
  const shell = (response: Json) => ran("run_commands", { commands: ["c"] }, response)
  const editor = (input: JsonObject, response: Json = { result: "done" }) =>
    ran("editor", { path: "/a", ...input }, response)
  holds("cline", "PostToolUse", [
    ["one command", shell({ result: "out", success: true }), { ok: true, exitCode: 0, output: "out" }],
    [
      "several",
      shell([{ result: " a " }, { result: "" }, { result: "b" }]),
      { ok: true, exitCode: 0, output: "a\nb" }
    ],
    [
      "a failure among them",
      shell([{ result: "a" }, { success: false, result: "[Command exited with code 3]\nb" }]),
      { ok: false, exitCode: 3, output: "a\nb", error: "b" }
    ],
    [
      "a failure whose code is in its error",
      shell({ success: false, result: "", error: "exited with code 7" }),
      { ok: false, exitCode: 7, output: "", error: "exited with code 7" }
    ],
    [
      "a failure without a code",
      shell({ success: false, result: "b", error: "e" }),
      { ok: false, output: "b", error: "b" }
    ],
    [
      "failures in order",
      shell([
        { success: false, result: "a" },
        { success: false, result: " ", error: "e" },
        { success: false, result: "" }
      ]),
      { ok: false, output: "a", error: "a\ne\n" }
    ],
    ["a whole file", editor({ new_text: "x" }), { ok: true, change: "create" }],
    ["a part of one", editor({ old_text: "x" }), { ok: true, change: "update" }],
    ["lines put in", editor({ insert_line: 3 }), { ok: true, change: "update" }],
    ["an edit that failed", editor({}, { success: false, result: "no" }), { ok: false, error: "no" }],
    ["a patch", ran("apply_patch", { input: "*** Delete File: a" }, "ok"), { ok: true, change: "delete" }],
    ["what is read", ran("read_files", { files: ["a"] }, { result: "x" }), { ok: true }]
  ])
  holds("cline", "PostToolUseFailure", [
    ["words", failure("run_commands", { commands: ["c"] }, "no"), { ok: false, output: "no", error: "no" }],
    [
      "what was refused",
      failure("run_commands", { commands: ["c"] }, "no", { is_interrupt: true }),
      { ok: false, output: "no" }
    ]
  ])
})
