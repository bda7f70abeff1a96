/** What each parser reads of an output as its tool prints it, and that it reads nothing of one where all is well. */
import { readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { readMisuse, readReport } from "../../../../src/features/checks/report.ts"

interface Sample {
  readonly parser: string
  readonly text: string
  /** Of each problem what it is told by: family, code, file, line, test, symbol, message. */
  readonly shows: readonly (readonly [string, ...(string | number | undefined)[]])[]
  /** The same tool where all is well. */
  readonly well?: string
}

const samples: readonly Sample[] = [
  {
    parser: "tsc",
    text: "src/a.ts(3,5): error TS2304: Cannot find name 'foo'.\nsrc/b.ts:9:1 - error TS2322: Type 'x' is not assignable to type 'y'.",
    shows: [
      ["tsc", "TS2304", "src/a.ts", 3, undefined, "foo", "Cannot find name 'foo'."],
      ["tsc", "TS2322", "src/b.ts", 9, undefined, "x", "Type 'x' is not assignable to type 'y'."]
    ],
    well: "Found 0 errors. Watching for file changes."
  },
  {
    parser: "eslint",
    text: "/p/src/a.ts\n  1:7  error    'x' is assigned a value but never used  no-unused-vars\n  2:1  warning  Unexpected console statement  no-console\n\n✖ 2 problems (1 error, 1 warning)",
    shows: [
      [
        "eslint",
        "no-unused-vars",
        "/p/src/a.ts",
        1,
        undefined,
        undefined,
        "'x' is assigned a value but never used"
      ]
    ],
    well: "/p/src/a.ts\n  2:1  warning  Unexpected console statement  no-console\n\n✖ 1 problem (0 errors, 1 warning)"
  },
  {
    parser: "biome",
    text: "src/a.ts:5:1 lint/style/useConst ━━━━━━━━━━\n\n  × This let declares a variable that is only assigned once.\n\nChecked 3 files in 8ms. No fixes applied.\nFound 1 error.",
    shows: [
      [
        "biome",
        "lint/style/useConst",
        "src/a.ts",
        5,
        undefined,
        undefined,
        "This let declares a variable that is only assigned once."
      ]
    ],
    well: "Checked 3 files in 8ms. No fixes applied."
  },
  {
    parser: "prettier",
    text: "Checking formatting...\n[warn] src/a.ts\n[warn] Code style issues found in the above file. Run Prettier with --write to fix.",
    shows: [["prettier", "format", "src/a.ts", undefined, undefined, undefined, "code style"]],
    well: "Checking formatting...\nAll matched files use Prettier code style!"
  },
  {
    parser: "vitest",
    text: " FAIL  tests/a.test.ts > sums > adds\nAssertionError: expected 3 to be 4\n ❯ tests/a.test.ts:5:3\n\n Test Files  1 failed (1)\n      Tests  1 failed | 2 passed (3)",
    shows: [
      [
        "vitest",
        undefined,
        "tests/a.test.ts",
        5,
        "sums > adds",
        undefined,
        "AssertionError: expected 3 to be 4"
      ]
    ],
    well: " ✓ tests/a.test.ts (3 tests) 4ms\n\n Test Files  1 passed (1)\n      Tests  3 passed (3)"
  },
  {
    parser: "jest",
    text: "FAIL src/a.test.js\n  ● sums › adds\n\n    expect(received).toBe(expected)\n\nTests:       1 failed, 2 passed, 3 total",
    shows: [
      [
        "jest",
        undefined,
        "src/a.test.js",
        undefined,
        "sums › adds",
        undefined,
        "expect(received).toBe(expected)"
      ]
    ],
    well: "PASS src/a.test.js\nTests:       3 passed, 3 total"
  },
  {
    parser: "bunTest",
    text: "bun test v1.3.5 (1e86cebd)\n\n(fail) sums > adds [0.52ms]\n\n 2 pass\n 1 fail\nRan 3 tests across 1 files.",
    shows: [["bun test", undefined, undefined, undefined, "sums > adds", undefined, "failed"]],
    well: "bun test v1.3.5 (1e86cebd)\n\n 3 pass\n 0 fail"
  },
  {
    parser: "mocha",
    text: "  2 passing (4ms)\n  1 failing\n\n  1) sums\n       adds:\n\n      AssertionError: expected 3 to equal 4",
    shows: [
      [
        "mocha",
        undefined,
        undefined,
        undefined,
        "sums adds",
        undefined,
        "AssertionError: expected 3 to equal 4"
      ]
    ],
    well: "  sums\n    ✔ adds\n\n  3 passing (4ms)"
  },
  {
    parser: "nodeTest",
    text: "TAP version 13\nok 1 - subtracts\nnot ok 2 - adds\n# tests 2\n# pass 1\n# fail 1",
    shows: [["node:test", undefined, undefined, undefined, "adds", undefined, "failed"]],
    well: "TAP version 13\nok 1 - adds\nnot ok 2 - later # TODO\n# pass 1\n# fail 0"
  },
  {
    parser: "playwright",
    text: "  1) [chromium] › tests/a.spec.ts:12:3 › opens the page ────\n\n    Error: expect(locator).toBeVisible() failed\n\n  1 failed\n    [chromium] › tests/a.spec.ts:12:3 › opens the page",
    shows: [
      [
        "playwright",
        undefined,
        "tests/a.spec.ts",
        12,
        "opens the page",
        undefined,
        "Error: expect(locator).toBeVisible() failed"
      ]
    ],
    well: "Running 2 tests using 1 worker\n\n  2 passed (3.1s)"
  },
  {
    parser: "pytest",
    text: "collected 3 items\n\n=== short test summary info ===\nFAILED tests/test_a.py::TestA::test_x[1] - AssertionError: assert 3 == 4\n=== 1 failed, 2 passed in 0.10s ===",
    shows: [
      [
        "pytest",
        "AssertionError",
        "tests/test_a.py",
        undefined,
        "TestA::test_x[1]",
        undefined,
        "AssertionError: assert 3 == 4"
      ]
    ],
    well: "collected 3 items\n\n=== 3 passed, 1 warning in 0.10s ==="
  },
  {
    parser: "unittest",
    text: '======================\nFAIL: test_x (test_a.TestA)\n----------------------\nTraceback (most recent call last):\n  File "test_a.py", line 5, in test_x\nAssertionError: 3 != 4\n----------------------\nRan 1 test in 0.001s\n\nFAILED (failures=1)',
    shows: [
      ["unittest", undefined, "test_a.py", 5, "test_a.TestA.test_x", undefined, "AssertionError: 3 != 4"]
    ],
    well: "Ran 1 test in 0.001s\n\nOK"
  },
  {
    parser: "mypy",
    text: "a.py:3: error: Incompatible types in assignment  [assignment]\nFound 1 error in 1 file (checked 2 source files)",
    shows: [["mypy", "assignment", "a.py", 3, undefined, undefined, "Incompatible types in assignment"]],
    well: "Success: no issues found in 2 source files"
  },
  {
    parser: "pyright",
    text: '/p/a.py\n  /p/a.py:27:6 - error: Import "x" could not be resolved (reportMissingImports)\n1 error, 0 warnings, 0 informations',
    shows: [
      [
        "pyright",
        "reportMissingImports",
        "/p/a.py",
        27,
        undefined,
        undefined,
        'Import "x" could not be resolved'
      ]
    ],
    well: '/p/a.py\n  /p/a.py:27:6 - warning: Stub file not found for "pydub" (reportMissingTypeStubs)\n0 errors, 1 warning, 0 informations'
  },
  {
    parser: "ruff",
    text: "E501 Line too long (93 > 88)\n   --> tests/conftest.py:150:89\n    |\nsrc/b.py:1:1: F401 [*] `os` imported but unused\nWould reformat: src/c.py\nFound 2 errors.",
    shows: [
      ["ruff", "E501", "tests/conftest.py", 150, undefined, undefined, "Line too long (93 > 88)"],
      ["ruff", "F401", "src/b.py", 1, undefined, undefined, "`os` imported but unused"],
      ["ruff", "format", "src/c.py", undefined, undefined, undefined, "would be formatted otherwise"]
    ],
    well: "All checks passed!"
  },
  {
    parser: "pythonTrace",
    text: 'Traceback (most recent call last):\n  File "/p/a.py", line 4, in main\n    run()\n  File "/usr/lib/python3/site-packages/x/y.py", line 9, in run\n    raise KeyError("info")\nKeyError: \'info\'',
    shows: [["python", "KeyError", "/p/a.py", 4, undefined, undefined, "'info'"]]
  },
  {
    parser: "black",
    text: "would reformat till/coins.py\nerror: cannot format till/change.py: Cannot parse for target version Python 3.12: 4:9: def f(:\n\nOh no! 💥 💔 💥\n1 file would be reformatted, 3 files would be left unchanged, 1 file would fail to reformat.",
    shows: [
      ["black", "format", "till/coins.py", undefined, undefined, undefined, "would be formatted otherwise"],
      [
        "black",
        "parse",
        "till/change.py",
        4,
        undefined,
        undefined,
        "Cannot parse for target version Python 3.12"
      ]
    ],
    well: "All done! ✨ 🍰 ✨\n5 files would be left unchanged."
  },
  {
    parser: "mixFormat",
    text: "** (Mix) mix format failed due to --check-formatted.\nThe following files are not formatted:\n\n  * lib/coin.ex\n  * test/coin_test.exs\n",
    shows: [
      ["mix", "format", "lib/coin.ex", undefined, undefined, undefined, "would be formatted otherwise"],
      ["mix", "format", "test/coin_test.exs", undefined, undefined, undefined, "would be formatted otherwise"]
    ]
  },
  {
    parser: "mixWarnings",
    text: '     warning: variable "coin" is unused\n     │\n   5 │   def pay(coin), do: :ok\n     │           ~\n     │\n     └─ lib/coin.ex:5:11: Coin.pay/1\n\nCompilation failed due to warnings while using the --warnings-as-errors option',
    shows: [["mix", "warning", "lib/coin.ex", 5, undefined, "coin", 'variable "coin" is unused']],
    well: '     warning: variable "coin" is unused\n     │\n     └─ lib/coin.ex:5:11: Coin.pay/1\n\nGenerated coin app'
  },
  {
    parser: "go",
    text: "# example.com/x\n./a.go:12:3: undefined: foo\n--- FAIL: TestA (0.00s)\n    a_test.go:7: got 3, want 4\nFAIL\nFAIL\texample.com/x\t0.01s",
    shows: [
      ["go", undefined, "./a.go", 12, undefined, "foo", "undefined: foo"],
      ["go", undefined, "a_test.go", 7, "TestA", undefined, "got 3, want 4"]
    ],
    well: "ok  \texample.com/x\t0.012s"
  },
  {
    parser: "goPanic",
    text: "panic: runtime error: index out of range [3] with length 3\n\ngoroutine 1 [running]:\nmain.main()\n\t/p/main.go:9 +0x1d",
    shows: [
      [
        "go panic",
        undefined,
        "/p/main.go",
        undefined,
        undefined,
        undefined,
        "runtime error: index out of range [3] with length 3"
      ]
    ]
  },
  {
    parser: "cargo",
    text: 'error[E0425]: cannot find value `x` in this scope\n --> src/main.rs:3:5\n  |\nwarning: unused variable: `y`\n --> src/main.rs:4:9\nerror: could not compile `a` (bin "a") due to 1 previous error\ntest tests::adds ... FAILED',
    shows: [
      ["cargo", "E0425", "src/main.rs", 3, undefined, undefined, "cannot find value `x` in this scope"],
      ["cargo", undefined, undefined, undefined, "tests::adds", undefined, "failed"]
    ],
    well: "test tests::adds ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored"
  },
  {
    parser: "rustPanic",
    text: "thread 'main' panicked at src/main.rs:4:10:\ncalled `Option::unwrap()` on a `None` value",
    shows: [
      [
        "rust panic",
        undefined,
        "src/main.rs",
        4,
        undefined,
        undefined,
        "called `Option::unwrap()` on a `None` value"
      ]
    ]
  },
  {
    parser: "gcc",
    text: "a.c:3:5: error: 'x' undeclared (first use in this function)\nb.cpp:1:10: fatal error: y.h: No such file or directory\n/usr/bin/ld: a.o: undefined reference to `foo'",
    shows: [
      ["cc", undefined, "a.c", 3, undefined, undefined, "'x' undeclared (first use in this function)"],
      ["cc", undefined, "b.cpp", 1, undefined, undefined, "y.h: No such file or directory"],
      ["cc", "link", undefined, undefined, undefined, "foo", "undefined reference to foo"]
    ],
    well: "a.c:3:5: warning: unused variable 'x' [-Wunused-variable]"
  },
  {
    parser: "make",
    text: "make: *** No rule to make target 'x'.  Stop.",
    shows: [["make", "rule", undefined, undefined, undefined, undefined, "No rule to make target 'x'"]],
    well: "make: Nothing to be done for 'all'."
  },
  {
    parser: "maven",
    text: "[ERROR] /p/src/main/java/A.java:[12,5] cannot find symbol\n[ERROR]   ATest.adds:9 expected: <4> but was: <3>\n[INFO] BUILD FAILURE",
    shows: [
      ["maven", "compile", "/p/src/main/java/A.java", 12, undefined, undefined, "cannot find symbol"],
      ["maven", undefined, undefined, 9, "ATest.adds", undefined, "expected: <4> but was: <3>"]
    ],
    well: "[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS"
  },
  {
    parser: "gradle",
    text: "e: file:///p/src/A.kt:3:5 Unresolved reference: foo\nATest > adds() FAILED\n    org.opentest4j.AssertionFailedError: expected 4\nBUILD FAILED in 2s",
    shows: [
      ["gradle", "compile", "/p/src/A.kt", 3, undefined, undefined, "Unresolved reference: foo"],
      [
        "gradle",
        undefined,
        undefined,
        undefined,
        "ATest adds",
        undefined,
        "org.opentest4j.AssertionFailedError: expected 4"
      ]
    ],
    well: "> Task :test\n\nBUILD SUCCESSFUL in 2s"
  },
  {
    parser: "jvmTrace",
    text: 'Exception in thread "main" java.lang.NullPointerException: x is null\n\tat java.base/java.util.Objects.requireNonNull(Objects.java:233)\n\tat com.example.A.main(A.java:7)',
    shows: [["jvm", "NullPointerException", "A.java", 7, undefined, undefined, "x is null"]]
  },
  {
    parser: "dotnet",
    text: "/p/A.cs(3,9): error CS0103: The name 'x' does not exist in the current context [/p/A.csproj]\n  Failed Tests.Adds [12 ms]\n  Error Message:\n   Assert.Equal() Failure\nBuild FAILED.",
    shows: [
      [
        "dotnet",
        "CS0103",
        "/p/A.cs",
        3,
        undefined,
        undefined,
        "The name 'x' does not exist in the current context"
      ],
      ["dotnet", undefined, undefined, undefined, "Tests.Adds", undefined, "Assert.Equal() Failure"]
    ],
    well: "Build succeeded.\n    0 Warning(s)\n    0 Error(s)"
  },
  {
    parser: "swift",
    text: '/p/A.swift:3:9: error: cannot find \'x\' in scope\n/p/ATests.swift:7: error: -[Tests.ATests testAdds] : XCTAssertEqual failed: ("3") is not equal to ("4")\nExecuted 2 tests, with 1 failure (0 unexpected) in 0.1 seconds',
    shows: [
      ["swift", "compile", "/p/A.swift", 3, undefined, undefined, "cannot find 'x' in scope"],
      [
        "swift",
        undefined,
        "/p/ATests.swift",
        7,
        "Tests.ATests.testAdds",
        undefined,
        'XCTAssertEqual failed: ("3") is not equal to ("4")'
      ]
    ],
    well: "Executed 2 tests, with 0 failures (0 unexpected) in 0.1 seconds"
  },
  {
    parser: "rspec",
    text: "3 examples, 1 failure\n\nFailed examples:\n\nrspec ./spec/a_spec.rb:5 # A adds",
    shows: [["rspec", undefined, "./spec/a_spec.rb", 5, "A adds", undefined, "failed"]],
    well: "3 examples, 0 failures"
  },
  {
    parser: "rubocop",
    text: "app/a.rb:3:5: C: [Correctable] Style/StringLiterals: Prefer single-quoted strings.\n\n1 file inspected, 1 offense detected",
    shows: [
      [
        "rubocop",
        "Style/StringLiterals",
        "app/a.rb",
        3,
        undefined,
        undefined,
        "Prefer single-quoted strings."
      ]
    ],
    well: "1 file inspected, no offenses detected"
  },
  {
    parser: "rubyTrace",
    text: "a.rb:3:in 'Object#foo': undefined method 'x' for nil (NoMethodError)\n\tfrom a.rb:9:in '<main>'",
    shows: [["ruby", "NoMethodError", "a.rb", 3, undefined, undefined, "undefined method 'x' for nil"]]
  },
  {
    parser: "php",
    text: "PHP Fatal error:  Uncaught Error: Call to undefined function x() in /p/a.php:3\n1) Tests\\ATest::testAdds\nFailed asserting that 3 matches expected 4.\n\nFAILURES!",
    shows: [
      ["php", "Fatal", "/p/a.php", 3, undefined, undefined, "Error: Call to undefined function x()"],
      [
        "php",
        undefined,
        undefined,
        undefined,
        "Tests\\ATest::testAdds",
        undefined,
        "Failed asserting that 3 matches expected 4."
      ]
    ],
    well: "OK (3 tests, 5 assertions)"
  },
  {
    parser: "mix",
    text: "  1) test adds (ATest)\n     test/a_test.exs:5\n     Assertion with == failed\n\n    error: undefined function get/2 (there is no such import)\n    │\n    └─ lib/a.ex:12: A.run/0\n\n4 tests, 1 failure",
    shows: [
      ["mix", undefined, "test/a_test.exs", 5, "ATest adds", undefined, "Assertion with == failed"],
      [
        "mix",
        "error",
        "lib/a.ex",
        12,
        undefined,
        "get/2",
        "undefined function get/2 (there is no such import)"
      ]
    ],
    well: "Finished in 0.1 seconds\n4 tests, 0 failures"
  },
  {
    parser: "markdownlint",
    text: "docs/a.md:344:121 error MD013/line-length Line length [Expected: 120; Actual: 133]\nSummary: 1 error(s)",
    shows: [["markdownlint", "MD013", "docs/a.md", 344, undefined, undefined, "Line length"]],
    well: "Summary: 0 error(s)"
  },
  {
    parser: "shellcheck",
    text: "In a.sh line 3:\necho $x\n     ^-- SC2086 (info): Double quote to prevent globbing.",
    shows: [["shellcheck", "SC2086", "a.sh", 3, undefined, undefined, "Double quote to prevent globbing."]]
  },
  {
    parser: "terraform",
    text: '╷\n│ Error: Reference to undeclared resource\n│ \n│   on main.tf line 5, in output "x":',
    shows: [["terraform", undefined, "main.tf", 5, undefined, undefined, "Reference to undeclared resource"]]
  },
  {
    parser: "bundlers",
    text: '✘ [ERROR] Could not resolve "left-pad"\n\n    src/a.js:1:17:',
    shows: [["bundler", undefined, "src/a.js", 1, undefined, undefined, 'Could not resolve "left-pad"']]
  },
  {
    parser: "jsTrace",
    text: "TypeError: x is not a function\n    at run (/p/node_modules/y/z.js:1:1)\n    at main (/p/src/a.js:7:3)",
    shows: [
      ["javascript", "TypeError", "/p/src/a.js", undefined, undefined, undefined, "x is not a function"]
    ]
  },
  {
    parser: "git",
    text: "fatal: The current branch x has no upstream branch.",
    shows: [
      [
        "git",
        "fatal",
        undefined,
        undefined,
        undefined,
        undefined,
        "The current branch has no upstream branch."
      ]
    ],
    well: "On branch main\nnothing to commit, working tree clean"
  },
  {
    parser: "gitConflict",
    text: "Auto-merging a.ts\nCONFLICT (content): Merge conflict in a.ts\nThe stash entry is kept in case you need it again.",
    shows: [["git", "conflict", "a.ts", undefined, undefined, undefined, "content"]]
  },
  {
    parser: "packages",
    text: 'npm error code E404\nnpm error 404 Not Found - GET https://registry.npmjs.org/nope\nnpm error Missing script: "tset"',
    shows: [
      [
        "packages",
        "E404",
        undefined,
        undefined,
        undefined,
        undefined,
        "404 Not Found - GET https://registry.npmjs.org/nope"
      ],
      ["packages", "missing script", undefined, undefined, undefined, "tset", 'Missing script: "tset"']
    ],
    well: "added 3 packages in 1s"
  },
  {
    parser: "docker",
    text: 'Error response from daemon: No such container: x\nERROR: failed to solve: process "/bin/sh -c make" did not complete successfully: exit code: 2',
    shows: [
      ["docker", "daemon", undefined, undefined, undefined, undefined, "No such container: x"],
      [
        "docker",
        "build",
        undefined,
        undefined,
        undefined,
        undefined,
        'process "/bin/sh -c make" did not complete successfully: exit code: 2'
      ]
    ]
  },
  {
    parser: "shell",
    text: "zsh: command not found: node\nbash: line 1: cd: src: No such file or directory\ncp: cannot stat 'a.ini': No such file or directory",
    shows: [
      ["shell", "command not found", undefined, undefined, undefined, "node", "command not found: node"],
      ["shell", "cd", "src", undefined, undefined, undefined, "no such directory"],
      ["shell", "no such file", "a.ini", undefined, undefined, undefined, "no such file"]
    ],
    well: "ls: b: No such file or directory"
  },
  {
    parser: "usage",
    text: "error: unrecognized subcommand 'bun'\n\nUsage: rtk [OPTIONS] <COMMAND>",
    shows: [["usage", "usage", undefined, undefined, undefined, "bun", "error: unrecognized subcommand 'bun"]]
  },
  {
    parser: "remote",
    text: "gh: Not Found (HTTP 404)\nError: listen EPERM: operation not permitted 127.0.0.1",
    shows: [
      ["remote", "404", undefined, undefined, undefined, undefined, "Not Found"],
      [
        "remote",
        "EPERM",
        undefined,
        undefined,
        undefined,
        undefined,
        "listen EPERM: operation not permitted 127.0.0.1"
      ]
    ]
  },
  {
    parser: "checklist",
    text: "  ✗ CI lint workflow exists\n      Missing lint.yml\n  ✓ README exists",
    shows: [
      [
        "checklist",
        undefined,
        "lint.yml",
        undefined,
        undefined,
        "CI lint workflow exists",
        "CI lint workflow exists"
      ]
    ],
    well: "  ✓ README exists"
  },
  {
    parser: "gtest",
    text: "[ RUN      ] Calc.Adds\n/p/a_test.cc:5: Failure\nExpected equality of these values:\n  3\n  4\n[  FAILED  ] Calc.Adds (0 ms)\n[  PASSED  ] 0 tests.\n[  FAILED  ] 1 test, listed below:\n[  FAILED  ] Calc.Adds\n\n 1 FAILED TEST",
    shows: [
      ["gtest", undefined, "/p/a_test.cc", 5, "Calc.Adds", undefined, "Expected equality of these values:"]
    ],
    well: "[==========] 1 test from 1 test suite ran. (0 ms total)\n[  PASSED  ] 1 test."
  },
  {
    parser: "ctest",
    text: "1/2 Test #1: add ..............***Failed    0.01 sec\n\n50% tests passed, 1 tests failed out of 2\n\nThe following tests FAILED:\n\t  1 - add (Failed)\nErrors while running CTest",
    shows: [["ctest", undefined, undefined, undefined, "add", undefined, "failed"]],
    well: "100% tests passed, 0 tests failed out of 2"
  },
  {
    parser: "dartTest",
    text: "00:01 +0: adds\n00:01 +0 -1: adds [E]\n  Expected: <4>\n    Actual: <3>\n  test/a_test.dart 5:5  main.<fn>\n\n00:01 +0 -1: Some tests failed.",
    shows: [["flutter", undefined, "test/a_test.dart", 5, "adds", undefined, "Expected: <4>"]],
    well: "00:01 +1: All tests passed!"
  },
  {
    parser: "sbt",
    text: "[error] /p/src/main/scala/A.scala:3:5: not found: value foo\n[error]     foo\n[info] - adds two *** FAILED ***\n[info]   3 did not equal 4 (ASpec.scala:9)\n[error] (Compile / compileIncremental) Compilation failed",
    shows: [
      ["sbt", "compile", "/p/src/main/scala/A.scala", 3, undefined, undefined, "not found: value foo"],
      ["sbt", undefined, undefined, undefined, "adds two", undefined, "3 did not equal 4 (ASpec.scala:9)"]
    ],
    well: "[success] Total time: 1 s"
  },
  {
    parser: "denoTest",
    text: "adds ... FAILED (3ms)\n\n ERRORS \n\nadds => ./a_test.ts:3:6\nerror: AssertionError: Values are not equal.\n\n FAILURES \n\nadds => ./a_test.ts:3:6\n\nFAILED | 0 passed | 1 failed (5ms)",
    shows: [
      ["deno", undefined, "./a_test.ts", 3, "adds", undefined, "AssertionError: Values are not equal."]
    ],
    well: "ok | 1 passed | 0 failed (5ms)"
  },
  {
    parser: "pest",
    text: "   FAILED  Tests\\Unit\\CalcTest > it adds\n  Failed asserting that 3 is identical to 4.\n\n  at tests/Unit/CalcTest.php:5\n\n  Tests:    1 failed, 1 passed (2 assertions)",
    shows: [
      [
        "php",
        undefined,
        "tests/Unit/CalcTest.php",
        5,
        "Tests\\Unit\\CalcTest > it adds",
        undefined,
        "Failed asserting that 3 is identical to 4."
      ]
    ],
    well: "  Tests:    2 passed (2 assertions)"
  },
  {
    parser: "nextest",
    text: "        FAIL [   0.005s] p tests::adds\n     Summary [   0.010s] 2 tests run: 1 passed, 1 failed, 0 skipped\n        FAIL [   0.005s] p tests::adds",
    shows: [["cargo", undefined, undefined, undefined, "tests::adds", undefined, "failed"]],
    well: "     Summary [   0.010s] 2 tests run: 2 passed, 0 skipped"
  },
  {
    parser: "prove",
    text: "t/a.t .. Failed 1/2 subtests\n\nTest Summary Report\n-------------------\nt/a.t (Wstat: 256 (exited 1) Tests: 2 Failed: 1)\n  Failed test:  2\nResult: FAIL",
    shows: [["prove", undefined, "t/a.t", undefined, "t/a.t", undefined, "Failed test: 2"]],
    well: "t/a.t .. ok\nAll tests successful.\nResult: PASS"
  },
  {
    parser: "goTestJson",
    text: '{"Time":"2026","Action":"output","Package":"p","Test":"TestAdd","Output":"    a_test.go:9: got 3, want 4\\n"}\n{"Time":"2026","Action":"output","Package":"p","Test":"TestAdd","Output":"--- FAIL: TestAdd (0.00s)\\n"}\n{"Time":"2026","Action":"fail","Package":"p","Elapsed":0}',
    shows: [["go", undefined, "a_test.go", 9, "TestAdd", undefined, "got 3, want 4"]],
    well: '{"Time":"2026","Action":"output","Package":"p","Output":"ok  \\tp\\t0.003s\\n"}'
  },
  {
    parser: "svelteCheck",
    text: "/p/src/A.svelte:3:5\nError: Cannot find name 'foo'. (ts)\n\n====================================\nsvelte-check found 1 error and 0 warnings in 1 file",
    shows: [["svelte-check", "ts", "/p/src/A.svelte", 3, undefined, undefined, "Cannot find name 'foo'."]],
    well: "svelte-check found 0 errors and 0 warnings"
  },
  {
    parser: "bats",
    text: " ✗ adds\n   (in test file test/a.bats, line 5)\n     `[ 3 -eq 4 ]' failed\n\n2 tests, 1 failure",
    shows: [["bats", undefined, "test/a.bats", 5, "adds", undefined, "`[ 3 -eq 4 ]' failed"]],
    well: " ✓ adds\n\n1 test, 0 failures"
  }
]

const told = ({
  code,
  family,
  file,
  line,
  message,
  symbol,
  test
}: ReturnType<typeof readReport>["problems"][number]) =>
  [family, code, file, line, test, symbol, message] as const

describe.each(samples)("$parser", ({ shows, text, well }) => {
  it("reads every problem with its place", () => {
    const { problems, traces } = readReport(text)
    const families = new Set(shows.map(([family]) => family))
    expect([...problems, ...traces].filter(({ family }) => families.has(family)).map(told)).toEqual(
      shows.map((one) => Array.from({ length: 7 }, (_, at) => one[at]))
    )
  })

  it("finds nothing where all is well", () => {
    const { problems, traces, verdict } = readReport(well ?? "done")
    expect([problems, traces, verdict === "fail"]).toEqual([[], [], false])
  })
})

it.each([
  ["String to replace not found in file.\nString: x", "text not found"],
  ["File has not been read yet. Read it first before writing to it.", "not read"],
  ["File has been modified since read, either by the user or by a linter.", "changed meanwhile"],
  ["Found 3 matches of the string to replace, but replace_all is false.", "several matches"],
  ["No such tool available: Foo", "no such tool"],
  ["InputValidationError: Edit failed due to the following issue", "bad input"],
  ["No changes to make: old_string and new_string are exactly the same.", "no change"],
  ["apply_patch verification failed: Failed to find expected lines in a.ts", "text not found"],
  ["Failed to edit, 0 occurrences found for old_string", "text not found"]
])("an agent's own tool says `%s`: %s", (text, code) =>
  expect(readMisuse(text).map((problem) => [problem.family, problem.code])).toEqual([["misuse", code]])
)

it("has a sample for every parser", () => {
  const folder = fileURLToPath(new URL("../../../../src/features/checks/parsers", import.meta.url))
  const files = readdirSync(folder).map((file) => file.replace(/\.ts$/, ""))
  expect(files.length).toBeGreaterThan(40)
  expect(new Set([...samples.map(({ parser }) => parser), "misuse"])).toEqual(new Set(files))
})
