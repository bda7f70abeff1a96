/** The page of requirements may not lose a row, and may not claim what no test shows. */
import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { rows } from "../support/markdown.ts"
import { testTitles } from "../support/testTitles.ts"

const project = new URL("../../", import.meta.url)
const pathOf = (path: string) => fileURLToPath(new URL(path, project))
const page = readFileSync(pathOf("docs/requirements.md"), "utf8")

const sections = { R: 84, H: 90, K: 68, A: 79, C: 134 }
const expectedIds = Object.entries(sections).flatMap(([letter, last]) =>
  Array.from({ length: last }, (_, at) => `${letter}${at + 1}`)
)

const requirements = (markdown: string) =>
  rows(markdown)
    .filter(([id]) => /^[A-Z]\d+$/.test(id ?? ""))
    .map(([id = "", text = "", status = "", proof = ""]) => ({ id, text, status, proof }))

const titlesOf = new Map<string, readonly string[]>()

/** A transcript shows what it says; any other file has tests, of which the row quotes a title, or its beginning where it goes on. */
const isShown = (path: string, title: string): boolean => {
  const source = readFileSync(pathOf(path), "utf8")
  if (!path.endsWith(".ts")) return source.includes(title)
  const titles = titlesOf.get(path) ?? testTitles(source)
  titlesOf.set(path, titles)
  return titles.includes(title)
}

/** What is wrong with one row, in words. */
const faults = ({ id, text, status, proof }: ReturnType<typeof requirements>[number]): readonly string[] => {
  if (text === "") return [`${id} says nothing`]
  if (status === "open") return proof === "" ? [] : [`${id} is open but names a proof`]
  if (status !== "done") return [`${id} is neither open nor done: ${status}`]
  const proofs = [...proof.matchAll(/`([^`]+)` "([^"]+)"/g)]
  if (proofs.length === 0 || proofs.length !== proof.split("<br>").length)
    return [`${id} is done without proof`]
  return proofs.flatMap(([, path = "", title = ""]) => {
    if (!path.startsWith("tests/") || !existsSync(pathOf(path))) return [`${id} names a missing test ${path}`]
    return isShown(path, title) ? [] : [`${id}: ${path} has no test "${title}"`]
  })
}

describe("docs/requirements.md", () => {
  it("has every id exactly once, in order", () => {
    expect(requirements(page).map(({ id }) => id)).toEqual(expectedIds)
  })

  it("claims nothing that no test shows", () => {
    expect(requirements(page).flatMap(faults)).toEqual([])
  })

  it("takes no title from a comment, a text or a test that is skipped", () => {
    const idle = "skip"
    const source = `// it("in a comment", run)
      const text = 'it("in a text", run)'
      it.${idle}("skipped", run)
      describe.${idle}("all skipped", () => { it("within", run) })
      const failing = (title: string) => test(title, run)
      failing("made")
      it.each([["a row", 1], ["another", 2]])("of %s", run)
      const table = [["kept apart", 1]]
      it.each(table)("also %s", run)
      describe.skipIf(other)("on this machine", () => { it("runs", run) })`
    expect(testTitles(source)).toEqual([
      "made",
      "of %s",
      "a row",
      "another",
      "also %s",
      "kept apart",
      "on this machine",
      "runs"
    ])
  })

  it.each([
    ["| C1 | text | done | |", "C1 is done without proof"],
    ["| C1 | text | done | by hand |", "C1 is done without proof"],
    ['| C1 | text | done | `tests/nowhere.test.ts` "a" |', "C1 names a missing test tests/nowhere.test.ts"],
    ['| C1 | text | done | `README.md` "hooktape" |', "C1 names a missing test README.md"],
    [
      '| C1 | text | done | `tests/unit/project/toolchain.test.ts` "no such title" |',
      'C1: tests/unit/project/toolchain.test.ts has no test "no such title"'
    ],
    ["| C1 | text | maybe | |", "C1 is neither open nor done: maybe"],
    ["| C1 | | open | |", "C1 says nothing"]
  ])("would notice %s", (row, fault) => {
    expect(requirements(row).flatMap(faults)).toEqual([fault])
  })
})
