/** What owners work out of facts: the same as on a laptop, each fact once, whoever dies amid it. */
import { randomBytes } from "node:crypto"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { sessionSums } from "../../src/features/sums/sessionSum.ts"
import type { KeyedFold, PlacedFact } from "../../src/log/KeyedFold.ts"
import { markOf } from "../../src/log/projectionMark.ts"
import { ask, lagOf, runFolds } from "../../src/tools/collector/collector.ts"
import { connect } from "../../src/tools/collector/database/connect.ts"
import type { Claim } from "../../src/tools/collector/owners/Claim.ts"
import { own } from "../../src/tools/collector/owners/own.ts"
import { beginMarks, round } from "../../src/tools/collector/owners/round.ts"
import { skipLocked } from "../../src/tools/collector/owners/skipLocked.ts"
import { shapeOf } from "../../src/tools/shipping/shape.ts"
import {
  batchOf,
  type Collector,
  epoch,
  event,
  roles,
  startCollector
} from "../support/postgres/collector.ts"
import { folds, keepsWhatFoldsMake } from "../support/sums.ts"

let collector: Collector
beforeAll(async () => {
  collector = await startCollector()
})
afterAll(() => collector?.close())

const owner = () => Redacted.make(collector.postgres.url(roles.owner))

const untilDone = (hasLag: () => Effect.Effect<boolean, unknown>) =>
  Effect.repeat(Effect.suspend(hasLag), { schedule: Schedule.spaced("20 millis"), while: (is) => is })

const isBehind = () => Effect.map(lagOf(owner()), (lags) => lags.some(({ behind }) => behind > 0))

/** Runs owners until nothing is left to do. */
const worked = (owners = 1) =>
  Effect.runPromise(
    Effect.gen(function* () {
      const running = yield* Effect.forEach(Array.from({ length: owners }), () =>
        Effect.fork(runFolds(owner(), { note: () => Effect.void, restMs: 10 }))
      )
      yield* untilDone(isBehind)
      yield* Fiber.interruptAll(running)
    })
  )

/** Per session: how many facts, and the sum of their positions. Of facts, and of states. */
const sums = () => ({
  facts: collector.postgres.psql(
    `SELECT string_agg(l, ' ' ORDER BY l) FROM (SELECT installation || ':' || coalesce(session, '') || ':' || count(*)
      || ':' || sum(position) AS l FROM hooktape.fact GROUP BY installation, session) t`
  ),
  states: collector.postgres.psql(
    `SELECT string_agg(l, ' ' ORDER BY l) FROM (SELECT installation || ':' || key || ':' || (state->>'facts')
      || ':' || (state->>'positions') AS l FROM hooktape.state WHERE projection = 'projection/session_sums/1') t`
  )
})

/** Without the fact that a fold refused: the second of its session. */
const taken = (facts: string): string => facts.replace(/(\d+):s1:3:6/, "$1:s1:2:4")

const send = async (name: string, facts: number) => {
  const token = await collector.token(name)
  for (let after = 0; after < facts; after += 500) {
    const upto = Math.min(facts, after + 500)
    const events = Array.from({ length: upto - after }, (_, at) =>
      event(after + at + 1, { session: `${name}-${(after + at) % 7}` })
    )
    expect((await collector.send(token, batchOf(after, [upto], { facts: events }))).status).toBe(200)
  }
}

const database = () => connect(owner(), { most: 4, statementMs: 10_000, name: "test" })

const onDatabase = <A, E>(work: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.runPromise(Effect.provide(work, database()))

/** No owner leaves anything to another: the first two are told of the same work before either begins. */
const everything = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(Effect.makeLatch(), (both): Claim => {
    let told = 0
    const together = Effect.suspend(() => {
      told++
      return told < 2 ? both.await : both.open
    })
    const all = (projections: readonly string[], most: number) =>
      Effect.map(
        sql<{
          projection: string
          installation: number
          position: string
          head: string
        }>`SELECT m.projection, m.installation, m.position, i.head
          FROM hooktape.mark m JOIN hooktape.installation i ON i.id = m.installation
          WHERE m.projection IN ${sql.in(projections)} AND i.head > m.position LIMIT ${most}`,
        (rows) => rows.map((row) => ({ ...row, position: Number(row.position), head: Number(row.head) }))
      )
    return { due: (projections, most) => Effect.zipLeft(all(projections, most), together) }
  })
)

describe("owners", () => {
  it("take each fact of each installation once, several at a time", async () => {
    for (const name of ["one", "two", "three"]) await send(name, 1200)
    await worked(3)
    const { facts, states } = sums()
    expect(states).toBe(facts)
    expect(states.split(" ")).toHaveLength(21)
  })

  it("let those ask who may read a tenant, and nobody else", async () => {
    const token = await collector.token("asked", "research")
    const ran = (
      position: number,
      type: string,
      ms: number,
      intents: readonly unknown[] = [],
      more: object = {}
    ) =>
      event(position, {
        session: "of-research",
        type: `hooktape.${type}`,
        data: { handler: "guard", event: "tool.before", index: 0, attempt: 1, intents, ms, ...more }
      })
    const facts = [
      ran(1, "handler_succeeded", 4, [{ type: "BLOCKING_FEEDBACK" }]),
      ran(2, "handler_failed", 8),
      event(3, { session: "of-research" }),
      // A team's policy has a hook of that name too, and a new version of it that stands in nobody's way any more.
      ran(4, "handler_succeeded", 2, [{ type: "BLOCKING_FEEDBACK" }], { from: "policy team 1.0.0" }),
      ran(5, "handler_succeeded", 3, [], { from: "policy team 1.1.0" }),
      ran(6, "handler_succeeded", 5, [], { from: "policy team 1.1.0" })
    ]
    await collector.send(token, batchOf(0, [6], { facts }))
    await worked()
    const reader = Redacted.make(collector.postgres.url(roles.reader))
    expect(await Effect.runPromise(ask.sessions(reader, 10))).toEqual([])
    expect(await Effect.runPromise(ask.hooks(reader, 10))).toEqual([])
    collector.postgres.psql(`INSERT INTO hooktape.access VALUES ('${roles.reader}', 'research', NULL)`)
    expect(await Effect.runPromise(ask.sessions(reader, 10))).toMatchObject([
      { installation: "asked", session: "of-research", calls: 1, failures: 1, waitMs: 3 }
    ])
    expect(await Effect.runPromise(ask.hooks(reader, 10))).toEqual([
      {
        ...{ hook: "guard", installations: 1, runs: 5, failed: 1, blocked: 2, lifted: 0 },
        ...{ meanMs: 22 / 5, longestMs: 8 }
      }
    ])
    const versions = await Effect.runPromise(ask.hookVersions(reader, 10))
    expect(versions.map(({ blocked, from, meanMs, runs }) => ({ from, runs, blocked, meanMs }))).toEqual([
      { from: null, runs: 2, blocked: 1, meanMs: 6 },
      { from: "policy team 1.0.0", runs: 1, blocked: 1, meanMs: 2 },
      { from: "policy team 1.1.0", runs: 2, blocked: 0, meanMs: 4 }
    ])
    expect(versions.map(({ first, last }) => [first - epoch, last - epoch])).toEqual([
      [1, 2],
      [4, 4],
      [5, 6]
    ])
  })

  it("pass by a fact that a fold cannot take, and name it", async () => {
    const token = await collector.token("odd")
    const facts = [event(1), event(2, { type: "hooktape.reply_delivered", data: { exitCode: 0 } }), event(3)]
    await collector.send(token, batchOf(0, [3], { facts }))
    await worked()
    const refused = collector.postgres.psql("SELECT projection || ' ' || position FROM hooktape.refused")
    expect(refused).toBe("projection/session_sums/1 2")
  })

  it("pass by a fact of which the database cannot keep the state, and take all others, of whichever installation", async () => {
    await worked()
    const culprit = 7
    const fold: KeyedFold<{ readonly facts: number }> = {
      name: "long_keys",
      version: 1,
      types: ["EXITED"],
      // No index takes so long a key, and no compression helps.
      keysOf: ({ place: { agent, position, session } }) => [
        agent === "odd" && position === culprit ? randomBytes(6000).toString("base64") : (session ?? "")
      ],
      step: (before) => ({ facts: (before?.facts ?? 0) + 1 })
    }
    for (const [name, agent] of [
      ["culprit", "odd"],
      ["neighbour", "raw"]
    ] as const) {
      const token = await collector.token(name)
      const positions = Array.from({ length: 20 }, (_, at) => at + 1)
      const facts = positions.map((at) => event(at, { agent, session: name }))
      await collector.send(token, batchOf(0, [20], { facts }))
    }
    await onDatabase(
      Effect.zipRight(
        beginMarks([fold]),
        Effect.flatMap(skipLocked, (claim) =>
          Effect.repeat(round([fold], claim), { while: ({ installations }) => installations > 0 })
        )
      )
    )
    const of = (columns: string, from: string): string =>
      collector.postgres.psql(
        `SELECT string_agg(${columns}, ', ' ORDER BY i.name) FROM ${from} s
          JOIN hooktape.installation i ON i.id = s.installation
          WHERE s.projection = '${markOf(fold)}' AND i.name IN ('culprit', 'neighbour')`
      )
    expect(of("i.name || ' ' || (s.state->>'facts')", "hooktape.state")).toBe("culprit 19, neighbour 20")
    expect(of("i.name || ' ' || s.position", "hooktape.mark")).toBe("culprit 20, neighbour 20")
    expect(of("i.name || ' ' || s.position || ' ' || s.problem", "hooktape.refused")).toMatch(
      /^culprit 7 .*exceeds/
    )
  })

  it("say how long the oldest fact has waited, however long nothing came before", async () => {
    await send("idle", 10)
    await worked()
    collector.postgres.psql(`UPDATE hooktape.mark SET moved = now() - interval '2 hours';
      UPDATE hooktape.installation SET began = now() - interval '3 hours', heard = now() - interval '2 hours'`)
    const token = await collector.token("idle")
    expect((await collector.send(token, batchOf(10, [11]))).status).toBe(200)
    const [lag] = await Effect.runPromise(lagOf(owner()))
    expect(lag).toMatchObject({ behind: 1, positions: 1 })
    expect(lag?.seconds).toBeLessThan(600)
    collector.postgres.psql(
      "UPDATE hooktape.fact SET received = now() - interval '1 hour' WHERE position = 11 AND session = 's1'"
    )
    expect((await Effect.runPromise(lagOf(owner())))[0]?.seconds).toBeGreaterThan(3000)
    await worked()
  })

  it("make the states of one fold anew while others go on, in the same rounds", async () => {
    const of = "installation = (SELECT id FROM hooktape.installation WHERE name = 'behind')"
    const forget = (which = "true") =>
      collector.postgres.psql(
        ["state", "mark"].map((table) => `DELETE FROM hooktape.${table} WHERE ${of} AND ${which};`).join(" ")
      )
    const kept = () =>
      collector.postgres.psql(
        `SELECT json_agg(s ORDER BY projection, key) FROM hooktape.state s WHERE ${of};
          SELECT json_agg(m.projection || ' ' || m.position ORDER BY m.projection) FROM hooktape.mark m WHERE ${of}`
      )
    await send("behind", 1500)
    await worked()
    forget(`projection = '${markOf(sessionSums)}'`)
    const token = await collector.token("behind")
    await collector.send(token, batchOf(1500, [1501], { facts: [event(1501, { session: "behind-0" })] }))
    await worked()
    const found = kept()
    forget()
    await worked()
    expect(found).toContain(`${markOf(sessionSums)} 1501`)
    expect(kept()).toBe(found)
  })

  it("go on with every other fold where one cannot", async () => {
    await worked()
    const broken: KeyedFold<unknown> = {
      name: "broken",
      version: 1,
      types: ["EXITED"],
      keysOf: () => ["any"],
      // Neither its step nor the database refuses it: it fails where it is written down.
      step: () => ({
        toJSON: () => {
          throw new Error("not to be written")
        }
      })
    }
    const notes: string[] = []
    const heard = Effect.runSync(Effect.makeLatch())
    const note = (line: string) =>
      Effect.zipRight(
        Effect.sync(() => notes.push(line)),
        heard.open
      )
    await send("beside", 20)
    await onDatabase(
      Effect.flatMap(skipLocked, (claim) =>
        Effect.race(
          own({ claim, note: (line) => Effect.asVoid(note(line)), folds: [broken, sessionSums] }),
          heard.await
        )
      )
    )
    expect(notes[0]).toBe("states: broken: not to be written")
    expect(
      collector.postgres.psql(`SELECT m.position FROM hooktape.mark m JOIN hooktape.installation i ON i.id = m.installation
      WHERE i.name = 'beside' AND m.projection = '${markOf(sessionSums)}'`)
    ).toBe("20")
  })

  it("find facts and states by their keys, whatever PostgreSQL has counted, and read no day from end to end", async () => {
    await send("counted", 3000)
    await worked()
    collector.postgres.psql("ANALYZE")
    await send("found-by-keys", 3000)
    const scans = Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql<{ table: string; scans: string }>`SELECT relname AS table, seq_scan AS scans
        FROM pg_stat_user_tables WHERE relname = 'state' OR relname LIKE 'fact%' ORDER BY 1`
    )
    const looked = await Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const claim = yield* skipLocked
      yield* beginMarks(folds)
      const before = yield* scans
      yield* Effect.repeat(round(folds, claim), { until: ({ installations }) => installations === 0 })
      yield* sql`SELECT pg_stat_force_next_flush()`
      return { before, after: yield* scans }
    }).pipe(
      // One connection: what it looked at is told at its end, or when it is asked to.
      Effect.provide(connect(owner(), { most: 1, statementMs: 10_000, name: "test" })),
      Effect.runPromise
    )
    expect(looked.after).toEqual(looked.before)
    expect(looked.before.length).toBeGreaterThan(1)
  })

  it("undo a round whose mark is not where they found it", async () => {
    await send("fenced", 300)
    await worked()
    const before = sums()
    const installation = Number(
      collector.postgres.psql("SELECT id FROM hooktape.installation WHERE name = 'fenced'")
    )
    // As an owner that was taken for dead and goes on where it was.
    const stale = {
      due: () => Effect.succeed([{ projection: markOf(sessionSums), installation, position: 0, head: 300 }])
    }
    const outcome = await onDatabase(Effect.either(round([sessionSums], stale)))
    expect(outcome).toMatchObject({ left: { _tag: "Fenced" } })
    expect(sums()).toEqual(before)
  })

  it("lose no fact and take none twice where two of them own everything", async () => {
    await send("shared", 2000)
    let fenced = 0
    const turn = (claim: Claim) =>
      round([sessionSums], claim).pipe(
        Effect.map(({ installations }) => installations > 0),
        Effect.catchTag("Fenced", () =>
          Effect.sync(() => {
            fenced++
            return true
          })
        )
      )
    const both = Effect.flatMap(everything, (claim) =>
      Effect.all(
        [1, 2].map(() => Effect.repeat(turn(claim), { while: (more) => more })),
        { concurrency: "unbounded", discard: true }
      )
    )
    await onDatabase(Effect.zipRight(beginMarks([sessionSums]), both))
    expect(fenced).toBeGreaterThan(0)
    const { facts, states } = sums()
    expect(states).toBe(taken(facts))
  })

  it("keep what their folds make of the facts, in whichever steps those came, as SQLite does", async () => {
    let nth = 0
    await keepsWhatFoldsMake(
      {
        after: async (facts) => {
          const name = `law-${++nth}`
          const token = await collector.token(name)
          const taken = facts.map(({ data, session }, at): PlacedFact => {
            const place = {
              position: at + 1,
              stream: `invocation/${at + 1}`,
              agent: "raw",
              project: "p",
              session
            }
            return {
              type: data.type,
              data: shapeOf(data.type, data),
              place: { ...place, at: 1_700_000_000_001 + at }
            }
          })
          const events = taken.map(({ data, place, type }) => {
            const { session, ...plain } = event(place.position)
            return {
              ...plain,
              ...(place.session === null ? {} : { session: place.session }),
              type: `hooktape.${type.toLowerCase()}`,
              agent: "raw",
              project: "p",
              data
            }
          })
          const looks = facts.flatMap(({ look }, at) => (look && at > 0 ? [at] : []))
          for (const [from, to] of [0, ...looks].map(
            (from, at) => [from, looks[at] ?? facts.length] as const
          )) {
            const batch = batchOf(from, [to], { facts: events.slice(from, to) })
            expect((await collector.send(token, batch)).status).toBe(200)
            await onDatabase(
              Effect.flatMap(skipLocked, (claim) =>
                Effect.zipRight(
                  beginMarks(folds),
                  Effect.repeat(round(folds, claim), { while: ({ installations }) => installations > 0 })
                )
              )
            )
          }
          const rows: readonly { projection: string; key: string; state: unknown }[] = JSON.parse(
            collector.postgres.psql(`SELECT coalesce(json_agg(s), '[]') FROM hooktape.state s
              JOIN hooktape.installation i ON i.id = s.installation WHERE i.name = '${name}'`)
          )
          const statesOf = (projection: string) =>
            new Map(rows.filter((row) => row.projection === projection).map(({ key, state }) => [key, state]))
          return {
            taken,
            states: Object.fromEntries(folds.map((fold) => [fold.name, statesOf(markOf(fold))]))
          }
        }
      },
      8
    )
  })
})
