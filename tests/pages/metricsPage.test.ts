/** The page on metrics has every figure with the definition that the command prints. */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import { definitions } from "../../src/features/metrics/definitions.ts"
import { pricedOn } from "../../src/features/metrics/prices.ts"

const page = readFileSync("docs/reference/metrics.md", "utf8")
const rows = page.split("\n").filter((line) => line.startsWith("| ") && line.includes("(`"))

describe("docs/reference/metrics.md", () => {
  it("has a row for each figure, in its group's table, and no other", () => {
    expect(definitions.length).toBeGreaterThan(25)
    expect(rows).toEqual(
      definitions.map(
        ({ counts, definition, id, title, unit }) =>
          `| ${title} (\`${id}\`) | ${unit} | ${definition} | ${counts} |`
      )
    )
  })

  it("says of what day prices are", () => {
    expect(page).toContain(`list prices of ${pricedOn}`)
  })
})
