/** Days are made and taken off beside whoever reads for long: nothing that comes in waits for either. */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { runFolds } from "../../src/tools/collector/collector.ts"
import { connect } from "../../src/tools/collector/database/connect.ts"
import { batchOf, type Collector, roles, startCollector } from "../support/postgres/collector.ts"

let collector: Collector
beforeAll(async () => {
  collector = await startCollector()
})
afterAll(() => collector?.close())

/** `work` beside a reader whose transaction goes on all the while. */
const besideReader = <A>(work: () => Promise<A>) =>
  Effect.runPromise(
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      sql.withTransaction(Effect.zipRight(sql`SELECT count(*) FROM hooktape.fact`, Effect.promise(work)))
    ).pipe(
      Effect.provide(
        connect(Redacted.make(collector.postgres.url(roles.reader)), {
          most: 1,
          statementMs: 10_000,
          name: "reader"
        })
      )
    )
  )

const days = (): number =>
  Number(
    collector.postgres.psql("SELECT count(*) FROM pg_inherits WHERE inhparent = 'hooktape.fact'::regclass")
  )

/** What an owner says until this holds. */
const saidUntil = (holds: (said: readonly string[]) => boolean) =>
  Effect.runPromise(
    Effect.gen(function* () {
      const said: string[] = []
      const owner = yield* Effect.fork(
        runFolds(Redacted.make(collector.postgres.url(roles.owner)), {
          note: (line) => Effect.sync(() => void said.push(line)),
          keepDays: 1
        })
      )
      yield* Effect.repeat(
        Effect.sync(() => holds(said)),
        { schedule: Schedule.spaced("20 millis"), until: (is) => is }
      )
      yield* Fiber.interrupt(owner)
      return said
    })
  )

describe("days", () => {
  it("to come are made while somebody reads", async () => {
    const before = days()
    await besideReader(async () =>
      collector.postgres.psql("SET lock_timeout = '500ms'; SELECT hooktape.make_partitions(20)", roles.owner)
    )
    expect(days()).toBe(before + 13)
    // Looked at from the whole as well: a row goes where its day is.
    expect(
      collector.postgres.psql(`INSERT INTO hooktape.fact (day, installation, position, id, stream, type, at, data)
        VALUES ((now() AT TIME ZONE 'UTC')::date + 20, 0, 1, 'a', 'b', 'C', 0, '{}') RETURNING tableoid::regclass`)
    ).toMatch(/^hooktape\.fact_\d{8}$/)
  })

  it("that are over are taken off once nobody reads them, and meanwhile what comes in is taken", async () => {
    const token = await collector.token("writer")
    for (const day of ["2020-01-01", "2020-01-02"])
      collector.postgres.psql(
        `CREATE TABLE hooktape.fact_${day.replaceAll("-", "")} PARTITION OF hooktape.fact
          FOR VALUES FROM ('${day}') TO ('${day}'::date + 1)`
      )
    const before = days()
    let nth = 0
    let isSaid = false
    const said = await besideReader(async () => {
      const waiting = saidUntil((lines) => lines.length > 0).finally(() => {
        isSaid = true
      })
      while (!isSaid) expect((await collector.send(token, batchOf(nth, [++nth]))).status).toBe(200)
      return waiting
    })
    expect(said).toEqual([expect.stringContaining("is read by somebody: it is detached later")])
    expect(days()).toBe(before)
    const later = await saidUntil((lines) => lines.length > 1)
    expect(later).toEqual([
      expect.stringContaining("hooktape.fact_20200101 was detached"),
      expect.stringContaining("hooktape.fact_20200102 was detached")
    ])
    expect(days()).toBe(before - 2)
  })
})
