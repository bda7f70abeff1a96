/** A command waits for another writer once: what it has to write after that is tried, and not waited for. */
import { mkdtempSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import Sqlite from "better-sqlite3"
import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import { EventLog } from "../../../src/log/EventLog.ts"
import { layerSqlite } from "../../../src/log/sqlite/SqliteLog.ts"
import { isBusy } from "../../../src/log/sqlite/sqliteErrors.ts"
import { draftOf } from "../../support/log/drafts.ts"

it("waits once where another process writes all the while, and writes when that is done", async () => {
  const file = join(mkdtempSync(join(homedir(), "waits-")), "log.sqlite")
  const work = Effect.gen(function* () {
    const log = yield* EventLog
    const append = Effect.suspend(() => log.append("s", "any", [draftOf("s")]))
    yield* append
    const other = new Sqlite(file)
    const inVain = Effect.gen(function* () {
      const began = performance.now()
      const error = yield* Effect.flip(append)
      expect(isBusy(error)).toBe(true)
      return performance.now() - began
    })
    other.exec("BEGIN IMMEDIATE")
    const waited = yield* Effect.all([inVain, inVain, inVain])
    other.exec("ROLLBACK")
    yield* append
    other.exec("BEGIN IMMEDIATE")
    const again = yield* inVain
    other.exec("ROLLBACK")
    other.close()
    return { again, waited, facts: (yield* log.stats).facts }
  })
  const { again, facts, waited } = await Effect.runPromise(
    Effect.provide(work, layerSqlite({ file, source: "here", turns: 0, waitsOnce: true }))
  )
  const [first = 0, second = 0, third = 0] = waited
  // Half a second each time that it asks: by SQLite's own clock, however slow the machine is.
  expect(first).toBeGreaterThan(900)
  expect(second + third).toBeLessThan(first)
  // Once it could write, whoever is in the way next is waited for again.
  expect(again).toBeGreaterThan(900)
  expect(facts).toBe(2)
}, 60_000)
