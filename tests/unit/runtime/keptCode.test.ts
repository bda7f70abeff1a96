/** What stands where V8's kept code should: it is waited for by nobody, and nothing of a try to replace it is left behind. */
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { compileSource } from "../../../src/runtime/builds/compiled.ts"

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
