/** The number that says how far a state directory has been brought. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { isTakenBack, layout, layoutHint, reachedLayout } from "../../../src/state/layout.ts"

const installed = (): string => {
  const state = mkdtempSync(join(homedir(), "layout-"))
  mkdirSync(join(state, "bin"))
  writeFileSync(join(state, "bin", "hook"), "")
  return state
}

it("is read from one small file; without it what was installed is of a version before there were numbers", () => {
  const state = installed()
  expect(reachedLayout(state)).toBe(0)
  for (const damaged of ["", "five", "-1", "1e3", "5 5", "5\n6"]) {
    writeFileSync(join(state, "layout"), damaged)
    expect(reachedLayout(state), damaged).toBe(0)
  }
  writeFileSync(join(state, "layout"), "3\n")
  expect(reachedLayout(state)).toBe(3)
  rmSync(join(state, "layout"))
  rmSync(join(state, "bin", "hook"))
  expect(reachedLayout(state)).toBeUndefined()
  expect(layoutHint(state)).toBeUndefined()
  expect(layoutHint(join(state, "nowhere"))).toBeUndefined()
})

it("is worth a word where it is another than this version's", () => {
  const state = installed()
  expect(layoutHint(state)).toContain('Run "hooktape migrate"')
  writeFileSync(join(state, "layout"), `${layout}\n`)
  expect(layoutHint(state)).toBeUndefined()
  writeFileSync(join(state, "layout"), `${layout + 1}\n`)
  expect(layoutHint(state)).toContain(`newer hooktape (layout ${layout + 1}, this version knows ${layout})`)
})

it("stays where somebody had it taken back", () => {
  const state = installed()
  expect(isTakenBack(state)).toBe(false)
  writeFileSync(join(state, "migrations.json"), JSON.stringify({ version: 1, held: true }))
  expect(isTakenBack(state)).toBe(true)
  writeFileSync(join(state, "migrations.json"), "{")
  expect(isTakenBack(state)).toBe(false)
})
