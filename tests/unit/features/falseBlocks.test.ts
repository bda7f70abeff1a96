/** A block was lifted where the same call got past: of a call of which nothing was shipped nobody can say that it is the same. */
import { expect, it } from "vitest"
import { falseBlocks, type HookCall } from "../../../src/features/metrics/hookFigures.ts"
import { unshippedSubject } from "../../../src/features/timeline/subject.ts"

const calls = (subjects: readonly (readonly [string | null, HookCall["decision"]])[]) => ({
  runs: [],
  calls: subjects.map(
    ([subject, decision], at): HookCall => ({
      at,
      session: "s",
      event: "tool.before",
      tool: "Bash",
      subject,
      decision,
      by: decision === null ? null : "guard",
      waitMs: 1
    })
  )
})

const of = (about: string | undefined): string => unshippedSubject("laptop-7", about)

it.each([
  ["the same command", "rm -rf x", "rm -rf x", 1],
  ["another command", "rm -rf x", "ls", 0],
  ["the same digest", of("0123456789ab"), of("0123456789ab"), 1],
  ["another digest", of("0123456789ab"), of("ba9876543210"), 0]
])("%s", (_, blocked, later, value) => {
  const found = falseBlocks(
    calls([
      [blocked, "block"],
      [later, null]
    ])
  )
  expect(found).toMatchObject({ value, n: 1 })
})

it("nothing that was shipped: it is unknown, with how often", () => {
  const found = falseBlocks(
    calls([
      [of(undefined), "block"],
      [of(undefined), null]
    ])
  )
  expect(found).toMatchObject({ value: null, why: "nothing of what was blocked was shipped (blocks: 1)" })
})

it("only some of which was shipped: of those that were, and how many were not", () => {
  const found = falseBlocks(
    calls([
      [of(undefined), "block"],
      [of(undefined), "block"],
      [of("0123456789ab"), "block"],
      [of(undefined), null],
      [of("0123456789ab"), null]
    ])
  )
  expect(found).toMatchObject({
    value: 1,
    n: 1,
    parts: [
      { name: "guard", value: 1 },
      { name: "not shipped, not counted", value: 2 }
    ]
  })
})
