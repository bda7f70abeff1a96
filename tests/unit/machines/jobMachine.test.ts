/** The rules of a job, one sentence each, and every edge it has. */
import { describe, expect, it } from "vitest"
import { type JobContext, job } from "../../../machines/job.ts"
import { isFinal, replay } from "../../../machines/step.ts"
import { listed } from "../../support/explore.ts"
import { given } from "../../support/given.ts"
import * as fact from "../../support/jobs/facts.ts"
import { exploreJob } from "../../support/machines.ts"

const enqueued = fact.enqueued({ maxAttempts: 2 })
const failedOnce = [enqueued, fact.started(1), fact.failed(1, 500)] as const
const buried = [...failedOnce, fact.started(2), fact.failed(2)] as const
const dead = [...buried, fact.died(2)] as const

const start = (attempt: number) => ({ type: "START", attempt }) as const
const run = (attempt: number, failures = 0, last = false) =>
  ({ type: "RUN", attempt, failures, last, enqueued }) as const
const bury = (attempts: number) => ({ type: "BURY", attempts, error: fact.anError }) as const

describe("a job", () => {
  it("may begin at once", () => given(job).when(enqueued).gives("queued", start(1)))

  it("waits for its time where it has one", () =>
    given(job)
      .when(fact.enqueued({ notBefore: 700 }))
      .gives("queued", { type: "WAIT", until: 700, attempt: 1 }))

  it("is enqueued once, whoever sends it again", () => {
    given(job, enqueued).when(enqueued).isRefused()
    given(job, enqueued, fact.started(1)).when(enqueued).isRefused()
    given(job, ...dead)
      .when(enqueued)
      .isRefused()
  })

  it("does not begin before it is enqueued", () => given(job).when(fact.started(1)).isRefused())

  it("runs the attempt that has begun", () =>
    given(job, enqueued).when(fact.started(1)).gives("running", run(1)))

  it("begins attempt by attempt", () => {
    given(job, enqueued).when(fact.started(2)).isRefused()
    given(job, ...failedOnce)
      .when(fact.started(1))
      .isRefused()
  })

  it("is begun by one", () => given(job, enqueued, fact.started(1)).when(fact.started(2)).isRefused())

  it("is done once it succeeded, for good", () => {
    const done = [enqueued, fact.started(1), fact.succeeded(1)] as const
    given(job, enqueued, fact.started(1)).when(fact.succeeded(1)).gives("done")
    for (const late of [fact.succeeded(1), fact.failed(1, 9), fact.started(2), fact.retried()]) {
      given(job, ...done)
        .when(late)
        .isRefused()
    }
    expect(isFinal(replay(job, done))).toBe(true)
  })

  it("takes no outcome of an attempt that is not the one that runs", () => {
    given(job, enqueued).when(fact.succeeded(1)).isRefused()
    given(job, ...failedOnce, fact.started(2))
      .when(fact.succeeded(1))
      .isRefused()
    given(job, ...failedOnce, fact.started(2))
      .when(fact.failed(1, 9))
      .isRefused()
  })

  it("waits for its next attempt after a failure", () =>
    given(job, enqueued, fact.started(1))
      .when(fact.failed(1, 500))
      .gives("waiting", { type: "WAIT", until: 500, attempt: 2 }))

  it("is told which attempt is its last", () =>
    given(job, ...failedOnce)
      .when(fact.started(2))
      .gives("running", run(2, 1, true)))

  it("is buried after the last of its attempts, whatever the failure says of a next one", () => {
    given(job, ...failedOnce, fact.started(2))
      .when(fact.failed(2))
      .gives("running", bury(2))
    given(job, ...failedOnce, fact.started(2))
      .when(fact.failed(2, 900))
      .gives("running", bury(2))
    given(job, ...buried)
      .when(fact.died(2))
      .gives("dead")
  })

  it("is buried at once where trying again is no use", () =>
    given(job, enqueued, fact.started(1)).when(fact.failed(1)).gives("running", bury(1)))

  it("does not die while it runs", () => given(job, enqueued, fact.started(1)).when(fact.died(1)).isRefused())

  it("neither runs nor fails again between its last failure and its burial", () => {
    given(job, ...buried)
      .when(fact.failed(2))
      .isRefused()
    given(job, ...buried)
      .when(fact.started(3))
      .isRefused()
  })

  it("gives an attempt back that does not count", () => {
    const given3 = fact.enqueued({ maxAttempts: 1 })
    const released = [given3, fact.started(1), fact.released(1)] as const
    given(job, given3, fact.started(1)).when(fact.released(1)).gives("queued", start(2))
    const { failures, attempts } = replay(job, [...released, fact.started(2)]).context as JobContext
    expect({ failures, attempts }).toEqual({ failures: 0, attempts: 2 })
  })

  it("comes back from the dead with all its attempts", () => {
    given(job, ...dead)
      .when(fact.retried())
      .gives("queued", start(3))
    given(job, ...dead, fact.retried(), fact.started(3))
      .when(fact.failed(3, 900))
      .gives("waiting", { type: "WAIT", until: 900, attempt: 4 })
  })

  it("need not wait when somebody wants it now", () =>
    given(job, ...failedOnce)
      .when(fact.retried())
      .gives("queued", start(2)))

  it("is not retried while it runs or is about to", () => {
    given(job, enqueued).when(fact.retried()).isRefused()
    given(job, enqueued, fact.started(1)).when(fact.retried()).isRefused()
  })

  it("is held up in its place, and begins without an attempt less", () => {
    given(job, enqueued).when(fact.held()).gives("queued", start(1))
    given(job, ...failedOnce)
      .when(fact.held())
      .gives("waiting", { type: "WAIT", until: 500, attempt: 2 })
    expect((replay(job, [enqueued, fact.held("a")]).context as JobContext).reason).toBe("a")
    expect((replay(job, [enqueued, fact.held("a"), fact.started(1)]).context as JobContext).reason).toBe(
      undefined
    )
    given(job).when(fact.held()).isRefused()
    given(job, enqueued, fact.started(1)).when(fact.held()).isRefused()
  })

  it("is dropped before it begins, until somebody wants it again", () => {
    const dropped = [enqueued, fact.dropped()] as const
    given(job, enqueued).when(fact.dropped()).gives("dropped")
    given(job, ...failedOnce)
      .when(fact.dropped())
      .gives("dropped")
    given(job).when(fact.dropped()).isRefused()
    given(job, enqueued, fact.started(1)).when(fact.dropped()).isRefused()
    for (const late of [fact.started(1), fact.held(), fact.dropped()])
      given(job, ...dropped)
        .when(late)
        .isRefused()
    given(job, ...dropped)
      .when(fact.retried())
      .gives("queued", start(1))
  })

  it("has these edges", () => {
    expect(listed(exploreJob().edges)).toMatchInlineSnapshot(`
      [
        "queued --JOB_ENQUEUED--> queued: START",
        "queued --JOB_ENQUEUED--> queued: WAIT",
        "queued --JOB_STARTED--> running: RUN",
        "queued --JOB_HELD--> queued: START",
        "queued --JOB_HELD--> queued: WAIT",
        "queued --JOB_DROPPED--> dropped",
        "running --JOB_SUCCEEDED--> done",
        "running --JOB_FAILED--> running: BURY",
        "running --JOB_FAILED--> waiting: WAIT",
        "running --JOB_RELEASED--> queued: START",
        "running --JOB_DIED--> dead",
        "waiting --JOB_STARTED--> running: RUN",
        "waiting --JOB_HELD--> waiting: WAIT",
        "waiting --JOB_DROPPED--> dropped",
        "waiting --JOB_RETRIED--> queued: START",
        "dead --JOB_RETRIED--> queued: START",
        "dropped --JOB_RETRIED--> queued: START",
      ]
    `)
  })
})
