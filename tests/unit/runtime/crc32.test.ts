/** The sum over kept code: Node's own, without all that loading `node:zlib` brings along, and without a word about where it is taken from. */
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { crc32 as ofZlib } from "node:zlib"
import { buildSync } from "esbuild"
import { describe, expect, it } from "vitest"
import { crc32 } from "../../../src/runtime/builds/crc32.ts"

const source = join(import.meta.dirname, "../../../src/runtime/builds/crc32.ts")

/** In a process of its own: what was loaded there, and what it said. */
const alone = (before: string, env: NodeJS.ProcessEnv = {}) => {
  const { outputFiles } = buildSync({
    stdin: {
      contents: `${before}
const { crc32 } = require(${JSON.stringify(source)})
const sum = crc32(Buffer.from("hooktape"))
console.log(JSON.stringify({ sum, zlib: process.moduleLoadList.includes("NativeModule zlib"), left: "noDeprecation" in process }))`,
      resolveDir: import.meta.dirname
    },
    bundle: true,
    write: false,
    platform: "node",
    format: "cjs"
  })
  const { stderr, stdout } = spawnSync(process.execPath, ["-"], {
    input: outputFiles[0]?.text ?? "",
    env: { ...process.env, ...env },
    encoding: "utf8"
  })
  return { ...JSON.parse(stdout), stderr }
}

const sum = ofZlib("hooktape")

describe("the sum over kept code", () => {
  it.each(["", "a", "hooktape", "x".repeat(100_000)])("is CRC-32", (text) =>
    expect(crc32(Buffer.from(text))).toBe(ofZlib(text))
  )

  it("is had without the library of streams, and nobody hears of it", () =>
    expect(alone("", { NODE_PENDING_DEPRECATION: "1", NODE_OPTIONS: "" })).toEqual({
      sum,
      zlib: false,
      left: false,
      stderr: ""
    }))

  it.each([
    'process.binding = () => { throw new Error("no") }',
    "delete process.binding",
    "process.binding = () => ({})"
  ])("is the library's where Node does not give it away: %s", (before) =>
    expect(alone(before)).toEqual({ sum, zlib: true, left: false, stderr: "" })
  )
})
