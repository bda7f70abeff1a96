/** CI looks whether the tests that the requirements page names as proof passed. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"

const root = join(import.meta.dirname, "..", "..", "..")

type Test = readonly [file: string, fullName: string, status: string]

const resultsOf = (tests: readonly Test[]): string =>
  JSON.stringify({
    testResults: tests.map(([file, fullName, status]) => ({
      name: join(root, file),
      assertionResults: [{ fullName, status }]
    }))
  })

/** What the check says of one row with that proof, where these tests ended so. */
const checked = (proof: string, tests: readonly Test[], first?: readonly Test[]) => {
  const directory = mkdtempSync(join(homedir(), "hooktape-requirements-"))
  writeFileSync(join(directory, "node.json"), resultsOf(tests))
  if (first !== undefined) writeFileSync(join(directory, "node.first.json"), resultsOf(first))
  const page = join(directory, "page.md")
  writeFileSync(
    page,
    `| id | requirement | status | proved by |\n|---|---|---|---|\n| C1 | text | done | ${proof} |\n`
  )
  const script = join(root, ".ci", "check-requirements.mjs")
  const { status, stderr } = spawnSync(process.execPath, [script, directory, page], {
    cwd: root,
    encoding: "utf8"
  })
  return { status, said: stderr.replace(/^check-requirements: /gm, "").trim() }
}

const file = "tests/unit/a.test.ts"
const proof = '`tests/unit/a.test.ts` "holds for %s"'

describe("the check of what the requirements claim", () => {
  it("is content where the test passed, whatever stood in the place of its values", () => {
    expect(checked(proof, [[file, "a hook holds for one and all", "passed"]])).toEqual({
      status: 0,
      said: ""
    })
  })

  it.each([
    ["failed", [file, "a hook holds for one", "failed"], 'C1: tests/unit/a.test.ts "holds for %s" failed'],
    [
      "is another file's",
      ["tests/unit/b.test.ts", "holds for one", "passed"],
      'C1: tests/unit/a.test.ts "holds for %s" was not run'
    ],
    [
      "has another title",
      [file, "a hook is held", "passed"],
      'C1: tests/unit/a.test.ts "holds for %s" was not run'
    ]
  ] as const)("names a proof that %s", (_, test, said) => {
    expect(checked(proof, [test])).toEqual({ status: 1, said })
  })

  it("says what this machine skipped, and does not take it for a fault", () => {
    expect(checked(proof, [[file, "a hook holds for one", "skipped"]])).toEqual({
      status: 0,
      said: 'C1: "holds for %s" was skipped here'
    })
  })

  it("takes a file that was run once more as it ended then, and the others as they were", () => {
    const one = [file, "a hook holds for one", "failed"] as const
    const other = ["tests/unit/b.test.ts", "keeps order", "passed"] as const
    const both = `${proof}<br>\`tests/unit/b.test.ts\` "keeps order"`
    expect(checked(both, [[file, "a hook holds for one", "passed"]], [one, other])).toEqual({
      status: 0,
      said: ""
    })
    expect(checked(both, [one], [one, other]).status).toBe(1)
  })

  it("takes a suite that several files share, or a transcript, as shown where one of them ran it", () => {
    const shared = '`tests/contract/log.ts` "keeps order"<br>`tests/cli/transcripts/log.txt` "hooktape log"'
    const ran = [
      ["tests/contract/logMemory.test.ts", "memory keeps order", "passed"],
      ["tests/cli/transcripts.test.ts", "transcripts log.txt", "passed"]
    ] as const
    expect(checked(shared, ran)).toEqual({ status: 0, said: "" })
    expect(checked(shared, ran.slice(1)).status).toBe(1)
  })
})
