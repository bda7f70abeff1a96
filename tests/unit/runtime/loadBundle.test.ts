/** How many builds a process keeps loaded. */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { loadBundle } from "../../../src/runtime/builds/loadBundle.ts"

const build = (folder: string, name: string): string => {
  const directory = join(folder, name)
  mkdirSync(directory)
  writeFileSync(join(directory, "shared.cjs"), "exports.made = {}")
  const bundle = join(directory, "bundle.cjs")
  const text = `globalThis[Symbol.for("hooktape/options")]({ adapters: {}, registry: [], notices: require("./shared.cjs").made })`
  writeFileSync(bundle, text)
  return bundle
}

it("keeps the builds that calls came for, and loads the others again", () => {
  const folder = mkdtempSync(join(tmpdir(), "bundles-"))
  const [first = "", second = "", ...others] = Array.from({ length: 13 }, (_, at) => build(folder, `b${at}`))
  const [one, two] = [loadBundle(first), loadBundle(second)]
  for (const other of others.slice(1)) loadBundle(other)
  expect(loadBundle(first)).toBe(one)
  loadBundle(others[0] as string)
  // The second is the one that was asked for longest ago.
  expect(loadBundle(first)).toBe(one)
  const again = loadBundle(second)
  expect(again).not.toBe(two)
  expect(again.notices).not.toBe(two.notices)
})
