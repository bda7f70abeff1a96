/** Retention: whole closed invocations from the oldest end, by age and by size, never a running one. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import type { JobFact } from "../../../events/facts.ts"
import { EventLog } from "../../../src/log/EventLog.ts"
import { layerMemory } from "../../../src/log/MemoryLog.ts"
import { retain } from "../../../src/log/retain.ts"
import { layerSqlite } from "../../../src/log/sqlite/SqliteLog.ts"
import { firstSteady } from "../../../src/log/steadyClock.ts"
import { plannedHandler } from "../../support/facts.ts"
import * as fact from "../../support/jobs/facts.ts"
import { draftOf, nextId } from "../../support/log/drafts.ts"

const day = 86_400_000
const now = 100 * day

const invocation = (name: string, at: number, closed = true, pid = process.pid) =>
  Effect.flatMap(EventLog, (log) => {
    const stream = `invocation/${name}`
    const data = { type: "INVOCATION_OPENED", pid, cwd: "x".repeat(5000) }
    const opened = draftOf(stream, { type: "INVOCATION_OPENED", at, data })
    return log.append(stream, "any", closed ? [opened, draftOf(stream, { at })] : [opened])
  })
/** So many that what a test is about is a tenth of all. */
const young = (count: number) =>
  Effect.forEach(Array.from({ length: count }), (_, nth) => invocation(`young${nth}`, now - 89 * day))
const clock = firstSteady(now, now)
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
      yield* young(20)
      yield* invocation("running", now, false)
      const before = yield* streams
      expect(yield* retain("here", clock)).toEqual({ gone: 2, more: false })
      expect(yield* streams).toEqual([...before.slice(2), "operator/here"])
      expect(yield* retain("here", clock)).toEqual({ gone: 0, more: false })
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
      yield* young(50)
      expect(yield* retain("here", clock)).toEqual({ gone: 3, more: false })
      expect((yield* streams).slice(0, 4)).toEqual([
        "invocation/queued",
        queued,
        "invocation/running",
        running
      ])
    }).pipe(Effect.provide(layerMemory()))
  )

  it.effect("takes hosts and processes of handlers that are gone, said so or not, and none that lives", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const log = yield* EventLog
      const processes: readonly [string, number, string?][] = [
        ["host/stopped", process.pid, "HOST_STOPPED"],
        ["host/killed", 2 ** 30],
        ["host/lives", process.pid],
        ["handlers/ended", process.pid, "HANDLER_PROCESS_ENDED"],
        ["handlers/killed", 2 ** 30],
        ["handlers/lives", process.pid]
      ]
      const at = now - 91 * day
      for (const [stream, pid, end] of processes) {
        const type = stream.startsWith("host/") ? "HOST_STARTED" : "HANDLER_PROCESS_STARTED"
        yield* log.append(stream, "any", [
          draftOf(stream, { type, at, data: { type, pid } }),
          ...(end ? [draftOf(stream, { type: end, at, data: { type: end, reason: "over" } })] : [])
        ])
      }
      yield* young(50)
      expect(yield* retain("here", clock)).toEqual({ gone: 0, more: false })
      expect((yield* streams).slice(0, 3)).toEqual(["host/lives", "handlers/lives", "invocation/young0"])
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
        const retention = { maxAgeMs: 90 * day, maxBytes: Math.round(bytes * 0.85) }
        // Whatever the clock shows: nothing of this is told by it.
        const again = retain("here", { ...clock, jumpDays: 1 }, { retention })
        expect(yield* again).toEqual({ gone: 46, more: true })
        expect((yield* streams).slice(0, 2)).toEqual(["invocation/running", "invocation/i46"])
        expect(yield* again).toEqual({ gone: 41, more: false })
        expect((yield* log.stats).bytes).toBeLessThan(bytes * 0.85)
      }).pipe(Effect.provide(layerSqlite({ file: join(root, "state", "log.sqlite"), source: "here" })))
      rmSync(root, { recursive: true, force: true })
    })
  )

  it.effect("stops at the first that is young: what a slow clock dated came after it", () =>
    Effect.gen(function* () {
      yield* young(20)
      yield* invocation("slow", now - 400 * day)
      expect(yield* retain("here", clock)).toEqual({ gone: 0, more: false })
    }).pipe(Effect.provide(layerMemory()))
  )

  it.effect("goes by where an invocation stands, where that is known, and by its date where it is not", () =>
    Effect.gen(function* () {
      yield* invocation("ahead", now + 300 * day)
      yield* invocation("first", now - 300 * day)
      yield* invocation("slow", now - 300 * day)
      const here = (old: number, unmarked: number, upTo = 0) =>
        retain("here", { ...clock, upTo, since: now }, { ages: { old, unmarked } })
      expect(yield* here(0, 0)).toEqual({ gone: 0, more: false })
      // Recorded before a jump that is believed: of then, whatever marks of another time say.
      expect(yield* here(4, 0, 4)).toEqual({ gone: 0, more: false })
      expect(yield* here(2, 0)).toEqual({ gone: 1, more: false })
      expect(yield* streams).toEqual(["invocation/first", "invocation/slow", "operator/here"])
      expect(yield* retain("here", clock, { ages: { old: 0, unmarked: 4 } })).toEqual({
        gone: 1,
        more: false
      })
      expect(yield* retain("here", clock, { ages: { old: 0, unmarked: 4 } })).toEqual({
        gone: 0,
        more: false
      })
      expect(yield* streams).toEqual(["invocation/slow", "operator/here"])
    }).pipe(Effect.provide(layerMemory()))
  )

  it.effect("takes a tenth at most, and nothing by a clock that jumped", () =>
    Effect.gen(function* () {
      for (let n = 0; n < 30; n++) yield* invocation(`i${n}`, now - 300 * day)
      expect(yield* retain("here", { ...clock, jumpedTo: now, jumpDays: 1 })).toEqual({
        gone: 0,
        more: false
      })
      expect(yield* retain("here", clock)).toEqual({ gone: 3, more: false })
    }).pipe(Effect.provide(layerMemory()))
  )

  it.effect("keeps what is still to be sent for longer, and not for ever", () =>
    Effect.gen(function* () {
      const [later, clock] = [2 * now, firstSteady(2 * now, 2 * now)]
      yield* TestClock.setTime(later)
      yield* invocation("long unsent", later - 121 * day)
      yield* invocation("sent", later - 91 * day)
      yield* invocation("half sent", later - 91 * day)
      yield* invocation("unsent", later - 91 * day)
      for (let nth = 0; nth < 40; nth++) yield* invocation(`young${nth}`, later)
      const log = yield* EventLog
      const after = 5
      const kept = Effect.map(streams, (all) => all.filter((name) => name.includes("sent")))
      // Of each invocation two facts: the fifth is the first of "half sent".
      expect(yield* retain("here", clock, { unshipped: { after: 0 } })).toEqual({ gone: 1, more: false })
      expect(yield* kept).toEqual(["invocation/sent", "invocation/half sent", "invocation/unsent"])
      expect(yield* retain("here", clock, { unshipped: { after } })).toEqual({ gone: 1, more: false })
      expect(yield* kept).toEqual(["invocation/half sent", "invocation/unsent"])
      expect(yield* retain("here", clock)).toEqual({ gone: 2, more: false })
      expect(yield* kept).toEqual([])
      const said = Chunk.toReadonlyArray(yield* Stream.runCollect(log.read({ types: ["LOG_TRUNCATED"] })))
      expect(said.map(({ data, known }) => [known, (data as { unshipped?: number }).unshipped])).toEqual([
        [true, 1],
        [true, undefined],
        [true, undefined]
      ])
    }).pipe(Effect.provide(layerMemory()))
  )

  it.effect("keeps what is still to be sent beyond its place, up to a quarter more", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      yield* young(40)
      const { bytes } = yield* Effect.flatMap(EventLog, (log) => log.stats)
      const unshipped = { after: 0 }
      const within = (share: number) => ({
        retention: { maxAgeMs: 90 * day, maxBytes: bytes / share },
        unshipped
      })
      expect((yield* retain("here", clock, within(1.2))).gone).toBe(0)
      expect((yield* retain("here", clock, within(1.3))).gone).toBeGreaterThan(0)
    }).pipe(
      Effect.provide(
        layerSqlite({ file: join(mkdtempSync(join(tmpdir(), "retain-")), "log.sqlite"), source: "here" })
      )
    )
  )

  it.effect("takes sessions that are over, and none that goes on", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const log = yield* EventLog
      const session = (name: string, ...facts: readonly (readonly [type: string, at: number])[]) =>
        Effect.forEach(facts, ([type, at]) =>
          log.append(`session/${name}`, "any", [
            draftOf(`session/${name}`, { type, at, data: { type, because: "turn.stop" } })
          ])
        )
      yield* session("over", ["SESSION_OPENED", now - 91 * day], ["SESSION_ENDED", now - 91 * day])
      yield* session("silent", ["SESSION_OPENED", now - 91 * day], ["SESSION_IDLED", now - 91 * day])
      yield* session("goes on", ["SESSION_OPENED", now - 91 * day], ["SESSION_RESUMED", now - 1])
      yield* young(40)
      yield* retain("here", clock)
      expect((yield* streams).filter((name) => name.startsWith("session/"))).toEqual(["session/goes on"])
    }).pipe(Effect.provide(layerMemory()))
  )
})
