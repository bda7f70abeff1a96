/** SQLite comes with the package: which addon is taken, and what is said where there is none that fits. */
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync
} from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, beforeEach, describe, expect, it } from "vitest"
import { bash } from "../../support/entrypoint.ts"

const root = join(import.meta.dirname, "..", "..", "..")
const installed = createRequire(import.meta.url).resolve("better-sqlite3/package.json")
const { version } = JSON.parse(readFileSync(installed, "utf8")) as { readonly version: string }
const platform = `${process.platform}-${process.arch}`

const home = realpathSync(mkdtempSync(join(tmpdir(), "hooktape-sqlite-")))
const state = join(home, "state")
const dist = join(home, "package", "dist")
const native = join(dist, "native", platform)
const modules = join(home, "package", "node_modules")
const programs = join(home, "programs")

afterAll(() => rmSync(home, { recursive: true, force: true }))

beforeEach(() => {
  rmSync(home, { recursive: true, force: true })
  mkdirSync(join(home, ".claude"), { recursive: true })
  mkdirSync(modules, { recursive: true })
  mkdirSync(programs)
  symlinkSync(process.execPath, join(programs, "node"))
  cpSync(join(root, "package.json"), join(home, "package", "package.json"))
  cpSync(join(root, "dist"), dist, { recursive: true })
  for (const name of ["esbuild", "@esbuild"])
    cpSync(join(root, "node_modules", name), join(modules, name), { recursive: true })
})

/** Node is the only program to be found. */
const env = () => ({ PATH: programs, HOME: home, HOOKTAPE_HOME: state, HOOKTAPE_HOST: "off" })

const run = (...args: readonly string[]) => {
  const { status, stderr, stdout } = spawnSync(process.execPath, [join(dist, "cli.js"), ...args], {
    cwd: home,
    env: env(),
    encoding: "utf8"
  })
  return { status, stderr, stdout }
}

/** What the agent is told of a command that the shipped guard stops. */
const blocked = () => {
  const { status, stdout } = spawnSync(join(state, "bin", "hook"), ["claude-code", "PreToolUse"], {
    cwd: home,
    env: env(),
    input: bash("rm -rf ~", { cwd: home }),
    encoding: "utf8"
  })
  return { status, stdout }
}

const checkOf = (name: string) => {
  const { checks } = JSON.parse(run("doctor", "--json").stdout) as {
    readonly checks: readonly { readonly name: string; readonly status: string; readonly message: string }[]
  }
  return checks.find((check) => check.name === name)
}

const addon = (): string => {
  const [name = ""] = readdirSync(native).filter((one) =>
    one.startsWith(`sqlite-${process.versions.modules}`)
  )
  return join(native, name)
}

/** As whoever packed these files would have written their sums down. */
const pack = () => {
  const sums = readdirSync(native)
    .filter((name) => name.endsWith(".node"))
    .map((name) => {
      const bytes = readFileSync(join(native, name))
      return [name, { bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") }]
    })
  writeFileSync(join(native, "sums.json"), JSON.stringify(Object.fromEntries(sums)))
}

/** As long as before, and it would load: a word of what SQLite says was put in the place of another. */
const alter = (file = addon()) => {
  const bytes = readFileSync(file)
  const at = bytes.indexOf("database disk image is malformed")
  expect(at).toBeGreaterThan(0)
  bytes.write("DATABASE", at, "latin1")
  writeFileSync(file, bytes)
}

/** What its user compiled beside it; of another version than the bundled library it is not what that library speaks to. */
const compileBeside = (is: string) => {
  const library = join(modules, "better-sqlite3")
  const built = join("build", "Release", "better_sqlite3.node")
  mkdirSync(dirname(join(library, built)), { recursive: true })
  writeFileSync(join(library, "package.json"), JSON.stringify({ name: "better-sqlite3", version: is }))
  cpSync(join(dirname(installed), built), join(library, built))
}

const missing = `hooktape brings no SQLite for Node ${process.versions.node} on ${platform}: "npm install better-sqlite3@${version}" beside it compiles one`

describe("SQLite of the package", () => {
  it("is loaded from it, with Node and nothing else: no compiler, no Python, no other package", () => {
    expect(run("install", "--agent", "claude-code").status).toBe(0)
    expect(blocked()).toMatchObject({ status: 0, stdout: expect.stringContaining('"deny"') })
    expect(run("log", "--json", "--type", "EXITED").stdout.trim().split("\n")).toHaveLength(1)
    expect(checkOf("sqlite")).toMatchObject({ status: "ok", message: expect.stringMatching(/^3\.\d+\.\d+$/) })
  })

  it("comes from the package for this platform, where the main one brings none", () => {
    const own = join(modules, "@hooktape", platform)
    const { status } = spawnSync(process.execPath, [join(root, ".ci", "platform-package.mjs"), own])
    expect(status).toBe(0)
    rmSync(native, { recursive: true })
    expect(checkOf("sqlite")).toMatchObject({ status: "ok" })
  })

  it("is what somebody compiled beside it, of the very version", () => {
    rmSync(native, { recursive: true })
    compileBeside("99.0.0")
    expect(run("log")).toMatchObject({ status: 1, stderr: expect.stringContaining(missing) })
    compileBeside(version)
    expect(run("log").status).toBe(0)
  })

  it("that was compiled is not loaded once it is another than the first, until its user sets hooktape up again", () => {
    rmSync(native, { recursive: true })
    compileBeside(version)
    expect(run("install", "--agent", "claude-code").status).toBe(0)
    expect(run("log").status).toBe(0)
    const file = join(modules, "better-sqlite3", "build", "Release", "better_sqlite3.node")
    const was = readFileSync(file)
    alter(file)
    const says = `${file} is not loaded, because it is not the one that was loaded before it: where you compiled it anew, "hooktape install" takes it as it is now`
    expect(run("log")).toMatchObject({ status: 1, stderr: expect.stringContaining(says) })
    expect(checkOf("sqlite")).toMatchObject({ status: "fail", message: says })
    expect(blocked()).toMatchObject({ stdout: expect.stringContaining('"deny"') })
    // The same file again, whenever it was written.
    writeFileSync(file, was)
    expect(run("log").status).toBe(0)
    alter(file)
    expect(run("install", "--agent", "claude-code").status).toBe(0)
    expect(run("log", "--json", "--type", "EXITED").stdout).toContain('"event":"tool.before"')
  })

  it("is passed over where it is for another machine, and what the machine says of it is said", () => {
    const file = addon()
    writeFileSync(file.replace(/\.node$/, "-musl.node"), readFileSync(file))
    writeFileSync(file, Buffer.alloc(statSync(file).size, "for another machine"))
    pack()
    expect(run("log").status).toBe(0)
    rmSync(file.replace(/\.node$/, "-musl.node"))
    expect(run("log").stderr).toContain(
      `hooktape brings no SQLite for Node ${process.versions.node} on ${platform} (`
    )
  })

  it("is refused before it is loaded for the first time, where it is not what was packed", () => {
    appendFileSync(addon(), "!")
    const { status, stderr } = run("install", "--agent", "claude-code")
    expect(status).toBe(1)
    expect(stderr).toContain(`${addon()} is not to be loaded: it is not the file that came with hooktape`)
    expect(checkOf("sqlite")).toMatchObject({ status: "fail" })
  })

  it("is not loaded where it was altered, by whatever comes first: before anything was set up, after it, and after an update", () => {
    const says = `${addon()} is not loaded, because it is not the file that came with hooktape: install hooktape anew`
    const expectRefused = (...command: readonly string[]): void => {
      const { status, stderr } = run(...command)
      expect(stderr, command.join(" ")).toContain(says)
      expect(status).toBe(1)
    }
    alter()
    for (const command of [["trust"], ["build"]]) expectRefused(...command)
    cpSync(join(root, "dist", "native"), join(dist, "native"), { recursive: true })
    expect(run("install", "--agent", "claude-code").status).toBe(0)
    expect(run("log").status).toBe(0)
    alter()
    for (const command of [["log"], ["search", "x"]]) expectRefused(...command)
    const host = spawnSync(join(state, "bin", "host"), { env: env(), encoding: "utf8" })
    expect(host).toMatchObject({ status: 1, stderr: expect.stringContaining(says) })
    expect(blocked()).toMatchObject({ stdout: expect.stringContaining('"deny"') })
    cpSync(join(root, "dist", "native"), join(dist, "native"), { recursive: true })
    // Searching is a call of its own.
    expect(run("log", "--json", "--type", "EXITED").stdout.match(/"event":"tool\.before"/g)).toHaveLength(1)
  })

  it("is not loaded where it was cut off, which would end the process without a word", () => {
    run("install", "--agent", "claude-code")
    const file = addon()
    truncateSync(file, 400_000)
    expect(run("log")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("is not as long as it was packed")
    })
    expect(checkOf("sqlite")).toMatchObject({ status: "fail" })
    expect(blocked()).toMatchObject({ stdout: expect.stringContaining('"deny"') })
    rmSync(file)
    mkdirSync(file)
    expect(run("log").stderr).toContain(missing)
  })

  it("is asked for by one command where there is none, before anything is set up", () => {
    rmSync(native, { recursive: true })
    const { status, stderr } = run("install", "--agent", "claude-code")
    expect(status).toBe(1)
    expect(stderr).toContain(missing)
    expect(readdirSync(join(home, ".claude"))).toEqual([])
  })

  it("that goes away leaves guards as they are, and what they record waits", () => {
    run("install", "--agent", "claude-code")
    const kept = join(home, "kept")
    cpSync(native, kept, { recursive: true })
    rmSync(native, { recursive: true })
    expect(blocked()).toEqual({ status: 0, stdout: expect.stringContaining('"deny"') })
    expect(checkOf("sqlite")).toMatchObject({ status: "fail", message: missing })
    expect(checkOf("log")).toBeUndefined()
    cpSync(kept, native, { recursive: true })
    expect(run("log", "--json", "--type", "EXITED").stdout.trim().split("\n")).toHaveLength(1)
  })
})
