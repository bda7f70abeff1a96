/** What agents' tables of tools share: reading a call's command, path, text and patch out of whatever came. */
import { describe, expect, it } from "vitest"
import {
  asObject,
  describeTool,
  isErrorResult,
  leadingNumber,
  patchedFiles,
  stringAt,
  textOf,
  withFiles
} from "../../../src/agents/toolCall.ts"

describe("a call's command and path", () => {
  const entry = { kind: "shell", command: "cmd", path: "file" } as const

  it("are read by the agent's table, a list of words as one line", () => {
    expect(describeTool(entry, "run", { cmd: "ls", file: "/a" })).toEqual({
      kind: "shell",
      name: "run",
      input: { cmd: "ls", file: "/a" },
      command: "ls",
      path: "/a"
    })
    expect(describeTool(entry, "run", { cmd: ["echo", "a b"] })).toMatchObject({ command: "echo 'a b'" })
  })

  it("are not there where the input has none of their kind", () => {
    for (const input of [{ cmd: ["a", 1], file: 1 }, { cmd: {}, file: null }, {}, [], "cmd", null])
      expect(describeTool(entry, "run", input)).toEqual({ kind: "shell", name: "run", input })
    expect(describeTool({ kind: "other" }, "x", { cmd: "ls" })).toEqual({
      kind: "other",
      name: "x",
      input: { cmd: "ls" }
    })
  })

  it("are a value's own", () => {
    expect(stringAt({ a: "x" }, "a")).toBe("x")
    expect(stringAt(Object.create({ a: "x" }), "a")).toBeUndefined()
    expect(stringAt([], "length")).toBeUndefined()
    expect(asObject({ a: 1 })).toEqual({ a: 1 })
    for (const value of [[1], "a", null, undefined]) expect(asObject(value)).toEqual({})
  })
})

describe("the text of a result", () => {
  it.each([
    ["a", "a"],
    [undefined, ""],
    [null, ""],
    [7, ""],
    [{ text: "t", output: "o" }, "t"],
    [{ output: "o", stdout: "s" }, "o"],
    [{ stdout: "s", content: "c" }, "s"],
    [{ content: "c" }, "c"],
    [{ content: [{ type: "text", text: "a" }, { type: "image" }, { text: "b" }] }, "a\n\nb"],
    [["a", { text: "b" }, "", { other: 1 }, "c"], "a\nb\nc"],
    [{ other: "x" }, ""]
  ])("of %j is %j", (value, text) => expect(textOf(value)).toBe(text))

  it("says that it failed", () => {
    for (const failed of [{ isError: true }, { is_error: true }, { Err: null }])
      expect(isErrorResult(failed)).toBe(true)
    for (const fine of [{ isError: false }, { is_error: "true" }, { Ok: 1 }, "Err", null, undefined])
      expect(isErrorResult(fine)).toBe(false)
  })

  it.each([
    ["12 of", 12],
    ["   7", 7],
    [`${" ".repeat(8)}7`, 7],
    [`${" ".repeat(9)}7`, undefined],
    ["123456789", 123_456_789],
    ["1234567890", undefined],
    ["x1", undefined],
    ["", undefined]
  ])("%j begins with %j", (text, number) => expect(leadingNumber(text)).toBe(number))
})

describe("a patch", () => {
  it("names its files in order, and what becomes of each", () => {
    const patch = [
      "*** Begin Patch",
      "*** Add File: a.ts ",
      "+*** Delete File: not this",
      "*** Move to: not-after-an-add.ts",
      "*** Update File: b.ts",
      "*** Move to: c.ts",
      "*** Delete File: d.ts",
      "*** Update File: e.ts"
    ].join("\n")
    expect(patchedFiles(patch)).toEqual([
      { path: "a.ts", change: "create" },
      { path: "c.ts", change: "rename", from: "b.ts" },
      { path: "d.ts", change: "delete" },
      { path: "e.ts", change: "update" }
    ])
    expect(patchedFiles("")).toEqual([])
    expect(patchedFiles("*** Move to: x")).toEqual([])
  })

  it("is read for a thousand files", () => {
    expect(patchedFiles("*** Add File: a\n".repeat(1001))).toHaveLength(1000)
  })

  it("gives its tool the first path, and all where there are several", () => {
    const tool = { kind: "edit", name: "patch", input: null } as const
    const [a, b] = [
      { path: "a", change: "create" },
      { path: "b", change: "update" }
    ] as const
    expect(withFiles(tool, [])).toBe(tool)
    expect(withFiles(tool, [a])).toEqual({ ...tool, path: "a" })
    expect(withFiles(tool, [a, b])).toEqual({ ...tool, path: "a", paths: ["a", "b"] })
  })
})
