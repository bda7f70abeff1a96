/** Adds up the results of all test runs of one `.ci/run`; the last line is the sum, the exit status its judgement. */
import { existsSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { argv, exit, stdout } from "node:process"

const directory = argv[2] ?? "."
const lines = (name) => {
  const path = join(directory, name)
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").filter(Boolean) : []
}

/** A file that could not even be loaded has no tests to fail, yet it failed. */
const unloadable = ({ testResults = [] }) =>
  testResults.filter(({ status, assertionResults }) => status === "failed" && assertionResults.length === 0)

const read = (path) => {
  const name = basename(path, ".json")
  if (!existsSync(path)) return { name, passed: 0, failed: 1, note: "left no result" }
  const result = JSON.parse(readFileSync(path, "utf8"))
  const failed = result.numFailedTests + unloadable(result).length
  const skipped = result.numPendingTests + result.numTodoTests
  if (result.numPassedTests + failed === 0) return { name, passed: 0, failed: 1, note: "ran no test" }
  // Something outside a test went wrong: an unhandled error, a failing teardown.
  if (failed === 0 && !result.success)
    return { name, passed: result.numPassedTests, failed: 1, note: "not a success" }
  return { name, passed: result.numPassedTests, failed, note: skipped > 0 ? `${skipped} skipped` : "" }
}

const runs = lines("expected").map(read)
const steps = lines("failed-steps")
for (const { name, passed, failed, note } of runs) {
  stdout.write(`${name}: ${passed} passed, ${failed} failed${note ? ` (${note})` : ""}\n`)
}
for (const step of steps) stdout.write(`step failed: ${step}\n`)

// A step that failed although none of its tests did (the build, a check) counts by itself.
const passed = runs.reduce((sum, run) => sum + run.passed, 0)
const failed = Math.max(
  runs.reduce((sum, run) => sum + run.failed, 0),
  steps.length,
  passed === 0 ? 1 : 0
)
stdout.write(`${passed} passed, ${failed} failed\n`)
if (failed > 0) exit(1)
