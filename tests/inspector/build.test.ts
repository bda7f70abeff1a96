/** What is served is small, holds nothing inline, and draws machines as they are. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { expect, it } from "vitest"
import { firstView } from "../support/inspector/firstView.ts"

const root = join(import.meta.dirname, "..", "..")
const dist = join(root, "dist", "inspector")
const sizeOf = (name: string): number => gzipSync(readFileSync(join(dist, name))).length

it("the page is at most 120 kB packed, and its first view 80", () => {
  const names = readdirSync(dist)
  const first = firstView(dist)
  const all = names.reduce((sum, name) => sum + sizeOf(name), 0)
  console.log(`page: ${all} bytes packed in ${names.length} files`)
  expect(all).toBeLessThanOrEqual(120_000)
  expect(first).toEqual(expect.arrayContaining(["app.js", "app.css"]))
  expect(first.reduce((sum, name) => sum + sizeOf(name), 0)).toBeLessThanOrEqual(80_000)
})

it("the document names what its script imports, each once, so that nothing waits for another", () => {
  const imported = (name: string): readonly string[] =>
    [...readFileSync(join(dist, name), "utf8").matchAll(/(?:from|import)"\.\/([^"]+)"/g)].map(
      ([, to = ""]) => to
    )
  const wanted = new Set(["app.js"])
  for (const name of wanted) for (const to of imported(name)) wanted.add(to)
  expect(wanted.size).toBeGreaterThan(1)
  expect(
    firstView(dist)
      .filter((name) => name.endsWith(".js"))
      .toSorted()
  ).toEqual([...wanted].toSorted())
})

it("the document has no script and no style of its own", () => {
  const text = readFileSync(join(dist, "index.html"), "utf8")
  expect(text).not.toMatch(/<style|style=|<script(?![^>]*\ssrc=)|\son\w+=/)
})

it("the statecharts are those of the machines: else run node .ci/layouts.mjs", async () => {
  const { chartOf, definedMachines, hashOf, layoutsFile } = await import(join(root, ".ci", "layouts.mjs"))
  const now = (await definedMachines()).map((definition: unknown) => {
    const chart = chartOf(definition)
    return [chart.machine, hashOf(chart)]
  })
  const kept = JSON.parse(readFileSync(layoutsFile, "utf8")).map(
    ({ hash, machine }: { hash: string; machine: string }) => [machine, hash]
  )
  expect(kept).toEqual(now)
})
