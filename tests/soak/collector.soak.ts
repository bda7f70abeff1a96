/** A collector under 200 faults drawn at random, while machines go on sending over a way that drops, delays, doubles and cuts. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { mulberry } from "../support/fire/barrage.ts"
import { roles } from "../support/postgres/collector.ts"
import { collect } from "../support/postgres/processes.ts"
import { type Postgres, startPostgres } from "../support/postgres/server.ts"
import { faultNames, underFaults } from "../support/postgres/underFaults.ts"
import { report, size } from "./size.ts"

const rounds = size("ROUNDS", 200)
const seed = size("SEED", 20261127)

let postgres: Postgres
beforeAll(() => {
  postgres = startPostgres()
  collect(postgres.url(), "migrate")
  for (const [kind, role] of Object.entries(roles))
    postgres.psql(`CREATE ROLE ${role} LOGIN; GRANT hooktape_${kind} TO ${role}`)
})
afterAll(() => postgres?.remove())

it("loses nothing and takes nothing twice", async () => {
  const random = mulberry(seed)
  const drawn = Array.from(
    { length: rounds },
    () => faultNames[Math.floor(random() * faultNames.length)] ?? "a gap"
  )
  const { facts, faults, harms, refused, sent, states, wanted } = await underFaults(postgres, drawn, seed, 6)
  const missing = wanted.filter((line) => !facts.includes(line))
  const apart = facts.filter((line) => !states.includes(line))
  report("collector", {
    rounds,
    seed,
    sent,
    faults,
    harms,
    sessions: facts.length,
    missing: missing.length,
    apart: apart.length
  })
  expect(facts).toEqual(wanted)
  expect(states).toEqual(facts)
  expect(refused).toBe("0")
})
