import { describe, expect, it } from "@effect/vitest"
import { kaplanMeierMedian, quantile, theilSen, wilson } from "../../../src/features/metrics/statistics.ts"

describe("Wilson's interval", () => {
  it("is what the textbook has for 8 of 10", () => {
    const [low, high] = wilson(8, 10)
    expect(low).toBeCloseTo(0.4902, 3)
    expect(high).toBeCloseTo(0.9433, 3)
  })
  it("is not a point where all went well, and everything where nothing was tried", () => {
    expect(wilson(5, 5)[0]).toBeCloseTo(0.5655, 3)
    expect(wilson(0, 0)).toEqual([0, 1])
  })
})

describe("the median of what may not have ended", () => {
  const ended = (...times: readonly number[]) => times.map((ms) => ({ ms, ended: true }))
  it("is the median where all has ended", () => {
    expect(kaplanMeierMedian(ended(3, 1, 2))).toBe(2)
  })
  it("counts what goes on as far as it goes: leaving it out would say 2", () => {
    expect(kaplanMeierMedian([...ended(1, 2, 3), { ms: 10, ended: false }, { ms: 10, ended: false }])).toBe(3)
  })
  it("is unknown where more than half goes on", () => {
    expect(kaplanMeierMedian([...ended(1), { ms: 5, ended: false }, { ms: 5, ended: false }])).toBeUndefined()
    expect(kaplanMeierMedian([])).toBeUndefined()
  })
  it("takes what ended and what was last seen at the same time in that order", () => {
    expect(kaplanMeierMedian([{ ms: 4, ended: false }, ...ended(4)])).toBe(4)
  })
})

describe("Theil and Sen's slope", () => {
  it("is not moved by one bad week", () => {
    const trend = theilSen([0.1, 0.2, 0.3, 0.4, 0.9, 0.6, 0.7, 0.8])
    expect(trend?.slope).toBeCloseTo(0.1, 6)
  })
  it("goes over weeks without a value", () => {
    expect(theilSen([0, null, 0.2, 0.3])?.slope).toBeCloseTo(0.1, 6)
  })
  it("has an interval with zero in it where nothing moves", () => {
    const { interval = [1, 1], slope } = theilSen([0.5, 0.6, 0.5, 0.4, 0.5, 0.6, 0.5, 0.4]) ?? {}
    expect(interval[0]).toBeLessThanOrEqual(0)
    expect(interval[1]).toBeGreaterThanOrEqual(0)
    expect(Math.abs(slope ?? 1)).toBeLessThan(0.05)
  })
  it("is nothing for one point", () => {
    expect(theilSen([0.5])).toBeUndefined()
  })
})

describe("a quantile", () => {
  it("is one of the values, by nearest rank", () => {
    expect(quantile([4, 1, 3, 2], 0.5)).toBe(2)
    expect(quantile([4, 1, 3, 2], 0.95)).toBe(4)
    expect(quantile([], 0.5)).toBeUndefined()
  })
})
