/** A hook that loads no better for being trusted: what `trust` found is told by everybody, for as long as the content is the same. */
import { utimesSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { readUnloadable, writeUnloadable } from "../../../src/trust/unloadable.ts"
import { hookFile, workshop } from "../../support/build/workshop.ts"

const file = ".hooktape/hooks/guard.ts"

it.each([
  ["an unknown event", hookFile("guard", '"tool.befor"'), 'there is no event "tool.befor"'],
  ["no default export", "export const a = 1\n", "export"],
  ["a throw at load", 'throw new Error("no token")\n', "no token"]
])("says why it cannot be built, once that is known: %s", async (_, text, reason) => {
  const shop = workshop()
  shop.put(file, text)
  // Nobody but `trust` runs it to find out.
  expect((await shop.built()).withheld).toEqual([{ file, reason: "not trusted" }])
  expect((await shop.trust()).problems).toHaveLength(1)
  const { problems, withheld } = await shop.built()
  expect(problems).toEqual([])
  expect(withheld).toEqual([{ file, reason: expect.stringContaining(reason), kind: "broken" }])
  expect(withheld[0]?.reason).toMatch(/^does not build: /)
})

it("is known of that content only", async () => {
  const shop = workshop()
  shop.put(file, hookFile("guard", '"tool.befor"'))
  await shop.trust()
  shop.put(file, hookFile("guard"))
  expect((await shop.built()).withheld).toEqual([{ file, reason: "not trusted" }])
  await shop.trust()
  expect((await shop.built()).withheld).toEqual([])
})

it("counts for the version that found it: another may know the event", async () => {
  const shop = workshop()
  shop.put(file, hookFile("guard", '"tool.befor"'))
  await shop.trust()
  const core = { ...shop.core, version: "9.9.9" }
  expect((await shop.built({ core })).withheld).toEqual([{ file, reason: "not trusted" }])
})

it("keeps the last fifty, and the newest of them", () => {
  const { state } = workshop()
  const code = (nth: number): string => `code-${nth}`
  for (let nth = 0; nth < 60; nth++) {
    writeUnloadable(state, code(nth), "1.0.0", { reason: `reason ${nth}`, file: "guard.ts" })
    // Files of one millisecond have no order.
    utimesSync(join(state, "trusted", "unloadable", `${code(nth)}.json`), nth + 1, nth + 1)
  }
  const known = Array.from({ length: 60 }, (_, nth) => readUnloadable(state, code(nth), "1.0.0")?.reason)
  expect(known.filter((reason) => reason !== undefined)).toHaveLength(50)
  expect(known.at(-1)).toBe("reason 59")
  expect(known[0]).toBeUndefined()
})
