/** SQLite's library stands in the package's own files: what is done with an addon that it was not made for, or that lies elsewhere. */
import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"

const root = join(import.meta.dirname, "..", "..", "..")
const { version } = createRequire(import.meta.url)("better-sqlite3/package.json") as {
  readonly version: string
}

const home = realpathSync(mkdtempSync(join(tmpdir(), "hooktape-sqlite-")))
const dist = join(home, "dist")
mkdirSync(dist)
cpSync(join(root, "package.json"), join(home, "package.json"))
for (const name of readdirSync(join(root, "dist")))
  if (/\.cjs$|^cli\.js$|^package\.json$|^build-id$/.test(name))
    cpSync(join(root, "dist", name), join(dist, name))
afterAll(() => rmSync(home, { recursive: true, force: true }))

const says = (text: string) => `require("node:fs").writeSync(2, "${text}\\n"); process.exit(9)`

/** Beside it a library that says so when it is asked, and what looks for its addon. */
const withInstalled = (installed: string) => {
  const library = join(home, "node_modules", "better-sqlite3")
  const bindings = join(library, "node_modules", "bindings")
  mkdirSync(bindings, { recursive: true })
  writeFileSync(join(library, "package.json"), JSON.stringify({ name: "better-sqlite3", version: installed }))
  writeFileSync(
    join(library, "index.js"),
    `module.exports = class { constructor() { ${says("the installed one")} } }`
  )
  writeFileSync(
    join(bindings, "index.js"),
    'module.exports = ({ bindings }) => { require("node:fs").writeSync(2, "looked for " + bindings + "\\n"); process.exit(9) }'
  )
  const { status, stderr } = spawnSync(process.execPath, [join(dist, "cli.js"), "log"], {
    cwd: home,
    env: { PATH: process.env["PATH"], HOME: home, HOOKTAPE_HOME: join(home, "state"), HOOKTAPE_HOST: "off" },
    encoding: "utf8"
  })
  return { status, stderr }
}

describe("SQLite's library in the pack", () => {
  it("leaves an addon of another version to the library that came with it", () => {
    expect(withInstalled("99.0.0")).toEqual({ status: 9, stderr: "the installed one\n" })
  })

  it("has its addon looked for, where it does not lie where it is built", () => {
    expect(withInstalled(version)).toEqual({ status: 9, stderr: "looked for better_sqlite3.node\n" })
  })
})
