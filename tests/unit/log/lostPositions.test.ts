/** What a repair tells of what it could not keep, and how far a log is believed to go. */
import { describe, expect, it } from "vitest"
import { lastConfirmed } from "../../../src/log/lastConfirmed.ts"
import { lookAgainMs } from "../../../src/log/lookAgain.ts"
import { lostFacts, repairNote } from "../../../src/log/lostPositions.ts"

const cut = (first: number, last: number, at: number) => ({ kind: "cut", first, last, at })
const repaired = (at: number) => ({ kind: "repaired", first: 0, last: 0, at })

describe("what is lost", () => {
  it("is said in ranges, those that touch as one", () => {
    expect(lostFacts([1, 2, 3, 7, 9], [])).toEqual({
      lost: [
        [1, 3],
        [7, 7],
        [9, 9]
      ],
      facts: 5
    })
    expect(lostFacts([], [])).toEqual({ lost: [], facts: 0 })
  })

  it("counts the ends that were cut off, each position once", () => {
    expect(lostFacts([4, 5], [cut(6, 8, 1)])).toEqual({ lost: [[4, 8]], facts: 5 })
    expect(lostFacts([6, 8], [cut(6, 8, 1)])).toEqual({ lost: [[6, 8]], facts: 3 })
    expect(lostFacts([1], [cut(10, 20, 1), cut(3, 4, 1)])).toEqual({
      lost: [
        [1, 1],
        [3, 4],
        [10, 20]
      ],
      facts: 14
    })
    expect(lostFacts([2], [cut(1, 9, 1)])).toEqual({ lost: [[1, 9]], facts: 9 })
  })

  it("counts facts that were lost at the same positions twice as twice", () => {
    expect(lostFacts([], [cut(1, 5, 1), cut(3, 4, 2)])).toEqual({ lost: [[1, 5]], facts: 7 })
  })

  it("leaves out what a repair has told already", () => {
    expect(lostFacts([], [cut(1, 2, 1), repaired(2), cut(5, 5, 3)])).toEqual({ lost: [[5, 5]], facts: 1 })
    expect(lostFacts([], [cut(1, 2, 2), repaired(2)])).toEqual({ lost: [], facts: 0 })
    expect(lostFacts([], [cut(1, 2, 0), { ...cut(5, 5, 9), kind: "unsealed" }])).toEqual({
      lost: [[1, 2]],
      facts: 2
    })
  })
})

describe("a repair's note", () => {
  it("is read back as it was written", () => {
    const note = { kept: 3, lost: [[1, 2]], facts: 0, places: 7 }
    expect(repairNote(JSON.stringify(note))).toEqual(note)
    expect(repairNote("{}")).toEqual({})
  })

  it.each([
    ["no JSON", "{"],
    ["null", "null"],
    ["a number", "7"],
    ["nothing", undefined],
    ["other members", '{"kept":-1,"facts":1.5,"places":"3","lost":3}'],
    ["ranges of one", '{"lost":[[1]]}'],
    ["a range among others that is none", '{"lost":[[1,2],[1,"2"]]}'],
    ["ranges of three", '{"lost":[[1,2,3]]}']
  ])("says nothing where it is %s", (_, text) => expect(repairNote(text)).toEqual({}))
})

describe("how far a log goes", () => {
  it("is the furthest that is said, but for one place that is far ahead of all others", () => {
    expect(lastConfirmed([])).toBe(0)
    expect(lastConfirmed([-3])).toBe(0)
    expect(lastConfirmed([1e12])).toBe(1e12)
    expect(lastConfirmed([3, 9, 5])).toBe(9)
    expect(lastConfirmed([5, 100_005])).toBe(100_005)
    expect(lastConfirmed([100_006, 5, 4])).toBe(5)
  })
})

describe("whoever looks again", () => {
  it("waits longer the longer nothing came, between the least and the most", () => {
    expect([0, 3, 6, 27, 30, 1000].map((inVain) => lookAgainMs(100, 1000, inVain))).toEqual([
      100, 200, 300, 1000, 1000, 1000
    ])
    expect(lookAgainMs(100, 50, 9)).toBe(100)
  })
})
