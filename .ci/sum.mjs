/** Names what failed in one `.ci/run`, and adds up the results of its test runs; the last line is the sum, the exit status its judgement. */
import { existsSync, readFileSync } from "node:fs"
import { basename, join, relative } from "node:path"
import { argv, cwd, exit, stdout } from "node:process"
import { stripVTControlCharacters } from "node:util"

const directory = argv[2] ?? "."
const lines = (name) => {
  const path = join(directory, name)
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").filter(Boolean) : []
}

/** A file that could not even be loaded has no tests to fail, yet it failed. */
const unloadable = ({ testResults = [] }) =>
  testResults.filter(({ status, assertionResults }) => status === "failed" && assertionResults.length === 0)

const firstLine = (text = "") => stripVTControlCharacters(text).trim().split("\n", 1)[0].slice(0, 300)

/** What to look at, at the end of the output: all that is left of a run once its middle was cut out. */
const failuresOf = ({ testResults = [] }) =>
  testResults.flatMap(({ name: file = "a file without a name", status, message, assertionResults = [] }) => {
    const failed = assertionResults.filter((test) => test.status === "failed")
    const found = failed.map(
      ({ fullName, failureMessages = [] }) => `${fullName}: ${firstLine(failureMessages[0])}`
    )
    if (found.length === 0 && status === "failed") found.push(firstLine(message))
    return found.map((what) => `${relative(cwd(), file)}: ${what}`)
  })

const parsed = (path) => JSON.parse(readFileSync(path, "utf8"))
const counted = (testResults, status) =>
  testResults.flatMap(({ assertionResults }) => assertionResults).filter((test) => test.status === status)
    .length

/** A run some of whose files were run once more: those count as they ended then. */
const merged = (first, again) => {
  const names = new Set(again.testResults.map(({ name }) => name))
  const kept = first.testResults.filter(({ name }) => !names.has(name))
  return {
    ...again,
    numPassedTests: again.numPassedTests + counted(kept, "passed"),
    numFailedTests: again.numFailedTests + counted(kept, "failed"),
    testResults: [...kept, ...again.testResults]
  }
}

const read = (path) => {
  const name = basename(path, ".json")
  if (!existsSync(path)) return { name, passed: 0, failed: 1, note: "left no result" }
  const earlier = path.replace(/json$/, "first.json")
  const first = existsSync(earlier) ? parsed(earlier) : undefined
  const unsteady = first ? failuresOf(first) : []
  const result = first ? merged(first, parsed(path)) : parsed(path)
  const failed = result.numFailedTests + unloadable(result).length
  const failures = failuresOf(result)
  const skipped = result.numPendingTests + result.numTodoTests
  if (result.numPassedTests + failed === 0) return { name, passed: 0, failed: 1, note: "ran no test" }
  // Something outside a test went wrong: an unhandled error, a failing teardown.
  if (failed === 0 && !result.success)
    return { name, passed: result.numPassedTests, failed: 1, failures, unsteady, note: "not a success" }
  return {
    name,
    passed: result.numPassedTests,
    failed,
    failures,
    unsteady,
    note: skipped > 0 ? `${skipped} skipped` : ""
  }
}

const runs = lines("expected").map(read)
const steps = lines("failed-steps")
for (const { name, failures = [], unsteady = [] } of runs) {
  for (const failure of unsteady) stdout.write(`failed at first: ${name}: ${failure}\n`)
  for (const failure of failures) stdout.write(`failed: ${name}: ${failure}\n`)
}
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
