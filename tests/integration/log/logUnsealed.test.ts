/** Facts that no seal covers: those with an honest reason are told from those that somebody added, or whose seal was taken away. */
import { chmodSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { EventLog, type EventLogShape } from "../../../src/log/EventLog.ts"
import { repairLog } from "../../../src/log/repair.ts"
import { layerSqlite } from "../../../src/log/sqlite/SqliteLog.ts"
import { describeFinding, isSound } from "../../../src/log/verdict.ts"
import { verifyLog } from "../../../src/log/verify.ts"
import { fill, readAll } from "../../support/log/damaged.ts"
import { draftOf } from "../../support/log/drafts.ts"
import { openPlainly } from "../../support/log/plainSqlite.ts"

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "log-unsealed-"))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const sealedLog = async (name: string): Promise<string> => {
  const file = join(root, name, "log.sqlite")
  await Effect.runPromise(fill(file))
  return file
}

const change = (file: string, sql: string): void => {
  const db = openPlainly(file)
  db.exec(`PRAGMA foreign_keys = OFF; ${sql}`)
  db.close()
}

const openLog = (file: string) => layerSqlite({ file, source: "here" })

const using = <A, E>(file: string, use: (log: EventLogShape) => Effect.Effect<A, E>) =>
  Effect.flatMap(EventLog, use).pipe(Effect.provide(Layer.fresh(openLog(file))), Effect.runPromise)

const appendOne = (log: EventLogShape) => log.append("s", "any", [draftOf("s")])

const findings = (file: string) =>
  verifyLog(file).findings.map(({ detail, first, kind, last }) => [kind, first, last, detail] as const)

const added = "added without a seal"

/** As somebody does who knows SQL and not what a seal is. */
const plant = (file: string, position: string, sum: string): void =>
  change(
    file,
    `INSERT INTO recorded (position, id, stream, stream_version, kind, occurred_at, recorded_at, marks, data, sum)
      SELECT ${position}, 'planted ' || ${position}, stream, 1000 + ${position}, kind, occurred_at, recorded_at, marks, data, ${sum}
      FROM recorded WHERE position = 20`
  )

const damageKey = (file: string): (() => void) => {
  const key = join(dirname(file), "key")
  const aside = `${key}.aside`
  renameSync(key, aside)
  writeFileSync(key, "short", { mode: 0o600 })
  return () => {
    rmSync(key)
    renameSync(aside, key)
  }
}

describe("a fact that nobody sealed", () => {
  it.each([
    ["without a sum", "NULL"],
    ["with one that does not fit", "sum"]
  ])("is named where it was added by hand %s", async (what, sum) => {
    const file = await sealedLog(`planted ${what}`)
    const { last } = verifyLog(file)
    plant(file, String(last + 1), sum)
    const [first] = verifyLog(file).findings
    expect(first).toMatchObject({ first: last + 1, last: last + 1 })
    if (sum === "NULL") {
      expect(first).toMatchObject({ kind: "altered", detail: added })
      expect(describeFinding(first as never)).toBe(
        `position ${last + 1}: added without a seal, or its seal was taken away`
      )
    }
    expect(isSound(verifyLog(file))).toBe(false)
    await using(file, appendOne)
    expect(verifyLog(file).findings).toEqual([first])
  })

  it("is named far behind the end, and before the beginning, in a moment", async () => {
    const file = await sealedLog("planted far")
    const { last } = verifyLog(file)
    plant(file, "1000000000000", "NULL")
    plant(file, "-5", "NULL")
    plant(file, "0", "NULL")
    const began = performance.now()
    expect(findings(file)).toEqual([
      ["altered", -5, 0, added],
      ["missing", last + 1, 999_999_999_999, undefined],
      ["altered", 1_000_000_000_000, 1_000_000_000_000, added]
    ])
    expect(performance.now() - began).toBeLessThan(5000)
    change(file, "UPDATE sqlite_sequence SET seq = 1")
    expect(findings(file).map(([kind, first]) => [kind, first])).toContainEqual([
      "altered",
      1_000_000_000_000
    ])
  })

  it("is named where its seal was taken away", async () => {
    const file = await sealedLog("seal gone")
    const db = openPlainly(file)
    const { first, last } = db
      .prepare("SELECT first, last FROM seals WHERE first <= 30 AND last >= 30")
      .get() as never
    db.close()
    change(file, "DELETE FROM seals WHERE first <= 30 AND last >= 30")
    const [gone, next] = findings(file)
    expect(gone).toEqual(["altered", first, last, added])
    expect(next?.[0]).toBe("altered")
    expect(verifyLog(file).unsealed).toBe(0)
  })

  it("is named where every seal was taken away, and what they began with", async () => {
    const file = await sealedLog("seals gone")
    const { last } = verifyLog(file)
    change(file, "DELETE FROM seals; DELETE FROM breaks")
    rmSync(`${file}.seal`)
    expect(findings(file)).toEqual([["altered", 1, last, added]])
  })

  it("never comes of an append that ended halfway", async () => {
    const file = await sealedLog("halfway")
    const { last } = verifyLog(file)
    change(
      file,
      "CREATE TRIGGER stopped BEFORE INSERT ON seals BEGIN SELECT RAISE(ABORT, 'here it ended'); END"
    )
    await expect(using(file, appendOne)).rejects.toThrow(/here it ended/)
    change(file, "DROP TRIGGER stopped")
    expect(verifyLog(file)).toMatchObject({ findings: [], sealed: last, last })
  })
})

describe("a log that could not be sealed for a while", () => {
  it("is sound, says for which facts that was, and is sealed again by whoever has it open", async () => {
    const file = await sealedLog("key back")
    const { last } = verifyLog(file)
    await Effect.gen(function* () {
      const host = Context.get(yield* Layer.build(Layer.fresh(openLog(file))), EventLog)
      const restore = damageKey(file)
      const other = Context.get(yield* Layer.build(Layer.fresh(openLog(file))), EventLog)
      yield* appendOne(other)
      yield* appendOne(other)
      restore()
      yield* appendOne(other)
      yield* appendOne(host)
    }).pipe(Effect.scoped, Effect.runPromise)
    expect(verifyLog(file)).toMatchObject({ findings: [], unsealed: 2, sealed: last + 2, last: last + 4 })
    plant(file, String(last + 5), "NULL")
    expect(findings(file)).toEqual([["altered", last + 5, last + 5, added]])
  })

  it("is sound where there was no key from the first fact on", async () => {
    const file = join(root, "never", "log.sqlite")
    await using(file, (log) => Effect.as(log.stats, 0))
    const key = join(dirname(file), "key")
    writeFileSync(key, "short", { mode: 0o600 })
    await using(file, appendOne)
    rmSync(key)
    await using(file, appendOne)
    expect(verifyLog(file)).toMatchObject({ findings: [], unsealed: 1, sealed: 1 })
  })

  it.skipIf(process.getuid?.() === 0)("is sound where its key could not be read", async () => {
    const file = await sealedLog("key closed")
    const key = join(dirname(file), "key")
    chmodSync(key, 0o000)
    await using(file, appendOne)
    chmodSync(key, 0o600)
    expect(verifyLog(file)).toMatchObject({ findings: [], unsealed: 1 })
  })

  it("keeps account of what is forgotten or redacted meanwhile", async () => {
    const file = await sealedLog("forgotten")
    const { last } = verifyLog(file)
    const restore = damageKey(file)
    await using(file, (log) =>
      Effect.all([log.forget(["invocation/3", "invocation/9"]), log.redact("zzzzzzzzzzzzzzzzzzzz")])
    )
    restore()
    const { findings: found, sealed, taken, unsealed } = verifyLog(file)
    expect({ found, sum: sealed + taken + unsealed }).toEqual({ found: [], sum: last })
    expect(taken).toBeGreaterThan(3)
    expect(await Effect.runPromise(readAll(file))).toHaveLength(sealed + unsealed)
  })
})

describe("a key that was made anew", () => {
  it("is taken up by whoever read the one before, so that nothing passes for altered", async () => {
    const file = await sealedLog("key anew")
    const { last } = verifyLog(file)
    await Effect.gen(function* () {
      const host = Context.get(yield* Layer.build(Layer.fresh(openLog(file))), EventLog)
      yield* appendOne(host)
      rmSync(join(dirname(file), "key"))
      const command = Context.get(yield* Layer.build(Layer.fresh(openLog(file))), EventLog)
      yield* appendOne(command)
      yield* appendOne(host)
      yield* appendOne(command)
    }).pipe(Effect.scoped, Effect.runPromise)
    expect(verifyLog(file)).toMatchObject({ findings: [], foreign: last + 1, sealed: 3 })
  })

  it("makes nothing missing of what is forgotten since", async () => {
    const file = await sealedLog("foreign forgotten")
    const { last } = verifyLog(file)
    const key = readFileSync(join(dirname(file), "key"))
    rmSync(join(dirname(file), "key"))
    await using(file, (log) => log.forget(["invocation/3", "invocation/9"]))
    const after = verifyLog(file)
    expect(after.findings).toEqual([])
    expect(after.taken).toBeGreaterThan(3)
    expect(after.foreign + after.unsealed + after.taken).toBe(last)
    // Its owner finds the old one again.
    writeFileSync(join(dirname(file), "key"), key, { mode: 0o600 })
    expect(verifyLog(file).findings).toEqual([])
  })
})

describe("batches of a key that is gone", () => {
  it("are noted in one row where they are next to each other, however many retention takes", async () => {
    const file = await sealedLog("foreign run")
    rmSync(join(dirname(file), "key"))
    const all = Array.from({ length: 60 }, (_, nth) => `invocation/${nth}`)
    await using(file, (log) => log.forget(all))
    const db = openPlainly(file)
    const changed = db.prepare("SELECT first, last FROM seals WHERE facts < last - first + 1").all().length
    const notes = db
      .prepare("SELECT first, last FROM breaks WHERE kind = 'unsealed' ORDER BY first")
      .all() as {
      readonly first: number
      readonly last: number
    }[]
    db.close()
    expect(changed).toBeGreaterThan(notes.length)
    expect(notes.some(({ first }) => notes.some(({ last }) => last === first - 1))).toBe(false)
    expect(verifyLog(file).findings).toEqual([])
  })
})

describe("a repair", () => {
  it("keeps what was added without a seal, says so from then on, and vouches for no more than that it was there", async () => {
    const file = await sealedLog("repair")
    const { last } = verifyLog(file)
    plant(file, String(last + 1), "NULL")
    change(file, "DELETE FROM seals WHERE first <= 30 AND last >= 30")
    const [gone] = verifyLog(file).findings
    const found = [
      [gone?.first, gone?.last],
      [last + 1, last + 1]
    ]
    const repaired = repairLog(file, Date.now())
    expect(repaired).toMatchObject({ kept: last + 1, facts: 0, unsealed: found })
    const verdict = verifyLog(file)
    expect(verdict).toMatchObject({ findings: [], unsealed: 0, sealed: last + 1 })
    expect(verdict.repairs).toMatchObject([{ lost: 0, unsealed: found }])
  })

  it("ends where one was put far away, and leaves that one out", async () => {
    const file = await sealedLog("repair far")
    const { last } = verifyLog(file)
    plant(file, "1000000000000", "NULL")
    expect(repairLog(file, Date.now())).toMatchObject({ kept: last, facts: 0, unsealed: [] })
    expect(verifyLog(file)).toMatchObject({ findings: [], sealed: last, last })
    await using(file, appendOne)
    expect(verifyLog(file)).toMatchObject({ findings: [], sealed: last + 1, last: last + 1 })
  })
})
