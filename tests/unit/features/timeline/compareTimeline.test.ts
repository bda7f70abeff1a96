/** The timeline is held against the facts round after round, so that whoever waits for it can be stopped. */
import { mkdtempSync, rmSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, it } from "vitest"
import { askTimeline } from "../../../../src/features/timeline/catchUp.ts"
import { mendingTimeline } from "../../../../src/features/timeline/compareTimeline.ts"
import { exited, opened } from "../../../support/facts.ts"
import { appendTo } from "../../../support/log/appendTo.ts"
import { openPlainly } from "../../../support/log/plainSqlite.ts"

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(homedir(), "compare-"))
  file = join(folder, "log.sqlite")
})
afterEach(() => rmSync(folder, { recursive: true }))

const mended = () => {
  const steps = mendingTimeline(file)
  for (let rounds = 0; ; rounds++) {
    const { done, value } = steps.next()
    if (done) return { rounds, value }
  }
}

it("pauses after each round, and says whether the tables are made anew", async () => {
  await appendTo(file, opened(), ...Array.from({ length: 2100 }, () => exited()))
  const first = mended()
  expect(first.value).toBe(false)
  // Two rounds into the file, and two in memory: one pause within each.
  expect(first.rounds).toBe(2)
  const db = openPlainly(file)
  db.exec("UPDATE timeline_calls SET agent = 'nobody'")
  db.close()
  expect(mended()).toEqual({ rounds: 1, value: true })
  const sql = "SELECT count(*) AS many FROM timeline_calls WHERE agent = 'nobody'"
  expect(askTimeline(file, (asked) => asked.prepare(sql).all())).toEqual([{ many: 0 }])
})

it("holds nothing open where nobody asks for the next round", async () => {
  await appendTo(file, opened(), ...Array.from({ length: 2100 }, () => exited()))
  mended()
  const steps = mendingTimeline(file)
  expect(steps.next().done).toBe(false)
  expect(steps.return(false)).toEqual({ done: true, value: false })
})
