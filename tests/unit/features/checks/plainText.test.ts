/** What is left of an output when it is read: without colours, and without what a runner of tasks puts before each line. */
import { describe, expect, it } from "vitest"
import { plainText } from "../../../../src/features/checks/lines.ts"
import { observe } from "../../../../src/features/checks/observe.ts"
import { readReport } from "../../../../src/features/checks/report.ts"

const vitestRun = [
  "> till@1.0.0 test",
  "> vitest run",
  "",
  " FAIL  tests/coins.test.ts > change > gives none back",
  "AssertionError: expected 4 to be +0",
  " ❯ tests/coins.test.ts:12:19",
  "",
  " Test Files  1 failed (1)",
  "      Tests  1 failed | 3 passed (4)"
]
const compiled = [
  "> mint@2.1.0 build",
  "> tsc -b",
  "",
  "src/strike.ts(4,9): error TS2304: Cannot find name 'die'."
]

const prefixed = (prefix: string, lines: readonly string[]): readonly string[] =>
  lines.map((line) => `${prefix}${line}`.trimEnd())

const read = (lines: readonly string[]) =>
  readReport(plainText(lines.join("\n"))).problems.map(({ family, file, test }) => [family, file, test])

const theTest = ["vitest", "tests/coins.test.ts", "change > gives none back"]

describe("what a runner of tasks puts before each line", () => {
  it.each([
    "till:test: ",
    "@bank/till:test: ",
    "@bank/till: ",
    "apps/till test: ",
    ". test: ",
    "[@bank/till]: ",
    "till: ",
    "till test: "
  ])("is taken away: `%s`", (prefix) => {
    const lines = ["• Running test in 4 packages", ...prefixed(prefix, vitestRun), "Failed:    till#test"]
    expect(read(lines)).toEqual([theTest])
    expect(plainText(lines.join("\n")).split("\n")).toEqual([lines[0], ...vitestRun, lines.at(-1)])
  })

  it("is taken from tasks that ran at the same time, and each is read by itself", () => {
    const one = prefixed("till:test: ", vitestRun)
    const other = prefixed("mint:build: ", compiled)
    const mixed = one.flatMap((line, at) => [line, ...(other[at] === undefined ? [] : [other[at]])])
    expect(read(mixed)).toEqual([["tsc", "src/strike.ts", undefined], theTest])
    expect(plainText(mixed.join("\n"))).toBe([...vitestRun, ...compiled].join("\n"))
  })

  it("is indentation where nx shows what failed", () => {
    const jest = [
      "FAIL libs/mint/die.spec.ts",
      "  ● die › strikes",
      "",
      "    expect(received).toBe(expected)",
      "",
      "Tests:       1 failed, 2 total"
    ]
    const lines = [
      "   ✖  nx run mint:test",
      ...prefixed("      ", jest),
      "",
      " NX   Ran target test for 2 projects"
    ]
    expect(read(lines)).toEqual([["jest", "libs/mint/die.spec.ts", "die › strikes"]])
  })

  it("stays where a few lines of many begin so", () => {
    const lines = [
      "say:it: one",
      ...Array.from({ length: 9 }, (_, at) => `line ${at}`),
      "say:it: two",
      "say:it: three"
    ]
    expect(plainText(lines.join("\n"))).toBe(lines.join("\n"))
  })
})

it.each([
  [
    "find",
    [
      "find: '/root/a': Permission denied",
      "find: '/root/b': Permission denied",
      "find: '/root/c': Permission denied"
    ]
  ],
  [
    "ls",
    [
      "ls: a: No such file or directory",
      "ls: b: No such file or directory",
      "ls: c: No such file or directory"
    ]
  ],
  ["git", ["hint: Updates were rejected", "hint:", "hint:   git pull", "hint: before you push"]],
  ["a server", ["remote:", "remote: error: GH013: no", "remote:   at the branch", "remote: "]],
  ["gcc", ["a.c:3:5: error: no x", "a.c:3:5: note: here", "a.c:3:5: note: there", "a.c: In function 'f':"]],
  ["go", ["go: downloading a v1", "go: downloading b v1", "go: no such module"]],
  ["make", ["make: Entering 'a'", "make: *** [all] Error 1", "make: Leaving 'a'"]],
  ["cargo", ["error: one", "error: two", "error:   three", "error:"]],
  ["node", ["node:internal/modules/cjs:1", "node:internal/modules/cjs:2", "node:internal/modules/cjs:3"]],
  ["a log", ["worker: started", "worker: one job done", "worker: stopped"]],
  ["grep", ["a.ts:  one", "a.ts:  two", "a.ts:", "a.ts: three"]],
  ["ruby", ["lib/a.rb:in a: warn", "lib/b.rb:in b: warn", "lib/c.rb:in c: warn"]]
])("what %s says of itself stays", (_, lines) => {
  const text = lines.join("\n")
  expect(plainText(text)).toBe(text)
})

it.each([
  ["colours", "\u001b[1m\u001b[31mred\u001b[39m\u001b[22m"],
  ["colours of many numbers", "\u001b[1;38;2;255;120;130;48;2;255;255;255mred\u001b[0m"],
  ["colours told with colons", "\u001b[4:3m\u001b[38:2::255:0:0mred\u001b[m"],
  ["a link", "\u001b]8;;https://example.com/a\u001b\\red\u001b]8;;\u001b\\"],
  ["a title", "\u001b]0;title\u0007red"],
  ["a set of characters", "\u001b(Bred\u001b[m\u001b(B"],
  ["one byte for two", "\u009b31mred\u009b0m"],
  ["what a cut left", "red\u001b[38;2;25"]
])("%s for a terminal are no part of what is read", (_, text) => expect(plainText(text)).toBe("red"))

it("an output reaches whoever judges it without anything for a terminal", () => {
  const payload = {
    hook_event_name: "PostToolUse",
    session_id: "s",
    cwd: "/p",
    tool_name: "Bash",
    tool_input: { command: "npm test" },
    tool_response: {
      stdout: "\u001b[38;2;255;120;130;48;2;10;10;10mfailed\u001b]8;;x\u001b\\ here\u001b(B",
      stderr: ""
    }
  }
  const observation = observe(
    {
      payload: JSON.stringify(payload),
      toolUseId: "t",
      events: [{ event: "tool.after", data: {} }]
    },
    "claude-code",
    "i"
  )
  expect(observation?.type === "ended" && observation.outcome.text).toBe("failed here")
})

/** As much as no output is cut to, of lines that are as unkind as can be. */
const long = (line: string): string => line.repeat(Math.ceil(200_000 / line.length))

it.each([
  ["names", long("a:b: c\n")],
  ["other names", Array.from({ length: 20_000 }, (_, at) => `t${at}:b: c`).join("\n")],
  ["one long name", long("a.b-c")],
  ["slashes", long("a/b/")],
  ["escapes", long("\u001b[1;2;3")],
  ["open links", long("\u001b]8;;http://a")],
  ["spaces", long(" ")],
  ["headings of nx", long("  ✖  nx run a\n      b\n")]
])("reading stays linear: %s", (_, text) => {
  const start = performance.now()
  plainText(text)
  expect(performance.now() - start).toBeLessThan(1500)
})
