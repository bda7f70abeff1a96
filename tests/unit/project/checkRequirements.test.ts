/** CI looks whether the tests that the requirements page names as proof passed. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"

const root = join(import.meta.dirname, "..", "..", "..")

/** What the check says of one row with that proof, where these tests ended so. */
const checked = (
  proof: string,
  tests: readonly (readonly [file: string, fullName: string, status: string])[]
) => {
  const directory = mkdtempSync(join(tmpdir(), "hooktape-requirements-"))
  const testResults = tests.map(([file, fullName, status]) => ({
    name: join(root, file),
    assertionResults: [{ fullName, status }]
  }))
  writeFileSync(join(directory, "node.json"), JSON.stringify({ testResults }))
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
      "was skipped",
      [file, "a hook holds for one", "skipped"],
      'C1: tests/unit/a.test.ts "holds for %s" was not run'
    ],
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
