/** What a projection leaves behind: of a file that is no log no descriptor, of one that is made in memory no mark on the log. */
import { mkdtempSync, readdirSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import Sqlite from "better-sqlite3"
import { expect, it } from "vitest"
import { timelineProjection } from "../../../src/features/timeline/tables.ts"
import { catchUpProjection, openProjection, projectInMemory } from "../../../src/log/projection.ts"
import { opened } from "../../support/facts.ts"
import { appendTo } from "../../support/log/appendTo.ts"

it.skipIf(process.platform !== "linux")(
  "a file that is no log is let go of each time that it is opened",
  () => {
    const file = join(mkdtempSync(join(homedir(), "projection-")), "log.sqlite")
    writeFileSync(file, "no database at all, and long enough to be read as one".repeat(40))
    const open = (): number => readdirSync("/proc/self/fd").length
    const before = open()
    for (let nth = 0; nth < 20; nth++)
      expect(() => openProjection(file, timelineProjection)).toThrow("file is not a database")
    expect(open()).toBeLessThanOrEqual(before)
  }
)

it("one that is made in memory leaves alone the tables that another version made on the log", async () => {
  const file = join(mkdtempSync(join(homedir(), "projection-")), "log.sqlite")
  await appendTo(file, opened())
  catchUpProjection(file, timelineProjection)
  const db = new Sqlite(file)
  const tables = () =>
    db.prepare("SELECT name FROM sqlite_schema WHERE name GLOB 'timeline_*' ORDER BY name").pluck().all()
  const before = tables()
  db.exec("UPDATE checkpoints SET name = replace(name, 'projection/timeline/', 'projection/timeline/0')")
  const inMemory = projectInMemory(file, timelineProjection)
  expect(inMemory.prepare("SELECT count(*) FROM main.timeline_calls").pluck().get()).toBe(1)
  inMemory.close()
  expect(tables()).toEqual(before)
  db.close()
})

it("waits for nobody who writes for long where there is nothing to do", async () => {
  const file = join(mkdtempSync(join(homedir(), "projection-")), "log.sqlite")
  await appendTo(file, opened())
  catchUpProjection(file, timelineProjection)
  const other = new Sqlite(file)
  other.exec("BEGIN IMMEDIATE")
  const began = performance.now()
  const steps = openProjection(file, timelineProjection, { busyMs: 60_000 })
  expect(steps.step()).toBe(false)
  // It would have waited for all of the minute.
  expect(performance.now() - began).toBeLessThan(30_000)
  steps.close()
  other.exec("ROLLBACK")
  other.close()
}, 120_000)
