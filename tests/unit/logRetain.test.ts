/** Retention: whole closed invocations from the oldest end, by age and by size, never a running one. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import type { JobFact } from "../../events/facts.ts"
import { EventLog } from "../../src/log/EventLog.ts"
import { layerMemory } from "../../src/log/MemoryLog.ts"
import { retain } from "../../src/log/retain.ts"
import { layerSqlite } from "../../src/log/SqliteLog.ts"
import { plannedHandler } from "../support/facts.ts"
import * as fact from "../support/jobs/facts.ts"
import { draftOf, nextId } from "../support/log/drafts.ts"

const day = 86_400_000
const now = 100 * day

const invocation = (name: string, at: number, closed = true, pid = process.pid) =>
  Effect.flatMap(EventLog, (log) => {
    const stream = `invocation/${name}`
    const data = { type: "INVOCATION_OPENED", pid, cwd: "x".repeat(5000) }
    const opened = draftOf(stream, { type: "INVOCATION_OPENED", at, data })
    return log.append(stream, "any", closed ? [opened, draftOf(stream, { at })] : [opened])
  })
const streams = Effect.flatMap(EventLog, (log) =>
  Effect.map(Stream.runCollect(log.read()), (facts) => [
    ...new Set(Chunk.toReadonlyArray(facts).map(({ stream }) => stream))
  ])
)

describe("retain", () => {
  it.effect("takes what is too old and over", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      yield* invocation("old", now - 91 * day)
      yield* invocation("killed", now - 91 * day, false, 2 ** 30)
      yield* invocation("young", now - 89 * day)
      yield* invocation("running", now, false)
      expect(yield* retain("here")).toBe(2)
      expect(yield* streams).toEqual(["invocation/young", "invocation/running", "operator/here"])
      expect(yield* retain("here")).toBe(0)
      const log = yield* EventLog
      const said = Chunk.toReadonlyArray(yield* Stream.runCollect(log.read({ types: ["LOG_TRUNCATED"] })))
      expect(said.map(({ known, data }) => [known, data])).toEqual([
        [true, { type: "LOG_TRUNCATED", before: 4, invocations: 2, reason: "older than 90 days" }]
      ])
    }).pipe(Effect.provide(layerMemory()))
  )

  it.effect("takes a job with its invocation, and neither as long as the job is not over", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const at = now - 91 * day
      const log = yield* EventLog
      const withJob = (name: string, ...after: readonly JobFact[]) =>
        Effect.gen(function* () {
          const job = nextId()
          const stream = `invocation/${name}`
          const background = [{ ...plannedHandler(name, 0), background: true, job }]
          const facts = [
            { type: "INVOCATION_OPENED", cwd: "x" },
            { type: "HANDLERS_PLANNED", handlers: [], left: [], background },
            { type: "EXITED", code: 0, ms: {} }
          ]
          for (const data of facts)
            yield* log.append(stream, "any", [draftOf(stream, { type: data.type, at, data })])
          for (const data of [fact.enqueued({ job, maxAttempts: 1 }), ...after])
            yield* log.append(`job/${job}`, "any", [draftOf(`job/${job}`, { type: data.type, at, data })])
          return `job/${job}`
        })
      yield* withJob("done", fact.started(1), fact.succeeded(1))
      yield* withJob("dead", fact.started(1), fact.failed(1), fact.died(1))
      // Sent again after it was done: nothing comes of it.
      yield* withJob("again", fact.started(1), fact.succeeded(1), fact.enqueued())
      const queued = yield* withJob("queued")
      const running = yield* withJob("running", fact.started(1))
      expect(yield* retain("here")).toBe(3)
      expect(yield* streams).toEqual([
        "invocation/queued",
        queued,
        "invocation/running",
        running,
        "operator/here"
      ])
    }).pipe(Effect.provide(layerMemory()))
  )

  it.effect("takes the oldest when there is too much", () =>
    Effect.gen(function* () {
      const root = mkdtempSync(join(tmpdir(), "retain-"))
      yield* TestClock.setTime(now)
      yield* Effect.gen(function* () {
        yield* invocation("running", now, false)
        for (let n = 0; n < 450; n++) yield* invocation(`i${n}`, now + n)
        const log = yield* EventLog
        const { bytes } = yield* log.stats
        const gone = yield* retain("here", { maxAgeMs: 90 * day, maxBytes: Math.round(bytes * 0.8) })
        expect(gone).toBe(199)
        const left = yield* streams
        expect(left[0]).toBe("invocation/running")
        expect(left[1]).toBe("invocation/i199")
        expect((yield* log.stats).bytes).toBeLessThan(bytes * 0.8)
      }).pipe(Effect.provide(layerSqlite({ file: join(root, "state", "log.sqlite"), source: "here" })))
      rmSync(root, { recursive: true, force: true })
    })
  )
})
