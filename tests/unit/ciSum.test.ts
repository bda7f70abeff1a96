/** The last line of continuous integration: it may not turn a failure, or nothing at all, into success. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"

const script = fileURLToPath(new URL("../../.ci/sum.mjs", import.meta.url))

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
  writeFileSync(join(directory, "expected"), expected.join("\n"))
  writeFileSync(join(directory, "failed-steps"), failedSteps.join("\n"))
  const { status, stdout } = spawnSync(process.execPath, [script, directory], { encoding: "utf8" })
  return { status, last: stdout.trimEnd().split("\n").at(-1) }
}

describe("the sum of a CI run", () => {
  it("adds up the runs", () => {
    expect(sum({ node: report(3, 0), agents: report(4, 0) })).toEqual({
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
    expect(sum(reports, steps)).toEqual({ status: 1, last })
  })
})
