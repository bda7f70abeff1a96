/** The words of docs/vocabulary.md are the words of the code: each home exports its word. */
import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { rows } from "../support/markdown.ts"

const pathOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

/** Homes that are not built yet. One that exists must leave this list, or the second test fails. */
const awaited: readonly string[] = []

const words = rows(readFileSync(pathOf("docs/vocabulary.md"), "utf8"))
  .slice(1)
  .map(([word = "", meaning = "", , home = ""]) => ({ word, meaning, home }))

const homes = words.flatMap(({ word, home }) => {
  const [, name, file] = /^`(\w+)` in `([^`]+)`$/.exec(home) ?? []
  return name !== undefined && file !== undefined ? [{ word, name, file }] : []
})

const exportsName = (source: string, name: string): boolean =>
  new RegExp(`^export (declare )?(const|let|class|interface|type|function|enum) ${name}\\b`, "m").test(
    source
  ) || new RegExp(`^export (type )?\\{[^}]*\\b${name}\\b[^}]*\\}`, "m").test(source)

describe("docs/vocabulary.md", () => {
  it("explains each word once", () => {
    expect(words.length).toBeGreaterThan(15)
    expect(new Set(words.map(({ word }) => word)).size).toBe(words.length)
    expect(words.filter(({ meaning }) => meaning === "")).toEqual([])
    expect(homes.length).toBe(words.filter(({ home }) => home !== "").length)
  })

  it("waits for no home that is already there", () => {
    expect(awaited.filter((file) => existsSync(pathOf(file)))).toEqual([])
  })

  it.each(homes.filter(({ file }) => !awaited.includes(file)))(
    "$word lives as $name in $file",
    ({ name, file }) => {
      expect(existsSync(pathOf(file)), `${file} is gone`).toBe(true)
      expect(exportsName(readFileSync(pathOf(file), "utf8"), name), `${file} does not export ${name}`).toBe(
        true
      )
    }
  )

  it("tells an export from a mention", () => {
    expect(exportsName("export const Fact = 1", "Fact")).toBe(true)
    expect(exportsName("const Fact = 1\nexport { Fact }", "Fact")).toBe(true)
    expect(exportsName("const Fact = 1 // export const Fact", "Fact")).toBe(false)
    expect(exportsName("export const FactId = 1", "Fact")).toBe(false)
  })
})
