/** What holds of jobs for every run, every crash and every order of facts. */
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { JobFact } from "../../../events/facts.ts"
import { type JobContext, job as machine } from "../../../machines/job.ts"
import { evolve, frames, replay, start, stateOf } from "../../../machines/step.ts"
import { makeQueue } from "../../../src/jobs/queue.ts"
import type { EventLog } from "../../../src/log/EventLog.ts"
import { layerMemory } from "../../../src/log/MemoryLog.ts"
import { holds, seed } from "../../support/arbitrary.ts"
import * as fact from "../../support/jobs/facts.ts"
import { append, factsOf, scripted } from "../../support/jobs/world.ts"

/** Facts of every type with arbitrary content; attempts are small, so that some of them fit. */
const jobFact: FastCheck.Arbitrary<JobFact> = FastCheck.tuple(
  Arbitrary.make(JobFact),
  FastCheck.integer({ min: 1, max: 4 })
).map(([made, attempt]) => ("attempt" in made ? { ...made, attempt } : made))

/** What becomes of one attempt after the other. */
type Fate = "succeeds" | "fails" | "is no use" | "is given back"

interface Script {
  readonly maxAttempts: number
  readonly fates: readonly Fate[]
}

const script: FastCheck.Arbitrary<Script> = FastCheck.record({
  maxAttempts: FastCheck.integer({ min: 1, max: 4 }),
  fates: FastCheck.array(
    FastCheck.oneof(
      { weight: 4, arbitrary: FastCheck.constant("fails" as const) },
      {
        weight: 3,
        arbitrary: FastCheck.constantFrom<Fate[]>("succeeds", "is no use", "is given back")
      }
    ),
    { maxLength: 6 }
  )
})

const outcome = (fate: Fate, attempt: number): JobFact => {
  if (fate === "succeeds") return fact.succeeded(attempt)
  if (fate === "is given back") return fact.released(attempt)
  return fate === "is no use" ? fact.failed(attempt) : fact.failed(attempt, 0)
}

/** The whole log of a job that went so: as a queue writes it, as far as its script goes. */
const logOf = ({ fates, maxAttempts }: Script): readonly JobFact[] => {
  const log: JobFact[] = []
  let { snapshot } = start(machine)
  const take = (next: JobFact) => {
    log.push(next)
    const step = evolve(machine, snapshot, next)
    expect(step.refused, `${next.type} of ${JSON.stringify(log)}`).toBe(false)
    snapshot = step.snapshot
    return step.command
  }
  take(fact.enqueued({ maxAttempts }))
  for (const fate of fates) {
    if (!["queued", "waiting"].includes(stateOf(snapshot))) break
    const attempt = (snapshot.context as JobContext).attempts + 1
    take(fact.started(attempt, { host: "before", until: 1 }))
    const command = take(outcome(fate, attempt))
    if (command?.type === "BURY") take(fact.died(command.attempts))
  }
  return log
}

const run = <A, E>(effect: Effect.Effect<A, E, EventLog>): Promise<A> =>
  Effect.runPromise(Effect.provide(effect, layerMemory()))

/** A queue takes up a log in which every other host is gone. */
const resumed = (log: readonly JobFact[]) =>
  run(
    Effect.gen(function* () {
      const { asked, run, succeeded } = scripted()
      yield* append(fact.anId, ...log)
      const queue = yield* makeQueue({
        runners: { test: run },
        isAlive: () => false,
        backOff: { baseMs: 0, jitter: 0 }
      })
      yield* queue.idle
      return { asked, succeeded, log: yield* factsOf(fact.anId) }
    }).pipe(Effect.scoped)
  )

const successes = (log: readonly JobFact[]) => log.filter(({ type }) => type === "JOB_SUCCEEDED").length

describe("a job whose host went away at any point", () => {
  it("is taken up from every prefix of its log, to one success or to the death it had coming", async () => {
    const logs = FastCheck.sample(script, { numRuns: 40, seed }).map(logOf)
    expect(new Set(logs.map((log) => stateOf(replay(machine, log)))).size).toBeGreaterThan(3)
    for (const log of logs) {
      for (let at = 1; at <= log.length; at++) {
        const prefix = log.slice(0, at)
        const before = replay(machine, prefix)
        const { asked, log: after, succeeded } = await resumed(prefix)
        expect(frames(machine, after).filter(({ refused }) => refused)).toEqual([])
        const end = stateOf(replay(machine, after))
        expect(after.slice(0, at)).toEqual(prefix)
        if (end === "dead") {
          // The attempt that was lost had been its last, or it had failed for good.
          const { failures, enqueued } = replay(machine, after).context as JobContext
          const gaveUp = prefix.some((one) => one.type === "JOB_FAILED" && one.retryAt === undefined)
          expect(gaveUp || failures === enqueued?.maxAttempts).toBe(true)
          expect([successes(after), asked.length]).toEqual([0, 0])
        } else {
          expect([end, successes(after)]).toEqual(["done", 1])
          expect(succeeded).toHaveLength(stateOf(before) === "done" ? 0 : 1)
        }
      }
    }
  })
})

describe("a run of jobs", () => {
  it("ends in the state that its log proves", () =>
    holds(script, (scripted) => {
      const log = logOf(scripted)
      const again = replay(machine, JSON.parse(JSON.stringify(log)) as readonly JobFact[])
      let { snapshot } = start(machine)
      for (const one of log) ({ snapshot } = evolve(machine, snapshot, one))
      expect([stateOf(again), again.context]).toEqual([stateOf(snapshot), snapshot.context])
    }))

  it("never begins more attempts than it may have failures and has been given back", () =>
    holds(script, (scripted) => {
      const log = logOf(scripted)
      const count = (type: JobFact["type"]) => log.filter((one) => one.type === type).length
      expect(count("JOB_FAILED")).toBeLessThanOrEqual(scripted.maxAttempts)
      expect(count("JOB_STARTED")).toBe(count("JOB_FAILED") + count("JOB_RELEASED") + count("JOB_SUCCEEDED"))
    }))
})

describe("any facts of a job in any order", () => {
  const some = FastCheck.array(jobFact, { maxLength: 14 })

  it("are each taken or visibly refused, and ask for at most one command", () =>
    holds(some, (facts) => {
      let { snapshot } = start(machine)
      for (const one of facts) {
        const accepts = snapshot.can(one)
        const step = evolve(machine, snapshot, one)
        expect(step.refused).toBe(!accepts)
        if (step.refused) expect([step.snapshot, step.command]).toEqual([snapshot, undefined])
        snapshot = step.snapshot
      }
    }))

  it("never succeed twice, and nothing follows a success", () =>
    holds(
      some,
      (facts) => {
        const taken = frames(machine, [fact.enqueued(), fact.started(1), ...facts])
          .filter(({ refused }) => !refused)
          .map(({ fact: { type } }) => type)
        const at = taken.indexOf("JOB_SUCCEEDED")
        if (at >= 0) expect(taken.slice(at + 1)).toEqual([])
      },
      1000
    ))
})
