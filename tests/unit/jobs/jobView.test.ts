/** What is told of a job from its facts, and how a person names one. */
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import type { JobFact } from "../../../events/facts.ts"
import type { FactId } from "../../../events/ids.ts"
import { noMarks, type Recorded } from "../../../events/Recorded.ts"
import { span } from "../../../src/features/timeline/words.ts"
import { type Job, jobOf, jobsIn } from "../../../src/jobs/Job.ts"
import { retryJob } from "../../../src/jobs/retryJob.ts"
import { EventLog } from "../../../src/log/EventLog.ts"
import { layerMemory } from "../../../src/log/MemoryLog.ts"
import { resolveJob } from "../../../src/programs/cli/refs.ts"
import { drawJob, drawJobs } from "../../../src/programs/cli/render/job.ts"
import { plain } from "../../../src/programs/cli/render/style.ts"
import * as fact from "../../support/jobs/facts.ts"
import { append, put, typesOf } from "../../support/jobs/world.ts"

const recorded = (facts: readonly JobFact[], job = fact.anId): readonly Recorded[] =>
  facts.map((data, index) => ({
    ...noMarks,
    id: `fact-${index}` as FactId,
    stream: `job/${job}`,
    type: data.type,
    schemaVersion: 1,
    at: 1000 * index,
    cause: null,
    position: index + 1,
    version: index + 1,
    source: "test",
    recordedAt: 0,
    known: true,
    data
  }))

const told = (...facts: readonly JobFact[]): Job => {
  const job = jobOf(recorded(facts))
  if (!job) throw new Error("no job")
  return job
}

describe("a job told from its facts", () => {
  it("has its state, how often it failed, and what comes next", () => {
    const begun = [fact.enqueued({ handler: "learn" }), fact.started(1)] as const
    expect(told(fact.enqueued())).toMatchObject({ state: "queued", attempts: 0, nextAt: null, error: null })
    expect(told(fact.enqueued({ notBefore: 5000 }))).toMatchObject({
      state: "queued",
      nextAt: "1970-01-01T00:00:05.000Z"
    })
    expect(told(...begun)).toMatchObject({ state: "running", handler: "learn", attempts: 1 })
    expect(told(...begun, fact.failed(1, 9000))).toMatchObject({
      state: "waiting",
      failures: 1,
      nextAt: "1970-01-01T00:00:09.000Z",
      error: fact.anError
    })
    expect(told(...begun, fact.failed(1), fact.died(1))).toMatchObject({ state: "dead", nextAt: null })
    expect(told(...begun, fact.succeeded(1))).toMatchObject({ state: "done", result: null, error: null })
    expect(told(...begun, fact.failed(1), fact.died(1), fact.retried())).toMatchObject({
      state: "queued",
      failures: 0,
      error: fact.anError
    })
  })

  it("has every attempt with its end, and none that the job did not take", () => {
    const { history } = told(
      fact.enqueued(),
      fact.started(1),
      { ...fact.failed(1, 9), noise: [{ stream: "stderr", bytes: 1, text: "x" }] } as JobFact,
      fact.started(2),
      fact.released(2),
      fact.started(3),
      fact.succeeded(2),
      fact.enqueued(),
      fact.succeeded(3)
    )
    expect(history).toEqual([
      {
        attempt: 1,
        startedAt: "1970-01-01T00:00:01.000Z",
        outcome: "failed",
        ms: 1,
        error: fact.anError,
        noise: [{ stream: "stderr", bytes: 1, text: "x" }]
      },
      {
        attempt: 2,
        startedAt: "1970-01-01T00:00:03.000Z",
        outcome: "released",
        ms: null,
        reason: "the host stops"
      },
      { attempt: 3, startedAt: "1970-01-01T00:00:05.000Z", outcome: "succeeded", ms: 1 }
    ])
    expect(told(fact.enqueued(), fact.started(1)).history).toMatchObject([{ outcome: "running", ms: null }])
  })

  it("is none where nothing says what it is", () => {
    expect(jobOf([])).toBeUndefined()
    expect(jobOf(recorded([fact.started(1)]))).toBeUndefined()
    expect(jobOf(recorded([fact.enqueued()]).map((one) => ({ ...one, known: false })))).toBeUndefined()
  })

  it("is one of many, whose facts lie between each other's", () => {
    const [one, two] = [recorded([fact.enqueued(), fact.started(1)]), recorded([fact.enqueued()], "other")]
    expect(jobsIn([...one.slice(0, 1), ...two, ...one.slice(1)]).map(({ state }) => state)).toEqual([
      "running",
      "queued"
    ])
  })
})

describe("a job drawn", () => {
  const drawing = { style: plain, width: 80 }

  it("says when its next attempt is due, and how old it is", () => {
    const waiting = told(fact.enqueued(), fact.started(1), fact.failed(1, 90_000))
    expect(drawJobs([waiting], 30_000, drawing)).toMatch(/waiting .* 1\/3 .* in 60 s .* 30 s {2}boom/)
    expect(drawJobs([waiting], 90_000, drawing)).toContain(" now ")
    expect(drawJob(waiting, 30_000, drawing)).toMatch(/^test waiting next attempt in 60 s\n/)
  })

  it("lets nothing of a stranger's move the cursor", () => {
    const error = { name: "E\u001b[2J", message: "m\u001b[2J\nsecond", stack: "s\u001b[2J" }
    const noise = [{ stream: "stdout" as const, bytes: 1, text: "n\u001b[2J" }]
    const evil = told(
      fact.enqueued({ handler: "h\u001b[2J", event: "e\u001b[2J", kind: "k\u001b[2J" }),
      fact.started(1),
      { ...fact.failed(1), error, noise } as JobFact,
      { ...fact.died(1), error }
    )
    for (const text of [drawJobs([evil], 0, drawing), drawJob(evil, 0, drawing)])
      expect(text).not.toContain("\u001b")
  })

  it.each([
    [-5, "0 s"],
    [119_000, "119 s"],
    [120_000, "2 min"],
    [7_200_000, "2 h"],
    [172_800_000, "2 d"]
  ])("tells %d ms as %s", (ms, text) => expect(span(ms)).toBe(text))
})

describe("a reference to a job", () => {
  const jobs = ["01890000-0000-7000-8000-0000000000aa", "01890000-0000-7000-8000-0000000000bb"].map(
    (job, at) => ({ job, kind: "hook", handler: at === 0 ? "learn" : null })
  )
  const reason = (ref: string) =>
    Either.match(resolveJob(ref, jobs), {
      onLeft: ({ message }) => message,
      onRight: (id) => id.slice(-2)
    })

  it("is its id, a beginning or an end of it, its stream, or last", () => {
    expect(["last", "aa", "job/01890000-0000-7000-8000-0000000000aa"].map(reason)).toEqual(["bb", "aa", "aa"])
  })

  it("that fits none or several says so", () => {
    expect(reason("cc")).toContain("no job has this id")
    expect(reason("0189")).toContain("0000000000aa (learn)")
    expect(reason("0189")).toContain("0000000000bb (hook)")
  })
})

describe("a job that is retried by hand", () => {
  it.effect("is queued again where it is dead or waits, and left alone everywhere else", () =>
    Effect.gen(function* () {
      const retry = (job: string) => retryJob(job, "operator")
      expect(yield* retry("01890000-0000-7000-8000-0000000000ff")).toBe(false)
      const job = yield* put({ maxAttempts: 2 })
      expect(yield* retry(job)).toBe(false)
      yield* append(job, fact.started(1))
      expect(yield* retry(job)).toBe(false)
      yield* append(job, fact.failed(1, 5))
      expect(yield* retry(job)).toBe(true)
      expect(yield* retry(job)).toBe(false)
      yield* append(job, fact.started(2), fact.failed(2), fact.died(2))
      expect(yield* retry(job)).toBe(true)
      yield* append(job, fact.started(3), fact.succeeded(3))
      expect(yield* retry(job)).toBe(false)
      expect((yield* typesOf(job)).filter((type) => type === "RETRIED")).toHaveLength(2)
      const log = yield* EventLog
      const facts = yield* Stream.runCollect(log.read({ types: ["JOB_RETRIED"] }))
      expect(Chunk.toReadonlyArray(facts).map(({ data }) => data)).toEqual([
        { type: "JOB_RETRIED", by: "operator" },
        { type: "JOB_RETRIED", by: "operator" }
      ])
    }).pipe(Effect.provide(layerMemory()))
  )
})
