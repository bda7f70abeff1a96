/** What `hooktape check` found, in the forms that others read. */
import { expect, it } from "vitest"
import type { Checked } from "../../../src/tools/check/Finding.ts"
import { hasErrors, rules } from "../../../src/tools/check/Finding.ts"
import { toJunit } from "../../../src/tools/check/junit.ts"
import { toSarif } from "../../../src/tools/check/sarif.ts"

const checked: readonly Checked[] = [
  {
    check: "build",
    looked: [".hooktape/hooks/a.ts", ".hooktape/hooks/b c.ts"],
    findings: [
      {
        rule: "hook-broken",
        level: "error",
        file: ".hooktape/hooks/b c.ts",
        line: 3,
        column: 7,
        message: 'no <event> "x" & more\u0007\ud800',
        remedy: "Name one."
      },
      { rule: "hook-doubtful", level: "warning", file: ".hooktape/hooks/a.ts", message: "odd" }
    ]
  },
  { check: "types", looked: [], findings: [], skipped: "no compiler" }
]

it("is JUnit: a case for each thing, failed by errors only, with nothing in it that XML has no place for", () => {
  expect(toJunit(checked)).toBe(
    [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<testsuites name="hooktape check">',
      '  <testsuite name="hooktape build" tests="2" failures="1" skipped="0">',
      '    <testcase classname="hooktape.build" name=".hooktape/hooks/a.ts"/>',
      '    <testcase classname="hooktape.build" name=".hooktape/hooks/b c.ts">',
      '      <failure type="hook-broken" message="no &lt;event&gt; &quot;x&quot; &amp; more\ufffd\ufffd">' +
        ".hooktape/hooks/b c.ts:3:7: no &lt;event&gt; &quot;x&quot; &amp; more\ufffd\ufffd&#10;Name one.</failure>",
      "    </testcase>",
      "  </testsuite>",
      '  <testsuite name="hooktape types" tests="1" failures="0" skipped="1">',
      '    <testcase classname="hooktape.types" name="types">',
      '      <skipped message="no compiler"/>',
      "    </testcase>",
      "  </testsuite>",
      "</testsuites>",
      ""
    ].join("\n")
  )
})

it("is SARIF: each finding with its rule, which the report describes, at its place", () => {
  const { version, runs } = JSON.parse(toSarif(checked, "1.2.3"))
  expect(version).toBe("2.1.0")
  const [{ results, tool }] = runs
  expect(tool.driver).toMatchObject({ name: "hooktape", version: "1.2.3" })
  expect(tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual(Object.keys(rules))
  expect(results).toMatchObject([
    {
      ruleId: "hook-broken",
      level: "error",
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: ".hooktape/hooks/b%20c.ts" },
            region: { startLine: 3, startColumn: 7 }
          }
        }
      ]
    },
    { ruleId: "hook-doubtful", level: "warning" }
  ])
  expect(results[1].locations[0].physicalLocation).not.toHaveProperty("region")
  const [{ results: below }] = JSON.parse(toSarif(checked, "1.2.3", "packages/a/")).runs
  expect(below[0].locations[0].physicalLocation.artifactLocation.uri).toBe(
    "packages/a/.hooktape/hooks/b%20c.ts"
  )
})

it("fails by errors alone", () => {
  expect(hasErrors(checked)).toBe(true)
  expect(hasErrors(checked.slice(1))).toBe(false)
  const warnings = checked.map((one) => ({
    ...one,
    findings: one.findings.filter(({ level }) => level === "warning")
  }))
  expect(hasErrors(warnings)).toBe(false)
})
