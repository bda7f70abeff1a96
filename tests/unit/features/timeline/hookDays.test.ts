/** Runs of hooks by the day: whoever wants a week does not sum up what is older. */
import { mkdtempSync, rmSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { afterEach, beforeEach, expect, it } from "vitest"
import type { InvocationFact } from "../../../../events/facts.ts"
import { askTimeline } from "../../../../src/features/timeline/catchUp.ts"
import { findHookDays } from "../../../../src/features/timeline/days.ts"
import { trendsOf } from "../../../../src/features/timeline/standing.ts"
import { EventLog } from "../../../../src/log/EventLog.ts"
import { layerSqlite } from "../../../../src/log/sqlite/SqliteLog.ts"
import * as facts from "../../../support/facts.ts"
import { draftOf } from "../../../support/log/drafts.ts"

const dayMs = 86_400_000
const now = Date.UTC(2026, 2, 30, 9)
const hook = facts.plannedHandler("guard", 0)

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(homedir(), "days-"))
  file = join(folder, "log.sqlite")
})
afterEach(() => rmSync(folder, { recursive: true }))

const called = (nth: number, at: number): Promise<unknown> => {
  const stream = `invocation/01890000-0000-7000-8000-00000000000${nth}`
  const all: readonly InvocationFact[] = [
    facts.opened({ agent: "claude-code", agentEvent: "PreToolUse", project: "/p" }),
    facts.buffered(),
    facts.planned([hook]),
    facts.started(hook),
    facts.succeeded(hook, []),
    facts.exited()
  ]
  return Effect.runPromise(
    Effect.flatMap(EventLog, ({ append }) =>
      Effect.forEach(all, (data) =>
        append(stream, "any", [draftOf(stream, { type: data.type, data, project: "/p", at })])
      )
    ).pipe(Effect.provide(layerSqlite({ file, source: "here" })))
  )
}

it("are of whole days from some time on, and a trend has its first day", async () => {
  await called(1, now - 8 * dayMs)
  await called(2, Date.UTC(2026, 2, 24, 1))
  await called(3, now)
  const [all, week, trend] = askTimeline(file, (db) => [
    findHookDays(db).length,
    findHookDays(db, now - 6 * dayMs).map(({ day, runs }) => [day, runs]),
    trendsOf(db, { now, project: "/p" })("guard")
  ])
  expect(all).toBe(3)
  expect(week).toEqual([
    ["2026-03-24", 1],
    ["2026-03-30", 1]
  ])
  expect(trend).toEqual([1, 0, 0, 0, 0, 0, 1])
})

it("does not look at calls that are older than a trend", async () => {
  await called(1, now)
  const sums: unknown[] = []
  const from: unknown[] = []
  askTimeline(file, (db) => {
    const watched = {
      prepare: (sql: string) => ({
        all: (...values: readonly unknown[]) => {
          if (sql.includes("JOIN timeline_runs")) {
            sums.push(db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values))
            from.push(values[0])
          }
          return db.prepare(sql).all(...values)
        }
      })
    }
    trendsOf(watched, { now, project: "/p" })
  })
  expect(from).toEqual([Date.UTC(2026, 2, 24)])
  expect(JSON.stringify(sums)).toMatch(/SEARCH calls USING INDEX timeline_calls_\w+ \(at>\? AND at<\?\)/)
})
