/** The delivery page says what the adapters do. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { deliveryPage } from "../../src/agents/deliveryTable.ts"

const page = fileURLToPath(new URL("../../docs/reference/delivery.md", import.meta.url))

it("docs/reference/delivery.md is what the adapters say", () => {
  const remedy = "out of date: npm run build && node dist/cli.js docs delivery > docs/reference/delivery.md"
  expect(readFileSync(page, "utf8"), remedy).toBe(deliveryPage())
})
