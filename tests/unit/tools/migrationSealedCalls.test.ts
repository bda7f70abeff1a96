/** The step that seals what clients of 0.1 left, on what one of them left. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { isSealed, openFrame } from "../../../src/log/sealedFrame.ts"
import { digestKey } from "../../../src/state/state.ts"
import { sealedCalls } from "../../../src/tools/migrations/0003-sealed-calls.ts"

const golden = join(import.meta.dirname, "..", "..", "states", "0.1.0", "home.tar.gz")

it("seals the calls that are there, each as it was, and leaves sealed ones alone", () => {
  const home = mkdtempSync(join(homedir(), "state-"))
  expect(spawnSync("tar", ["-xzf", golden, "-C", home]).status).toBe(0)
  const state = join(home, ".local", "state", "hooktape")
  const spool = join(state, "spool")
  const [name = ""] = readdirSync(spool).filter((one) => one.endsWith(".frame"))
  const before = readFileSync(join(spool, name))
  expect(before.toString("latin1")).toContain("InstructionsLoaded")
  sealedCalls.apply(state)
  const after = readFileSync(join(spool, name))
  expect(isSealed(after)).toBe(true)
  expect(after.toString("latin1")).not.toContain("InstructionsLoaded")
  expect(openFrame(digestKey(state), name.replace(".frame", ""), after)).toEqual(before)
  sealedCalls.apply(state)
  expect(readFileSync(join(spool, name))).toEqual(after)
})
