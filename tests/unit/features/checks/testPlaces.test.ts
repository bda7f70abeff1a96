/** Where a test failed, as each runner prints it, and that a test is known again when that was cut off. */
import { describe, expect, it } from "vitest"
import { readReport } from "../../../../src/features/checks/report.ts"
import { signatureOfProblem } from "../../../../src/features/checks/signature.ts"

const places = (text: string) =>
  readReport(text).problems.map(({ file, line, test }) => [test ?? "", file, line])

type Places = ReturnType<typeof places>

it.each<[string, string, Places]>([
  [
    "vitest",
    " FAIL  tests/till.test.ts > pays\nTypeError: coin is undefined\n ❯ pay src/till.ts:7:11\n ❯ tests/till.test.ts:22:5\n\n FAIL  tests/jar.test.ts [ tests/jar.test.ts ]\nError: Failed to resolve import\n  File: /p/tests/jar.test.ts:2:21\n\n FAIL  tests/till.test.ts > gives back\nError: no\n\n      Tests  2 failed (2)",
    [
      ["pays", "tests/till.test.ts", 22],
      ["", "tests/jar.test.ts", 2],
      ["gives back", "tests/till.test.ts", undefined]
    ]
  ],
  [
    "jest",
    "FAIL test/till.test.ts\n  ● till › pays\n\n    Error: no\n\n      at pay (src/till.ts:7:11)\n      at Object.<anonymous> (test/till.test.ts:22:5)\n\n  ● till › gives back\n\n    Error: no\n\nTests:       2 failed, 2 total",
    [
      ["till › pays", "test/till.test.ts", 22],
      ["till › gives back", "test/till.test.ts", undefined]
    ]
  ],
  [
    "jest, of which the end is left",
    "      at expect (node_modules/expect/build/index.js:113:15)\n      at Object.<anonymous> (test/till.test.ts:44:11)\n\nTests:       1 failed, 28 passed, 29 total",
    [["", "test/till.test.ts", 44]]
  ],
  [
    "jest, of which the sum is left",
    "Tests:       1 failed, 28 passed, 29 total",
    [["", undefined, undefined]]
  ],
  [
    "mocha",
    "  0 passing (2s)\n  2 failing\n\n  1) Till\n       pays:\n\n      Error: no\n      at Context.<anonymous> (test/till.js:19:14)\n      at process.processImmediate (node:internal/timers:476:21)\n\n  2) Till\n       waits:\n     Error: Timeout\n      at listOnTimeout (node:internal/timers:581:17)\n",
    [
      ["Till pays", "test/till.js", 19],
      ["Till waits", undefined, undefined]
    ]
  ],
  [
    "node:test",
    "✖ failing tests:\n\ntest at test/till.test.js:9:3\n✖ pays (1.42ms)\n  Error: no\n      at TestContext.<anonymous> (file:///p/test/till.test.js:11:12)\n\nℹ fail 1",
    [["pays", "test/till.test.js", 9]]
  ],
  [
    "TAP",
    "not ok 1 - pays\n  ---\n  location: '/p/test/till.test.mjs:20:1'\n  ...\nnot ok 2 - waits\nok 3 - rests\n  ---\n  location: '/p/test/till.test.mjs:30:1'\n# fail 2",
    [
      ["pays", "/p/test/till.test.mjs", 20],
      ["waits", undefined, undefined]
    ]
  ],
  [
    "pytest",
    "=== FAILURES ===\n____ TestTill.test_pay[2] ____\n\n    def test_pay(self, n):\n>       pay(n)\n\ntests/test_till.py:31: \n_ _ _ _ _ _\nlib/till.py:8: ValueError\n____ ERROR at setup of test_jar ____\nfile /p/tests/test_jar.py, line 4\nE       fixture 'lid' not found\n=== short test summary info ===\nFAILED tests/test_till.py::TestTill::test_pay[2] - ValueError: no\nERROR tests/test_jar.py::test_jar\nFAILED tests/test_till.py::test_cut\n=== 2 failed, 1 error in 0.1s ===",
    [
      ["TestTill::test_pay[2]", "tests/test_till.py", 31],
      ["test_jar", "tests/test_jar.py", 4],
      ["test_cut", "tests/test_till.py", undefined]
    ]
  ],
  [
    "pytest, of two files of one name",
    "=== FAILURES ===\n____ test_pay ____\ntest_till.py:50: ValueError\n____ test_pay ____\ntests\\a\\test_till.py:31: ValueError\n____ test_pay ____\ntests/b/test_till.py:8: ValueError\n=== short test summary info ===\nFAILED test_till.py::test_pay - ValueError: no\nFAILED tests/a/test_till.py::test_pay - ValueError: no\nFAILED p/tests/b/test_till.py::test_pay - ValueError: no\n=== 3 failed in 0.1s ===",
    [
      ["test_pay", "test_till.py", 50],
      ["test_pay", "tests/a/test_till.py", 31],
      ["test_pay", "p/tests/b/test_till.py", 8]
    ]
  ],
  [
    "pytest, of which the account of one is cut off",
    "____ test_pay ____\ntests/b/test_till.py:8: ValueError\n=== short test summary info ===\nFAILED tests/a/test_till.py::test_pay - ValueError: no\nFAILED p/tests/b/test_till.py::test_pay - ValueError: no\n=== 2 failed in 0.1s ===",
    [
      ["test_pay", "tests/a/test_till.py", undefined],
      ["test_pay", "p/tests/b/test_till.py", 8]
    ]
  ],
  [
    "pytest, which cannot collect",
    "____ ERROR collecting tests/test_till.py ____\n/usr/lib/python3.12/importlib/__init__.py:90: in import_module\ntests/test_till.py:3: in <module>\n    from till import Coin\nE   ImportError: cannot import name 'Coin'\n=== 1 error in 0.1s ===",
    [["", "tests/test_till.py", 3]]
  ],
  [
    "unittest",
    'ERROR: test_pay (tests.test_till.TillTest)\n----------------------\nTraceback (most recent call last):\n  File "/p/tests/test_till.py", line 37, in test_pay\n    pay()\n  File "/p/till.py", line 5, in pay\nTypeError: no\n----------------------\nRan 1 test in 0.001s\n\nFAILED (errors=1)',
    [["tests.test_till.TillTest.test_pay", "/p/tests/test_till.py", 37]]
  ],
  [
    "cargo",
    "test till::tests::pays ... FAILED\ntest till::tests::waits ... FAILED\ntest till::tests::rests ... FAILED\n\nthread 'till::tests::pays' panicked at src/till.rs:118:9:\nno\nthread 'till::tests::waits' panicked at 'index out of bounds', src/jar.rs:77:13\n\ntest result: FAILED. 0 passed; 3 failed",
    [
      ["till::tests::pays", "src/till.rs", 118],
      ["till::tests::waits", "src/jar.rs", 77],
      ["till::tests::rests", undefined, undefined]
    ]
  ],
  [
    "cargo, of two crates",
    "running 1 test\ntest tests::pays ... FAILED\n\nfailures:\n\n---- tests::pays stdout ----\nthread 'tests::pays' panicked at a/src/lib.rs:3:9:\nno\n\nfailures:\n    tests::pays\n\ntest result: FAILED. 0 passed; 1 failed\n\nrunning 1 test\ntest tests::pays ... FAILED\n\nfailures:\n\n---- tests::pays stdout ----\nthread 'tests::pays' panicked at b/src/lib.rs:7:9:\nno\n\nfailures:\n    tests::pays\n\ntest result: FAILED. 0 passed; 1 failed",
    [
      ["tests::pays", "a/src/lib.rs", 3],
      ["tests::pays", "b/src/lib.rs", 7]
    ]
  ],
  [
    "Go with Testify",
    "--- FAIL: TestPay (0.00s)\n    till_test.go:31:\n        \tError Trace:\t/p/till_test.go:31\n        \tError:      \tNot equal:\nFAIL",
    [["TestPay", "till_test.go", 31]]
  ],
  [
    "minitest",
    "Failure:\nTillTest#test_pays [test/till_test.rb:12]:\nExpected true\n\n1 runs, 1 assertions, 1 failures, 0 errors, 0 skips",
    [["TillTest#test_pays", "test/till_test.rb", 12]]
  ],
  [
    "PHPUnit",
    "1) Tests\\TillTest::testPay\nFailed asserting that 2 matches expected 3.\n\n/p/tests/TillTest.php:27\n\n2) Tests\\TillTest::testWait\nno\n\nFAILURES!\nTests: 2, Assertions: 2, Failures: 2.",
    [
      ["Tests\\TillTest::testPay", "/p/tests/TillTest.php", 27],
      ["Tests\\TillTest::testWait", undefined, undefined]
    ]
  ],
  [
    "dotnet",
    "  Failed Till.Tests.Pays [12 ms]\n  Error Message:\n   no\n  Stack Trace:\n     at Till.Tests.Pays() in /p/my tests/TillTests.cs:line 33\n  Failed Till.Tests.Waits [1 ms]\n  Error Message:\n   no\n\nFailed!  - Failed:     2, Passed:    18",
    [
      ["Till.Tests.Pays", "/p/my tests/TillTests.cs", 33],
      ["Till.Tests.Waits", undefined, undefined]
    ]
  ],
  [
    "Gradle",
    "TillTest > pays() FAILED\n    org.opentest4j.AssertionFailedError at TillTest.kt:44\n\nTillTest > waits() FAILED\n    java.lang.IllegalStateException\n\n2 tests completed, 2 failed",
    [
      ["TillTest pays", "TillTest.kt", 44],
      ["TillTest waits", undefined, undefined]
    ]
  ]
])("%s tells where a test failed", (_, text, found) => expect(places(text)).toEqual(found))

describe("a test is the same one where the place was cut off", () => {
  it.each([
    ["unittest", "t.TillTest.test_pay"],
    ["mocha", "Till pays"],
    ["node:test", "pays"],
    ["cargo", "till::tests::pays"],
    ["dotnet", "Till.Tests.Pays"],
    ["gradle", "TillTest pays"],
    ["php", "Tests\\TillTest::testPay"]
  ])("%s", (family, test) => {
    const cut = { family, test, message: "failed" }
    expect(signatureOfProblem({ ...cut, file: "/p/till", line: 3 })).toBe(signatureOfProblem(cut))
  })

  it.each([
    ["vitest", "Till > pays"],
    ["php", "Tests\\TillTest > it pays"]
  ])("%s: `%s` names the file itself", (family, test) => {
    const one = { family, test, message: "failed" }
    expect(signatureOfProblem({ ...one, file: "a.test.ts" })).not.toBe(
      signatureOfProblem({ ...one, file: "b.test.ts" })
    )
  })

  it("and a compiler's finding is known by its file", () => {
    const one = { family: "cargo", code: "E0425", message: "no" }
    expect(signatureOfProblem({ ...one, file: "a.rs" })).not.toBe(
      signatureOfProblem({ ...one, file: "b.rs" })
    )
  })

  it("and what no linker finds is known by its name, whoever uses it", () => {
    const one = { family: "cc", code: "link", symbol: "mint", message: "undefined reference to mint" }
    expect(signatureOfProblem({ ...one, file: "a.c", line: 3 })).toBe(
      signatureOfProblem({ ...one, file: "b.c" })
    )
  })
})
