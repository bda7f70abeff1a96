/** Of the time that is left a handler gets all but what those after it may need. */
import { expect, it } from "vitest"
import { shareOf } from "../../../src/runtime/share.ts"

it("leaves half a second to each that comes after, and never more than half of all", () => {
  expect(shareOf(5000, 0)).toBe(5000)
  expect(shareOf(5000, 2)).toBe(4000)
  expect(shareOf(5000, 5)).toBe(2500)
  expect(shareOf(5000, 50)).toBe(2500)
  expect(shareOf(999, 9)).toBe(500)
})
