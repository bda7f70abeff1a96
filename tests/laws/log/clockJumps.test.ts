/** Whatever the clock shows in between: nothing leaves the log before it is old by a clock that did not jump. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as TestClock from "effect/TestClock"
import * as TestContext from "effect/TestContext"
import { EventLog } from "../../../src/log/EventLog.ts"
import { layerMemory } from "../../../src/log/MemoryLog.ts"
import { ageOf, firstSteady, isSteady, tick } from "../../../src/log/steadyClock.ts"
import { upkeep } from "../../../src/log/upkeep.ts"
import { draftOf } from "../../support/log/drafts.ts"

const day = 86_400_000
const start = 20_000 * day

const record = (name: string, at: number) =>
  Effect.flatMap(EventLog, (log) =>
    log.append(`invocation/${name}`, "any", [
      draftOf(`invocation/${name}`, {
        type: "INVOCATION_OPENED",
        at,
        data: { type: "INVOCATION_OPENED", pid: 1 }
      }),
      draftOf(`invocation/${name}`, { at })
    ])
  )

/** At each of these days something is recorded, and the log is looked after before and after it. */
const lived = (state: string, days: readonly number[]) =>
  Effect.gen(function* () {
    mkdirSync(join(state, "run"), { recursive: true })
    for (const [nth, at] of days.entries()) {
      yield* TestClock.setTime(start + Math.round(at * day))
      yield* upkeep(state, "here")
      yield* record(`i${nth}`, start + Math.round(at * day))
      yield* upkeep(state, "here")
    }
    const log = yield* EventLog
    return (yield* log.stats).facts / 2
  }).pipe(Effect.provide(layerMemory()), Effect.provide(TestContext.TestContext))

const inState = (run: (state: string) => Promise<void>) => async () => {
  const state = mkdtempSync(join(tmpdir(), "jumps-"))
  try {
    await run(state)
  } finally {
    rmSync(state, { recursive: true, force: true })
  }
}

describe("a clock that jumps", () => {
  it(
    "takes nothing: 40 jumps, and as many returns",
    inState(async (state) => {
      const jump = FastCheck.oneof(
        FastCheck.integer({ min: 8, max: 20_000 }),
        FastCheck.integer({ min: -19_000, max: -8 })
      )
      await FastCheck.assert(
        FastCheck.asyncProperty(FastCheck.array(jump, { minLength: 40, maxLength: 40 }), async (jumps) => {
          // Weeks of use first, then each jump amid the following days.
          const days = [...Array.from({ length: 20 }, (_, nth) => nth)]
          for (const [nth, by] of jumps.entries()) days.push(20 + nth / 2 + by, 20 + nth / 2)
          expect(await Effect.runPromise(lived(state, days))).toBe(days.length)
        }),
        { numRuns: 4, seed: 11 }
      )
    })
  )

  it(
    "takes nothing when the clock of the installation was wrong, and was put right",
    inState(async (state) => {
      for (const first of [-19_000, -200, 200, 19_000])
        expect(await Effect.runPromise(lived(state, [first, first + 1, 0, 1, 2, 3, 4, 5]))).toBe(8)
    })
  )
})

describe("what is believed", () => {
  const told = (days: readonly number[], first = firstSteady(start, start)) =>
    days.reduce((clock, at) => tick(clock, start + at * day, 7), first)

  it("follows a clock that goes on, and one that stands a little behind it", () => {
    expect(told([1, 2, 9, 8])).toMatchObject({ at: start + 9 * day, jumpDays: 0 })
  })

  it("does not follow a jump, however often it is told on the same day", () => {
    expect(told([120, 120, 120, 120.5])).toMatchObject({ at: start, jumpDays: 1 })
    expect(isSteady(told([120]))).toBe(false)
  })

  it("forgets a jump that was taken back", () => {
    expect(told([120, 121, 0, 120, 121])).toMatchObject({ at: start, jumpDays: 2 })
    expect(isSteady(told([120, 0]))).toBe(true)
  })

  it("follows a jump that went on for three days, and counts what was there as of then", () => {
    const clock = told([120, 121, 122])
    expect(clock).toMatchObject({ at: start + 122 * day, upTo: 7, since: start + 122 * day, jumpDays: 0 })
    const before = { at: start, position: 7 }
    expect(ageOf(clock, before, 90 * day)).toBe("young")
    const later = Array.from({ length: 14 }, (_, week) => 129 + week * 7)
    expect(ageOf(told(later.slice(0, 12), clock), before, 90 * day)).toBe("young")
    expect(ageOf(told(later.slice(0, 13), clock), before, 90 * day)).toBe("old")
  })
})
