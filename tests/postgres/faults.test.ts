/** Whatever dies amid it, each fact that a machine was told is taken is there once, and in the states once. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { roles } from "../support/postgres/collector.ts"
import { collect } from "../support/postgres/processes.ts"
import { type Postgres, startPostgres } from "../support/postgres/server.ts"
import { faultNames, underFaults } from "../support/postgres/underFaults.ts"

let postgres: Postgres

beforeAll(() => {
  postgres = startPostgres()
  expect(collect(postgres.url(), "migrate")).toContain("0001-facts")
  expect(collect(postgres.url(), "migrate")).toContain("up to date")
  for (const [kind, role] of Object.entries(roles))
    postgres.psql(`CREATE ROLE ${role} LOGIN; GRANT hooktape_${kind} TO ${role}`)
})
afterAll(() => postgres?.remove())

describe("a collector", () => {
  it("loses nothing and takes nothing twice, whatever befalls it", { timeout: 300_000 }, async () => {
    const { facts, faults, refused, states, wanted } = await underFaults(postgres, faultNames, 20261127)
    expect(Object.keys(faults)).toEqual(faultNames)
    expect(facts).toEqual(wanted)
    expect(states).toEqual(facts)
    expect(refused).toBe("0")
  })

  it("says what it cannot do", () => {
    const failing = (...args: readonly string[]): string => {
      try {
        return collect(postgres.url(roles.writer), ...args)
      } catch (error) {
        return error instanceof Error ? error.message : ""
      }
    }
    expect(failing("tokens", "list")).toMatch(/collect tokens: permission denied for table token/)
    expect(failing("run", "--keep-days", "0")).toMatch(/0 days cannot be kept/)
    expect(collect(postgres.url(), "tokens", "list")).toMatch(/machine-0 +default/)
  })
})
