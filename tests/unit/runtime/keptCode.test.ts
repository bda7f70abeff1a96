/** What stands where V8's kept code should: it is waited for by nobody, and nothing of a try to replace it is left behind. */
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { compileSource, readSource } from "../../../src/runtime/builds/compiled.ts"
import { manifestAt } from "../../../src/runtime/builds/refresh.ts"
import { isTakenBack, layoutFile, reachedLayout } from "../../../src/state/layout.ts"

const folder = mkdtempSync(join(tmpdir(), "kept-code-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = (cache: string): unknown => {
  const module = { exports: {} as { value?: number } }
  const compiled = compileSource(join(folder, "x.cjs"), "module.exports = { value: 7 }", [cache])
  compiled.run(() => undefined, module, module.exports)
  compiled.keep()
  return module.exports.value
}

describe("in the place of kept code", () => {
  it("a pipe that nobody writes to is not waited for, and is replaced", () => {
    const cache = join(folder, "pipe.cache")
    execFileSync("mkfifo", [cache])
    expect(run(cache)).toBe(7)
    expect(run(cache)).toBe(7)
  })

  it("a folder leaves nothing behind", () => {
    const cache = join(folder, "folder.cache")
    mkdirSync(join(cache, "full"), { recursive: true })
    expect(run(cache)).toBe(7)
    expect(readdirSync(folder).filter((name) => name.startsWith("folder"))).toEqual(["folder.cache"])
  })
})

describe("in the place of a build's file, or of the number of the state directory", () => {
  it.each<readonly [string, (path: string) => void]>([
    ["a pipe that nobody writes to", (path) => execFileSync("mkfifo", [path])],
    ["a device without an end", (path) => symlinkSync("/dev/zero", path)]
  ])("%s is not read", (name, lay) => {
    const state = mkdtempSync(join(folder, "state-"))
    lay(join(state, "bundle.cjs"))
    lay(layoutFile(state))
    lay(join(state, "migrations.json"))
    expect(() => readSource(join(state, "bundle.cjs")), name).toThrow("is no file of a sane size")
    expect(manifestAt(join(state, "bundle.cjs"))).toBeUndefined()
    expect(reachedLayout(state)).toBeUndefined()
    expect(isTakenBack(state)).toBe(false)
  })
})
