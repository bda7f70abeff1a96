/** What CONTRIBUTING.md says that somebody new has to add, and that nothing else would miss. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { settingsAgents } from "../../src/agents/about.ts"
import { adapters } from "../../src/agents/adapters.ts"
import { defaults } from "../../src/features/defaults.ts"

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))

it.each(defaults.map(({ hook: { name } }) => name))(
  "the hook %s has a page, and a row in the list of those that come along",
  (name) => {
    expect(existsSync(at(`docs/reference/hooks/${name}.md`))).toBe(true)
    expect(readFileSync(at("docs/reference/hooks/README.md"), "utf8")).toContain(`(${name}.md)`)
  }
)

it.each(settingsAgents)("the agent %s has a fixture for each of its events", (agent) => {
  const there = existsSync(at(`tests/fixtures/${agent}`)) ? readdirSync(at(`tests/fixtures/${agent}`)) : []
  const missing = Object.keys(adapters[agent].events).filter(
    (event) => !there.some((name) => name.startsWith(event))
  )
  expect(missing).toEqual([])
})
