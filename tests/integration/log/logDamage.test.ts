/** A log whose file was damaged: whatever is changed or gone is told, by whoever reads it and by `verifyLog`. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Damage } from "../../../src/log/Damage.ts"
import { EventLog, type EventLogShape } from "../../../src/log/EventLog.ts"
import { openReader } from "../../../src/log/reader.ts"
import { repairLog } from "../../../src/log/repair.ts"
import { textSum } from "../../../src/log/rowSum.ts"
import { layerSqlite } from "../../../src/log/sqlite/SqliteLog.ts"
import { describeFinding, isSound } from "../../../src/log/verdict.ts"
import { setVerified } from "../../../src/log/verified.ts"
import { verifyLog } from "../../../src/log/verify.ts"
import { unpack } from "../../support/goldenState.ts"
import { fill, readAll } from "../../support/log/damaged.ts"
import { draftOf } from "../../support/log/drafts.ts"
import { flipJournals, flipPages } from "../../support/log/flips.ts"
import { openPlainly } from "../../support/log/plainSqlite.ts"

const packageFile = join(import.meta.dirname, "../../../package.json")

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "log-damage-"))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

// `npm run soak -- flips` looks at three times as many, and at those of other seeds.
describe("of damaged logs", () => {
  it("none is read wrongly or in part without a word, and none passes for sound", async () => {
    const { lossy, ...unnoticed } = await flipPages(root, 100, 11)
    expect(unnoticed).toEqual({ silent: [], passed: [] })
    expect(lossy).toBeGreaterThan(30)
  }, 120_000)
})

describe("of 40 damaged journals", () => {
  it("none takes the end of the log with it without a word", async () => {
    const { lossy, ...unnoticed } = await flipJournals(root, 40, 5)
    expect(unnoticed).toEqual({ silent: [], passed: [] })
    expect(lossy).toBeGreaterThan(20)
  }, 60_000)
})

const sealedLog = (name: string) => {
  const dir = join(root, name)
  const file = join(dir, "log.sqlite")
  return Effect.as(fill(file), file).pipe(Effect.runPromise)
}

const change = (file: string, sql: string): void => {
  const db = openPlainly(file)
  db.exec(`PRAGMA foreign_keys = OFF; ${sql}`)
  db.close()
}

const asked = <A>(file: string, sql: string): readonly [A, ...A[]] => {
  const db = openPlainly(file, { readonly: true })
  try {
    return db.prepare(sql).all() as unknown as readonly [A, ...A[]]
  } finally {
    db.close()
  }
}

const findings = (file: string) =>
  verifyLog(file).findings.map(({ first, kind, last }) => [kind, first, last] as const)

const using = <A, E>(file: string, use: (log: EventLogShape) => Effect.Effect<A, E>) =>
  Effect.flatMap(EventLog, use).pipe(Effect.provide(layerSqlite({ file, source: "here" })), Effect.runPromise)

describe("the chain", () => {
  it("vouches for every fact, whoever appended it", async () => {
    const file = await sealedLog("chain-two")
    await using(file, (log) => log.append("s", "any", [draftOf("s")]))
    const { findings, sealed, unsealed, last } = verifyLog(file)
    expect({ findings, unsealed, sealed }).toEqual({ findings: [], unsealed: 0, sealed: last })
  })

  it("names a fact that was changed, also where its sum was made to fit", async () => {
    const file = await sealedLog("chain-changed")
    change(file, `UPDATE recorded SET data = replace(data, 'zz', 'yy') WHERE position = 20`)
    expect(findings(file)).toEqual([["damaged", 20, 20]])
    const row = openPlainly(file)
    row.exec("UPDATE recorded SET sum = sum + 1 WHERE position = 20")
    row.close()
    expect(findings(file)).toEqual([["damaged", 20, 20]])
    change(file, "UPDATE seals SET seal = randomblob(16) WHERE last >= 40 AND first <= 40")
    expect(findings(file)[1]?.[0]).toBe("altered")
  })

  it("counts a fact in it whose sum was taken away as damaged, for every reader", async () => {
    const file = await sealedLog("chain-bare")
    change(file, `UPDATE recorded SET data = replace(data, 'zz', 'yy'), sum = NULL WHERE position = 20`)
    expect(findings(file)).toEqual([["damaged", 20, 20]])
    const told: Damage[] = []
    const facts = await Effect.runPromise(readAll(file, (damage) => void told.push(damage)))
    expect(told).toEqual([{ kind: "damaged", first: 20, last: 20, facts: 1 }])
    expect(facts.map(({ position }) => position)).not.toContain(20)
    const reader = openReader(dirname(file), { from: packageFile })
    const found = reader.facts({ limit: 1000 })
    reader.close()
    expect(found.problem).toMatch(/^the log is damaged/)
    expect(found.facts).toHaveLength(facts.length)
    // A reader looks up what speaks of it: without a seal it passes for one from before, and only looking through the log tells.
    change(file, "DELETE FROM seals")
    expect(await Effect.runPromise(readAll(file, () => undefined))).toHaveLength(facts.length + 1)
  })

  it.each([
    ["a seal", "UPDATE seals SET last = 1e15 WHERE last = (SELECT max(last) FROM seals)"],
    ["the count of positions", "UPDATE sqlite_sequence SET seq = 1e15"]
  ])("is looked at to its end where %s speaks of what never was", async (what, spoil) => {
    const file = await sealedLog(`chain-far, ${what}`)
    const { last } = verifyLog(file)
    change(file, spoil)
    expect(verifyLog(file).last).toBe(last)
    expect(
      findings(file).every(([, first, upTo]) => (first as number) <= last && (upTo as number) <= last)
    ).toBe(true)
    const told: Damage[] = []
    const facts = await Effect.runPromise(readAll(file, (damage) => void told.push(damage)))
    expect(facts).toHaveLength(last)
  })

  it("names facts that were taken out, the newest among them", async () => {
    const file = await sealedLog("chain-missing")
    const { last } = verifyLog(file)
    change(file, "DELETE FROM recorded WHERE position = 30")
    expect(findings(file)).toEqual([["missing", 30, 30]])
    change(
      file,
      `DELETE FROM recorded WHERE position > ${last - 3}; DELETE FROM seals WHERE last > ${last - 3}`
    )
    // What is left of the last batch has no seal any more.
    expect(findings(file).map(([kind]) => kind)).toEqual(["missing", "altered", "missing", "cut"])
    expect(findings(file).at(-1)?.[2]).toBe(last)
  })

  it("names a seal whose numbers stand for nothing, and is through with it as soon as with any other", async () => {
    const file = await sealedLog("seal-numbers")
    const [{ last: at }] = asked<{ last: number }>(
      file,
      "SELECT last FROM seals ORDER BY last LIMIT 1 OFFSET 5"
    )
    for (const damage of [
      "first = 3170617201078018600",
      "first = -3170617201078018600",
      "first = last + 1",
      "first = 'x'"
    ]) {
      const copy = `${file}.${damage.length}`
      writeFileSync(copy, readFileSync(file))
      change(copy, `UPDATE seals SET ${damage} WHERE last = ${at}`)
      expect(verifyLog(copy).findings, damage).toContainEqual(
        expect.objectContaining({ kind: "altered", last: at })
      )
    }
  })

  it("still tells that the end was cut off when others have gone on from there", async () => {
    const file = await sealedLog("chain-cut")
    const { last } = verifyLog(file)
    const first = last - 4
    change(
      file,
      `DELETE FROM recorded WHERE position > ${first}; DELETE FROM seals WHERE last > ${first};
      UPDATE sqlite_sequence SET seq = ${first} WHERE name = 'recorded'`
    )
    const end = Number(verifyLog(file).findings[0]?.first)
    await using(file, (log) => log.append("s", "any", [draftOf("s")]))
    expect(findings(file)).toContainEqual(["cut", end, last])
    const told: Damage[] = []
    await Effect.runPromise(readAll(file, (damage) => told.push(damage)))
    expect(told).toContainEqual({ kind: "cut", first: end, last, facts: last - end + 1 })
  })

  it("tells what went down with the machine from what was cut off", async () => {
    const file = await sealedLog("chain-restart")
    const { last } = verifyLog(file)
    const beside = readFileSync(`${file}.seal`, "latin1")
    const [position, seal] = beside.split(" ")
    const body = `${Number(position) + 3} ${"0".repeat(seal?.length ?? 0)} another-boot`
    writeFileSync(`${file}.seal`, `${`${body} ${textSum(body) >>> 0}`.padEnd(159)}\n`)
    const verdict = verifyLog(file)
    expect(verdict.findings).toEqual([{ kind: "restart", first: last + 1, last: last + 3 }])
    expect(isSound(verdict)).toBe(true)
  })

  it("holds when facts are forgotten or redacted, and not for what was damaged before", async () => {
    const file = await sealedLog("chain-forgotten")
    await using(file, (log) =>
      Effect.all([
        log.forget(["invocation/3", "invocation/4", "invocation/5", "invocation/9"]),
        log.redact("zzzzzzzzzzzzzzzzzzzzzzzzzzzz"),
        log.append("s", "any", [draftOf("s")])
      ])
    )
    const after = verifyLog(file)
    expect(after.findings).toEqual([])
    expect(after.taken).toBeGreaterThan(10)
    expect(await Effect.runPromise(readAll(file))).toHaveLength(after.sealed)
    change(file, "DELETE FROM recorded WHERE position = 1")
    await using(file, (log) => log.forget(["invocation/1"]))
    expect(findings(file)).toContainEqual(["missing", 1, 1])
    change(file, "DELETE FROM recorded WHERE position = 90")
    expect(findings(file).some(([kind, first]) => kind === "missing" && first <= 90)).toBe(true)
  })
})

describe("a log of another version", () => {
  const bytesOf = (file: string) => readFileSync(file).toString("latin1")

  it("that is newer is neither called sound nor repaired, and stays as it is", async () => {
    const file = await sealedLog("newer")
    change(
      file,
      "PRAGMA user_version = 4; PRAGMA wal_checkpoint(TRUNCATE); CREATE TABLE of_its_own (a); DELETE FROM recorded WHERE position = 30"
    )
    const before = bytesOf(file)
    const verdict = verifyLog(file)
    expect(isSound(verdict)).toBe(false)
    expect(verdict.findings.map(describeFinding)).toEqual([
      `${file} was written by a newer hooktape: update this one`
    ])
    expect(() => repairLog(file, Date.now())).toThrow(/written by a newer hooktape/)
    setVerified(file, 7)
    expect(bytesOf(file)).toBe(before)
    expect(readdirSync(dirname(file)).filter((name) => /damaged|repair/.test(name))).toEqual([])
  })

  it("that another program has for itself is neither called damaged nor repaired, whichever version's it is", async () => {
    for (const newer of [false, true]) {
      const file = await sealedLog(`held-${newer}`)
      if (newer) change(file, "PRAGMA user_version = 4")
      const holder = openPlainly(file)
      try {
        holder.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; CREATE TABLE held (a); COMMIT")
        expect(verifyLog(file).findings.map(({ kind }) => kind)).toEqual(["held"])
        expect(() => repairLog(file, 1)).toThrow(/locked/)
      } finally {
        holder.close()
      }
      expect(verifyLog(file).findings.map(({ kind }) => kind)).toEqual(newer ? ["newer"] : [])
      expect(readdirSync(dirname(file)).filter((name) => /damaged|repair/.test(name))).toEqual([])
    }
  })

  it("is verified whatever stands in place of what a repair says of itself", async () => {
    const file = await sealedLog("notes")
    for (const note of ["null", '{"facts":1,"lost":5}', "no JSON", "[]"]) {
      change(file, `INSERT INTO breaks (kind, first, last, at, note) VALUES ('repaired', 1, 1, 1, '${note}')`)
      expect(verifyLog(file).findings, note).toEqual([])
    }
  })

  it("that is older is left to be migrated", async () => {
    const { home, state } = unpack()
    const file = join(state, "log.sqlite")
    const before = bytesOf(file)
    expect(isSound(verifyLog(file))).toBe(true)
    setVerified(file, 7)
    expect(() => repairLog(file, Date.now())).toThrow(/run "hooktape migrate" first/)
    expect(bytesOf(file)).toBe(before)
    rmSync(home, { recursive: true })
  })

  it("is told from one whose head is damaged, which a repair puts right", async () => {
    const file = await sealedLog("head-number")
    const before = await Effect.runPromise(readAll(file))
    change(file, "PRAGMA user_version = 70000")
    expect(findings(file)).toEqual([["file", 0, 0]])
    expect(repairLog(file, Date.now())).toMatchObject({ kept: before.length, facts: 0 })
    expect(await Effect.runPromise(readAll(file))).toEqual(before)
  })
})

describe("a repair", () => {
  it("counts what went with an end of the log, where others have written since, and goes on naming it", async () => {
    const file = await sealedLog("repair-cut")
    const { last } = verifyLog(file)
    rmSync(file)
    await using(file, (log) => log.append("s", "any", [draftOf("s")]))
    expect(findings(file)).toEqual([["cut", 1, last]])
    const repaired = repairLog(file, Date.now())
    expect(repaired).toMatchObject({ kept: 1, facts: last, lost: [[1, last]] })
    const again = () => {
      const { findings, repairs, taken } = verifyLog(file)
      return { findings, repairs: repairs.map(({ lost, ranges }) => ({ lost, ranges })), taken }
    }
    expect(again()).toEqual({ findings: [], repairs: [{ lost: last, ranges: [[1, last]] }], taken: 0 })
    // Told once: a later repair has only its own to tell of.
    change(file, "DELETE FROM recorded WHERE position = 1")
    expect(repairLog(file, Date.now() + 1)).toMatchObject({ facts: 1, lost: [[1, 1]] })
    expect(again().repairs.map(({ lost }) => lost)).toEqual([last, 1])
  })

  it("takes nothing away that was lost before the chain began", async () => {
    const file = await sealedLog("repair-before")
    const { last } = verifyLog(file)
    // As a log that was migrated: its first facts have no sums, and no seal speaks of them.
    const [{ end }] = asked<{ end: number }>(file, "SELECT max(last) AS end FROM seals WHERE last <= 40")
    change(
      file,
      `DELETE FROM seals WHERE last <= ${end}; UPDATE recorded SET sum = NULL WHERE position <= ${end};
      UPDATE breaks SET first = ${end + 1}, last = ${end + 1} WHERE kind = 'began';
      UPDATE recorded SET data = '{' WHERE position BETWEEN 3 AND 15`
    )
    expect(repairLog(file, Date.now())).toMatchObject({ kept: last - 13, facts: 13 })
    expect(verifyLog(file)).toMatchObject({ findings: [], taken: 0, unsealed: end - 13, sealed: last - end })
  })

  it("keeps what can be read, says what is missing, and goes on", async () => {
    const file = await sealedLog("repair")
    const before = await Effect.runPromise(readAll(file))
    change(
      file,
      `DELETE FROM recorded WHERE position IN (10, 11); UPDATE recorded SET data = '{}' WHERE position = 50`
    )
    const { aside, kept, lost } = repairLog(file, Date.now())
    expect(lost).toEqual([
      [10, 11],
      [50, 50]
    ])
    expect(kept).toBe(before.length - 3)
    expect(verifyLog(aside).findings).not.toEqual([])
    const verdict = verifyLog(file)
    expect(verdict.findings).toEqual([])
    expect(verdict.repairs).toHaveLength(1)
    const gone = new Set([10, 11, 50])
    expect(await Effect.runPromise(readAll(file))).toEqual(
      before.filter(({ position }) => !gone.has(position))
    )
    await using(file, (log) => log.append("s", "any", [draftOf("s")]))
    expect(verifyLog(file)).toMatchObject({ findings: [], last: before.length + 1 })
  })

  it("begins a new log where nothing can be read, after a head that can be put right", async () => {
    const file = await sealedLog("repair-head")
    const before = await Effect.runPromise(readAll(file))
    const bytes = readFileSync(file)
    bytes.fill(0xff, 0, 60)
    writeFileSync(file, bytes)
    expect(repairLog(file, Date.now()).kept).toBe(before.length)
    writeFileSync(file, "no database at all")
    const { kept, lost } = repairLog(file, Date.now() + 1)
    expect({ kept, lost }).toEqual({ kept: 0, lost: [[1, before.length]] })
    expect(verifyLog(file)).toMatchObject({ findings: [], last: before.length })
  })
})
