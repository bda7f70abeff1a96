/** From the spool into the log: everything, once, in order; what is broken is set aside and stops nothing. */
import { createHmac } from "node:crypto"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import type { InvocationId } from "../../../events/ids.ts"
import type { Draft } from "../../../events/Recorded.ts"
import type { Damage } from "../../../src/log/Damage.ts"
import { EventLog } from "../../../src/log/EventLog.ts"
import { isLost } from "../../../src/log/lost.ts"
import { layerMemory } from "../../../src/log/MemoryLog.ts"
import { ingest } from "../../../src/log/spool/ingest.ts"
import { listSpool, readSpoolFile, spoolBytes, writerLine } from "../../../src/log/spool/spoolFiles.ts"
import { openSpool } from "../../../src/log/spool/spoolWriter.ts"
import { layerSqlite } from "../../../src/log/sqlite/SqliteLog.ts"
import { digestKey } from "../../../src/state/state.ts"
import { draftOf, nextId } from "../../support/log/drafts.ts"

let state: string
let spool: string
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "ingest-"))
  spool = join(state, "spool")
  mkdirSync(spool)
})
afterEach(() => rmSync(state, { recursive: true, force: true }))

const invocation = () => nextId() as InvocationId
const opened = (id: string, pid: number) =>
  draftOf(`invocation/${id}`, { type: "INVOCATION_OPENED", data: { type: "INVOCATION_OPENED", pid } })
const line = (draft: Draft) => `${JSON.stringify(draft)}\n`
/** No process has an id above what the kernel gives. */
const nobody = 2 ** 30
const deep = (levels: number): string => "[".repeat(levels) + "]".repeat(levels)
const facts = Effect.flatMap(EventLog, (log) =>
  Effect.map(Stream.runCollect(log.read()), Chunk.toReadonlyArray)
)

describe("ingest", () => {
  it.live("takes closed files in the order of their names and deletes them", () =>
    Effect.gen(function* () {
      const ids = [invocation(), invocation(), invocation()]
      for (const id of [...ids].reverse()) {
        const writer = openSpool(state, id)
        writer.append(draftOf(`invocation/${id}`))
        writer.append(draftOf(`invocation/${id}`))
        writer.close()
      }
      expect(yield* ingest(state, "here")).toEqual({ files: 3, facts: 6, rejected: [] })
      expect((yield* facts).map(({ stream }) => stream)).toEqual(
        ids.flatMap((id) => [`invocation/${id}`, `invocation/${id}`])
      )
      expect(readdirSync(spool)).toEqual([])
      expect(yield* ingest(state, "here")).toEqual({ files: 0, facts: 0, rejected: [] })
    }).pipe(Effect.provide(layerMemory()))
  )

  it.live("takes all files that are there in one transaction", () =>
    Effect.gen(function* () {
      const ids = Array.from({ length: 40 }, invocation)
      for (const id of ids) writeFileSync(join(spool, `${id}.ndjson`), line(draftOf(`invocation/${id}`)))
      const log = yield* EventLog
      let transactions = 0
      const counting = EventLog.of({
        ...log,
        appendMany: (batches) =>
          Effect.suspend(() => {
            transactions++
            return log.appendMany(batches)
          })
      })
      yield* Effect.provideService(ingest(state, "here"), EventLog, counting)
      expect(transactions).toBe(1)
      expect(yield* facts).toHaveLength(40)
    }).pipe(Effect.provide(layerMemory()))
  )

  it.live("shows a running invocation so far, and the rest later, nothing twice", () =>
    Effect.gen(function* () {
      const id = invocation()
      const writer = openSpool(state, id)
      writer.append(opened(id, process.pid))
      writeFileSync(writer.path, '{"id":"half', { flag: "a" })
      yield* ingest(state, "here")
      yield* ingest(state, "here")
      expect((yield* facts).map(({ type }) => type)).toEqual(["INVOCATION_OPENED"])
      expect(existsSync(writer.path)).toBe(true)
      writeFileSync(writer.path, `${readFileSync(writer.path, "utf8").split("\n")[0]}\n`)
      writer.append(draftOf(`invocation/${id}`))
      writer.close()
      yield* ingest(state, "here")
      expect((yield* facts).map(({ type }) => type)).toEqual(["INVOCATION_OPENED", "EXITED"])
      expect(readdirSync(spool)).toEqual([])
    }).pipe(Effect.provide(layerMemory()))
  )

  it.live(
    "blames nobody for what it read while a running writer cut its file, and says so when it was left like that",
    () =>
      Effect.gen(function* () {
        const fact = draftOf("s")
        // The beginning of an old line and the end of a new one.
        const mixed = line({ ...fact, at: 5 })
        const other = draftOf("s")
        const write = (pid: number) =>
          writeFileSync(join(spool, `${id}.ndjson.open`), writerLine(pid) + mixed + line(other))
        const id = invocation()
        const log = yield* EventLog
        yield* log.append("s", "any", [fact])
        write(process.pid)
        expect(yield* ingest(state, "here")).toMatchObject({ files: 1, rejected: [] })
        expect((yield* facts).map(({ id }) => id)).toEqual([fact.id, other.id])
        expect(readdirSync(spool)).toHaveLength(1)
        write(nobody)
        expect(yield* ingest(state, "here")).toMatchObject({ rejected: [{ line: 2 }] })
        expect(readdirSync(spool)).toEqual(["errors"])
      }).pipe(Effect.provide(layerMemory()))
  )

  it.live("leaves the file alone that its writer takes in", () =>
    Effect.gen(function* () {
      const [own, other] = [`${invocation()}.ndjson.open`, `${invocation()}.ndjson.open`]
      for (const name of [own, other])
        writeFileSync(join(spool, name), writerLine(nobody) + line(draftOf("s")))
      expect(yield* ingest(state, "here", own)).toEqual({ files: 1, facts: 1, rejected: [] })
      expect(readdirSync(spool)).toEqual([own])
      expect(yield* ingest(state, "here")).toEqual({ files: 1, facts: 1, rejected: [] })
      expect(readdirSync(spool)).toEqual([])
    }).pipe(Effect.provide(layerMemory()))
  )

  it.live("takes the line that tells the writer for that only where it is the first", () =>
    Effect.gen(function* () {
      const id = invocation()
      writeFileSync(join(spool, `${id}.ndjson`), writerLine(1) + line(draftOf("s")) + writerLine(1))
      expect(yield* ingest(state, "here")).toMatchObject({ facts: 1, rejected: [{ line: 3 }] })
    }).pipe(Effect.provide(layerMemory()))
  )

  it.live("loses only the torn last line of a killed writer, and says so", () =>
    Effect.gen(function* () {
      const id = invocation()
      const text = line(opened(id, nobody)) + line(draftOf(`invocation/${id}`, { type: "NOTE" }))
      writeFileSync(join(spool, `${id}.ndjson.open`), `${text}{"id":"018f`)
      const { rejected } = yield* ingest(state, "here")
      expect(rejected).toMatchObject([{ file: `${id}.ndjson`, line: 3, reason: "not JSON" }])
      const all = yield* facts
      expect(all.map(({ type, known }) => [type, known])).toEqual([
        ["INVOCATION_OPENED", false],
        ["NOTE", false],
        ["SPOOL_REJECTED", true]
      ])
      expect(isLost(all.slice(0, 2), all[1]?.at ?? 0)).toBe(true)
      expect(readdirSync(spool)).toEqual(["errors"])
      const aside = JSON.parse(readFileSync(join(spool, "errors", `${id}.ndjson.3.json`), "utf8"))
      expect(aside).toEqual({ file: `${id}.ndjson`, line: 3, reason: "not JSON", text: '{"id":"018f' })
    }).pipe(Effect.provide(layerMemory()))
  )

  it.live("sets every kind of broken line aside and keeps what stands around it", () =>
    Effect.gen(function* () {
      const id = invocation()
      const good = [draftOf("s"), draftOf("s")]
      const bad: [string | Buffer, string][] = [
        ["nonsense password=hunter2", "not JSON"],
        ["[]", "not an object"],
        ["null", "not an object"],
        [JSON.stringify({ ...good[0], id: 7 }), "no id"],
        [JSON.stringify({ ...good[0], at: "now" }), "no time"],
        [JSON.stringify({ ...good[0], id: nextId(), at: 1e300 }), "no time"],
        [JSON.stringify({ ...good[0], id: nextId(), schemaVersion: 1e300 }), "no schemaVersion"],
        [JSON.stringify({ ...good[0], id: "../../../outside" }), "id is no UUID"],
        [JSON.stringify({ ...good[0], id: `${nextId()}\0` }), "id is no UUID"],
        [JSON.stringify({ ...good[0], id: nextId() }).replace('"ms":{}', `"ms":${deep(20_000)}`), "deeper"],
        [JSON.stringify({ ...good[0], session: {} }), "session is no text"],
        [JSON.stringify({ ...good[0], type: "OTHER" }), "data of another type"],
        [JSON.stringify({ ...good[0], data: { type: "EXITED", code: 9, ms: {} } }), "another body"],
        [Buffer.from([0xff, 0xfe, 0x7b]), "not UTF-8"]
      ]
      const parts = [line(good[0] as Draft), ...bad.flatMap(([text]) => [text, "\n"]), line(good[1] as Draft)]
      writeFileSync(join(spool, `${id}.ndjson`), Buffer.concat(parts.map((part) => Buffer.from(part))))
      const { rejected } = yield* ingest(state, "here")
      expect(rejected).toHaveLength(bad.length)
      for (const [, reason] of bad) expect(rejected.some((one) => one.reason.includes(reason))).toBe(true)
      const all = yield* facts
      expect(all.filter(({ stream }) => stream === "s")).toHaveLength(2)
      expect(all.filter(({ type }) => type === "SPOOL_REJECTED")).toHaveLength(bad.length)
      expect(rejected.every(({ file, line }) => file === `${id}.ndjson` && line > 1)).toBe(true)
      expect(readdirSync(state).filter((name) => !/^(?:spool|key|digest)/.test(name))).toEqual([])
      expect(readdirSync(spool)).toEqual(["errors"])
      const errors = readdirSync(join(spool, "errors"))
      expect(errors).toHaveLength(bad.length)
      for (const name of errors)
        expect(readFileSync(join(spool, "errors", name), "utf8")).not.toContain("hunter2")
      yield* ingest(state, "here")
      expect(yield* facts).toHaveLength(all.length)
    }).pipe(Effect.provide(layerMemory()))
  )

  it.live("keeps as deep a fact as it can read back", () =>
    Effect.gen(function* () {
      const text = line(draftOf("s")).replace('"ms":{}', `"ms":{"x":${deep(990)}}`)
      writeFileSync(join(spool, `${invocation()}.ndjson`), text)
      const sqlite = layerSqlite({ file: join(state, "log.sqlite"), source: "here" })
      const done = yield* Effect.provide(ingest(state, "here"), sqlite)
      expect(done).toMatchObject({ facts: 1, rejected: [] })
      const [fact] = yield* Effect.provide(facts, sqlite)
      expect(JSON.stringify(fact?.data)).toContain(deep(990))
    })
  )

  it.live("names the line that the log refused, and its text, however many there are", () =>
    Effect.gen(function* () {
      const id = invocation()
      const good = draftOf("s")
      const other = JSON.stringify({ ...good, at: 5 })
      writeFileSync(join(spool, `${id}.ndjson`), `${line(good)}${other}\n${other}\n${line(draftOf("s"))}`)
      const { rejected } = yield* ingest(state, "here")
      expect(rejected.map(({ file, line }) => [file, line])).toEqual([
        [`${id}.ndjson`, 2],
        [`${id}.ndjson`, 3]
      ])
      const errors = readdirSync(join(spool, "errors")).sort()
      expect(errors).toEqual([`${id}.ndjson.2.json`, `${id}.ndjson.3.json`])
      const aside = JSON.parse(readFileSync(join(spool, "errors", errors[0] as string), "utf8"))
      expect(aside.text).toBe(other)
      expect(yield* facts).toHaveLength(4)
    }).pipe(Effect.provide(layerMemory()))
  )

  it.live("follows no links and touches no other names", () =>
    Effect.gen(function* () {
      const target = join(state, "target")
      writeFileSync(target, line(draftOf("s")))
      symlinkSync(target, join(spool, `${invocation()}.ndjson`))
      mkdirSync(join(spool, `${invocation()}.ndjson`))
      for (const name of ["x.ndjson", "..ndjson", `${invocation()}.ndjson.bak`, `${invocation()}.json`])
        writeFileSync(join(spool, name), line(draftOf("s")))
      const before = readdirSync(spool)
      expect(yield* ingest(state, "here")).toEqual({ files: 0, facts: 0, rejected: [] })
      expect(readdirSync(spool)).toEqual(before)
      expect(existsSync(target)).toBe(true)
    }).pipe(Effect.provide(layerMemory()))
  )

  it.live("takes an old file whose writer nobody knows", () =>
    Effect.gen(function* () {
      const path = join(spool, `${invocation()}.ndjson.open`)
      writeFileSync(path, line(draftOf("s")))
      yield* ingest(state, "here")
      expect(existsSync(path)).toBe(true)
      const past = Date.now() / 1000 - 11 * 60
      utimesSync(path, past, past)
      yield* ingest(state, "here")
      expect(existsSync(path)).toBe(false)
      expect(yield* facts).toHaveLength(1)
    }).pipe(Effect.provide(layerMemory()))
  )

  it.live("redacts what was placed there by hand", () =>
    Effect.gen(function* () {
      const data = { type: "NOTE", text: "password=hunter2" }
      const draft = { ...draftOf("s"), type: "NOTE", data }
      writeFileSync(join(spool, `${invocation()}.ndjson`), line(draft))
      yield* ingest(state, "here")
      expect((yield* facts)[0]?.data).toEqual({ type: "NOTE", text: "password=‹redacted:password›" })
    }).pipe(Effect.provide(layerMemory()))
  )

  it.live("digests payloads under the installation's key, the same each time", () =>
    Effect.gen(function* () {
      const data = { type: "PAYLOAD_BUFFERED", payload: "{}" }
      const text = line(draftOf("s", { type: "PAYLOAD_BUFFERED", data }))
      for (let n = 0; n < 2; n++) {
        writeFileSync(join(spool, `${invocation()}.ndjson`), text)
        yield* ingest(state, "here")
      }
      const digest = createHmac("sha256", digestKey(state)).update("{}").digest("hex")
      expect((yield* facts).map(({ data }) => data)).toEqual([{ ...data, digest }])
    }).pipe(Effect.provide(layerMemory()))
  )

  it.live("may be done by several readers at once", () =>
    Effect.gen(function* () {
      for (let n = 0; n < 50; n++) {
        const id = invocation()
        const text = line(draftOf(`invocation/${id}`)) + line(draftOf(`invocation/${id}`))
        writeFileSync(join(spool, `${id}.ndjson`), n % 10 === 0 ? `${text}broken\n` : text)
      }
      const reader = () =>
        Effect.provide(
          ingest(state, "here"),
          layerSqlite({ file: join(state, "log.sqlite"), source: "here" })
        )
      yield* Effect.all([reader(), reader(), reader(), reader()], { concurrency: "unbounded" })
      const all = yield* Effect.provide(
        facts,
        layerSqlite({ file: join(state, "log.sqlite"), source: "here" })
      )
      expect(all).toHaveLength(105)
      expect(all.map(({ position }) => position)).toEqual(Array.from({ length: 105 }, (_, at) => at + 1))
      expect(readdirSync(spool)).toEqual(["errors"])
    })
  )
})

describe("a file of the spool", () => {
  it.each(["running", "ended"])(
    "of a writer that is %s is found when it was handed over since it was listed",
    (how) => {
      const id = invocation()
      const path = join(spool, `${id}.ndjson`)
      writeFileSync(`${path}.open`, line(opened(id, how === "running" ? process.pid : nobody)))
      const [listed] = listSpool(state)
      if (listed === undefined) throw new Error("nothing is listed")
      renameSync(`${path}.open`, path)
      expect(spoolBytes(listed)?.bytes).toEqual(readFileSync(path))
      expect(readSpoolFile(listed, Date.now())).toMatchObject({
        found: { name: `${id}.ndjson`, path, open: false },
        drafts: [{ file: `${id}.ndjson`, line: 1 }],
        finished: true
      })
      rmSync(path)
      expect(spoolBytes(listed)).toBeUndefined()
      expect(readSpoolFile(listed, Date.now())).toMatchObject({ drafts: [], finished: false })
    }
  )
})

describe("isLost", () => {
  const at = 1_760_000_000_000
  it("tells killed, running and ended invocations apart", () => {
    const running = opened("x", process.pid)
    const killed = opened("x", nobody)
    expect(isLost([running], at)).toBe(false)
    expect(isLost([killed], at)).toBe(true)
    expect(isLost([killed, draftOf("x")], at)).toBe(false)
    expect(isLost([running], at + 11 * 60_000)).toBe(true)
    expect(isLost([], at)).toBe(false)
  })
})

describe("a log that was removed while it is open", () => {
  it.live("gets no fact out of the spool: the next one has them all", () =>
    Effect.gen(function* () {
      const file = join(state, "log.sqlite")
      const ids = [invocation(), invocation(), invocation(), invocation(), invocation()]
      const [first = "", ...others] = ids
      const spool = (id: string) => {
        const writer = openSpool(state, id as InvocationId)
        writer.append(draftOf(`invocation/${id}`))
        writer.close()
      }
      const layer = () => layerSqlite({ file, source: "here" })
      yield* Effect.gen(function* () {
        spool(first)
        yield* ingest(state, "here")
        for (const name of ["log.sqlite", "log.sqlite-wal", "log.sqlite-shm"])
          rmSync(join(state, name), { force: true })
        for (const id of others) spool(id)
        const error = yield* Effect.flip(ingest(state, "here"))
        expect(error.message).toContain("removed")
        expect(listSpool(state)).toHaveLength(4)
        // As whoever comes next makes it: then there is a file, and still not this one.
        yield* Effect.provide(Effect.asVoid(EventLog), Layer.fresh(layer()))
        yield* Effect.flip(ingest(state, "here"))
      }).pipe(Effect.provide(layer()))
      const told: Damage[] = []
      yield* Effect.gen(function* () {
        yield* ingest(state, "here")
        expect((yield* facts).map(({ stream }) => stream)).toEqual(others.map((id) => `invocation/${id}`))
        expect(listSpool(state)).toEqual([])
      }).pipe(
        Effect.provide(layerSqlite({ file, source: "here", onDamage: (damage) => void told.push(damage) }))
      )
      // What was on the log that was removed is gone, and that is said.
      expect(told).toEqual([{ kind: "cut", first: 1, last: 1, facts: 1 }])
    })
  )
})
