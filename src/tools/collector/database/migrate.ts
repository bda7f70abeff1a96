/** Brings the collector's database to the newest layout: numbered steps, each once, all of them or none. */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { facts } from "./0001-facts.ts"
import { days } from "./0002-days.ts"
import { tenants } from "./0003-tenants.ts"
import { received } from "./0004-received.ts"
import { DatabaseError, reasonOf } from "./connect.ts"

interface Step {
  readonly number: number
  readonly name: string
  readonly sql: string
}

const steps: readonly Step[] = [
  { number: 1, name: "facts", sql: facts },
  { number: 2, name: "days", sql: days },
  { number: 3, name: "tenants", sql: tenants },
  { number: 4, name: "received", sql: received }
]

const newest = Math.max(...steps.map(({ number }) => number))

const failed = (op: DatabaseError["op"], what: string) =>
  Effect.mapError((cause: unknown) => new DatabaseError({ op, detail: `${what}: ${reasonOf(cause)}` }))

const applied = Effect.fn("collector.applied")(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{
    number: number
  }>`SELECT coalesce(max(number), 0) AS number FROM hooktape.migration`
  return rows[0]?.number ?? 0
})

/** What was done now, oldest first. A database that a newer hooktape has changed is refused. */
export const migrate = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // Two that begin at once would both find nothing there: the second waits, and then has nothing to do.
  yield* sql`SELECT pg_advisory_xact_lock(hashtext('hooktape.migrate'))`
  yield* sql`CREATE SCHEMA IF NOT EXISTS hooktape`
  yield* sql`CREATE TABLE IF NOT EXISTS hooktape.migration (
    number integer PRIMARY KEY, name text NOT NULL, at timestamptz NOT NULL DEFAULT now())`
  const done = yield* applied()
  if (done > newest)
    return yield* new DatabaseError({
      op: "migrate",
      detail: `the database has layout ${done}, and this version knows ${newest}`
    })
  const due = steps.filter(({ number }) => number > done)
  // Whatever comes in queues behind a lock that waits for somebody who reads.
  yield* sql`SET LOCAL lock_timeout = '3s'`
  for (const { name, number, sql: text } of due) {
    yield* sql.unsafe(text)
    yield* sql`INSERT INTO hooktape.migration ${sql.insert({ number, name })}`
  }
  return due.map(({ name, number }) => `${String(number).padStart(4, "0")}-${name}`)
}).pipe(
  (all) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql.withTransaction(all)),
  Effect.catchTag("SqlError", (cause) =>
    failed("migrate", "the database was not migrated")(Effect.fail(cause))
  )
)
