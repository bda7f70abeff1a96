/** The events page says what the adapters do. */
import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { eventsPage } from "../../src/agents/eventTable.ts"

const page = fileURLToPath(new URL("../../docs/reference/events.md", import.meta.url))

it("docs/reference/events.md is what the adapters say; to make it anew: UPDATE_PAGES=1 npx vitest run tests/pages/eventsPage.test.ts", () => {
  if (process.env["UPDATE_PAGES"] === "1") writeFileSync(page, eventsPage())
  expect(readFileSync(page, "utf8")).toBe(eventsPage())
})
