/** Lines put in and taken out again, where the lines of some edits stayed with their laptop. */
import { expect, it } from "vitest"
import type { Edited } from "../../../src/features/metrics/Moment.ts"
import type { Trace, TracedCall } from "../../../src/features/metrics/trace.ts"
import { churn } from "../../../src/features/metrics/workFigures.ts"

const session = (...edits: readonly Edited[]): Trace =>
  ({
    calls: edits.map((edit, at) => ({ at, ended: { edits: [edit] } })) as unknown as readonly TracedCall[]
  }) as Trace

const shipped: Edited = { path: "/p/a", added: [1, 2], removed: [] }
const unshipped: Edited = { path: "/p/b", added: [], removed: [], counted: { added: 3, removed: 1 } }

it("says how many edits came without their lines, beside the figure of the others", () => {
  expect(churn([session(shipped, unshipped), session(unshipped)])).toEqual({
    value: 0,
    n: 2,
    parts: [
      { name: "put in", value: 2 },
      { name: "taken out again", value: 0 },
      { name: "edits without lines, not counted", value: 2 }
    ]
  })
  expect(churn([session(shipped)])).toMatchObject({
    parts: [{ name: "put in" }, { name: "taken out again" }]
  })
})

it("says how many there were where no line came", () => {
  expect(churn([session(unshipped, unshipped)])).toMatchObject({
    value: null,
    why: "lines were not shipped (edits: 2)"
  })
})
