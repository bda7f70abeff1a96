/** Damage of a log at every place of its files: whatever is changed or gone is told. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { flipJournals, flipPages } from "../support/log/flips.ts"
import { report, size } from "./size.ts"

const seed = size("SEED", 20261124)
let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "soak-flips-"))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

it("of the log's pages is never silent", async () => {
  const logs = size("FLIPS", 300)
  const { lossy, passed, silent } = await flipPages(root, logs, seed)
  report("flips", { logs, seed, lossy, silent: silent.length, passedForSound: passed.length })
  expect({ silent, passed }).toEqual({ silent: [], passed: [] })
  expect(lossy).toBeGreaterThan(logs / 3)
})

it("of its write-ahead log is never silent", async () => {
  const journals = size("JOURNALS", 40)
  const { lossy, passed, silent } = await flipJournals(root, journals, seed)
  report("flips", { journals, seed, lossy, silent: silent.length, passedForSound: passed.length })
  expect({ silent, passed }).toEqual({ silent: [], passed: [] })
  expect(lossy).toBeGreaterThan(journals / 3)
})
