import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import type { HandlerWorker } from "../../../src/programs/host/worker.ts"
import { leavingOne, makeWorkers } from "../../../src/programs/host/workers.ts"

const started: HandlerWorker[] = []
const start = (): HandlerWorker => {
  let gone = false
  const worker: HandlerWorker = {
    pid: started.length + 1,
    send: () => undefined,
    next: () => new Promise(() => undefined),
    kill: () => {
      gone = true
    },
    isGone: () => gone,
    noiseBytes: () => 0
  }
  started.push(worker)
  return worker
}
const living = () => started.filter((one) => !one.isGone()).length

beforeEach(() => {
  started.length = 0
  vi.useFakeTimers()
})
afterEach(() => vi.useRealTimers())

const long = 10_000

describe("the processes that run handlers", () => {
  it("are none before a call needs one, and one for projects in turn", async () => {
    const workers = makeWorkers({ start, most: 4 })
    expect(workers.count()).toBe(0)
    for (const build of ["a", "b", "c", "a"]) workers.give(build, await workers.take(build, long), "any")
    expect(started).toHaveLength(1)
  })

  it("serve a job too where there is a single one", async () => {
    const workers = leavingOne(makeWorkers({ start, most: 1 }))
    const one = await workers.take("a", long)
    const asked = workers.take("b", long)
    workers.give("a", one, "any")
    expect(await asked).toBe(one)
  })

  it("prefer the one that has the build loaded", async () => {
    const workers = makeWorkers({ start, most: 4, patienceMs: 0 })
    const a = await workers.take("a", long)
    const asked = workers.take("b", long)
    await vi.advanceTimersByTimeAsync(1)
    const b = await asked
    workers.give("a", a, "any")
    workers.give("b", b, "any")
    expect(workers.takeFree("a")).toBe(a)
    expect(workers.takeFree("c")).toBeUndefined()
    expect(await workers.take("b", long)).toBe(b)
  })

  it("stay with their project where its hooks changed something that others would meet", async () => {
    const workers = makeWorkers({ start, most: 4 })
    const a = await workers.take("a", long)
    workers.give("a", a, "same")
    const b = await workers.take("b", long)
    expect(b).not.toBe(a)
    expect(workers.takeFree("a")).toBe(a)
  })

  it("are ended where a hook broke them, and make room for others where they are of no use to them", async () => {
    const workers = makeWorkers({ start, most: 1 })
    const a = await workers.take("a", long)
    workers.give("a", a, "none")
    expect(a.isGone()).toBe(true)
    const again = await workers.take("a", long)
    workers.give("a", again, "same")
    expect(await workers.take("b", long)).not.toBe(again)
    expect(again.isGone()).toBe(true)
    expect(living()).toBe(1)
  })

  it("are another one where all are busy for a while, up to as many as there may be", async () => {
    const workers = makeWorkers({ start, most: 2, patienceMs: 15 })
    const first = await workers.take("a", long)
    const second = workers.take("a", long)
    const third = workers.take("b", 1000)
    const refused = expect(third).rejects.toThrow("every process that runs handlers is busy")
    await vi.advanceTimersByTimeAsync(14)
    expect(started).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(await second).toBe(started[1])
    await vi.advanceTimersByTimeAsync(1000)
    await refused
    expect(started).toHaveLength(2)
    const fourth = workers.take("b", 1000)
    workers.give("a", first, "any")
    expect(await fourth).toBe(first)
  })

  it("serve whoever waits for the same build first", async () => {
    const workers = makeWorkers({ start, most: 1 })
    const first = await workers.take("a", long)
    const b = workers.take("b", long)
    const a = workers.take("a", long)
    workers.give("a", first, "any")
    expect(await a).toBe(first)
    workers.give("a", first, "any")
    expect(await b).toBe(first)
  })

  it("are never all taken by work that nobody waits for", async () => {
    const workers = makeWorkers({ start, most: 2, patienceMs: 1 })
    const jobs = leavingOne(workers)
    const first = await jobs.take("a", long)
    const second = jobs.take("a", long)
    await vi.advanceTimersByTimeAsync(100)
    expect(started).toHaveLength(1)
    const call = workers.take("b", long)
    await vi.advanceTimersByTimeAsync(1)
    const its = await call
    expect(its).toBe(started[1])
    workers.give("a", first, "any")
    // The last one that is free is for the next call.
    expect(workers.takeFree("a")).toBe(first)
    workers.give("a", first, "any")
    workers.give("b", its, "any")
    expect([first, its]).toContain(await second)
  })

  it("end a minute after their last call", async () => {
    const workers = makeWorkers({ start, most: 4 })
    workers.give("a", await workers.take("a", long), "any")
    await vi.advanceTimersByTimeAsync(59_999)
    expect(living()).toBe(1)
    workers.give("a", await workers.take("a", long), "any")
    await vi.advanceTimersByTimeAsync(59_999)
    expect(living()).toBe(1)
    await vi.advanceTimersByTimeAsync(1)
    expect({ living: living(), count: workers.count() }).toEqual({ living: 0, count: 0 })
  })
})
