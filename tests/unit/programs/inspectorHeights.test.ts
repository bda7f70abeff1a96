/** Where the rows of the inspector's long lists stand. */
import { describe, expect, it } from "vitest"
import { makeHeights } from "../../../src/programs/inspector/core/heights.ts"

describe("rows, of which some are taller", () => {
  const { heightOf, rowAt, topOf, whole } = makeHeights(6, 50, [1, 4], 34)
  const rows = [0, 1, 2, 3, 4, 5]

  it("stand below each other", () => {
    expect(rows.map(heightOf)).toEqual([50, 84, 50, 50, 84, 50])
    expect(rows.map(topOf)).toEqual([0, 50, 134, 184, 234, 318])
    expect(whole).toBe(368)
  })

  it("are found by where they stand, from their first pixel to their last", () => {
    for (const at of rows) {
      expect(rowAt(topOf(at))).toBe(at)
      expect(rowAt(topOf(at) + heightOf(at) - 1)).toBe(at)
    }
  })
})

it("rows of one height, and none at all, stand as they would be counted", () => {
  const many = makeHeights(100_000, 25, [], 0)
  expect([many.whole, many.topOf(40_000), many.rowAt(1_000_024)]).toEqual([2_500_000, 1_000_000, 40_000])
  const none = makeHeights(0, 50, [], 34)
  expect([none.whole, none.rowAt(0)]).toEqual([0, 0])
})
