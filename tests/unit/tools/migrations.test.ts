/** All steps in their order, on the state that a version of before left behind. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { isSealed } from "../../../src/log/sealedFrame.ts"
import { verifyLog } from "../../../src/log/verify.ts"
import { prepareState } from "../../../src/programs/cli/prepare.ts"
import { migrate, migrations } from "../../../src/tools/migrations/migrations.ts"
import { readTrust } from "../../../src/trust/store.ts"

const golden = join(import.meta.dirname, "..", "..", "states", "0.1.0", "home.tar.gz")

const stateOfBefore = (): string => {
  const home = mkdtempSync(join(homedir(), "state-"))
  expect(spawnSync("tar", ["-xzf", golden, "-C", home]).status).toBe(0)
  return join(home, ".local", "state", "hooktape")
}

const contents = (dir: string) =>
  readdirSync(dir, { recursive: true, encoding: "utf8" })
    .map((name) => join(dir, name))
    .filter((file) => statSync(file).isFile())
    .map((file) => [file, readFileSync(file).toString("latin1")])

const expectMigrated = (state: string) => {
  expect(JSON.parse(readFileSync(join(state, "trust.json"), "utf8")).version).toBe(2)
  expect(Object.keys(readTrust(state).before)).not.toEqual([])
  const frames = readdirSync(join(state, "spool")).filter((name) => name.endsWith(".frame"))
  expect(frames).not.toEqual([])
  for (const name of frames) expect(isSealed(readFileSync(join(state, "spool", name)))).toBe(true)
}

describe("migrations", () => {
  it("are there in the order of their numbers, each file of the directory once", () => {
    const numbers = migrations.map(({ number }) => number)
    const files = readdirSync(join(import.meta.dirname, "..", "..", "..", "src", "tools", "migrations"))
    const steps = files.filter((name) => /^\d{4}-/.test(name)).toSorted()
    expect(numbers).toEqual(steps.map((name) => Number(name.slice(0, 4))))
    expect(new Set(numbers).size).toBe(numbers.length)
  })

  it("make today's state of a former one, and change nothing the second time", () => {
    const state = stateOfBefore()
    migrate(state)
    expectMigrated(state)
    const once = contents(state)
    migrate(state)
    expect(contents(state)).toEqual(once)
  })

  it("leave the facts of the log as they are, unsealed and sound", () => {
    const state = stateOfBefore()
    migrate(state)
    const { findings, last, unsealed } = verifyLog(join(state, "log.sqlite"))
    expect(findings).toEqual([])
    expect(unsealed).toBeGreaterThan(20)
    expect(last).toBeGreaterThanOrEqual(unsealed)
  })

  it("run where a state directory is made ready, and a damaged trust record holds nothing up", () =>
    Effect.gen(function* () {
      const state = stateOfBefore()
      yield* prepareState(state)
      expectMigrated(state)
      writeFileSync(join(state, "trust.json"), "{ damaged")
      yield* prepareState(state)
      expect(readFileSync(join(state, "trust.json"), "utf8")).toBe("{ damaged")
      expect(readTrust(state).trusted).toEqual({})
    }).pipe(Effect.runPromise))
})
