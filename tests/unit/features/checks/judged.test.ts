/** How a call is judged by its end and by what it printed. */
import { describe, expect, it } from "vitest"
import type { ToolOutcome } from "../../../../src/features/checks/ToolOutcome.ts"
import { judgedCall } from "../../../support/judgedCall.ts"

const untold = { told: "untold", exitCode: undefined } as const

describe("a call that ended well", () => {
  it.each([
    ["git commit -am x", "[main abc1234] explain: 2 tests, 1 failure"],
    ["python report.py", "3 tests, 1 failure"],
    ["python report.py", "12 examples, 3 failures"],
    ["node report.js", "Tests: 1 failed, 2 total"],
    ["python report.py", "error: could not compile `p`"]
  ])("is no failure because it repeats the sum of a report: `%s`, %s", (command, text) =>
    expect(judgedCall(command, text).verdict).toBe("pass")
  )

  it.each([
    ["npm test", "Tests:       1 failed, 2 total"],
    ["mix test | tail -2", "2 tests, 1 failure"],
    ["./commit.sh", "bun test v1.3.5\n(fail) adds [0.5ms]\n 1 fail"],
    [
      "gotestsum | tail",
      "=== FAIL: pkg TestAdd (0.00s)\n    a_test.go:9: got 3, want 4\n\nDONE 2 tests, 1 failure in 0.3s"
    ]
  ])("is one where a check, a pipe or the names of tests say so: `%s`, %s", (command, text) =>
    expect(judgedCall(command, text).verdict).toBe("fail")
  )
})

it.each([
  ["npx prettier --check .", "Checking formatting...\nAll matched files use Prettier code style!\n"],
  ["npx biome check . | tail -3", "Checked 12 files in 8ms. No fixes applied.\n"],
  ["dotnet build", "Build succeeded.\n    0 Warning(s)\n    0 Error(s)\n"],
  ["cargo build", "   Compiling p v0.1.0\n    Finished `dev` profile [unoptimized] target(s) in 0.1s\n"]
])("`%s` went well by its own words", (command, text) =>
  expect(judgedCall(command, text, untold).verdict).toBe("pass")
)

describe("what a program mended or logged on the way", () => {
  const log =
    "09:14:22.310 [error] GenServer Till terminating\n** (ArgumentError) no such coin\nLast message: :pay\n"

  it.each([
    [
      "rubocop -A || true",
      "lib/a.rb:1:1: C: [Corrected] Style/A: Use b.\n\n7 files inspected, 3 offenses detected, 3 offenses corrected"
    ],
    ["ruff check --fix . | tail -1", "Found 5 errors (5 fixed, 0 remaining)."],
    ["mix test | tail -20", `${log}......\nFinished in 0.2 seconds\n6 tests, 0 failures`],
    ["black --diff . || true", "would reformat a.py\n\nAll done! ✨ 🍰 ✨\n1 file would be reformatted."],
    [
      "cargo test -- --nocapture || true",
      "running 1 test\nsrc/a.rs:1:1: error: no such coin\ntest reports ... ok\n\ntest result: ok. 1 passed; 0 failed"
    ],
    ["npm run build", "warning: No ESLint configuration found in /p.\n✓ built in 3s"],
    ["make help", "- where it says: ESLint couldn't find an eslint.config.js, run make setup"],
    [
      "mix test || true",
      `==> till\nRunning ExUnit with seed: 1\n${log}6 tests, 0 failures\n==> jar\nRunning ExUnit with seed: 1\n${log}2 tests, 0 failures`
    ]
  ])("is no failure: `%s`", (command, text) => expect(judgedCall(command, text).verdict).toBe("pass"))

  it.each([
    ["rubocop -A || true", "7 files inspected, 3 offenses detected, 1 offense corrected"],
    ["rubocop -A || true", "7 files inspected, 13 offenses detected, 1 offense corrected"],
    ["rubocop || true", "7 files inspected, 3 offenses detected, 3 offenses autocorrectable"],
    ["ruff check --fix . | tail -1", "Found 5 errors (4 fixed, 1 remaining)."],
    ["mix do test, run x.exs | tail -20", `6 tests, 0 failures\n${log}`],
    ["mix test | tail -20", `${log}6 tests, 1 failure`],
    [
      "black --check a; black --check b",
      "would reformat a.py\n\nOh no! 💥 💔 💥\n1 file would be reformatted.\nAll done! ✨ 🍰 ✨\n1 file would be left unchanged."
    ],
    ["black --check . | head -1", "would reformat a.py"],
    [
      "cargo check --message-format short; cargo test",
      "src/a.rs:1:1: error: no\n     Running unittests src/lib.rs\n\nrunning 1 test\ntest result: ok. 1 passed; 0 failed"
    ],
    [
      "cargo check --message-format short; cargo test -q",
      "src/a.rs:1:1: error: no\nerror: could not compile `a` (lib) due to 1 previous error\ntest result: ok. 1 passed; 0 failed"
    ],
    ["(cd a && mix test); (cd b && mix test)", `${log}Running ExUnit with seed: 1\n3 tests, 0 failures`],
    ["(cd a && mix run); (cd b && mix test)", `==> a\n${log}==> b\n3 tests, 0 failures`],
    ["(cd a && mix run); (cd b && mix test)", `${log}Compiling 3 files (.ex)\n\n3 tests, 0 failures`]
  ])("is one where something is left: `%s`, %s", (command, text) =>
    expect(judgedCall(command, text).verdict).toBe("fail")
  )

  it.each([
    ["** (CompileError) lib/a.ex:3: no\n==> b\n3 tests, 0 failures", "CompileError", "lib/a.ex"],
    ["** (SyntaxError) lib/a.ex:3: no\n3 tests, 0 failures", "SyntaxError", "lib/a.ex"],
    ["** (Mix) Could not start application till\n3 tests, 0 failures", "Mix", undefined]
  ])("is never what ends the compiler or Mix: %j", (text, code, file) =>
    expect(judgedCall("mix test || true", text).problems.map((one) => [one.code, one.file])).toEqual([
      [code, file]
    ])
  )

  it("is summed up by the one program that ran, not by those whose words are alike", () =>
    expect(
      judgedCall(
        "npm run check | tail -1",
        "Found 4 errors in 3 files (checked 12 source files)"
      ).problems.map(({ family }) => family)
    ).toEqual(["mypy"]))
})

it("what was built is not what was tested", () =>
  expect(
    judgedCall(
      "cargo test | head -3",
      "    Finished `test` profile in 0.1s\n     Running unittests src/lib.rs\nrunning 3 tests"
    ).verdict
  ).toBe("unknown"))

it.each<[string, string, (string | undefined)[]]>([
  [
    "npx tsc --pretty",
    "src/m.ts:3:5 - error TS2304: Cannot find name 'x'.\n\nFound 1 error in src/m.ts:3\n",
    ["tsc", "src/m.ts"]
  ],
  [
    "npx bats test",
    " ✗ adds\n   (in test file test/a.bats, line 5)\n     `[ 3 ]' failed\n\n2 tests, 1 failure",
    ["bats", "test/a.bats"]
  ],
  ["git comit -m x", "git: 'comit' is not a git command. See 'git --help'.", ["git", undefined]],
  ["swift run", "A/main.swift:3: Fatal error: Index out of range", ["swift", "A/main.swift"]],
  [
    "npm run build",
    "Failed to compile.\n\n./app/page.tsx:3:5\nType error: Cannot find name 'foo'.",
    ["bundler", "./app/page.tsx"]
  ],
  [
    "yarn install",
    "➤ YN0000: ┌ Resolution step\n➤ YN0028: │ The lockfile would have been modified\n➤ YN0000: · Failed with errors in 0s",
    ["packages", undefined]
  ],
  [
    "mix dialyzer",
    "Total errors: 1, Skipped: 0\nlib/a.ex:3:no_return\nFunction foo/0 has no local return.",
    ["mix", "lib/a.ex"]
  ],
  [
    "cargo test -q",
    "failures:\n    tests::adds\n\ntest result: FAILED. 0 passed; 1 failed",
    ["cargo", undefined]
  ]
])("`%s` shows one problem: %s", (command, text, one) =>
  expect(
    judgedCall(command, text, { told: "failed", exitCode: 1 }).problems.map(({ family, file }) => [
      family,
      file
    ])
  ).toEqual([one])
)

describe("a line that only looks", () => {
  const failed = { told: "failed", exitCode: 1 } as const
  const unread =
    "error: unexpected argument '-A' found\n\n  tip: to pass '-A' as a value, use '-- -A'\n\nUsage: rd [OPTIONS] <FILE>"

  it.each([
    ["head -3 a.txt; echo ===; head -3 b.txt", "one\ntwo\n(eval):1: == not found", failed],
    ["sed -n '1,4p' a.txt | cat -A", "cat: illegal option -- A\nusage: cat [-belnstuv] [file ...]", failed],
    ["cat -A a.txt | sed -n '1,4p'", unread, { told: "ok", exitCode: 0 } as const],
    ["cat --wide a.txt | head -3", "cat: unrecognized option '--wide'", untold]
  ])("failed where the shell or a program did not understand it: `%s`", (command, text, end) =>
    expect(judgedCall(command, text, end).verdict).toBe("fail")
  )

  it.each([
    ["ls /tmp/*.gone", "(eval):1: no matches found: /tmp/*.gone", failed],
    ["cat notes.txt | head -3", unread, { told: "ok", exitCode: 0 } as const],
    ["cat -n notes.txt | head -3", unread, { told: "ok", exitCode: 0 } as const],
    ["git rev-parse --abbrev-ref @{u}", "fatal: no upstream configured for branch 'x'", untold],
    ["git describe --exact-match", "fatal: no tag exactly matches 'abc1234'", failed],
    ["git remote get-url fork", "error: No such remote 'fork'", failed],
    ["gh pr view --json url", 'no pull requests found for branch "x"', failed]
  ])("had an answer where there is nothing: `%s`", (command, text, end) =>
    expect(judgedCall(command, text, end).verdict).not.toBe("fail")
  )
})

it.each([
  ["bash tools/start.sh --version 2>&1 | head -3", "stat /tmp/p/main.go: no such file or directory"],
  ["./serve | tail -2", "open /etc/p.toml: permission denied"]
])("a program whose output goes through a pipe failed by its last words: `%s`", (command, text) =>
  expect(judgedCall(command, text, { told: "ok", exitCode: 0 }).verdict).toBe("fail")
)

it("a folder that is not there is an answer to a search, also where only the batch tells", () => {
  const end = (kind: ToolOutcome["kind"]) =>
    ({ told: "rejected", kind, command: undefined, exitCode: undefined }) as const
  expect(judgedCall("", "Path does not exist: src/gone", end("search")).verdict).toBe("unknown")
  expect(judgedCall("", "InputValidationError: file_path is missing", end("read")).verdict).toBe("fail")
})
