/** What `doctor` says of hooks that somebody switched off. */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import type { Switch } from "../../../src/history/switches.ts"
import { switchesFile, switchesText } from "../../../src/history/switches.ts"
import { checkSwitches, switchedOff } from "../../../src/programs/cli/doctor/switches.ts"

const stateWith = (...switches: readonly Omit<Switch, "at">[]): string => {
  const state = mkdtempSync(join(homedir(), "switches-"))
  mkdirSync(state, { recursive: true, mode: 0o700 })
  const text = switchesText(switches.map((one, at) => ({ ...one, at })))
  writeFileSync(switchesFile(state), text, { mode: 0o600 })
  return state
}

const user = { enabled: false, scope: "user" } as const

it("is nothing where nothing is off", () => {
  expect(checkSwitches(mkdtempSync(join(homedir(), "switches-")), "/p")).toEqual([])
  expect(checkSwitches(stateWith({ ...user, hook: "own-guards", enabled: true }), "/p")).toEqual([])
})

it("warns of a guard, by its name", () => {
  const state = stateWith({ ...user, hook: "own-guards" }, { ...user, hook: "slow-check" })
  expect(checkSwitches(state, "/p")).toEqual([
    {
      name: "switches",
      status: "warn",
      message: 'switched off with "hooktape hooks disable": own-guards, slow-check',
      fix: '"hooktape hooks enable own-guards" has own-guards guard again.'
    }
  ])
  expect([...switchedOff(state, "/p")]).toEqual(["own-guards", "slow-check"])
})

it("only mentions another hook", () => {
  expect(checkSwitches(stateWith({ ...user, hook: "slow-check" }), "/p")).toMatchObject([{ status: "ok" }])
})

it("counts what was said of this project, and not of another", () => {
  const off = { hook: "own-guards", enabled: false, scope: "project", project: "/p" } as const
  expect(checkSwitches(stateWith(off), "/q")).toEqual([])
  expect(checkSwitches(stateWith(off), "/p")).toMatchObject([
    { status: "warn", fix: expect.stringContaining("hooks enable own-guards --scope project") }
  ])
  const on = { ...off, enabled: true }
  expect(checkSwitches(stateWith({ ...user, hook: "own-guards" }, on), "/p")).toEqual([])
})

it("says that they cannot be read", () => {
  const state = stateWith()
  writeFileSync(switchesFile(state), "{", { mode: 0o600 })
  expect(checkSwitches(state, "/p")).toMatchObject([{ status: "warn", fix: 'Run "hooktape hooks list".' }])
  expect([...switchedOff(state, "/p")]).toEqual([])
})
