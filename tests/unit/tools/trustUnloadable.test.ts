/** A hook that loads no better for being trusted: what `trust` found is told by everybody, for as long as the content is the same. */
import { expect, it } from "vitest"
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
