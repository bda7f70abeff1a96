/** Further forms in which programs tell what is wrong, each as whoever judges a call that failed is shown it. */
import { expect, it } from "vitest"
import { judgedCall } from "../../../support/judgedCall.ts"

type Shown = readonly (string | number | undefined)[]

/** Of each problem: family, code, file, line, symbol, and its message where that tells it. */
const shown = (command: string, text: string): readonly Shown[] =>
  judgedCall(command, text, { told: "failed", exitCode: 1 }).problems.map(
    ({ code, family, file, line, symbol }) => [family, code, file, line, symbol]
  )

it.each<[string, string, Shown[]]>([
  [
    "kotlinc Coin.kt",
    "Coin.kt:7:3: error: unresolved reference: till\n  till()\n  ^",
    [["gradle", "compile", "Coin.kt", 7, undefined]]
  ],
  [
    "bundle install",
    "Could not find gem 'coinz (~> 2.0)' in rubygems repository https://rubygems.org/ or\ninstalled locally.",
    [["packages", "bundler", undefined, undefined, "coinz"]]
  ],
  [
    "bundle exec rake",
    "bundler: failed to load command: rake\nCould not find coin-jar-1.4.2 in locally installed gems (Bundler::GemNotFound)",
    [["packages", "bundler", undefined, undefined, "coin-jar"]]
  ],
  [
    "npx eslint -f compact src",
    "/p/src/my coins.js: line 3, col 5, Error - 'till' is not defined. (no-undef)\n/p/src/b.js: line 9, col 1, Warning - Unexpected console statement. (no-console)\n/p/src/c.js: line 1, col 1, Error - Parsing error: Unexpected token\n\n3 problems",
    [
      ["eslint", "no-undef", "/p/src/my coins.js", 3, undefined],
      ["eslint", undefined, "/p/src/c.js", 1, undefined]
    ]
  ],
  [
    "npx eslint src",
    "Oops! Something went wrong! :(\n\nESLint: 9.30.1\n\nESLint couldn't find an eslint.config.(js|mjs|cjs) file.\n\nhttps://eslint.org/chat/help to chat with the team.",
    [["eslint", "config", "eslint.config.js", undefined, undefined]]
  ],
  [
    "npx eslint src",
    "Oops! Something went wrong! :(\n\nESLint: 8.57.0\n\nESLint couldn't find a configuration file. To set up a configuration file for this project, please run:",
    [["eslint", "config", undefined, undefined, undefined]]
  ],
  [
    "cargo check --message-format short",
    "src/till.rs:12:9: error[E0425]: cannot find value `coin` in this scope: not found in this scope\nsrc/a.rs:3:1: error: expected item, found `}`\nsrc/b.rs:2:5: warning: unused import: `x`\nerror: could not compile `till` (lib) due to 2 previous errors",
    [
      ["cargo", "E0425", "src/till.rs", 12, undefined],
      ["cargo", undefined, "src/a.rs", 3, undefined]
    ]
  ],
  [
    "cargo fmt --check",
    "Diff in /p/src/till.rs:3:\n-fn a(){\n+fn a() {\n }\nDiff in /p/src/till.rs:90:\n-b\n+ b\nDiff in /p/src/old.rs at line 4:\n-c\n+ c\n }",
    [
      ["cargo", "format", "/p/src/till.rs", 3, undefined],
      ["cargo", "format", "/p/src/old.rs", 4, undefined]
    ]
  ],
  [
    "cargo clippy",
    "error: this could be a `const fn`\n --> src/a.rs:3:1\n  |\n  = note: `-D clippy::missing-const-for-fn` implied by `-D warnings`\n\nerror: unused import: `b`\n --> src/b.rs:1:5\n  |\n  = note: `-D unused-imports` implied by `-D warnings`\n\nerror: useless\n --> src/c.rs:1:5\n\nerror: denied\n --> src/d.rs:2:5\n  |\n  = note: `#[deny(clippy::eq_op)]` on by default",
    [
      ["cargo", "clippy::missing_const_for_fn", "src/a.rs", 3, undefined],
      ["cargo", "unused_imports", "src/b.rs", 1, undefined],
      ["cargo", undefined, "src/c.rs", 1, undefined],
      ["cargo", "clippy::eq_op", "src/d.rs", 2, undefined]
    ]
  ],
  [
    "cargo clippy",
    "error: unused variable: `x`\n --> src/a.rs:3:9\n  |\n  = note: `-D unused-variables` implied by `-D warnings`\n\nerror: unused variable: `y`\n --> src/b.rs:1:9\n\nerror: useless\n --> src/c.rs:1:5",
    [
      ["cargo", "unused_variables", "src/a.rs", 3, undefined],
      ["cargo", "unused_variables", "src/b.rs", 1, undefined],
      ["cargo", undefined, "src/c.rs", 1, undefined]
    ]
  ],
  [
    "ruff format --check",
    "2 files would be reformatted, 7 files already formatted",
    [["ruff", "summary", undefined, undefined, "ruff format"]]
  ],
  [
    "ruff check",
    "invalid-syntax: Expected `:`, found newline\n --> till/a.py:4:11\n  |\ntill/b.py:9:2: invalid-syntax: Unexpected indentation\nFound 2 errors.",
    [
      ["ruff", "invalid-syntax", "till/a.py", 4, undefined],
      ["ruff", "invalid-syntax", "till/b.py", 9, undefined]
    ]
  ],
  [
    "mix format --check-formatted | tail -1",
    "** (Mix) mix format failed due to --check-formatted.",
    [["mix", "summary", undefined, undefined, "mix format"]]
  ],
  [
    "mix dialyzer",
    "Total errors: 1, Skipped: 0\nlib/coin.ex:8:pattern_match\nThe pattern can never match the type.",
    [["mix", "pattern_match", "lib/coin.ex", 8, undefined]]
  ],
  [
    "poetry install",
    "Installing dependencies from lock file\n\npyproject.toml changed significantly since poetry.lock was last generated. Run `poetry lock` to fix the lock file.",
    [["packages", "poetry", "pyproject.toml", undefined, undefined]]
  ],
  [
    "node dist/till.js",
    "node:internal/modules/esm/resolve:275\n    throw new ERR_MODULE_NOT_FOUND(\n          ^\n\nError [ERR_MODULE_NOT_FOUND]: Cannot find module '/p/dist/coin' imported from /p/dist/till.js\nDid you mean to import \"file:///p/dist/coin.js\"?\n    at finalizeResolution (node:internal/modules/esm/resolve:275:11)",
    [["javascript", "ERR_MODULE_NOT_FOUND", "/p/dist/till.js", undefined, "/p/dist/coin"]]
  ],
  [
    "make",
    "/usr/bin/ld: till.o: in function `pay':\n/p/src/till.c:31: undefined reference to `mint_coin'\n/usr/bin/ld: /p/src/till.c:44: undefined reference to `mint_coin'\njar.c:(.text+0x1b): undefined reference to `floor'\n/usr/bin/ld: lid.o: undefined reference to `close_lid'\ncollect2: error: ld returned 1 exit status\nmake: *** [Makefile:3: till] Error 1",
    [
      ["cc", "link", "/p/src/till.c", 31, "mint_coin"],
      ["cc", "link", "jar.c", undefined, "floor"],
      ["cc", "link", undefined, undefined, "close_lid"]
    ]
  ],
  [
    "./gradlew build",
    "* What went wrong:\nExecution failed for task ':till:compileKotlin'.\n> Could not resolve all files for configuration ':till:compileClasspath'.\n   > Could not find org.bank:coin-jar:3.1.0.\n     Required by:\n         project :till\n\nBUILD FAILED in 2s",
    [["gradle", "dependency", undefined, undefined, "org.bank:coin-jar:3.1.0"]]
  ],
  [
    "golangci-lint run",
    "till/coin.go:8:11: Error return value of `jar.Close` is not checked (errcheck)\ntill/jar.go:3:6: func `lid` is unused (unused)",
    [
      ["go", "errcheck", "till/coin.go", 8, undefined],
      ["go", "unused", "till/jar.go", 3, undefined]
    ]
  ],
  [
    "go build",
    "./coin.go:4:15: cannot use 300 (untyped int constant) as byte value in assignment (overflows)",
    [["go", undefined, "./coin.go", 4, undefined]]
  ],
  [
    "go vet",
    "./coin.go:4:15: wrong type in argument to pay (constant)",
    [["go", undefined, "./coin.go", 4, undefined]]
  ]
])("`%s` shows what is to be mended", (command, text, problems) =>
  expect(shown(command, text)).toEqual(problems)
)

it.each<[string, string, Shown[]]>([
  [
    "yarn install",
    "➤ YN0000: ┌ Resolution step\n➤ YN0035: │ coinz@npm:^2.0.0: Package not found\n➤ YN0035: │   Response Code: 404 (Not Found)\n➤ YN0035: │   Request Method: GET\n➤ YN0000: └ Completed\n➤ YN0000: · Failed with errors in 0s",
    [["packages", "YN0035", undefined, undefined, "coinz"]]
  ],
  [
    "pip install -r requirements.txt",
    "ERROR: Could not find a version that satisfies the requirement coinz>=2 (from versions: 1.0)\nERROR: No matching distribution found for coinz>=2",
    [["packages", "pip", undefined, undefined, "coinz"]]
  ],
  [
    "pip install coinz",
    "ERROR: Could not find a version that satisfies the requirement coinz (from versions: none)",
    [["packages", "pip", undefined, undefined, undefined]]
  ],
  [
    "go test ./...",
    "--- FAIL: TestPay (0.00s)\n    --- FAIL: TestPay/too_much (0.00s)\n        pay_test.go:9: got 1\n--- FAIL: TestPayBack (0.00s)\n    pay_test.go:20: got 2\nFAIL",
    [
      ["go", undefined, "pay_test.go", 9, undefined],
      ["go", undefined, "pay_test.go", 20, undefined]
    ]
  ],
  [
    "go test ./...",
    "--- FAIL: TestA (0.00s)\n    a_test.go:9: got 1\nFAIL\nFAIL\tx/a\t0.1s\n--- FAIL: TestA (0.00s)\n    --- FAIL: TestA/one (0.00s)\n        b_test.go:5: got 2\nFAIL\nFAIL\tx/b\t0.1s",
    [
      ["go", undefined, "a_test.go", 9, undefined],
      ["go", undefined, "b_test.go", 5, undefined]
    ]
  ],
  [
    "go test ./...",
    "--- FAIL: TestA (0.00s)\n    --- FAIL: TestA/one (0.00s)\n        a_test.go:5: got 1\n    a_test.go:9: parent broke\nFAIL",
    [
      ["go", undefined, "a_test.go", 9, undefined],
      ["go", undefined, "a_test.go", 5, undefined]
    ]
  ],
  [
    "go test ./...",
    "--- FAIL: TestA (0.00s)\n    a_test.go:5: got 1\n    --- FAIL: TestA/one (0.00s)\n        a_test.go:5: got 1\nFAIL",
    [["go", undefined, "a_test.go", 5, undefined]]
  ],
  [
    "go test -v ./...",
    "=== RUN   TestA\n=== RUN   TestA/one\n    a_test.go:5: got 1\n=== NAME  TestA\n    a_test.go:9: parent broke\n--- FAIL: TestA (0.00s)\n    --- FAIL: TestA/one (0.00s)\nFAIL",
    [
      ["go", undefined, "a_test.go", 9, undefined],
      ["go", undefined, "a_test.go", 5, undefined]
    ]
  ],
  [
    "go test -v ./...",
    "=== RUN   TestA\n=== RUN   TestA/one\n    a_test.go:5: got 1\n--- FAIL: TestA (0.00s)\n    --- FAIL: TestA/one (0.00s)\nFAIL",
    [["go", undefined, "a_test.go", 5, undefined]]
  ],
  [
    "gotestsum",
    "=== FAIL: x/a TestA (0.00s)\n    a_test.go:9: got 1\n\n=== FAIL: x/b TestA/one (0.00s)\n    b_test.go:5: got 2\n    --- FAIL: TestA/one (0.00s)\n\n=== FAIL: x/b TestA (0.00s)\n\nDONE 3 tests, 3 failures in 0.3s",
    [
      ["go", undefined, "a_test.go", 9, undefined],
      ["go", undefined, "b_test.go", 5, undefined]
    ]
  ],
  [
    "java -jar till.jar",
    'Exception in thread "main" org.bank.TillException: cannot open\n\tat org.bank.Till.open(Till.java:14)\n\tat org.bank.Main.main(Main.java:5)\nCaused by: org.bank.KeyException: no key\n\tat org.bank.Key.turn(Key.java:40)\n\t... 2 more\nCaused by: java.io.IOException: read\n\tat org.bank.Disk.read(Disk.java:7)\n\t... 3 more',
    [["jvm", "IOException", "Disk.java", 7, undefined]]
  ],
  [
    "java -jar till.jar",
    'Exception in thread "main" org.bank.TillException: cannot open\n\tat org.bank.Till.open(Till.java:14)\nCaused by: org.bank.KeyException: no key\n\t... 2 more',
    [["jvm", "TillException", "Till.java", 14, undefined]]
  ],
  [
    "uv sync",
    "  × No solution found when resolving dependencies:\n  ╰─▶ Because coinz was not found, your requirements are unsatisfiable.",
    [["packages", "install", undefined, undefined, undefined]]
  ],
  [
    "mix compile",
    '    error: undefined variable "coin"\n    │\n    └─ lib/till.ex:4:5: Till.pay/1\n\n== Compilation error in file lib/till.ex ==\n** (CompileError) lib/till.ex: cannot compile module Till (errors have been logged)',
    [["mix", "error", "lib/till.ex", 4, "coin"]]
  ],
  [
    "mix compile | tail -1",
    "** (CompileError) lib/till.ex: cannot compile module Till (errors have been logged)",
    [["mix", "summary", undefined, undefined, "mix compile"]]
  ],
  [
    "pytest",
    "____ ERROR collecting tests/test_till.py ____\nE   ImportError: cannot import name 'Coin' from 'till' (/p/till/__init__.py)\n=== short test summary info ===\nERROR tests/test_till.py - ImportError: cannot import name 'Coin' fr...\nERROR tests/test_jar.py\n=== 2 errors in 0.1s ===",
    [
      ["pytest", "ImportError", "tests/test_till.py", undefined, undefined],
      ["pytest", undefined, "tests/test_jar.py", undefined, undefined]
    ]
  ]
])("`%s` shows what is told twice once", (command, text, problems) =>
  expect(shown(command, text)).toEqual(problems)
)

/** As much as an output is cut to, and more, of lines that are as unkind as can be. */
const long = (line: string): string => line.repeat(Math.ceil(100_000 / line.length))

it.each([
  "a: ",
  "undefined reference to\n",
  "a.o: undefined reference to `b'\n",
  "a.js: line 1, col ",
  ", Error - ",
  "Diff in a.rs",
  "Diff in a.rs:1:\n",
  "error: a\n",
  "error: cannot format a.py: ",
  "Could not find gem '",
  "a.go:1: b (c",
  "** (RuntimeError) a\n4 tests, 0 failures\n",
  "   > Could not find a:b:c",
  "--- FAIL: TestA (0.00s)\n",
  "--- FAIL: A\n    --- FAIL: A/b\n",
  "=== FAIL: a b (0.00s)\n    --- FAIL: b (0.00s)\n",
  "would reformat a.py\nAll done! a\n",
  "test a ... FAILED\nthread 'a' panicked at a.rs:1:1:\n",
  "Caused by: a.b.CError: d\n\tat a.b.C(C.java:1)\n",
  " FAIL  a.test.ts > b\n ❯ a.test.ts:1:1\n",
  "  ● a › b\n\n",
  "FAILED a.py::b\n",
  "  1) a\n       b:\n\n",
  "thread 'a' panicked at a.rs:1:1:\n"
])("reading %j over and over takes time in proportion to it", (line) => {
  const text = `${long(line)}\n1 failed\nTests: 1 failed\n1 failing\n`
  const start = performance.now()
  shown("make", text)
  expect(performance.now() - start).toBeLessThan(2500)
})
