/** How many builds a process keeps loaded. */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it, vi } from "vitest"

const build = (folder: string, name: string): string => {
  const directory = join(folder, name)
  mkdirSync(directory)
  writeFileSync(join(directory, "shared.cjs"), "exports.made = {}")
  const bundle = join(directory, "bundle.cjs")
  const text = `globalThis[Symbol.for("hooktape/options")]({ adapters: {}, registry: [], notices: require("./shared.cjs").made })`
  writeFileSync(bundle, text)
  return bundle
}

it("keeps the builds that calls came for, and loads the others again", async () => {
  // As in a process of its own: a host's thread keeps what it has.
  vi.resetModules()
  const { loadBundle } = await import("../../../src/runtime/builds/loadBundle.ts")
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
