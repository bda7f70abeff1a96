/**
 * Whether the tests that the requirements page names as proof were run and passed: by the results of the test runs, since a title in
 * a file proves nothing.
 *
 *     node .ci/check-requirements.mjs <directory of vitest's JSON results> [page]
 */
import { readdirSync, readFileSync } from "node:fs"
import { basename, join, relative } from "node:path"
import { argv, cwd, exit } from "node:process"

const [, , directory = ".", page = join("docs", "requirements.md")] = argv

const runs = readdirSync(directory).filter((name) => name.endsWith(".json"))
const filesOf = (name) => JSON.parse(readFileSync(join(directory, name), "utf8")).testResults ?? []

/** Files of a run that were run once more count as they ended then. */
const lastOf = (name) => {
  const again = name.replace(/\.first\.json$/, ".json")
  if (again === name || !runs.includes(again)) return filesOf(name)
  const rerun = new Set(filesOf(again).map((file) => file.name))
  return filesOf(name).filter((file) => !rerun.has(file.name))
}

/** Each test with the file that it stands in, as it ended. A run of other sources, such as Node 24's copy, counts by its relative path. */
const results = runs.flatMap(lastOf).flatMap(({ name, assertionResults }) => {
  const file = relative(cwd(), name).replace(/^.*?(?=tests\/)/, "")
  return assertionResults.map(({ fullName, status }) => ({ file, fullName, status }))
})

/** A title with places for values stands for all that were put there; a title may go on behind what is quoted. */
const isTitled = (fullName, parts) => {
  let at = 0
  for (const part of parts) {
    const found = fullName.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return true
}

/** Transcripts are played by one file, and what is no test file itself is shared by several: what counts is that it ran. */
const testsOf = (path, title) => {
  if (path.endsWith(".txt")) return results.filter(({ fullName }) => fullName.includes(basename(path)))
  const parts = title.split(/%[sdifjo#]|\$[\w.]+/)
  const isShared = !path.endsWith(".test.ts")
  return results.filter(({ file, fullName }) => (isShared || file === path) && isTitled(fullName, parts))
}

const faultOf = (id, path, title) => {
  const tests = testsOf(path, title)
  const passed = tests.filter(({ status }) => status === "passed").length
  const failed = tests.filter(({ status }) => status === "failed").length
  if (failed > 0) return `${id}: ${path} "${title}" failed`
  // What this machine has not got is not the page's fault; it is said all the same.
  if (passed === 0 && tests.length > 0)
    console.error(`check-requirements: ${id}: "${title}" was skipped here`)
  return tests.length > 0 ? undefined : `${id}: ${path} "${title}" was not run`
}

const rows = readFileSync(page, "utf8")
  .split("\n")
  .filter((line) => /^\| [A-Z]\d+ \|/.test(line) && / \| done \| /.test(line))
const proofs = rows.flatMap((row) =>
  [...row.slice(row.indexOf(" | done | ")).matchAll(/`([^`]+)` "([^"]+)"/g)].map(([, path, title]) => ({
    id: row.split(" ")[1],
    path,
    title
  }))
)
const faults = proofs.flatMap(({ id, path, title }) => faultOf(id, path, title) ?? [])
for (const fault of faults) console.error(`check-requirements: ${fault}`)
console.log(
  `check-requirements: ${rows.length} rows, ${proofs.length} proofs, ${proofs.length - faults.length} of them hold`
)
if (faults.length > 0 || rows.length === 0) exit(1)
