/** The tables of the SQLite log: older ones become today's, what facts share is kept once, filters find it by an index. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import type { Recorded } from "../../../events/Recorded.ts"
import { EventLog, type EventLogShape, type Filter } from "../../../src/log/EventLog.ts"
import { layerSqlite } from "../../../src/log/sqlite/SqliteLog.ts"
import { select } from "../../../src/log/sqlite/sqliteSelect.ts"
import { draftOf } from "../../support/log/drafts.ts"
import { makeOldLog } from "../../support/log/oldSqlite.ts"
import { openPlainly } from "../../support/log/plainSqlite.ts"

let root: string
let count = 0
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "log-tables-"))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const fresh = () => join(root, `state-${count++}`, "log.sqlite")
const open = (file: string, source = "here") =>
  Effect.map(Layer.build(Layer.fresh(layerSqlite({ file, source }))), Context.get(EventLog))
const all = (log: EventLogShape, filter?: Filter) =>
  Effect.map(Stream.runCollect(log.read(filter)), Chunk.toReadonlyArray)
const query = (file: string, sql: string): readonly unknown[] => {
  const db = openPlainly(file, { readonly: true })
  try {
    return db.prepare(sql).all()
  } finally {
    db.close()
  }
}

const golden = readFileSync(join(import.meta.dirname, "../../logs/v1.ndjson"), "utf8")
  .trimEnd()
  .split("\n")
  .map((line): Recorded => JSON.parse(line))

/** The golden log, and what no golden log would have: strange names, an unknown fact, an old shape, a long one, a gap. */
const oldFacts = (): readonly Recorded[] => {
  const last = golden.at(-1)
  if (last === undefined) throw new Error("the golden log is empty")
  const odd = (offset: number, over: Partial<Recorded>): Recorded => ({
    ...last,
    position: last.position + offset,
    id: draftOf("x").id,
    stream: 'odd/"\\\u0001é\u{1f600}',
    version: offset,
    type: "FROM_THE_FUTURE",
    known: false,
    data: { type: "FROM_THE_FUTURE", x: [1] },
    ...over
  })
  return [
    ...golden,
    odd(1, { session: "'\"\\\n\t\b\u0001\u007f\u2028é\u{1f600}", project: "", source: "elsewhere" }),
    odd(2, { schemaVersion: 99, session: null, agent: null, at: 1.5 }),
    odd(4, { data: { type: "FROM_THE_FUTURE", text: "x".repeat(70_000) } })
  ]
}

describe("a log with the first tables", () => {
  it.scoped("is brought to today's, and reads the same", () =>
    Effect.gen(function* () {
      const file = fresh()
      const facts = oldFacts()
      const last = facts.at(-1)
      if (last === undefined) return
      makeOldLog(file, facts, new Set([last.position]))
      const before = query(file, "SELECT * FROM facts ORDER BY position")
      const log = yield* open(file)
      expect(yield* all(log)).toEqual(facts)
      expect(query(file, "SELECT * FROM facts ORDER BY position")).toEqual(before)
      expect(query(file, "PRAGMA user_version")).toEqual([{ user_version: 3 }])
      expect(query(file, "PRAGMA foreign_key_check")).toEqual([])
      expect(query(file, "PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }])
      expect(
        query(file, "SELECT name FROM sqlite_schema WHERE name LIKE '%facts_%' OR tbl_name = 'facts_1'")
      ).toEqual([])
      expect(yield* log.checkpoint("metrics")).toBe(7)
      expect(yield* log.stats).toMatchObject({ facts: facts.length, blobs: 1, last: last.position })
    })
  )

  it.scoped("goes on where it was", () =>
    Effect.gen(function* () {
      const file = fresh()
      const facts = oldFacts()
      const [last] = facts.slice(-1)
      if (last === undefined) return
      makeOldLog(file, facts, new Set([last.position]))
      const log = yield* open(file, last.source)
      const { stream, session, agent, agentEvent, event, project } = last
      const marks = query(file, "SELECT count(*) AS n FROM marks")
      const next = draftOf(stream, { session, agent, agentEvent, event, project })
      expect(yield* log.append(stream, { exact: last.version }, [next])).toMatchObject([
        { position: last.position + 6, version: last.version + 1, known: true }
      ])
      // Found again, not written a second time.
      expect(query(file, "SELECT count(*) AS n FROM marks")).toEqual(marks)
      expect(yield* log.append(stream, "any", [last as never])).toEqual([last])
      const other = yield* Effect.either(log.append(stream, "any", [{ ...last, at: 1 } as never]))
      expect(Either.getLeft(other)).toMatchObject({ value: { reason: "conflict" } })
      expect(yield* log.forget([...new Set(facts.map((fact) => fact.stream))])).toBe(facts.length + 1)
      for (const table of ["recorded", "streams", "marks", "blobs"])
        expect(query(file, `SELECT count(*) AS n FROM ${table}`), table).toEqual([{ n: 0 }])
    })
  )

  it.scoped("stays as it was where that fails half-way", () =>
    Effect.gen(function* () {
      const file = fresh()
      makeOldLog(file, golden, new Set())
      const db = openPlainly(file)
      db.exec("CREATE TABLE recorded (in_the_way)")
      db.close()
      const before = query(file, "SELECT * FROM sqlite_schema")
      const opened = yield* Effect.either(open(file))
      expect(Either.getLeft(opened)).toMatchObject({ value: { op: "open", reason: "io" } })
      expect(query(file, "SELECT * FROM sqlite_schema")).toEqual(before)
      expect(query(file, "PRAGMA user_version")).toEqual([{ user_version: 1 }])
    })
  )
})

describe("what facts share", () => {
  const marked = (stream: string, session: string) =>
    draftOf(stream, { session, agent: "codex", project: "/p" })

  it.scoped("stands once", () =>
    Effect.gen(function* () {
      const file = fresh()
      const log = yield* open(file)
      for (let n = 0; n < 5; n++)
        yield* log.append("s", "any", [marked("s", "A"), marked("s", "B"), draftOf("s"), marked("s", "A")])
      const counts = "SELECT (SELECT count(*) FROM marks) AS m, (SELECT count(*) FROM kinds) AS k"
      expect(query(file, counts)).toEqual([{ m: 3, k: 1 }])
      expect((yield* all(log, { session: "A" })).map(({ version }) => version)).toEqual([
        1, 4, 5, 8, 9, 12, 13, 16, 17, 20
      ])
    })
  )

  it.scoped("is not remembered from an append that was undone", () =>
    Effect.gen(function* () {
      const file = fresh()
      const log = yield* open(file)
      const batch = (stream: string, session: string, expected: "any" | "stream-exists") =>
        ({ stream, expected, drafts: [marked(stream, session)] }) as const
      const id = draftOf("taken")
      yield* log.append("taken", "any", [id])
      // Undone by the database, after streams, kinds and marks were written.
      const undone = draftOf("lost", { type: "UNDONE" })
      const twice = { ...marked("lost", "LOST"), id: id.id } as ReturnType<typeof marked>
      const failed = yield* Effect.either(
        log.appendMany([
          batch("lost", "LOST", "any"),
          { stream: "lost", expected: "any", drafts: [undone, twice] }
        ])
      )
      expect(Either.getLeft(failed)).toMatchObject({ value: { reason: "conflict" } })
      expect(query(file, "SELECT count(*) AS n FROM streams")).toEqual([{ n: 1 }])
      yield* log.appendMany([batch("b", "B", "any"), batch("c", "C", "any")])
      // A number that was given to it before may be another's by now.
      yield* log.append("d", "any", [draftOf("d", { type: "OTHER" }), draftOf("d", { type: "UNDONE" })])
      expect((yield* all(log)).map(({ stream, session, type }) => [stream, session, type])).toEqual([
        ["taken", null, id.type],
        ["b", "B", id.type],
        ["c", "C", id.type],
        ["d", null, "OTHER"],
        ["d", null, "UNDONE"]
      ])
    })
  )

  it.scoped("goes with the last fact that had it, and may come again, whoever writes and reads", () =>
    Effect.gen(function* () {
      const file = fresh()
      const [one, two, reader] = [yield* open(file, "one"), yield* open(file, "two"), yield* open(file)]
      const seen = () =>
        Effect.map(all(reader), (facts) =>
          facts.map(({ stream, session, source }) => [stream, session, source])
        )
      yield* one.append("a", "any", [marked("a", "A")])
      yield* two.append("b", "any", [marked("b", "A")])
      yield* one.append("c", "any", [marked("c", "A")])
      expect(yield* seen()).toEqual([
        ["a", "A", "one"],
        ["b", "A", "two"],
        ["c", "A", "one"]
      ])
      yield* two.forget(["a"])
      expect(query(file, "SELECT count(*) AS n FROM marks")).toEqual([{ n: 2 }])
      yield* two.forget(["b", "c"])
      expect(query(file, "SELECT count(*) AS n FROM marks")).toEqual([{ n: 0 }])
      yield* two.append("x", "no-stream", [marked("x", "X")])
      yield* one.append("a", "no-stream", [marked("a", "A")])
      yield* two.append("a", { exact: 1 }, [marked("a", "A")])
      expect(yield* seen()).toEqual([
        ["x", "X", "two"],
        ["a", "A", "one"],
        ["a", "A", "two"]
      ])
    })
  )
})

describe("a damaged log", () => {
  it.scoped("is an error that says so, not a defect", () =>
    Effect.gen(function* () {
      const file = fresh()
      const log = yield* open(file)
      yield* log.append("s", "any", [draftOf("s")])
      const db = openPlainly(file)
      db.exec("PRAGMA foreign_keys = OFF; DELETE FROM kinds")
      db.close()
      const read = yield* Effect.either(all(log))
      expect(Either.getLeft(read)).toMatchObject({
        value: { op: "read", reason: "io", detail: expect.stringContaining("is damaged") }
      })
    })
  )
})

describe("a filter", () => {
  it.scoped("is answered from the index it has", () =>
    Effect.gen(function* () {
      const file = fresh()
      yield* open(file)
      const db = openPlainly(file)
      const plan = (filter: Filter): string => {
        const { sql, values } = select(filter, 1000)
        const steps = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values) as { readonly detail: string }[]
        return steps.map(({ detail }) => detail).join("\n")
      }
      const scan = "SCAN recorded"
      const range = "SEARCH recorded USING INTEGER PRIMARY KEY (rowid>?)"
      const bySession = /SEARCH recorded USING (COVERING )?INDEX recorded_marks/
      const byStream = /SEARCH recorded USING (COVERING )?INDEX sqlite_autoindex_recorded_2 \(stream=\?\)/
      for (const other of [{}, { after: 5 }, { before: 9, reverse: true }]) {
        for (const filter of [{ stream: "s" }, { invocation: "x" }, { streamPrefix: "invocation/01" }]) {
          expect(plan({ ...filter, ...other })).toMatch(byStream)
          expect(plan({ ...filter, session: "S", ...other })).toMatch(byStream)
        }
        expect(plan({ session: "S", ...other })).toMatch(bySession)
        expect(plan({ session: "S", agent: "codex", types: ["EXITED"], ...other })).toMatch(bySession)
      }
      // In order of positions, without sorting, so that a page costs a page.
      for (const filter of [
        { agent: "codex" },
        { types: ["EXITED"] },
        { since: 5 },
        { event: "e", project: "/p" }
      ]) {
        expect(plan(filter)).toContain(scan)
        expect(plan({ ...filter, after: 5 })).toContain(range)
        expect(plan({ ...filter, after: 5, reverse: true })).not.toContain("TEMP B-TREE")
      }
      db.close()
    })
  )
})
