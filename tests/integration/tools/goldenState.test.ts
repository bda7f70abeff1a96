/** The command that makes the state which a release leaves: it has to work on the day of a release. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { layout } from "../../../src/state/layout.ts"

const root = join(import.meta.dirname, "..", "..", "..")
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))

it("of the version in package.json is made by one command, with all that an installation in use leaves", () => {
  const into = mkdtempSync(join(homedir(), "states-"))
  const words = [".ci/run-ts.mjs", "tests/support/states/make.ts", into, join(into, "ada")]
  const make = () => spawnSync(process.execPath, words, { cwd: root, encoding: "utf8" })
  expect(make()).toMatchObject({ status: 0, stderr: "" })
  const archive = join(into, version, "home.tar.gz")
  const tar = (...args: readonly string[]) => spawnSync("tar", args, { encoding: "utf8" }).stdout
  expect(tar("-xzOf", archive, "./.local/state/hooktape/layout")).toBe(`${layout}\n`)
  const names = tar("-tzf", archive)
  for (const part of ["log.sqlite", "trust.json", "switches.json", "run/unreachable"])
    expect(names).toContain(`./.local/state/hooktape/${part}\n`)
  expect(names).not.toMatch(/hooktape\/build\//)
  // What is kept is never made a second time.
  expect(make()).toMatchObject({ status: 1, stderr: expect.stringContaining("is there already") })
})
