/** What the queue does with jobs, on a log in memory and a clock that the test moves. */
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Random from "effect/Random"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import type { Json } from "../../../events/intents.ts"
import { makeQueue, type QueueOptions } from "../../../src/jobs/queue.ts"
import type { Work } from "../../../src/jobs/Runner.ts"
import type { IsWanted, Wanted } from "../../../src/jobs/Wanted.ts"
import { EventLog, EventLogError, type EventLogShape, type Filter } from "../../../src/log/EventLog.ts"
import { layerMemory } from "../../../src/log/MemoryLog.ts"
import * as fact from "../../support/jobs/facts.ts"
import { append, boom, factsOf, put, scripted, typesOf } from "../../support/jobs/world.ts"

const test = (title: string, run: () => Effect.Effect<void, EventLogError, EventLog>) =>
  it.effect(title, () => Effect.provide(run(), layerMemory()))

/** A queue that lives as long as the effect. */
const queueing = (
  runner: { readonly run: QueueOptions["runners"][string] },
  options: Omit<QueueOptions, "runners"> = {}
) => makeQueue({ runners: { test: runner.run }, ...options })

/** Lets everything happen that happens without time. */
const settle = TestClock.adjust("1 millis")

describe("the queue", () => {
  test("runs what was there before it and what comes after, each to its end on the log", () =>
    Effect.gen(function* () {
      const runner = scripted(() => Effect.succeed({ result: { n: 1 }, noise: [] }))
      const before = yield* put({ input: { a: 1 } })
      const queue = yield* queueing(runner)
      yield* queue.idle
      const after = yield* put()
      yield* queue.idle
      expect(runner.asked.map(({ job }) => job)).toEqual([before, after])
      expect(yield* factsOf(before)).toEqual([
        expect.objectContaining({ type: "JOB_ENQUEUED" }),
        {
          type: "JOB_STARTED",
          attempt: 1,
          host: queue.host,
          pid: process.pid,
          until: expect.any(Number)
        },
        { type: "JOB_SUCCEEDED", attempt: 1, result: { n: 1 }, noise: [], ms: expect.any(Number) }
      ])
      expect(yield* typesOf(after)).toEqual(["ENQUEUED", "STARTED", "SUCCEEDED"])
      expect(queue.counts()).toEqual({ queued: 0, running: 0, waiting: 0 })
    }).pipe(Effect.scoped))

  test("hands the runner the job's id, the number of the attempt and what was enqueued", () =>
    Effect.gen(function* () {
      const seen: Work[] = []
      const runner = scripted((work) => {
        seen.push(work)
        return work.attempt === 1 ? Effect.fail(boom()) : Effect.succeed({})
      })
      const job = yield* put({ input: { a: 1 }, handler: "learn" })
      const queue = yield* queueing(runner)
      yield* TestClock.adjust("2 seconds")
      yield* queue.idle
      expect(seen.map(({ job: id, attempt }) => [id, attempt])).toEqual([
        [job, 1],
        [job, 2]
      ])
      expect(seen[0]?.enqueued).toMatchObject({ input: { a: 1 }, handler: "learn" })
    }).pipe(Effect.scoped))

  test("runs no more at once than it may, one of each key, each key in its order", () =>
    Effect.gen(function* () {
      const runner = scripted(() => Effect.as(Effect.sleep("1 second"), {}))
      const keyed: string[] = []
      for (let n = 0; n < 6; n++) keyed.push(yield* put({ key: "a" }))
      for (let n = 0; n < 12; n++) yield* put(n % 2 === 0 ? { key: "b" } : {})
      const queue = yield* queueing(runner, { concurrency: 3 })
      yield* settle
      expect(queue.counts()).toEqual({ queued: 15, running: 3, waiting: 0 })
      yield* TestClock.adjust("20 seconds")
      yield* queue.idle
      expect(runner.succeeded).toHaveLength(18)
      expect(runner.most.get("all")).toBe(3)
      expect([runner.most.get("a"), runner.most.get("b")]).toEqual([1, 1])
      expect(runner.asked.map(({ job }) => job).filter((job) => keyed.includes(job))).toEqual(keyed)
    }).pipe(Effect.scoped))

  test("lets the others of a key pass while one waits for its next attempt", () =>
    Effect.gen(function* () {
      const runner = scripted(({ attempt, enqueued }) =>
        enqueued.input === "bad" && attempt === 1 ? Effect.fail(boom()) : Effect.succeed({})
      )
      const bad = yield* put({ key: "k", input: "bad" })
      const good = yield* put({ key: "k" })
      const queue = yield* queueing(runner)
      yield* settle
      expect(runner.asked.map(({ job }) => job)).toEqual([bad, good])
      expect(queue.counts()).toEqual({ queued: 0, running: 0, waiting: 1 })
      yield* TestClock.adjust("1 second")
      expect(runner.succeeded).toEqual([good, bad])
    }).pipe(Effect.scoped))

  test("does not begin a job before its time", () =>
    Effect.gen(function* () {
      const runner = scripted()
      yield* put({ notBefore: 60_000 })
      yield* put({ notBefore: 30_000 })
      yield* queueing(runner)
      yield* TestClock.adjust("29 seconds")
      expect(runner.asked).toEqual([])
      yield* TestClock.adjust("1 hour")
      expect(runner.asked.map(({ at }) => at)).toEqual([30_000, 60_000])
    }).pipe(Effect.scoped))

  test("sets no timer further ahead than timers reach", () =>
    Effect.gen(function* () {
      const day = 86_400_000
      yield* put({ notBefore: 40 * day })
      yield* queueing(scripted())
      yield* settle
      const sleeps = [...(yield* TestClock.sleeps())]
      expect(sleeps.length).toBeGreaterThan(0)
      expect(Math.max(...sleeps)).toBeLessThanOrEqual(day)
    }).pipe(Effect.scoped))

  test("leaves a job alone that it has no runner for", () =>
    Effect.gen(function* () {
      const runner = scripted()
      const foreign = yield* put({ kind: "from a newer version" })
      const known = yield* put()
      const queue = yield* queueing(runner)
      yield* queue.idle
      expect(runner.succeeded).toEqual([known])
      expect(yield* typesOf(foreign)).toEqual(["ENQUEUED"])
    }).pipe(Effect.scoped))

  test("takes a job once that was enqueued twice", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const runner = scripted(() => Effect.as(Deferred.await(gate), {}))
      const job = yield* put()
      const [enqueued] = yield* factsOf(job)
      if (enqueued) yield* append(job, enqueued)
      const queue = yield* queueing(runner)
      yield* settle
      if (enqueued) yield* append(job, enqueued)
      yield* settle
      yield* Deferred.succeed(gate, undefined)
      yield* queue.idle
      expect(runner.asked).toHaveLength(1)
      expect(yield* typesOf(job)).toEqual(["ENQUEUED", "ENQUEUED", "STARTED", "ENQUEUED", "SUCCEEDED"])
    }).pipe(Effect.scoped))
})

describe("a job that fails", () => {
  const failing = (title: string, jitter: number, expected: readonly number[]) =>
    test(title, () =>
      Effect.gen(function* () {
        const runner = scripted(() => Effect.fail(boom()))
        const job = yield* put({ maxAttempts: 12 })
        yield* queueing(runner, { backOff: { jitter } })
        yield* TestClock.adjust("2 hours")
        const times = runner.asked.map(({ at }) => at)
        expect(times.slice(1).map((at, n) => at - (times[n] ?? 0))).toEqual(expected)
        expect((yield* typesOf(job)).slice(-2)).toEqual(["FAILED", "DIED"])
      }).pipe(Effect.withRandom(Random.make("a seed")), Effect.scoped)
    )

  failing(
    "is tried again after 1, 2, 4 … seconds, at most 5 minutes",
    0,
    [1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, 128_000, 256_000, 300_000, 300_000]
  )

  failing(
    "is tried again a little earlier by chance",
    0.2,
    [910, 1915, 3604, 6926, 13_246, 26_617, 59_494, 111_624, 250_242, 244_637, 272_223]
  )

  test("is dead after its last attempt, and says why", () =>
    Effect.gen(function* () {
      const runner = scripted(({ attempt }) => Effect.fail(boom(`boom ${attempt}`)))
      const job = yield* put({ maxAttempts: 2 })
      const queue = yield* queueing(runner)
      yield* TestClock.adjust("1 minute")
      yield* queue.idle
      expect(yield* factsOf(job)).toMatchObject([
        { type: "JOB_ENQUEUED" },
        { type: "JOB_STARTED", attempt: 1 },
        { type: "JOB_FAILED", attempt: 1, error: { message: "boom 1" }, retryAt: expect.any(Number) },
        { type: "JOB_STARTED", attempt: 2 },
        { type: "JOB_FAILED", attempt: 2, error: { message: "boom 2" } },
        { type: "JOB_DIED", attempts: 2, error: { message: "boom 2" } }
      ])
    }).pipe(Effect.scoped))

  test("is dead at once where trying again is no use", () =>
    Effect.gen(function* () {
      const runner = scripted(() => Effect.fail(boom("gone", true)))
      const job = yield* put()
      const queue = yield* queueing(runner)
      yield* queue.idle
      expect(yield* typesOf(job)).toEqual(["ENQUEUED", "STARTED", "FAILED", "DIED"])
    }).pipe(Effect.scoped))

  test("comes back from the dead when somebody wants it again, also in a queue that never knew it", () =>
    Effect.gen(function* () {
      let broken = true
      const runner = scripted(() => (broken ? Effect.fail(boom("boom", true)) : Effect.succeed({})))
      const job = yield* put()
      const queue = yield* queueing(runner)
      yield* queue.idle
      yield* append(job, fact.retried())
      yield* queue.idle
      expect((yield* typesOf(job)).filter((type) => type === "DIED")).toHaveLength(2)
      yield* queue.stop(0)
      broken = false
      const next = yield* queueing(runner)
      yield* next.idle
      expect(runner.succeeded).toEqual([])
      yield* append(job, fact.retried())
      yield* next.idle
      expect(runner.succeeded).toEqual([job])
      expect(runner.asked.map(({ attempt }) => attempt)).toEqual([1, 2, 3])
    }).pipe(Effect.scoped))

  test("by throwing is a failure with its name and its stack", () =>
    Effect.gen(function* () {
      const runner = scripted(() => Effect.sync(() => JSON.parse("{")))
      const job = yield* put({ maxAttempts: 1 })
      const queue = yield* queueing(runner)
      yield* queue.idle
      const [, , failed] = yield* factsOf(job)
      expect(failed).toMatchObject({ error: { name: "SyntaxError", stack: expect.stringContaining("at ") } })
    }).pipe(Effect.scoped))

  test("by throwing before there is an effect, by interrupting itself, or by a result that is no JSON", () =>
    Effect.gen(function* () {
      const cycle: { self?: unknown } = {}
      cycle.self = cycle
      const ways: Readonly<Record<string, () => Effect.Effect<{ result?: Json }>>> = {
        throws: () => {
          throw new TypeError("no effect at all")
        },
        interrupts: () => Effect.interrupt,
        cycle: () => Effect.succeed({ result: cycle as Json })
      }
      const runner = scripted(({ enqueued }) => ways[String(enqueued.input)]?.() ?? Effect.succeed({}))
      const jobs: string[] = []
      for (const input of Object.keys(ways)) jobs.push(yield* put({ input, maxAttempts: 1 }))
      const queue = yield* queueing(runner)
      yield* queue.idle
      const errors = []
      for (const job of jobs) {
        const died = (yield* factsOf(job)).at(-1)
        errors.push(died?.type === "JOB_DIED" ? `${died.error.name}: ${died.error.message}` : died?.type)
      }
      expect(errors).toEqual([
        "TypeError: no effect at all",
        "Interrupted: was interrupted",
        expect.stringMatching(/^NotJson: its result is no JSON: Converting circular/)
      ])
    }).pipe(Effect.scoped))

  test("by not ending is ended at its deadline", () =>
    Effect.gen(function* () {
      const signals: AbortSignal[] = []
      let interrupted = 0
      const runner = scripted(({ signal }) => {
        signals.push(signal)
        return Effect.onInterrupt(Effect.never, () => Effect.sync(() => interrupted++))
      })
      const job = yield* put({ deadlineMs: 3000, maxAttempts: 1 })
      const queue = yield* queueing(runner)
      yield* TestClock.adjust("2999 millis")
      expect(yield* typesOf(job)).toEqual(["ENQUEUED", "STARTED"])
      yield* TestClock.adjust("1 millis")
      yield* queue.idle
      expect((yield* factsOf(job))[2]).toMatchObject({
        error: { name: "TimedOut", message: "did not finish within 3000 ms" },
        ms: 3000
      })
      expect([signals[0]?.aborted, interrupted]).toEqual([true, 1])
    }).pipe(Effect.scoped))

  test("by not even letting itself be ended holds its place five seconds longer", () =>
    Effect.gen(function* () {
      const runner = scripted(({ enqueued }) =>
        enqueued.input === "stuck" ? Effect.uninterruptible(Effect.never) : Effect.succeed({})
      )
      const job = yield* put({ deadlineMs: 1000, maxAttempts: 1, input: "stuck" })
      const other = yield* put()
      yield* queueing(runner, { concurrency: 1 })
      yield* TestClock.adjust("5999 millis")
      expect(yield* typesOf(other)).toEqual(["ENQUEUED"])
      yield* TestClock.adjust("1 millis")
      expect(yield* typesOf(job)).toEqual(["ENQUEUED", "STARTED", "FAILED", "DIED"])
      expect(yield* typesOf(other)).toEqual(["ENQUEUED", "STARTED", "SUCCEEDED"])
    }).pipe(Effect.scoped))
})

describe("a queue that stops", () => {
  test("waits for what runs and begins nothing more", () =>
    Effect.gen(function* () {
      const runner = scripted(() => Effect.as(Effect.sleep("2 seconds"), {}))
      const first = yield* put()
      const second = yield* put()
      const queue = yield* queueing(runner, { concurrency: 1 })
      yield* settle
      const stopping = yield* Effect.fork(queue.stop(10_000))
      yield* TestClock.adjust("2 seconds")
      yield* Fiber.join(stopping)
      expect(yield* typesOf(first)).toEqual(["ENQUEUED", "STARTED", "SUCCEEDED"])
      expect(yield* typesOf(second)).toEqual(["ENQUEUED"])
    }).pipe(Effect.scoped))

  test("gives back what takes too long, and the attempt does not count", () =>
    Effect.gen(function* () {
      const slow = scripted(() => Effect.as(Effect.sleep("1 hour"), {}))
      const job = yield* put({ maxAttempts: 1, deadlineMs: 7_200_000 })
      const queue = yield* queueing(slow)
      yield* settle
      const stopping = yield* Effect.fork(queue.stop(3000))
      yield* TestClock.adjust("3 seconds")
      yield* Fiber.join(stopping)
      const quick = scripted()
      const next = yield* queueing(quick)
      yield* next.idle
      expect(quick.asked.map(({ attempt }) => attempt)).toEqual([2])
      expect(yield* typesOf(job)).toEqual(["ENQUEUED", "STARTED", "RELEASED", "STARTED", "SUCCEEDED"])
    }).pipe(Effect.scoped))

  test("does so as soon where whoever stops it is not to be interrupted, as a host that ends", () =>
    Effect.gen(function* () {
      const job = yield* put({ deadlineMs: 7_200_000 })
      const queue = yield* queueing(scripted(() => Effect.as(Effect.sleep("1 hour"), {})))
      yield* settle
      const stopping = yield* Effect.fork(Effect.uninterruptible(queue.stop(3000)))
      yield* TestClock.adjust("3 seconds")
      yield* Fiber.join(stopping)
      expect(yield* typesOf(job)).toEqual(["ENQUEUED", "STARTED", "RELEASED"])
    }).pipe(Effect.scoped))

  test("does so too when only its scope is closed", () =>
    Effect.gen(function* () {
      const job = yield* put()
      yield* Effect.scoped(Effect.zipRight(queueing(scripted(() => Effect.never)), settle))
      expect(yield* typesOf(job)).toEqual(["ENQUEUED", "STARTED", "RELEASED"])
    }))
})

describe("what another host began", () => {
  const begun = { host: "elsewhere", pid: 4711, until: 60_000 }

  test("is left to it as long as it is there", () =>
    Effect.gen(function* () {
      const runner = scripted()
      const job = yield* put({ key: "k" })
      yield* append(job, fact.started(1, begun))
      const same = yield* put({ key: "k" })
      yield* queueing(runner, { isAlive: () => true })
      yield* TestClock.adjust("59 seconds")
      expect(yield* typesOf(job)).toEqual(["ENQUEUED", "STARTED"])
      expect(yield* typesOf(same)).toEqual(["ENQUEUED"])
      yield* append(job, fact.succeeded(1))
      yield* settle
      expect(runner.succeeded).toEqual([same])
    }).pipe(Effect.scoped))

  test("bars the others of its key, also from a queue that had not heard of it when it began one", () =>
    Effect.gen(function* () {
      const runner = scripted()
      const log = yield* EventLog
      const first = yield* put({ key: "k", notBefore: 60_000 })
      const second = yield* put({ key: "k", notBefore: 1000 })
      yield* queueing(runner, { isAlive: () => true }).pipe(
        Effect.provideService(EventLog, { ...log, follow: () => Stream.never })
      )
      yield* append(first, fact.started(1, begun))
      yield* TestClock.adjust("10 seconds")
      expect(runner.asked).toEqual([])
      expect(yield* typesOf(second)).toEqual(["ENQUEUED", "STARTED", "RELEASED"])
    }).pipe(Effect.scoped))

  test("is tried again once it is gone, with its failure on the log", () =>
    Effect.gen(function* () {
      const runner = scripted()
      const job = yield* put()
      yield* append(job, fact.started(1, begun))
      let alive = true
      yield* queueing(runner, { isAlive: () => alive, backOff: { jitter: 0 } })
      yield* TestClock.adjust("7 seconds")
      alive = false
      yield* TestClock.adjust("1 minute")
      expect(yield* factsOf(job)).toMatchObject([
        { type: "JOB_ENQUEUED" },
        { type: "JOB_STARTED", attempt: 1 },
        {
          type: "JOB_FAILED",
          attempt: 1,
          error: { name: "HostGone", message: "the host that ran it is gone" },
          retryAt: 11_000
        },
        { type: "JOB_STARTED", attempt: 2 },
        { type: "JOB_SUCCEEDED", attempt: 2 }
      ])
    }).pipe(Effect.scoped))

  test("is taken from it when it has kept it for longer than an attempt can take", () =>
    Effect.gen(function* () {
      const runner = scripted()
      const job = yield* put()
      yield* append(job, fact.started(1, begun))
      yield* queueing(runner, { isAlive: () => true })
      yield* TestClock.adjust("60 seconds")
      expect(runner.asked).toEqual([])
      yield* TestClock.adjust("10 seconds")
      expect(runner.succeeded).toEqual([job])
    }).pipe(Effect.scoped))

  test("was begun by a process that had this one's id before: it is gone", () =>
    Effect.gen(function* () {
      const runner = scripted()
      const job = yield* put()
      yield* append(job, fact.started(1, { ...begun, pid: process.pid, until: 3_600_000 }))
      yield* queueing(runner)
      yield* TestClock.adjust("2 seconds")
      expect(runner.succeeded).toEqual([job])
    }).pipe(Effect.scoped))

  test("kills its hosts again and again until it is dead itself", () =>
    Effect.gen(function* () {
      const runner = scripted()
      const job = yield* put({ maxAttempts: 2 })
      yield* append(job, fact.started(1, begun), fact.failed(1, 1), fact.started(2, begun))
      const queue = yield* queueing(runner, { isAlive: () => false })
      yield* queue.idle
      expect(runner.asked).toEqual([])
      expect((yield* typesOf(job)).slice(-2)).toEqual(["FAILED", "DIED"])
    }).pipe(Effect.scoped))

  test("was left between its last failure and its end: it gets its end", () =>
    Effect.gen(function* () {
      const job = yield* put({ maxAttempts: 1 })
      yield* append(job, fact.started(1, begun), fact.failed(1))
      const queue = yield* queueing(scripted(), { isAlive: () => true })
      yield* queue.idle
      expect(yield* typesOf(job)).toEqual(["ENQUEUED", "STARTED", "FAILED", "DIED"])
    }).pipe(Effect.scoped))

  test("is not told by who lost it: one outcome stands, and the other is reported", () =>
    Effect.gen(function* () {
      const problems: string[] = []
      const report = (problem: string) => Effect.sync(() => void problems.push(problem))
      const gate = yield* Deferred.make<void>()
      const job = yield* put()
      const queue = yield* queueing(
        scripted(() => Effect.as(Deferred.await(gate), {})),
        { report }
      )
      yield* settle
      yield* append(job, fact.failed(1, 5), fact.started(2, begun))
      yield* Deferred.succeed(gate, undefined)
      yield* settle
      expect(yield* typesOf(job)).toEqual(["ENQUEUED", "STARTED", "FAILED", "STARTED"])
      expect(problems).toEqual([`job ${job}: attempt 1 ended after it was given up`])
      yield* queue.stop(0)
    }).pipe(Effect.scoped))
})

/** A log that fails where it is told to. */
const unreliable = (log: EventLogShape, fails: (op: "append" | "read") => boolean): EventLogShape => {
  const broken = (op: "append" | "read") =>
    new EventLogError({ op, reason: "io", detail: "database or disk is full" })
  return {
    ...log,
    append: (...args) => Effect.suspend(() => (fails("append") ? broken("append") : log.append(...args)))
  }
}

describe("a log in trouble", () => {
  test("is asked again, not in a loop, and nothing is lost", () =>
    Effect.gen(function* () {
      const runner = scripted()
      const problems: string[] = []
      const job = yield* put()
      let full = true
      let asked = 0
      const log = unreliable(yield* EventLog, () => {
        asked++
        return full
      })
      yield* queueing(runner, { report: (problem) => Effect.sync(() => void problems.push(problem)) }).pipe(
        Effect.provideService(EventLog, log)
      )
      yield* TestClock.adjust("60 seconds")
      expect(runner.asked).toEqual([])
      expect(asked).toBeLessThanOrEqual(30)
      expect(problems[0]).toBe("the job queue: database or disk is full")
      full = false
      yield* TestClock.adjust("20 seconds")
      expect(runner.succeeded).toEqual([job])
    }).pipe(Effect.scoped))

  test("that could not take an outcome has the job done once more", () =>
    Effect.gen(function* () {
      let full = false
      const runner = scripted(({ attempt }) =>
        Effect.sync(() => {
          full = attempt === 1
          return {}
        })
      )
      const job = yield* put()
      const log = unreliable(yield* EventLog, () => full)
      yield* queueing(runner, { backOff: { jitter: 0 } }).pipe(Effect.provideService(EventLog, log))
      yield* TestClock.adjust("8 seconds")
      full = false
      yield* TestClock.adjust("1 minute")
      expect(yield* typesOf(job)).toEqual(["ENQUEUED", "STARTED", "FAILED", "STARTED", "SUCCEEDED"])
      expect(runner.asked).toHaveLength(2)
    }).pipe(Effect.scoped))
})

describe("starting", () => {
  test("reads what came since everything before was over, and no other types of facts", () =>
    Effect.gen(function* () {
      const log = yield* EventLog
      const runner = scripted()
      for (let n = 0; n < 30; n++) yield* put()
      const first = yield* queueing(runner)
      yield* first.idle
      yield* first.stop(0)
      const open = yield* put({ notBefore: 1e12 })
      const { last } = yield* log.stats
      const second = yield* queueing(runner)
      yield* settle
      yield* second.stop(0)
      const done = yield* put()
      const filters: Filter[] = []
      const watched: EventLogShape = {
        ...log,
        read: (filter = {}) => {
          filters.push(filter)
          return log.read(filter)
        }
      }
      const third = yield* queueing(runner).pipe(Effect.provideService(EventLog, watched))
      yield* settle
      expect(runner.succeeded.at(-1)).toBe(done)
      expect(third.counts()).toEqual({ queued: 0, running: 0, waiting: 1 })
      const scans = filters.filter(({ stream, reverse }) => stream === undefined && reverse !== true)
      expect(scans.length).toBeGreaterThan(0)
      for (const { after, types } of scans) {
        expect(after).toBeGreaterThanOrEqual(last - 1)
        expect(types?.every((type) => type.startsWith("JOB_"))).toBe(true)
      }
      expect(yield* typesOf(open)).toEqual(["ENQUEUED"])
    }).pipe(Effect.scoped))
})

describe("a job that may not be wanted", () => {
  const asking = (answers: Readonly<Record<string, Wanted>>, asked: string[]): IsWanted => {
    return ({ handler = "" }) =>
      Effect.sync(() => {
        asked.push(handler)
        return answers[handler] ?? { is: "wanted" }
      })
  }

  test("is dropped in its turn, with the reason, and runs when it is wanted again", () =>
    Effect.gen(function* () {
      const runner = scripted()
      const answers: Record<string, Wanted> = { learn: { is: "dropped", reason: "disabled" } }
      const job = yield* put({ handler: "learn", key: "learn" })
      const queue = yield* queueing(runner, { isWanted: asking(answers, []) })
      yield* queue.idle
      expect(yield* factsOf(job)).toMatchObject([{}, { type: "JOB_DROPPED", reason: "disabled" }])
      expect([runner.asked, queue.isBusy()]).toEqual([[], false])
      delete answers["learn"]
      yield* append(job, fact.retried())
      yield* queue.idle
      expect(yield* typesOf(job)).toEqual(["ENQUEUED", "DROPPED", "RETRIED", "STARTED", "SUCCEEDED"])
      expect(runner.succeeded).toEqual([job])
    }).pipe(Effect.scoped))

  test("is held as long as that takes, is said to be once, and keeps its place", () =>
    Effect.gen(function* () {
      const runner = scripted()
      const answers: Record<string, Wanted> = { learn: { is: "held", reason: "not trusted" } }
      const asked: string[] = []
      const jobs = [
        yield* put({ handler: "learn", key: "learn" }),
        yield* put({ handler: "learn", key: "learn" })
      ]
      const other = yield* put({ handler: "other", key: "other" })
      const queue = yield* queueing(runner, { isWanted: asking(answers, asked) })
      yield* TestClock.adjust("1 hour")
      expect(yield* typesOf(jobs[0] ?? "")).toEqual(["ENQUEUED", "HELD"])
      expect(yield* typesOf(jobs[1] ?? "")).toEqual(["ENQUEUED"])
      expect(runner.succeeded).toEqual([other])
      expect(queue.isBusy()).toBe(false)
      // Now and then, and not in a loop.
      expect(asked.length).toBeGreaterThan(10)
      expect(asked.length).toBeLessThan(500)
      answers["learn"] = { is: "held", reason: "something else" }
      yield* TestClock.adjust("1 minute")
      expect(yield* typesOf(jobs[0] ?? "")).toEqual(["ENQUEUED", "HELD", "HELD"])
      delete answers["learn"]
      yield* TestClock.adjust("1 minute")
      expect(runner.asked.map(({ attempt, job }) => [job, attempt])).toEqual([
        [other, 1],
        [jobs[0], 1],
        [jobs[1], 1]
      ])
    }).pipe(Effect.scoped))
})

describe("jobs that come faster than they are done", () => {
  const held: IsWanted = () => Effect.succeed({ is: "held", reason: "not trusted" })
  const bounds = { perHook: 3, inAll: 5 }
  const dropped = (jobs: readonly string[]) =>
    Effect.map(
      Effect.forEach(jobs, (job) =>
        Effect.map(factsOf(job), (facts) =>
          facts.flatMap((one) => (one.type === "JOB_DROPPED" ? [one.reason] : []))
        )
      ),
      (reasons) => reasons.map(([reason]) => reason)
    )
  const several = (count: number, job: Parameters<typeof put>[0]) =>
    Effect.forEach(Array.from({ length: count }), () => put(job))

  test("make room for the newest of their hook, and the log says so", () =>
    Effect.gen(function* () {
      const queue = yield* queueing(scripted(), { isWanted: held, bounds })
      const jobs = yield* several(5, { key: "a" })
      yield* settle
      const why = "superseded: more than 3 jobs of this hook waited"
      expect(yield* dropped(jobs)).toEqual([why, why, undefined, undefined, undefined])
      expect(queue.counts()).toMatchObject({ queued: 3 })
    }).pipe(Effect.scoped))

  test("are refused where the hook chose that, those of other hooks are not", () =>
    Effect.gen(function* () {
      const jobs = yield* several(4, { key: "a", whenFull: "refuse" })
      const others = yield* several(2, { key: "b" })
      yield* queueing(scripted(), { isWanted: held, bounds })
      yield* settle
      const why = "refused: 3 jobs of this hook wait already"
      expect(yield* dropped(jobs)).toEqual([undefined, undefined, undefined, why])
      expect(yield* dropped(others)).toEqual([undefined, undefined])
    }).pipe(Effect.scoped))

  test("are those of the hook with the most, where there are too many in all", () =>
    Effect.gen(function* () {
      const notes = yield* several(2, {})
      const jobs = yield* several(3, { key: "a" })
      const others = yield* several(2, { key: "b" })
      yield* queueing(scripted(), { isWanted: held, bounds })
      yield* settle
      const why = "superseded: more than 5 jobs in all waited"
      expect(yield* dropped(jobs)).toEqual([why, why, undefined])
      expect(yield* dropped([...notes, ...others])).toEqual([undefined, undefined, undefined, undefined])
    }).pipe(Effect.scoped))

  test("lose none that runs, and are all done where they are few enough", () =>
    Effect.gen(function* () {
      const go = yield* Deferred.make<void>()
      const runner = scripted(() => Effect.as(Deferred.await(go), {}))
      const queue = yield* queueing(runner, { bounds })
      const [first = ""] = yield* several(1, { key: "a" })
      yield* settle
      const later = yield* several(3, { key: "a" })
      yield* settle
      expect(yield* typesOf(first)).toEqual(["ENQUEUED", "STARTED"])
      yield* Deferred.succeed(go, undefined)
      yield* queue.idle
      expect(runner.succeeded).toEqual([first, ...later])
    }).pipe(Effect.scoped))
})
