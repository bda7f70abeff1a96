/** What the log says of a process, a session and a job at each moment, and what is asked for then. */
import { describe, expect, it } from "vitest"
import type { HandlerProcessFact, HostFact, JobFact, SessionFact } from "../../../events/facts.ts"
import { handlers } from "../../../machines/handlers.ts"
import { host } from "../../../machines/host.ts"
import { type JobContext, job } from "../../../machines/job.ts"
import { machineOf } from "../../../machines/machines.ts"
import { session } from "../../../machines/session.ts"
import { isFinal, replay, stateOf } from "../../../machines/step.ts"
import { given } from "../../support/given.ts"
import * as fact from "../../support/jobs/facts.ts"

describe("a machine", () => {
  it("is found by the first word of its streams", () => {
    for (const id of ["invocation", "job", "session", "chain", "breaker", "host", "handlers"])
      expect(machineOf(`${id}/x/y`)?.id).toBe(id)
    for (const stream of ["note/x", "constructor/x", "job", "", "/job"])
      expect(machineOf(stream)).toBeUndefined()
  })
})

describe("a host", () => {
  const started = { type: "HOST_STARTED" } as HostFact
  const ready: HostFact = { type: "HOST_READY", socket: "s" }
  const draining: HostFact = { type: "HOST_DRAINING", reason: "idle" }
  const stopped: HostFact = { type: "HOST_STOPPED", reason: "idle", served: 1 }

  it("listens, serves, drains and stops", () => {
    given(host).when(started).gives("starting", { type: "LISTEN" })
    given(host, started).when(ready).gives("ready", { type: "SERVE" })
    given(host, started, ready).when(draining).gives("draining", { type: "DRAIN", reason: "idle" })
    given(host, started, ready, draining).when(stopped).gives("stopped")
    expect(isFinal(replay(host, [started, ready, draining, stopped]))).toBe(true)
  })

  it("may stop before it could listen, and not while it serves", () => {
    given(host, started).when(stopped).gives("stopped")
    given(host, started, ready).when(stopped).isRefused()
    given(host, started).when(draining).isRefused()
    given(host, started, ready, draining).when(ready).isRefused()
  })
})

describe("a process of handlers", () => {
  const begun = [{ type: "HANDLER_PROCESS_STARTED" } as HandlerProcessFact]
  const taken: HandlerProcessFact = { type: "HANDLER_PROCESS_TAKEN", build: "b" }
  const freed: HandlerProcessFact = { type: "HANDLER_PROCESS_FREED", goodFor: "any" }
  const spoilt: HandlerProcessFact = { type: "HANDLER_PROCESS_SPOILT", reason: "late" }
  const ended: HandlerProcessFact = { type: "HANDLER_PROCESS_ENDED", reason: "gone" }

  it("serves one at a time, until one leaves it unfit", () => {
    given(handlers, ...begun)
      .when(taken)
      .gives("busy")
    given(handlers, ...begun, taken)
      .when(taken)
      .isRefused()
    given(handlers, ...begun, taken)
      .when(freed)
      .gives("free")
    given(handlers, ...begun, taken)
      .when(spoilt)
      .gives("spoilt", { type: "END_PROCESS", reason: "late" })
    given(handlers, ...begun, taken, spoilt)
      .when(taken)
      .isRefused()
    given(handlers, ...begun)
      .when(spoilt)
      .isRefused()
  })

  it("may end at any time", () => {
    for (const before of [[], begun, [...begun, taken], [...begun, taken, spoilt]]) {
      given(handlers, ...before)
        .when(ended)
        .gives("ended")
      expect(isFinal(replay(handlers, [...before, ended]))).toBe(true)
    }
  })
})

describe("a session", () => {
  const word = (type: SessionFact["type"]) => ({ type, because: "f" }) as unknown as SessionFact
  const [opened, idled, resumed, over] = [
    word("SESSION_OPENED"),
    word("SESSION_IDLED"),
    word("SESSION_RESUMED"),
    word("SESSION_ENDED")
  ]
  const letGo = { type: "LET_GO" } as const

  it("is let go while nobody works in it", () => {
    given(session).when(opened).gives("open")
    given(session, opened).when(idled).gives("idle", letGo)
    given(session, opened).when(over).gives("ended", letGo)
    given(session, opened, idled).when(over).gives("ended", letGo)
  })

  it("is taken up again from its idleness and from its end", () => {
    given(session, opened, idled).when(resumed).gives("open")
    given(session, opened, over).when(resumed).gives("open")
    given(session, opened).when(resumed).isRefused()
    given(session).when(idled).isRefused()
    expect(isFinal(replay(session, [opened, over]))).toBe(false)
  })
})

describe("a job", () => {
  const enqueued = fact.enqueued({ maxAttempts: 3, notBefore: 40 })
  const at = (...facts: readonly JobFact[]): JobContext =>
    replay(job, [enqueued, ...facts]).context as JobContext
  const nothing = { enqueued, attempts: 0, failures: 0, owner: undefined, until: undefined, error: undefined }
  const owner = { host: "elsewhere", pid: 4711, until: 60_000 }

  it("says until when it waits, whose it is while it runs, and what went wrong last", () => {
    expect(at()).toEqual({ ...nothing, until: 40 })
    expect(at(fact.held("a"))).toEqual({ ...nothing, until: 40, reason: "a" })
    expect(at(fact.started(1))).toEqual({ ...nothing, attempts: 1, owner })
    const failed = { ...nothing, attempts: 1, failures: 1, error: fact.anError }
    expect(at(fact.started(1), fact.failed(1, 500))).toEqual({ ...failed, until: 500 })
    const second = [fact.started(1), fact.failed(1, 500), fact.started(2)]
    expect(at(...second)).toEqual({ ...failed, attempts: 2, owner })
    expect(at(...second, fact.succeeded(2))).toEqual({ ...failed, attempts: 2, error: undefined })
    expect(at(...second, fact.released(2))).toEqual({ ...failed, attempts: 2 })
    expect(at(fact.dropped("b"))).toEqual({ ...nothing, until: 40, reason: "b" })
  })

  it("begins anew when somebody wants it again", () => {
    const again = at(fact.started(1), fact.failed(1), fact.died(1), fact.retried())
    expect(again).toEqual({ ...nothing, attempts: 1, error: fact.anError })
    expect(at(fact.dropped("b"), fact.retried())).toEqual(nothing)
    expect(stateOf(replay(job, [enqueued, fact.dropped("b"), fact.retried()]))).toBe("queued")
  })

  it("is dead after one attempt where nobody said how many there are", () => {
    const once = fact.enqueued({ maxAttempts: 1 })
    given(job, once, fact.started(1))
      .when(fact.failed(1, 500))
      .gives("running", { type: "BURY", attempts: 1, error: fact.anError })
  })
})
