/** One copy of SQLite for a process and its threads: of another package's, and of what was put in its place, none is loaded. */
import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, it } from "vitest"
import { dist } from "../../support/host.ts"

let home = ""

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "hooktape-one-")))
})
afterEach(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }))

/** What an installed package has of SQLite. */
const installed = (name: string): string => {
  const folder = join(home, name, "dist")
  mkdirSync(folder, { recursive: true })
  cpSync(join(dist, "..", "package.json"), join(folder, "..", "package.json"))
  for (const part of ["sqlite.cjs", "native", "package.json"])
    cpSync(join(dist, part), join(folder, part), { recursive: true })
  return join(folder, "sqlite.cjs")
}

/** Loads the first here, then does `between`, then loads the second in a thread, which says what it loaded or why not. */
const inThread = (first: string, second: string, between = ""): string => {
  const script = join(home, "both.cjs")
  writeFileSync(
    script,
    `const fs = require("node:fs")
const { Worker } = require("node:worker_threads")
new (require(${JSON.stringify(first)}))(":memory:").close()
const addon = Object.keys(require.cache).find((name) => name.endsWith(".node"))
${between}
const code = ${JSON.stringify(`const { parentPort } = require("node:worker_threads")
try {
  new (require(${JSON.stringify(second)}))(":memory:").close()
  parentPort.postMessage(Object.keys(require.cache).filter((name) => name.endsWith(".node")).join(" "))
} catch (cause) {
  parentPort.postMessage(cause.message)
}`)}
new Worker(code, { eval: true }).once("message", (said) => console.log(said === addon ? "the same" : said))
`
  )
  const { stderr, stdout } = spawnSync(process.execPath, [script], { encoding: "utf8" })
  expect(stderr).toBe("")
  return stdout.trim()
}

it("a thread takes the one that its process uses, whichever package asks", () => {
  const [one, other] = [installed("one"), installed("other")]
  expect(inThread(one, one)).toBe("the same")
  expect(inThread(one, other)).toBe("the same")
})

it("a thread does without it where the file was replaced since", () => {
  const one = installed("one")
  const replace = 'fs.copyFileSync(addon, addon + ".new"); fs.renameSync(addon + ".new", addon)'
  expect(inThread(one, one, replace)).toMatch(/was replaced while this process uses what it was$/)
})
