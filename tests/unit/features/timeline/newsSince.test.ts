/** What `hooktape dev` tells as it happens: however far the tables are at a look, nothing is passed over and nothing told twice. */
import { mkdtempSync, rmSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { afterEach, beforeEach, expect, it } from "vitest"
import { askTimeline, openTimeline } from "../../../../src/features/timeline/catchUp.ts"
import { failedAttempts, lastDeadSince } from "../../../../src/features/timeline/failedJobs.ts"
import { findCalls } from "../../../../src/features/timeline/find.ts"
import { lastPosition, newsSince } from "../../../../src/features/timeline/newsSince.ts"
import { EventLog } from "../../../../src/log/EventLog.ts"
import type { Asked } from "../../../../src/log/reader.ts"
import { layerSqlite } from "../../../../src/log/sqlite/SqliteLog.ts"
import { exited, opened } from "../../../support/facts.ts"
import { draftOf } from "../../../support/log/drafts.ts"
import { openPlainly } from "../../../support/log/plainSqlite.ts"

const call = "invocation/01890000-0000-7000-8000-000000000001"
const enqueued = {
  type: "JOB_ENQUEUED",
  job: "j",
  kind: "hook",
  maxAttempts: 1,
  deadlineMs: 1,
  input: null,
  handler: "h"
}
const begun = opened({ agent: "claude-code", agentEvent: "PreToolUse", project: "/p" })
const failed = { type: "JOB_FAILED", attempt: 1, error: { name: "E", message: "m" } }

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(homedir(), "news-"))
  file = join(folder, "log.sqlite")
})
afterEach(() => rmSync(folder, { recursive: true }))

const append = (stream: string, ...facts: readonly { readonly type: string }[]): Promise<unknown> =>
  Effect.runPromise(
    Effect.flatMap(EventLog, ({ append: put }) =>
      Effect.forEach(facts, (data) =>
        put(stream, "any", [draftOf(stream, { type: data.type, data, project: "/p", agent: "raw" })])
      )
    ).pipe(Effect.provide(layerSqlite({ file, source: "here" })))
  )

/** As somebody else's rounds do, who was not done. */
const project = (most: number): void => {
  const steps = openTimeline(file, { most })
  steps.step()
  steps.close()
}

/** Without bringing the tables up to date first: as it is while somebody else writes all the while. */
const asked = <A>(question: (db: Asked) => A): A => {
  const db = openPlainly(file, { readonly: true })
  try {
    return question({ prepare: (sql) => db.prepare(sql) })
  } finally {
    db.close()
  }
}

const look = (after: number) => {
  const found = asked((db) => newsSince(db, { after, project: "/p" }, 0))
  return found && [found.ended.length, found.attempts.map(({ hook }) => hook), found.upTo]
}

it("tells of a call that ended behind what the tables tell as soon as they do", async () => {
  await append(call, begun, exited())
  project(1)
  expect(look(0)).toEqual([0, [], 1])
  project(1)
  expect(look(1)).toEqual([1, [], 2])
  expect(look(2)).toBeUndefined()
})

it("tells of work that failed though the tables did not know it yet at the last look", async () => {
  await append("job/j", enqueued, failed)
  await append(call, begun)
  project(1)
  expect(look(0)).toEqual([0, [], 1])
  project(5)
  expect(look(1)).toEqual([0, ["h"], 3])
})

it("tells nothing twice while the tables are made anew, and goes on at the end of another log", async () => {
  await append(call, begun, exited())
  project(1)
  expect(look(2)).toBeUndefined()
  project(5)
  expect(look(7)).toEqual([0, [], 2])
})

it("begins at the end of the log, however far the tables are", async () => {
  await append(call, begun, exited())
  project(1)
  const start = asked(lastPosition)
  project(5)
  expect(look(start)).toBeUndefined()
})

it("looks failed work up by its job, and makes no index of all there is", async () => {
  await append("job/j", enqueued, failed)
  const plan = askTimeline(file, (db) =>
    failedAttempts(
      { prepare: (sql) => db.prepare(`EXPLAIN QUERY PLAN ${sql}`) },
      { after: 0, upTo: 2, project: "/p" }
    )
  ) as unknown as readonly { readonly detail: string }[]
  const steps = plan.map(({ detail }) => detail).join("\n")
  expect(steps).toContain("SEARCH jobs USING PRIMARY KEY (job=?)")
  expect(steps).not.toContain("AUTOMATIC")
})

it("answers both parts of a question from the same moment, whoever writes between them", async () => {
  await append(call, begun)
  const ends = askTimeline(file, (db) => {
    const before = lastPosition(db)
    const other = openPlainly(file)
    other.exec("DELETE FROM recorded")
    other.close()
    return [before, lastPosition(db)]
  })
  expect(ends).toEqual([1, 1])
})

it("tells failures in calls from work that was given up after the reply, and names its hook", async () => {
  await append(call, begun, exited())
  await append(
    "job/j",
    { ...enqueued, invocation: call.slice("invocation/".length) } as typeof enqueued,
    { type: "JOB_DIED", attempts: 1, error: failed.error } as { readonly type: string }
  )
  const [any, itself, dead, later] = askTimeline(file, (db) => [
    findCalls(db, { failed: true }, 0).length,
    findCalls(db, { failedItself: true }, 0).length,
    lastDeadSince(db, 0),
    lastDeadSince(db, 2_000_000_000_000)
  ])
  expect([any, itself, dead, later]).toEqual([1, 0, "h", undefined])
})
