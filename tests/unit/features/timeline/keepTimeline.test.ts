/** A timeline that is kept: what somebody wrote is news once and is never missed, what is asked is of the log that stands there now. */
import { mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import Sqlite from "better-sqlite3"
import { afterEach, beforeEach, expect, it } from "vitest"
import type { InvocationFact } from "../../../../events/facts.ts"
import { askTimeline } from "../../../../src/features/timeline/catchUp.ts"
import { type KeptTimeline, keepTimeline } from "../../../../src/features/timeline/keepTimeline.ts"
import { buffered, opened } from "../../../support/facts.ts"
import { appendTo } from "../../../support/log/appendTo.ts"

const ended: InvocationFact = { type: "EXITED", code: 0, ms: {} }

let folder: string
let file: string
let timeline: KeptTimeline
beforeEach(() => {
  folder = mkdtempSync(join(homedir(), "kept-"))
  file = join(folder, "log.sqlite")
  timeline = keepTimeline(file)
})
afterEach(() => {
  timeline.close()
  rmSync(folder, { recursive: true })
})

/** Calls, and how far they tell the log. */
const sql = `SELECT (SELECT count(*) FROM recorded) AS facts, (SELECT count(*) FROM timeline_calls) AS calls,
  (SELECT position FROM checkpoints WHERE name GLOB 'projection/timeline/*' AND name NOT GLOB '*/shortened') AS told`
const told = () => timeline.ask((db) => db.prepare(sql).all()[0])

/** A log of its own, put in the place of the other. */
const replaced = async (...facts: readonly [InvocationFact, ...InvocationFact[]]): Promise<void> => {
  const next = join(folder, "next.sqlite")
  await appendTo(next, ...facts)
  renameSync(next, file)
  for (const ending of ["-wal", "-shm"]) rmSync(`${file}${ending}`, { force: true })
}

it("has no news where there is no log, and some as soon as there is one", async () => {
  expect(timeline.hasNews()).toBe(false)
  await appendTo(file, opened())
  expect([timeline.hasNews(), timeline.hasNews()]).toEqual([true, false])
})

it("has news once for all that was written before, however soon the next comes", async () => {
  await appendTo(file, opened())
  timeline.hasNews()
  for (let n = 0; n < 20; n++) {
    await appendTo(file, buffered(), buffered())
    expect([timeline.hasNews(), timeline.hasNews()]).toEqual([true, false])
  }
})

it("is asked of all that is on the log, and what that writes into its tables is no news", async () => {
  await appendTo(file, opened())
  timeline.hasNews()
  for (let n = 1; n < 5; n++) {
    expect(told()).toEqual({ facts: n, calls: 1, told: n })
    expect(timeline.hasNews()).toBe(false)
    await appendTo(file, buffered())
    expect(timeline.hasNews()).toBe(true)
  }
})

it("has no news where somebody asks it who did not write, also of a log that is empty", async () => {
  await appendTo(file, opened())
  const db = new Sqlite(file)
  db.exec("DELETE FROM recorded")
  db.close()
  for (let n = 0; n < 3; n++) {
    told()
    timeline.hasNews()
  }
  told()
  expect(timeline.hasNews()).toBe(false)
})

it("hands its news to whoever asks for news, whoever else asked for calls before", async () => {
  await appendTo(file, opened())
  timeline.hasNews()
  await appendTo(file, ended)
  expect(told()).toEqual({ facts: 2, calls: 1, told: 2 })
  expect(timeline.hasNews()).toBe(true)
})

it("has none before what is written is committed", async () => {
  await appendTo(file, opened())
  timeline.hasNews()
  const other = new Sqlite(file)
  other.exec("BEGIN IMMEDIATE; UPDATE recorded SET occurred_at = 1")
  expect(timeline.hasNews()).toBe(false)
  other.exec("COMMIT")
  expect(timeline.hasNews()).toBe(true)
  other.close()
})

it("loses nothing where somebody has the whole log to himself", async () => {
  await appendTo(file, opened())
  const other = new Sqlite(file)
  other.pragma("journal_mode = DELETE")
  expect([timeline.hasNews(), timeline.hasNews()]).toEqual([true, false])
  other.exec("BEGIN EXCLUSIVE; UPDATE recorded SET occurred_at = 1")
  expect(timeline.hasNews()).toBe(false)
  other.exec("COMMIT")
  other.close()
  expect(timeline.hasNews()).toBe(true)
})

it("is not opened again once it was closed", async () => {
  await appendTo(file, opened())
  told()
  timeline.close()
  expect(timeline.hasNews()).toBe(false)
})

it("leaves others in peace who keep the same log, while it is empty", async () => {
  await appendTo(file, opened())
  const db = new Sqlite(file)
  db.exec("DELETE FROM recorded")
  db.close()
  const other = keepTimeline(file)
  for (let n = 0; n < 3; n++) {
    told()
    other.ask((tables) => tables.prepare(sql).all())
  }
  timeline.hasNews()
  other.hasNews()
  for (let n = 0; n < 3; n++) {
    told()
    other.ask((tables) => tables.prepare(sql).all())
  }
  expect([timeline.hasNews(), other.hasNews()]).toEqual([false, false])
  other.close()
})

it("tells of another log in its place, and of what is written there", async () => {
  await appendTo(file, opened(), buffered(), buffered())
  timeline.hasNews()
  expect(told()).toEqual({ facts: 3, calls: 1, told: 3 })
  await replaced(opened())
  expect([timeline.hasNews(), timeline.hasNews()]).toEqual([true, false])
  expect(told()).toEqual({ facts: 1, calls: 1, told: 1 })
  await appendTo(file, ended)
  expect(timeline.hasNews()).toBe(true)
  expect(told()).toEqual({ facts: 2, calls: 1, told: 2 })
})

it.each(["calls", "minutes"])("makes tables anew of which somebody took away that of %s", async (name) => {
  await appendTo(file, opened(), ended)
  told()
  const db = new Sqlite(file)
  db.exec(`DROP TABLE timeline_${name}`)
  db.close()
  const asked = () =>
    timeline.ask((tables) => tables.prepare(`SELECT count(*) AS n FROM timeline_${name}`).all()[0])
  expect([asked(), asked()]).toEqual([{ n: 1 }, { n: 1 }])
})

it("makes tables anew in which something stands that nobody can read", async () => {
  await appendTo(file, opened(), ended)
  told()
  const db = new Sqlite(file)
  db.exec("UPDATE timeline_calls SET subject = '{'")
  db.close()
  const read = () =>
    timeline.ask((tables) => {
      const [{ subject }] = tables.prepare("SELECT subject FROM timeline_calls").all() as [
        { subject: string | null }
      ]
      return JSON.parse(subject ?? "null") as unknown
    })
  expect([read(), read()]).toEqual([null, null])
})

it("is asked while somebody else writes for long, of what was told before", async () => {
  await appendTo(file, opened())
  told()
  await appendTo(file, ended)
  const other = new Sqlite(file)
  other.exec("BEGIN IMMEDIATE")
  expect(told()).toEqual({ facts: 2, calls: 1, told: 1 })
  other.exec("COMMIT")
  other.close()
  expect(told()).toEqual({ facts: 2, calls: 1, told: 2 })
})

it("has news once that it cannot be told, and of what is written after that", async () => {
  writeFileSync(file, "no database at all, and long enough to be read as one".repeat(40))
  expect([timeline.hasNews(), timeline.hasNews()]).toEqual([true, false])
  expect(told).toThrow("file is not a database")
  rmSync(file)
  await appendTo(file, opened())
  expect([timeline.hasNews(), timeline.hasNews()]).toEqual([true, false])
  expect(told()).toEqual(askTimeline(file, (db) => db.prepare(sql).all()[0]))
})

it.skipIf(process.platform !== "linux")("lets go of a file that is no log each time that it is asked", () => {
  writeFileSync(file, "no database at all, and long enough to be read as one".repeat(40))
  const open = (): number => readdirSync("/proc/self/fd").length
  const before = open()
  for (let nth = 0; nth < 20; nth++) expect(told).toThrow("file is not a database")
  expect(open()).toBeLessThanOrEqual(before)
})
