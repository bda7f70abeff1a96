/** The floor plan on the page is the one that the import rules hold; its picture is drawn from the imports, anew with `-u`. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { regenerated } from "../support/diagram.ts"
import { drawImports, readImports } from "../support/imports.ts"
import { rows } from "../support/markdown.ts"

const file = fileURLToPath(new URL("../../docs/explanation/architecture.md", import.meta.url))
const page = readFileSync(file, "utf8")
const { wings } = createRequire(import.meta.url)("../../.dependency-cruiser.cjs") as {
  readonly wings: readonly string[]
}

it("the page has the wings of the import rules, in their order, each with what lives there", () => {
  const [, plan = ""] = page.split("## Where things are\n")
  const [, ...table] = rows(plan.split("\n## ")[0] ?? "")
  expect(table.map(([folder]) => folder)).toEqual(
    ["events/", "machines/", ...wings.map((wing) => `src/${wing}/`)].map((folder) => `\`${folder}\``)
  )
  expect(table.filter(([, what = ""]) => what.length < 20)).toEqual([])
})

it("the page draws who imports whom", async () => {
  const order = ["events", "machines", ...wings]
  const table = readImports()
  const up = [...table].flatMap(([from, targets]) =>
    [...targets].filter((to) => order.indexOf(to) >= order.indexOf(from)).map((to) => `${from} -> ${to}`)
  )
  expect(up).toEqual([])
  expect([...table.keys()].toSorted()).toEqual(order.toSorted())
  const drawn = { imports: drawImports(table, order) }
  await expect(regenerated(page, drawn)).toMatchFileSnapshot(file)
})

it("the picture leaves out the arrows that follow from others, and no other", () => {
  const table = new Map([
    ["a", new Set<string>()],
    ["b", new Set(["a"])],
    ["c", new Set(["a", "b"])],
    ["d", new Set(["a"])]
  ])
  expect(drawImports(table, ["a", "b", "c", "d"]).split("\n").slice(2, -1)).toEqual([
    "  b --> a",
    "  c --> b",
    "  d --> a"
  ])
})
