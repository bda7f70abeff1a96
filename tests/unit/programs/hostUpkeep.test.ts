/** What was left before a host came up comes before what it is asked then. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { describe, expect, it, vi } from "vitest"
import { EventLog, type EventLogShape } from "../../../src/log/EventLog.ts"
import { layerMemory } from "../../../src/log/MemoryLog.ts"
import { makeUpkeep, type Rounds, type UpkeepOptions } from "../../../src/programs/host/upkeep.ts"

const never = new Promise<never>(() => undefined)

const making = async (
  options: Partial<UpkeepOptions> & Rounds,
  left: readonly string[],
  log: EventLogShape
) => {
  const state = mkdtempSync(join(homedir(), "upkeep-"))
  mkdirSync(join(state, "spool"))
  for (const name of left) writeFileSync(join(state, "spool", name), "")
  const scope = await Effect.runPromise(Scope.make())
  const { handleDeferredCalls, besides, ...rest } = options
  const upkeep = await Effect.runPromise(
    makeUpkeep({ state, source: "test", ...rest }).pipe(
      Scope.extend(scope),
      Effect.provideService(EventLog, log)
    )
  )
  await Effect.runPromise(
    upkeep.begin({ handleDeferredCalls, ...(besides === undefined ? {} : { besides }) })
  )
  const end = () => Effect.runPromise(Scope.close(scope, Exit.void))
  return { ...upkeep, end, spool: join(state, "spool") }
}

const memoryLog = () => Effect.runPromise(Effect.provide(EventLog, layerMemory()))

const started = async (options: Partial<UpkeepOptions> & Rounds, left = ["1.frame"]) =>
  making(options, left, await memoryLog())

describe("a call that comes to a host that just came up", () => {
  it("waits until what was left before it is taken in, one after the other", async () => {
    let [begun, taken] = [0, 0]
    const upkeep = await started({
      everyMs: 60_000,
      handleDeferredCalls: async () => {
        expect(begun++).toBe(taken)
        await new Promise((resolve) => setImmediate(resolve))
        taken++
      },
      patienceMs: 60_000
    })
    const waited = [1, 2].map(async () => {
      await upkeep.caughtUp()
      return taken
    })
    // The host's own look, then one for each.
    const [first = 0, second = 0] = await Promise.all(waited)
    expect(first).toBeGreaterThanOrEqual(2)
    expect(second).toBeGreaterThanOrEqual(3)
    await upkeep.end()
  })

  it("looks into the spool only where something changed, and misses nothing that comes in the same moment", async () => {
    let looks = 0
    const upkeep = await started({ everyMs: 60_000, handleDeferredCalls: async () => looks++ }, ["errors"])
    await upkeep.caughtUp()
    expect(looks).toBe(0)
    writeFileSync(join(upkeep.spool, "1.frame"), "")
    await upkeep.caughtUp()
    expect(looks).toBe(1)
    rmSync(join(upkeep.spool, "1.frame"))
    // As if nothing had come or gone for long.
    utimesSync(upkeep.spool, 1, 1)
    await upkeep.caughtUp()
    expect(looks).toBe(1)
    writeFileSync(join(upkeep.spool, "2.frame"), "")
    await upkeep.caughtUp()
    expect(looks).toBe(2)
    await upkeep.end()
  })

  it("takes facts in before calls: a call may have been begun by a host that is gone", async () => {
    const id = "01900000-0000-7000-8000-000000000000"
    const seen: string[] = []
    const upkeep = await started(
      {
        everyMs: 60_000,
        handleDeferredCalls: async () => seen.push(readdirSync(upkeep.spool).join())
      },
      ["1.frame", `${id}.ndjson`]
    )
    await upkeep.caughtUp()
    expect(seen[0]).toBe("1.frame")
    await upkeep.end()
  })

  it("is not kept waiting by the file that the host itself writes", async () => {
    let looks = 0
    const own = "01900000-0000-7000-8000-000000000000.ndjson.open"
    const upkeep = await started(
      { everyMs: 60_000, handleDeferredCalls: async () => looks++, own: () => own },
      [own]
    )
    await upkeep.caughtUp()
    expect(looks).toBe(0)
    writeFileSync(join(upkeep.spool, "1.frame"), "")
    await upkeep.caughtUp()
    expect(looks).toBe(1)
    expect(readdirSync(upkeep.spool)).toEqual([own, "1.frame"])
    await upkeep.end()
  })

  it("looks for what was left every 100 ms", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    try {
      let looks = 0
      const upkeep = await started({ handleDeferredCalls: async () => looks++ })
      while (looks === 0) await new Promise((resolve) => setImmediate(resolve))
      await vi.advanceTimersByTimeAsync(99)
      expect(looks).toBe(1)
      await vi.advanceTimersByTimeAsync(1)
      expect(looks).toBe(2)
      await upkeep.end()
    } finally {
      vi.useRealTimers()
    }
  })

  it("looks ever less often while nothing comes, and soon again once something did", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    try {
      let [looks, more] = [0, false]
      const besides = () => {
        looks++
        return more
      }
      const upkeep = await started({ handleDeferredCalls: async () => undefined, besides }, [])
      const within = async (ms: number): Promise<number> => {
        const before = looks
        await vi.advanceTimersByTimeAsync(ms)
        return looks - before
      }
      while (looks === 0) await new Promise((resolve) => setImmediate(resolve))
      expect(await within(1000)).toBeGreaterThan(4)
      await within(60_000)
      expect(await within(10_000)).toBe(5)
      more = true
      await within(3000)
      expect(await within(1000)).toBe(10)
      await upkeep.end()
    } finally {
      vi.useRealTimers()
    }
  })

  it("waits no longer than it can: the agent waits for it", async () => {
    const upkeep = await started({ handleDeferredCalls: () => never, patienceMs: 1 })
    await upkeep.caughtUp()
  })

  it("does not wait at all once nobody can have missed the host", async () => {
    const upkeep = await started({ handleDeferredCalls: () => never, leavingMs: -1 })
    expect(upkeep.caughtUp()).toBeUndefined()
  })
})

it("tries again in the next round what failed in this one", async () => {
  let looks = 0
  const upkeep = await started({
    everyMs: 1,
    handleDeferredCalls: () => {
      looks++
      throw new Error("the disk is gone")
    }
  })
  while (looks < 2) await new Promise((resolve) => setImmediate(resolve))
  await upkeep.caughtUp()
  await upkeep.end()
})

it("takes in to its end what it began before it ends, and nothing after", async () => {
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const happened: string[] = []
  const upkeep = await started({
    everyMs: 60_000,
    handleDeferredCalls: async () => {
      happened.push("began")
      await held
      happened.push("took in")
    },
    besides: () => happened.push("went on") > 0
  })
  while (happened.length === 0) await new Promise((resolve) => setImmediate(resolve))
  const ended = upkeep.end().then(() => happened.push("ended"))
  await new Promise((resolve) => setImmediate(resolve))
  expect(happened).toEqual(["began"])
  release()
  await ended
  expect(happened).toEqual(["began", "took in", "ended"])
  expect(upkeep.hasMore()).toBe(false)
})

it("forgets what grew old while the host runs on", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] })
  try {
    const log = await memoryLog()
    const looked: number[] = []
    const began = Date.now()
    const upkeep = await making(
      { handleDeferredCalls: async () => undefined, everyMs: 60_000, retainEveryMs: 0 },
      [],
      {
        ...log,
        checkpoint: (name) =>
          Effect.tap(log.checkpoint(name), () => {
            if (name === "upkeep/day") looked.push(Date.now())
          })
      }
    )
    const settled = async (count: number) => {
      while (looked.length < count) await new Promise((resolve) => setImmediate(resolve))
    }
    await settled(2)
    await vi.advanceTimersByTimeAsync(60_000)
    await settled(3)
    expect(looked.at(-1)).toBe(began + 60_000)
    await upkeep.end()
  } finally {
    vi.useRealTimers()
  }
})
