/** A database of an earlier layout is brought to the newest with all that is in it. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { afterAll, beforeAll, expect, it } from "vitest"
import { lagOf, migrateDatabase } from "../../src/tools/collector/collector.ts"
import { facts } from "../../src/tools/collector/database/0001-facts.ts"
import { type Postgres, startPostgres } from "../support/postgres/server.ts"

let postgres: Postgres
beforeAll(() => {
  postgres = startPostgres()
})
afterAll(() => postgres?.remove())

it("of the first layout keeps its facts, and counts how long they wait from when their machine was heard of", async () => {
  postgres.psql(`CREATE SCHEMA hooktape; CREATE TABLE hooktape.migration (
    number integer PRIMARY KEY, name text NOT NULL, at timestamptz NOT NULL DEFAULT now()); ${facts};
    INSERT INTO hooktape.migration VALUES (1, 'facts');
    INSERT INTO hooktape.token VALUES ('\\x01', 'laptop', 'default');
    SELECT hooktape.append('\\x01', 1, 0, NULL, 1, '[{"position": 1, "id": "a", "stream": "s", "type": "EXITED", "at": 1, "data": {}}]');
    UPDATE hooktape.installation SET heard = now() - interval '1 hour'`)
  const url = Redacted.make(postgres.url())
  expect(await Effect.runPromise(migrateDatabase(url))).toEqual([
    "0002-days",
    "0003-tenants",
    "0004-received"
  ])
  expect(await Effect.runPromise(migrateDatabase(url))).toEqual([])
  const [lag] = await Effect.runPromise(lagOf(url))
  expect(lag).toMatchObject({ behind: 1, positions: 1, seconds: expect.closeTo(3600, -2) })
  postgres.psql(
    `SELECT hooktape.append('\\x01', 1, 1, 'a', 2, '[{"position": 2, "id": "b", "stream": "s", "type": "EXITED", "at": 2, "data": {}}]')`
  )
  expect(
    postgres.psql(
      "SELECT string_agg(id || ' ' || (received IS NOT NULL), ', ' ORDER BY id) FROM hooktape.fact"
    )
  ).toBe("a false, b true")
})
