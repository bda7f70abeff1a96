/** The floor plan on the page is the one that the import rules hold. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { rows } from "../support/markdown.ts"

const page = readFileSync(
  fileURLToPath(new URL("../../docs/explanation/architecture.md", import.meta.url)),
  "utf8"
)
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
