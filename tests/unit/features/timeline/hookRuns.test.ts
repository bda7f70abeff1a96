/** What became of a hook's runs, in answer to calls and after the reply. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { afterEach, beforeEach, expect, it } from "vitest"
import type { Fact, JobFact } from "../../../../events/facts.ts"
import { askTimeline } from "../../../../src/features/timeline/catchUp.ts"
import { hookRuns } from "../../../../src/features/timeline/hookRuns.ts"
import { EventLog } from "../../../../src/log/EventLog.ts"
import { layerSqlite } from "../../../../src/log/sqlite/SqliteLog.ts"
import * as facts from "../../../support/facts.ts"
import { draftOf } from "../../../support/log/drafts.ts"

const now = Date.UTC(2026, 2, 30, 9)
const guard = facts.plannedHandler("guard", 0)
const enqueued: JobFact = {
  type: "JOB_ENQUEUED",
  job: "j",
  kind: "hook",
  handler: "later",
  maxAttempts: 2,
  deadlineMs: 1,
  input: null
}
const begun = (attempt: number): JobFact => ({ type: "JOB_STARTED", attempt, host: "h", pid: 1, until: now })
const error = { name: "Error", message: "no space" }
const broken: JobFact = { type: "JOB_FAILED", attempt: 1, error, ms: 3 }
const iso = (at: number): string => new Date(at).toISOString()

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "runs-"))
  file = join(folder, "log.sqlite")
})
afterEach(() => rmSync(folder, { recursive: true }))

const recorded = (stream: string, at: number, all: readonly Fact[], project = "/p"): Promise<unknown> =>
  Effect.runPromise(
    Effect.flatMap(EventLog, ({ append }) =>
      Effect.forEach(all, (data) =>
        append(stream, "any", [draftOf(stream, { type: data.type, data, project, at })])
      )
    ).pipe(Effect.provide(layerSqlite({ file, source: "here" })))
  )

let calls = 0
const called = (at: number, outcomes: readonly Fact[], project = "/p"): Promise<unknown> =>
  recorded(
    `invocation/01890000-0000-7000-8000-0000000000${String((calls++ % 90) + 10)}`,
    at,
    [
      facts.opened({ agent: "claude-code", agentEvent: "PreToolUse", project }),
      facts.buffered(),
      facts.planned([guard]),
      ...outcomes,
      facts.exited()
    ],
    project
  )

const runs = () => askTimeline(file, (db) => hookRuns(db, "/p"))

it("counts a run once, whichever attempt it took", async () => {
  await called(now, [
    facts.started(guard),
    facts.failed(guard),
    facts.started(guard, 2),
    { ...facts.succeeded(guard), attempt: 2 } as Fact
  ])
  expect(runs().get("guard")).toMatchObject({ runs: 1, failures: 0, last: { outcome: "succeeded" } })
})

it("tells of the last why it failed, was late, or did not run; what was skipped is no run", async () => {
  await called(now, [facts.started(guard), facts.failed(guard)])
  expect(runs().get("guard")).toMatchObject({
    runs: 1,
    failures: 1,
    last: { outcome: "failed", at: iso(now) }
  })
  await called(now + 1, [facts.started(guard), facts.timedOut(guard)])
  expect(runs().get("guard")).toMatchObject({ runs: 2, failures: 2, last: { outcome: "timed-out" } })
  await called(now + 2, [facts.skipped(guard, "is off")])
  expect(runs().get("guard")).toMatchObject({
    runs: 2,
    failures: 2,
    last: { outcome: "skipped", ms: null, reason: "is off", at: iso(now + 2) }
  })
})

it("says the middle and the 95th percentile of what came to an end", async () => {
  for (let nth = 1; nth <= 20; nth++)
    await called(now + nth, [facts.started(guard), { ...facts.succeeded(guard), ms: nth } as Fact])
  expect(runs().get("guard")).toMatchObject({ runs: 20, p50: 10, p95: 19 })
})

it("has no run of another project, and none that goes on", async () => {
  await called(now, [facts.started(guard), facts.succeeded(guard, [])], "/other")
  await called(now, [facts.started(guard)])
  expect([...runs().keys()]).toEqual([])
})

it("counts each piece of work after the reply as a run, at its last state", async () => {
  await recorded("job/01890000-0000-7000-8000-000000000001", now, [
    enqueued,
    begun(1),
    broken,
    begun(2),
    { type: "JOB_SUCCEEDED", attempt: 2, ms: 4 }
  ])
  expect(runs().get("later")).toMatchObject({ runs: 1, failures: 0, last: { outcome: "succeeded" } })
  await recorded("job/01890000-0000-7000-8000-000000000002", now + 1, [
    enqueued,
    begun(1),
    broken,
    { type: "JOB_DIED", attempts: 1, error }
  ])
  await recorded("job/01890000-0000-7000-8000-000000000003", now + 2, [enqueued])
  expect(runs().get("later")).toMatchObject({
    runs: 2,
    failures: 1,
    last: { outcome: "failed", reason: "no space", at: iso(now + 1) }
  })
})
