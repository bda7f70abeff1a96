/** The log in a file keeps the contract, and what only a file has to promise: privacy, settings, many processes. */
import { spawn } from "node:child_process"
import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { build } from "esbuild"
import { EventLog } from "../../../src/log/EventLog.ts"
import { layerSqlite } from "../../../src/log/sqlite/SqliteLog.ts"
import { requireVersion } from "../../../src/log/sqlite/sqliteOpen.ts"
import { draftOf } from "../../support/log/drafts.ts"
import { openPlainly } from "../../support/log/plainSqlite.ts"
import { eventLogContract } from "./eventLog.ts"

let root: string
let count = 0
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "log-"))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const fresh = () => join(root, `state-${count++}`, "log.sqlite")
const open = (file: string) => layerSqlite({ file, source: "here", pollMs: 5 })
const opening = (file: string) =>
  Effect.either(Effect.asVoid(Effect.provide(EventLog, open(file)))).pipe(
    Effect.map(Either.match({ onLeft: ({ detail }) => detail, onRight: () => "opened" }))
  )

eventLogContract("SQLite", () => open(fresh()))

describe("SqliteLog", () => {
  it.live("is private, also its companions", () =>
    Effect.gen(function* () {
      const file = fresh()
      yield* Effect.gen(function* () {
        yield* (yield* EventLog).append("s", "any", [draftOf("s")])
        for (const end of ["", "-wal", "-shm"]) expect(statSync(file + end).mode & 0o777).toBe(0o600)
        expect(statSync(join(file, "..")).mode & 0o777).toBe(0o700)
      }).pipe(Effect.provide(open(file)))
      chmodSync(file, 0o644)
      expect(yield* opening(file)).toBe("opened")
      expect(statSync(file).mode & 0o777).toBe(0o600)
    })
  )

  it.live("names itself and keeps the columns", () =>
    Effect.gen(function* () {
      const file = fresh()
      const draft = draftOf("s", { session: "S", toolUseId: "T" })
      yield* Effect.provide(
        Effect.flatMap(EventLog, (log) => log.append("s", "any", [draft])),
        open(file)
      )
      const db = openPlainly(file, { readonly: true })
      expect(db.pragma("application_id", { simple: true })).toBe(0x686b7470)
      expect(db.pragma("journal_mode", { simple: true })).toBe("wal")
      expect(db.prepare("SELECT * FROM facts").get()).toMatchObject({
        position: 1,
        id: draft.id,
        source: "here",
        stream_version: 1,
        correlation_id: "S",
        causation_id: null,
        tool_use_id: "T",
        data: JSON.stringify(draft.data),
        blob: null
      })
      db.close()
    })
  )

  it.live("refuses what is not its own, or not to be trusted", () =>
    Effect.gen(function* () {
      const linked = fresh()
      expect(yield* opening(linked)).toBe("opened")
      const link = `${linked}.link`
      symlinkSync(linked, link)
      expect(yield* opening(link)).toContain("not a plain file")
      const other = `${linked}.other`
      const db = openPlainly(other)
      db.exec("CREATE TABLE notes (x)")
      db.close()
      expect(yield* opening(other)).toContain("another program's database")
      const garbage = `${linked}.garbage`
      writeFileSync(garbage, "this is no database, and long enough to be looked at as one".repeat(100))
      expect(yield* opening(garbage)).toContain("not a database")
      const newer = openPlainly(linked)
      newer.pragma("user_version = 99")
      newer.close()
      expect(yield* opening(linked)).toContain("newer hooktape")
    })
  )

  it.live(
    "opens and is read while another process writes it all the while; who writes as well gives up in time",
    () =>
      Effect.gen(function* () {
        const file = fresh()
        const once = Layer.fresh(layerSqlite({ file, source: "here", turns: 0 }))
        const add = Effect.flatMap(EventLog, (log) => log.append("s", "any", [draftOf("s")]))
        yield* Effect.provide(add, open(file))
        const db = openPlainly(file)
        db.exec("BEGIN IMMEDIATE")
        const read = Effect.flatMap(EventLog, (log) => Stream.runCount(log.read()))
        expect(yield* Effect.provide(read, open(file))).toBe(1)
        expect((yield* Effect.flip(Effect.provide(add, once))).detail).toBe(
          `${file}: another process is writing it: try again when it is done`
        )
        db.exec("ROLLBACK")
        db.close()
        yield* Effect.provide(add, once)
      })
  )

  it.effect("refuses a SQLite that corrupts logs", () =>
    Effect.gen(function* () {
      const ok = (version: string) => Effect.map(Effect.either(requireVersion(version)), Either.isRight)
      for (const version of ["3.51.3", "3.53.2", "3.52.0", "4.0.0"]) expect(yield* ok(version)).toBe(true)
      for (const version of ["3.51.2", "3.40.1", "2.8.17"]) expect(yield* ok(version)).toBe(false)
    })
  )

  it.live("brings an undecodable row that was recorded without a sum back as it is", () =>
    Effect.gen(function* () {
      const file = fresh()
      yield* Effect.provide(
        Effect.flatMap(EventLog, (log) => log.append("s", "any", [draftOf("s"), draftOf("s")])),
        open(file)
      )
      const db = openPlainly(file)
      // Nor with a seal, as facts of before there were any: one that was taken away counts as damage.
      db.exec(`DELETE FROM seals; UPDATE recorded SET data = '{"type":', sum = NULL WHERE position = 1`)
      db.close()
      rmSync(`${file}.seal`, { force: true })
      const facts = yield* Effect.provide(
        Effect.flatMap(EventLog, (log) => Stream.runCollect(log.read())),
        open(file)
      )
      expect(Chunk.toReadonlyArray(facts).map(({ known, data }) => [known, data])).toEqual([
        [false, '{"type":'],
        [true, { type: "EXITED", code: 0, ms: {} }]
      ])
    })
  )

  it.live("follows what another connection appends", () =>
    Effect.gen(function* () {
      const file = fresh()
      const seen = yield* Effect.gen(function* () {
        const fiber = yield* Effect.flatMap(EventLog, (reader) =>
          Effect.fork(Stream.runCollect(Stream.take(reader.follow(0), 3)))
        )
        yield* Effect.provide(
          Effect.flatMap(EventLog, (writer) =>
            writer.append("s", "any", [draftOf("s"), draftOf("s"), draftOf("s")])
          ),
          open(file)
        )
        return yield* Fiber.join(fiber)
      }).pipe(Effect.provide(open(file)))
      expect(Chunk.toReadonlyArray(seen).map(({ position }) => position)).toEqual([1, 2, 3])
    })
  )

  it("takes 64 processes at once: all there, none double", { timeout: 120_000 }, async () => {
    const file = fresh()
    const script = join(root, "appender.cjs")
    // Native code stays outside the bundle; it is found from here, not from the temporary directory.
    await build({
      entryPoints: [join(import.meta.dirname, "../../support/log/appender.ts")],
      bundle: true,
      platform: "node",
      format: "cjs",
      outfile: script,
      external: ["better-sqlite3"],
      logLevel: "error"
    })
    expect(existsSync(script)).toBe(true)
    const run = (n: number) =>
      new Promise<string>((resolve) => {
        const NODE_PATH = join(import.meta.dirname, "../../../node_modules")
        const child = spawn(process.execPath, [script, file, String(n), "20"], {
          env: { ...process.env, NODE_PATH },
          stdio: ["ignore", "ignore", "pipe"]
        })
        let errors = ""
        child.stderr.on("data", (data) => {
          errors += data
        })
        child.on("close", (code) => resolve(code === 0 ? "" : errors))
      })
    expect(await Promise.all(Array.from({ length: 64 }, (_, n) => run(n)))).toEqual(Array(64).fill(""))
    const db = openPlainly(file, { readonly: true })
    const rows = db.prepare("SELECT position, stream, stream_version FROM facts ORDER BY position").all() as {
      position: number
      stream: string
    }[]
    db.close()
    expect(rows.map(({ position }) => position)).toEqual(Array.from({ length: 1280 }, (_, at) => at + 1))
    const shared = rows.filter(({ stream }) => stream === "shared")
    expect(shared).toHaveLength(640)
    expect(new Set(rows.map(({ stream }) => stream)).size).toBe(65)
  })
})
