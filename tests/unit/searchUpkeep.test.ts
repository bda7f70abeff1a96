/** The host makes past material ready in moments in which nobody waits. */
import { mkdtempSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { makeSearchUpkeep } from "../../src/host/searchUpkeep.ts"
import { EventLog } from "../../src/log/EventLog.ts"
import { layerSqlite } from "../../src/log/SqliteLog.ts"
import { find } from "../../src/search/find.ts"
import { draftOf } from "../support/log/drafts.ts"
import { openPlainly } from "../support/log/plainSqlite.ts"

const file = () => join(mkdtempSync(join(homedir(), "keep-")), "log.sqlite")

const write = (log: string, many: number, text: string) =>
  Effect.runPromise(
    Effect.gen(function* () {
      const { append } = yield* EventLog
      for (let at = 0; at < many; at++) {
        const data = { type: "NOTE_RECORDED", note: `${text}-${at}`, text }
        yield* append(`note/${text}-${at}`, "any", [draftOf(`note/${text}-${at}`, { type: data.type, data })])
      }
    }).pipe(Effect.provide(layerSqlite({ file: log, source: "here" })))
  )

const found = (log: string, query: string): number => {
  const db = openPlainly(log, { readonly: true })
  try {
    return find(db, { query, limit: 200 }).length
  } finally {
    db.close()
  }
}

describe("the host", () => {
  it("takes up what is new step by step, only while nobody waits", async () => {
    const log = file()
    let idle = false
    const problems: string[] = []
    const upkeep = makeSearchUpkeep({
      file: log,
      isIdle: () => idle,
      note: (problem) => problems.push(problem),
      everyMs: 0,
      budgetMs: 0
    })
    await write(log, 120, "first")
    upkeep.tick()
    expect(() => found(log, "first")).toThrow(/no such table/)
    idle = true
    upkeep.tick()
    expect(found(log, "first")).toBe(50)
    for (let at = 0; at < 3; at++) upkeep.tick()
    expect(found(log, "first")).toBe(120)
    await write(log, 3, "second")
    upkeep.tick()
    expect(found(log, "second")).toBe(3)
    upkeep.end()
    upkeep.tick()
    expect(problems).toEqual([])
  })

  it("says once that it cannot, and goes on", () => {
    const problems: string[] = []
    const upkeep = makeSearchUpkeep({
      file: file(),
      isIdle: () => true,
      note: (problem) => problems.push(problem)
    })
    for (let at = 0; at < 3; at++) upkeep.tick()
    expect(problems).toHaveLength(1)
    upkeep.end()
  })
})
