/** A clock that jumped, day by day: when it is believed again, and how old a fact is meanwhile. */
import { describe, expect, it } from "vitest"
import { ageOf, firstSteady, isSteady, type SteadyClock, tick } from "../../../src/log/steadyClock.ts"

const day = 86_400_000
const start = 20_000 * day
const steady: SteadyClock = { at: start, jumpedTo: 0, jumpDays: 0, since: 0, upTo: 0 }

/** The clock as it stands after it showed these days, counted from the beginning. */
const shown = (...days: readonly number[]): SteadyClock =>
  days.reduce((clock, at) => tick(clock, start + at * day, 100), steady)

describe("the time that is believed", () => {
  it("begins with the newest fact, and with now where there is none", () => {
    expect(firstSteady(start, undefined)).toEqual({ ...steady, since: start })
    expect(firstSteady(start, start - 5)).toEqual({ ...steady, at: start - 5 })
  })

  it("goes on with a clock that goes on, for up to a week at once, and never back", () => {
    expect(shown(7)).toEqual({ ...steady, at: start + 7 * day })
    expect(shown(-7)).toEqual(steady)
    expect(isSteady(shown(3, 2, 9))).toBe(true)
  })

  it.each([
    ["ahead", 7.001],
    ["back", -7.001]
  ])("stays where it is when the clock jumps %s", (_, to) => {
    expect(shown(to)).toEqual({ ...steady, jumpedTo: start + to * day, jumpDays: 1 })
    expect(isSteady(shown(to))).toBe(false)
  })

  it("is the clock's again on the third day after a jump, and all before counts as of then", () => {
    expect(shown(100, 100.9)).toMatchObject({ at: start, jumpDays: 1 })
    expect(shown(100, 101, 101.9)).toEqual({ ...steady, jumpedTo: start + 101.9 * day, jumpDays: 2 })
    expect(shown(100, 101, 102)).toEqual({
      at: start + 102 * day,
      since: start + 102 * day,
      upTo: 100,
      jumpedTo: 0,
      jumpDays: 0
    })
  })

  it("counts the days anew when the clock jumps again, or goes back after its jump", () => {
    expect(shown(100, 101, 108)).toMatchObject({ at: start + 108 * day })
    expect(shown(100, 101, 108.001)).toMatchObject({ at: start, jumpDays: 1 })
    expect(shown(100, 101, 100.5)).toMatchObject({ at: start, jumpedTo: start + 100.5 * day, jumpDays: 1 })
  })

  it("forgets a jump when the clock is back", () => {
    expect(shown(100, 101, 1)).toEqual({ ...steady, at: start + day })
  })
})

describe("the age of a fact", () => {
  const clock: SteadyClock = { ...steady, at: start + 100 * day, since: start, upTo: 50 }
  const age = (at: number, position: number) => ageOf(clock, { at: start + at * day, position }, 90 * day)

  it("is told by its date", () => {
    expect(age(10, 51)).toBe("young")
    expect(age(9.999, 51)).toBe("old")
    expect(age(101, 51)).toBe("young")
    expect(age(101.001, 51)).toBe("unknown")
  })

  it("is never more than the time that is reckoned, and up to a jump just that", () => {
    const early = { ...clock, since: start + 20 * day }
    expect(ageOf(early, { at: 0, position: 51 }, 90 * day)).toBe("young")
    expect(ageOf(early, { at: start + 200 * day, position: 50 }, 90 * day)).toBe("young")
    expect(age(99, 50)).toBe("old")
  })
})
