/** The last line of continuous integration: it may not turn a failure, or nothing at all, into success. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"

const script = fileURLToPath(new URL("../../../.ci/sum.mjs", import.meta.url))

const report = (passed: number, failed: number, more: object = {}) => ({
  numPassedTests: passed,
  numFailedTests: failed,
  numPendingTests: 0,
  numTodoTests: 0,
  success: failed === 0,
  testResults: [],
  ...more
})

const sum = (reports: Record<string, object | undefined>, failedSteps: readonly string[] = []) => {
  const directory = mkdtempSync(join(homedir(), "results-"))
  const expected = Object.entries(reports).map(([name, content]) => {
    const path = join(directory, `${name}.json`)
    if (content !== undefined) writeFileSync(path, JSON.stringify(content))
    return path
  })
  const announced = expected.filter((path) => !path.endsWith(".first.json"))
  writeFileSync(join(directory, "expected"), announced.join("\n"))
  writeFileSync(join(directory, "failed-steps"), failedSteps.join("\n"))
  const { status, stdout } = spawnSync(process.execPath, [script, directory], { encoding: "utf8" })
  const lines = stdout.trimEnd().split("\n")
  return { status, last: lines.at(-1), lines }
}

describe("the sum of a CI run", () => {
  it("adds up the runs", () => {
    expect(sum({ node: report(3, 0), agents: report(4, 0) })).toMatchObject({
      status: 0,
      last: "7 passed, 0 failed"
    })
  })

  it.each([
    ["a failed test", { node: report(3, 1) }, [], "3 passed, 1 failed"],
    ["no run at all", {}, [], "0 passed, 1 failed"],
    ["a run without tests", { node: report(3, 0), agents: report(0, 0) }, [], "3 passed, 1 failed"],
    ["a run without a result", { node: report(3, 0), agents: undefined }, [], "3 passed, 1 failed"],
    ["a step that failed", { node: report(3, 0) }, ["check"], "3 passed, 1 failed"],
    ["an error outside of tests", { node: report(3, 0, { success: false }) }, [], "3 passed, 1 failed"],
    [
      "a file that does not load",
      { node: report(3, 0, { testResults: [{ status: "failed", assertionResults: [] }] }) },
      [],
      "3 passed, 1 failed"
    ]
  ])("counts %s as a failure", (_, reports, steps, last) => {
    expect(sum(reports, steps)).toMatchObject({ status: 1, last })
  })

  it.each([
    ["goes well then", "passed", "agents: 4 passed, 0 failed", 0],
    ["fails again", "failed", "agents: 3 passed, 1 failed", 1]
  ])(
    "counts a file that was run once more as it ended then, and names it: one that %s",
    (_, then, last, status) => {
      const ended = (how: string) => [
        { status: how, fullName: "goes", failureMessages: how === "failed" ? ["Oh"] : [] }
      ]
      const steady = {
        name: "/steady",
        status: "passed",
        assertionResults: [0, 1, 2].flatMap(() => ended("passed"))
      }
      const at = join(process.cwd(), "tests/agents/one.test.ts")
      const file = (how: string) => ({ name: at, status: how, assertionResults: ended(how) })
      const first = report(3, 1, { testResults: [steady, file("failed")] })
      const again = report(then === "passed" ? 1 : 0, then === "passed" ? 0 : 1, {
        testResults: [file(then)]
      })
      const { lines, ...rest } = sum({ agents: again, "agents.first": first })
      expect(rest.status).toBe(status)
      expect(lines).toContain("failed at first: agents: tests/agents/one.test.ts: goes: Oh")
      expect(lines).toContain(last)
      expect(lines.includes("failed: agents: tests/agents/one.test.ts: goes: Oh")).toBe(then === "failed")
    }
  )

  it("names what failed, and the first line of why", () => {
    const name = join(process.cwd(), "tests/unit/some.test.ts")
    const broken = { name, status: "failed", message: "Cannot find it\nat somewhere", assertionResults: [] }
    const assertionResults = [
      { status: "passed", fullName: "goes well", failureMessages: [] },
      {
        status: "failed",
        fullName: "a thing > works",
        failureMessages: ["\u001b[31mAssertionError: no\u001b[39m\n at x"]
      }
    ]
    const testResults = [{ name, status: "failed", assertionResults }, broken]
    expect(sum({ agents: report(3, 1, { testResults }) }).lines).toEqual([
      "failed: agents: tests/unit/some.test.ts: a thing > works: AssertionError: no",
      "failed: agents: tests/unit/some.test.ts: Cannot find it",
      "agents: 3 passed, 2 failed",
      "3 passed, 2 failed"
    ])
  })
})
