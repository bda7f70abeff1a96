/** What is named as a fix has evidence; a problem that nobody looks at any more is not solved. */
import { describe, expect, it } from "vitest"
import { type Chain, timesSeen } from "../../../src/features/chains/Chain.ts"
import { fixes, type Placed, story } from "../../support/chainStories.ts"
import { edited, type Happening, ran, refused } from "../../support/toolCalls.ts"

const keyError =
  "Traceback (most recent call last):\n  File \"/p/main.py\", line 3, in <module>\n    load()\nKeyError: 'port'"
const noModule =
  "Traceback (most recent call last):\n  File \"/p/app.py\", line 1, in <module>\n    import requests\nModuleNotFoundError: No module named 'requests'"

const told = (chain: Chain | undefined) => [chain?.state, chain?.ending?.grade, fixes(chain)]

const pytest = (...tests: readonly string[]): string =>
  `${tests.map((test) => `FAILED tests/test_a.py::${test} - assert 3 == 4\n`).join("")}==== ${tests.length} failed, 1 passed in 0.03s ====`
const passed = (count: number): string => `==== ${count} passed in 0.02s ====`

describe("the failed call", () => {
  it("is no fix of its problem, though it names the file", () => {
    expect(
      fixes(
        story(
          ran("python main.py", 1, keyError),
          edited("/p/config.py", "port = 1"),
          ran("python main.py", 0)
        )[0]
      )
    ).toEqual(["edited `config.py`"])
    expect(
      fixes(
        story(ran("python app.py", 1, noModule), ran("pip install requests", 0), ran("python app.py", 0))[0]
      )
    ).toEqual(["ran `pip install requests`"])
  })

  it("changes files where its script stands in the line, not where it is a program of somebody's", () => {
    const write = `python3 -c "open('/p/a.ts', 'w').write('const lodash = 1')" && npx tsc`
    const failed = ran("npx tsc", 2, "a.ts(3,5): error TS2304: Cannot find name 'lodash'.")
    expect(fixes(story(failed, edited("/p/b.ts"), ran(write, 0))[0])).toEqual([`ran \`${write}\``])
    expect(
      fixes(story(failed, edited("/p/b.ts"), ran("python gen.py a.ts lodash && npx tsc", 0))[0])
    ).toEqual(["edited `b.ts`"])
  })
})

describe("the place of a problem", () => {
  const failed = ran("npx tsc", 2, "src/api/index.ts(3,5): error TS2741: Property 'port' is missing.")

  it("is its path, not the name of its file alone", () => {
    const [chain] = story(
      failed,
      edited("/p/src/ui/index.ts", "colour"),
      edited("/p/src/types.ts", "port: number"),
      ran("npx tsc", 0)
    )
    expect(told(chain)).toEqual(["resolved", "B", ["edited `src/ui/index.ts`", "edited `src/types.ts`"]])
    const [right] = story(
      failed,
      edited("/p/src/ui/index.ts", "colour"),
      edited("/p/src/api/index.ts", "x"),
      ran("npx tsc", 0)
    )
    expect(told(right)).toEqual(["resolved", "A", ["edited `src/api/index.ts`"]])
  })

  it("has to be spoken of for an edit to be believed, though it is the only one", () => {
    expect(told(story(failed, edited("/p/src/ui/colours.ts", "red"), ran("npx tsc", 0))[0])).toEqual([
      "resolved",
      "B",
      ["edited `src/ui/colours.ts`"]
    ])
    const [named] = story(
      ran("pytest", 1, "FAILED tests/test_calc.py::test_add - assert 3 == 4\n== 1 failed in 0.1s =="),
      edited("/p/src/calc.py", "return a"),
      ran("pytest", 0)
    )
    expect(told(named)).toEqual(["resolved", "A", ["edited `src/calc.py`"]])
  })
})

describe("tests of one file", () => {
  const jest = (...tests: readonly string[]): string =>
    `FAIL ./math.test.js\n${tests.map((test) => `  ● ${test}\n\n    expect(received).toBe(expected) // Object.is equality\n`).join("")}\nTests:       ${tests.length} failed, 2 total`

  it("are two problems where both fail at an assertion, and each has its own fix", () => {
    const [adds, subtracts] = story(
      ran("npx jest", 1, jest("adds", "subtracts")),
      edited("/p/add.js", "adds"),
      ran("npx jest", 1, jest("subtracts")),
      edited("/p/sub.js", "subtracts"),
      ran("npx jest", 0, "Tests:       2 passed, 2 total")
    )
    expect([adds?.problem.test, fixes(adds)]).toEqual(["adds", ["edited `add.js`"]])
    expect([subtracts?.problem.test, fixes(subtracts)]).toEqual(["subtracts", ["edited `sub.js`"]])
  })

  it("are one where both fail for the very same exception, in whatever order they are told", () => {
    const failing = (...tests: readonly string[]) =>
      `${tests.map((test) => `FAILED tests/test_a.py::${test} - ConnectionError: no redis at 6379\n`).join("")}== ${tests.length} failed in 0.1s ==`
    const chains = story(
      ran("pytest", 1, failing("test_a", "test_b")),
      edited("/p/conf.py", "redis"),
      ran("pytest", 1, failing("test_b", "test_a")),
      ran("redis-server &", 0),
      ran("pytest", 0, passed(2))
    )
    expect(chains.map(({ problem, state, attempts }) => [problem.test, state, attempts.length])).toEqual([
      ["test_a", "resolved", 2]
    ])
  })

  it("are not solved where they fail with other words", () => {
    const other = "FAILED tests/test_a.py::test_add - KeyError: 'x'\n== 1 failed in 0.1s =="
    const [chain] = story(
      ran("pytest", 1, pytest("test_add")),
      edited("/p/a.py", "add"),
      ran("pytest", 1, other),
      edited("/p/b.py", "add"),
      ran("pytest", 0, passed(2))
    )
    expect([chain?.state, fixes(chain)]).toEqual(["resolved", ["edited `a.py`", "edited `b.py`"]])
  })

  it("of another name have nothing to do with it, in this project or another", () => {
    const first = ran("pytest", 1, pytest("test_add"))
    const elsewhere = (test: string): Placed => ({
      happening: ran("pytest", 1, pytest(test)),
      project: "/q",
      session: "q"
    })
    expect(story(first, elsewhere("test_multiply"))[1]?.relation).toBe("same pattern")
    expect(story(first, elsewhere("test_add"))[1]?.relation).toBe("recurrence")
  })
})

describe("another program for the same purpose", () => {
  const vitest = " FAIL  src/a.test.ts > adds\nAssertionError: no\n\n Tests  1 failed | 2 passed (3)"
  const test = "FAILED tests/test_a.py::test_add - assert 3 == 4\n== 1 failed in 0.1s =="
  const lint =
    "/p/src/a.js\n  1:7  error  'x' is never used  no-unused-vars\n\n✖ 1 problem (1 error, 0 warnings)"
  const java = "[ERROR] /p/src/main/java/A.java:[5,9] cannot find symbol\n[INFO] BUILD FAILURE"
  const kotlin = "e: file:///p/src/main/kotlin/A.kt:3:5 Unresolved reference: x\nBUILD FAILED in 1s"
  const cs = "/p/A.cs(3,5): error CS0103: The name 'x' does not exist [/p/p.csproj]\nBuild FAILED."
  const swift = "/p/Sources/A.swift:3:5: error: cannot find 'x' in scope"
  const rust =
    "error[E0425]: cannot find value `x` in this scope\n --> src/main.rs:3:5\nerror: could not compile `p`"
  const go = "# p\n./main.go:3:2: undefined: x"
  const goTest = "--- FAIL: TestAddAll (0.00s)\n    add_test.go:9: got 3, want 4\nFAIL\tp\t0.1s"
  const php =
    "1) CalcTest::testAdd\nFailed asserting that 3 matches 4.\n\nFAILURES!\nTests: 1, Assertions: 1, Failures: 1."
  const rails =
    "Failure:\nCalcTest#test_add [/p/test/calc_test.rb:5]:\nExpected: 4\n\n1 runs, 1 assertions, 1 failures, 0 errors, 0 skips"

  it.each<[string, string, string, string]>([
    ["npx vitest run src/a.test.ts", vitest, "npm test", "resolved"],
    ["npx vitest run src/a.test.ts", vitest, "npm test -- src/b.test.ts", "attempted"],
    ["npx vitest run src/a.test.ts", vitest, "npx playwright test", "attempted"],
    ["npx vitest run src/a.test.ts", vitest, "go test ./...", "attempted"],
    ["npx vitest run src/a.test.ts", vitest, "npm run build", "attempted"],
    ["pytest tests/test_a.py", test, "make test", "resolved"],
    ["pytest tests/test_a.py", test, "docker compose exec web pytest", "resolved"],
    ["docker compose exec -T web pytest", test, "docker compose exec web pytest", "resolved"],
    ["pytest tests/test_a.py", test, "npm test", "attempted"],
    ["npm run lint", lint, "npx eslint src/a.js", "resolved"],
    ["npm run lint", lint, "npx eslint src/b.js", "attempted"],
    ["npm run lint", lint, "npm run lint:css", "attempted"],
    ["npm run lint", lint, "npm run format:check", "attempted"],
    ["mvn compile", java, "mvn test", "resolved"],
    ["./gradlew compileKotlin", kotlin, "./gradlew build", "resolved"],
    ["dotnet build", cs, "dotnet test", "resolved"],
    ["swift build", swift, "swift test", "resolved"],
    ["cargo build", rust, "cargo run", "resolved"],
    ["cargo build", rust, "cargo fmt", "attempted"],
    ["go build ./...", go, "go run .", "resolved"],
    ["go test -run TestAddAll ./...", goTest, "go test -run TestAdd ./...", "resolved"],
    ["go test -run TestAddAll ./...", goTest, "go test -run TestSub ./...", "attempted"],
    ["vendor/bin/phpunit tests/CalcTest.php", php, "composer test", "resolved"],
    ["bin/rails test test/calc_test.rb", rails, "bin/rails test", "resolved"]
  ])("of `%s` (%j): after `%s` it is %s", (failed, output, well, state) => {
    expect(story(ran(failed, 1, output), edited("/p/x.txt"), ran(well, 0, ""))[0]?.state).toBe(state)
  })
})

describe("a test that is not there any more", () => {
  const failed = ran("pytest", 1, pytest("test_add"))
  const endOf = (...happenings: readonly Happening[]) => told(story(failed, ...happenings)[0]).slice(0, 2)

  it("is no fix, whether its file is removed, it is cut out, or fewer tests are run", () => {
    expect(endOf(ran("rm tests/test_a.py", 0), ran("pytest", 0, passed(1)))).toEqual(["suppressed", "C"])
    expect(endOf(ran("git rm -q tests/test_a.py", 0), ran("pytest", 0, ""))).toEqual(["suppressed", "C"])
    for (const removal of ["rm -f tests/test_a.py", "git rm -f tests/test_a.py", "unlink tests/test_a.py"])
      expect(endOf(ran(removal, 0), ran("pytest", 0, "")), removal).toEqual(["suppressed", "C"])
    const cut = edited("/p/tests/test_a.py", "", { old: "def test_add():\n    assert add(1, 2) == 4\n" })
    expect(endOf(cut, ran("pytest", 0, ""))).toEqual(["suppressed", "C"])
    expect(endOf(edited("/p/tests/test_a.py", "x"), ran("pytest", 0, passed(1)))).toEqual(["suppressed", "C"])
  })

  it("is one where it is written anew, named otherwise, or stands among as many", () => {
    const anew = edited("/p/tests/test_a.py", "def test_add(): pass")
    expect(endOf(ran("rm tests/test_a.py", 0), anew, ran("pytest", 0, passed(2)))[0]).toBe("resolved")
    const renamed = edited("/p/tests/test_a.py", "def test_sum():", { old: "def test_add():" })
    expect(endOf(renamed, ran("pytest", 0, passed(2)))[0]).toBe("resolved")
    expect(endOf(edited("/p/a.py", "add"), ran("pytest tests/test_a.py", 0, passed(1)))[0]).toBe("resolved")
  })
})

describe("how far a fix is believed", () => {
  const grade = (...happenings: readonly Happening[]) => story(...happenings)[0]?.ending?.grade
  const unknown = ran("npx tsc", 2, "src/api.ts(30,5): error TS2304: Cannot find name 'port'.")
  const edits = (count: number, of = (nth: number) => `/p/src/other${nth}.ts`) =>
    Array.from({ length: count }, (_, nth) => edited(of(nth), "colour"))

  it("is less where the call was made again only after something else was done", () => {
    const failed = ran("git push", 128, "fatal: The current branch x has no upstream branch.")
    const again = ran("git push --set-upstream origin x", 0)
    expect([grade(failed, again), grade(failed, ...edits(1), again)]).toEqual(["A", "B"])
    const no = refused("/p/a.ts", "Found 3 matches of the string to replace", "port()")
    const other = edited("/p/a.ts", "more", { old: "open()\nport()" })
    expect([grade(no, other), grade(no, ...edits(1), other)]).toEqual(["A", "B"])
  })

  it("is less where the file's other edits, or calls of the tool for something else, are all that went well", () => {
    const no = refused("/p/a.ts", "String to replace not found in file.", "const port = 1")
    expect(grade(no, edited("/p/a.ts", "x", { old: "function close() {" }))).toBe("B")
    expect(grade(no, edited("/p/a.ts", "x", { old: "  const port = 1" }))).toBe("A")
  })

  it("is less where many edits of the place are named, or much was done between two runs", () => {
    const place = () => "/p/src/api.ts"
    expect(grade(unknown, ...edits(2, place), ran("npx tsc", 0))).toBe("A")
    expect(grade(unknown, ...edits(3, place), ran("npx tsc", 0))).toBe("B")
    const right = edited("/p/src/api.ts", "const port = 1")
    expect(grade(unknown, ...edits(7), right, ran("npx tsc", 0))).toBe("A")
    expect(grade(unknown, ...edits(8), right, ran("npx tsc", 0))).toBe("B")
  })

  it("rests on what had been done when it was cleared, though it is proved only later", () => {
    const other = ran("npx tsc", 2, "src/b.ts(1,1): error TS2322: Type 'x' is not assignable.")
    const later = edited("/p/src/api.ts", "port")
    const [chain] = story(unknown, ...edits(1), other, later, ran("npx tsc", 0))
    expect(told(chain)).toEqual(["resolved", "B", ["edited `src/other0.ts`"]])
    const [sure] = story(unknown, later, other, ...edits(1), ran("npx tsc", 0))
    expect(told(sure)).toEqual(["resolved", "A", ["edited `src/api.ts`"]])
  })
})

describe("what is named", () => {
  const failed = ran("npx tsc", 2, "src/api.ts(30,5): error TS2304: Cannot find name 'port'.")

  it("is no edit that another took back before the run", () => {
    const [chain] = story(
      failed,
      edited("/p/src/api.ts", "import port\nopen()", { old: "open()" }),
      edited("/p/src/api.ts", "open()", { old: "import port\nopen()" }),
      edited("/p/src/api.ts", "port.close()", { old: "close()" }),
      ran("npx tsc", 0)
    )
    expect(chain?.ending?.fix.map(({ at }) => at)).toEqual([4])
  })

  it("is the edit that takes out what the problem names, among others of the file", () => {
    const unused = "# p\n./main.go:3:2: declared and not used: runner"
    const [chain] = story(
      ran("go build ./...", 1, unused),
      edited("/p/main.go", "start()", { old: "runner := start()" }),
      edited("/p/main.go", "log(2)", { old: "log(1)" }),
      edited("/p/main.go", "log(3)", { old: "log(4)" }),
      ran("go build ./...", 0)
    )
    expect(chain?.ending?.fix.map(({ at }) => at)).toEqual([2])
  })
})

describe("the same problem again", () => {
  it("is an edit of the same place that is refused once more, with less of the text or more", () => {
    const no = (old: string) => refused("/p/a.ts", "String to replace not found in file.", old)
    const whole = "case done: {\n  clear()\n  refresh()\n}"
    expect(story(no(whole), no("    clear()\n    refresh()")).map(timesSeen)).toEqual([2])
    expect(story(no(whole), no("close()\nrefresh2()")).map(timesSeen)).toEqual([1, 1])
  })

  it("is no edit of another place that ends with the same brackets or words of the language", () => {
    const no = (old: string) => refused("/p/a.ts", "String to replace not found in file.", old)
    expect(story(no("clear()\n}"), no("refresh()\n}")).map(timesSeen)).toEqual([1, 1])
    expect(story(no("clear()\n  return\n"), no("refresh()\n  return\n")).map(timesSeen)).toEqual([1, 1])
    const [chain] = story(no("clear()\n}"), edited("/p/a.ts", "x", { old: "refresh()\n}" }))
    expect(chain?.ending?.grade).toBe("B")
    expect(story(no("  }\n}"), no("}\n}")).map(timesSeen)).toEqual([2])
  })

  it("is no run of a test whose name begins in the same way", () => {
    const failing = "--- FAIL: TestRanks (0.04s)\n    a_test.go:7: ranked 2 below 1\nFAIL\nFAIL\tp\t0.7s"
    const other = ran('go test ./... -run "TestRanksAll" 2>&1 | tail -3', 0, "FAIL\nFAIL\tp\t0.6s\nFAIL")
    expect(story(ran('go test ./... -run "TestRanks" 2>&1', 1, failing), other).map(timesSeen)).toEqual([
      1, 1
    ])
  })

  it("is a run of the test that is known to fail, of which a filter left the summary alone", () => {
    const failing = "--- FAIL: TestRanks (0.04s)\n    a_test.go:7: ranked 2 below 1\nFAIL\nFAIL\tp\t0.7s"
    const run = 'go test ./... -run "TestRanks" 2>&1'
    const cut = ran(`${run} | tail -3`, 0, "FAIL\nFAIL\tp\t0.6s\nFAIL")
    const chains = story(
      ran(run, 1, failing),
      edited("/p/a.go", "rank"),
      cut,
      edited("/p/a.go", "ranked"),
      ran(run, 0)
    )
    expect(chains.map((chain) => [timesSeen(chain), chain.attempts.length])).toEqual([[2, 2]])
    const before = "--- FAIL: TestRanks (0.04s)\n    a_test.go:5: no edge\nFAIL\nFAIL\tp\t0.7s"
    const further = story(ran(run, 1, before), edited("/p/a.go", "edge"), ran(run, 1, failing), cut)
    expect(further.map((chain) => [chain.state, timesSeen(chain)])).toEqual([
      ["cleared", 1],
      ["open", 2]
    ])
    const all = ran("go test ./... 2>&1 | tail -3", 0, "FAIL\nFAIL\tp\t0.6s\nFAIL")
    expect(story(ran(run, 1, failing), all)).toHaveLength(2)
  })

  it("is what a filter left of a report, where the same call is made at once to see the rest", () => {
    const cut = ran(
      "npm run lint 2>&1 | tail -3",
      0,
      'Found 2 errors.\nerror: script "lint" exited with code 1',
      { id: "cut" }
    )
    const whole = ran(
      "npm run lint 2>&1",
      1,
      "src/a.ts:5:1 lint/style/useConst ━━━━━\n\n  × This let is never assigned.\n\nFound 2 errors.",
      { id: "whole" }
    )
    const chains = story(
      cut,
      whole,
      edited("/p/src/a.ts", "const x"),
      ran("npm run lint 2>&1", 0, "Checked 3 files in 8ms. No fixes applied.")
    )
    const seen = chains.flatMap(({ problem, sightings, state }) => [
      [problem.code, state, ...sightings.map(({ toolUseId }) => toolUseId)]
    ])
    expect(seen).toContainEqual(["lint/style/useConst", "resolved", "cut", "whole"])
    const sums = seen.filter(([code]) => code === "summary")
    expect(sums).toEqual(sums.map(() => ["summary", "abandoned", "cut"]))
    const later = story(cut, edited("/p/src/a.ts", "const x"), whole)
    expect(later.map(({ sightings }) => sightings.length)).toEqual(later.map(() => 1))
  })
})

describe("a run that got further", () => {
  const first = "--- FAIL: TestA (0.0s)\n    a_test.go:7: no edge\nFAIL\tp\t0.1s"
  const second = "--- FAIL: TestA (0.0s)\n    a_test.go:9: rank 2\nFAIL\tp\t0.1s"
  const state = (...steps: readonly Happening[]) => story(ran("go test ./...", 1, first), ...steps)[0]?.state

  it("shows gone the assertion that a test has passed now, where it is the same test still", () => {
    const mended = edited("/p/a.go", "edge")
    expect(state(mended, ran("go test ./...", 1, second))).toBe("cleared")
    const before = "--- FAIL: TestA (0.0s)\n    a_test.go:3: none\nFAIL\tp\t0.1s"
    expect(state(mended, ran("go test ./...", 1, before))).toBe("attempted")
    expect(state(edited("/p/a_test.go", "edge"), ran("go test ./...", 1, second))).toBe("attempted")
  })

  it.each([
    ["go test ./... 2>&1 | tail -10", "cleared"],
    ["go test ./... 2>&1 | head -n 4", "cleared"],
    ["go test ./... 2>&1 | grep -v warning | tail -10", "cleared"],
    ["go test ./... 2>&1 | tail -3", "attempted"],
    ["go test ./... 2>&1 | tail -n +2", "attempted"],
    ["go test ./... 2>&1 | grep -v edge | tail -10", "attempted"],
    ["go test ./... 2>&1 | grep -v FAIL | tail -10", "attempted"],
    ["go test ./... 2>&1 | grep FAIL", "attempted"]
  ])("is seen whole where a filter left nothing out: `%s`", (command, after) =>
    expect(state(edited("/p/a.go", "edge"), ran(command, 0, second))).toBe(after)
  )

  it("is not seen whole where what was left out is a code that the problem has, or lines that are empty", () => {
    const unused = "src/a.ts(3,5): error TS6133: 'x' is declared but its value is never read."
    const other = "src/b.ts(1,1): error TS2322: Type 'x' is not assignable."
    const stateAfter = (command: string, text: string) =>
      story(ran("npx tsc", 2, unused), edited("/p/src/c.ts", "y"), ran(command, 0, text))[0]?.state
    expect(stateAfter("npx tsc | grep -v TS6133", other)).toBe("attempted")
    expect(stateAfter("npx tsc | grep -v error", "src/b.ts(1,1): warn")).not.toBe("cleared")
    expect(stateAfter("npx tsc | tail -4", other)).toBe("cleared")
    expect(stateAfter("npx tsc | tail -4", `${other}\n\n\n\n`)).toBe("attempted")
    expect(stateAfter("npx tsc | tail -6", `\n\n${other}`)).toBe("cleared")
  })

  it("is not shown by silence behind a filter, wherever in the pipe it stands", () => {
    const type = "src/a.ts(3,5): error TS2304: Cannot find name 'x'."
    const stateAfter = (command: string) =>
      story(ran("npx tsc", 2, type), edited("/p/src/c.ts", "y"), ran(command, 0, ""))[0]?.state
    expect(stateAfter("npx tsc 2>&1 | tail -40 | grep b.ts")).toBe("attempted")
    expect(stateAfter("npx tsc 2>&1 | tail -40")).toBe("resolved")
  })
})
