/** How the command and the host start: what is said alone, and that what V8 kept of them is used only where it fits. */
import { spawnSync } from "node:child_process"
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { crc32 } from "../../../src/runtime/builds/crc32.ts"
import { cacheFolders, prune } from "../../../src/runtime/builds/runCompiled.ts"

const root = join(import.meta.dirname, "..", "..", "..")
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))

/** The front in a package of its own, beside a command that the test writes, or none. */
const installed = (command?: string) => {
  const folder = realpathSync(mkdtempSync(join(homedir(), "hooktape-start-")))
  const dist = join(folder, "dist")
  mkdirSync(dist)
  cpSync(join(root, "package.json"), join(folder, "package.json"))
  for (const name of ["package.json", "cli.js"]) cpSync(join(root, "dist", name), join(dist, name))
  const become = (text: string) => writeFileSync(join(dist, "command.cjs"), text)
  if (command !== undefined) become(command)
  const home = join(folder, "home")
  const run = (...words: readonly string[]) => {
    const { status, stderr, stdout } = spawnSync(process.execPath, [join(dist, "cli.js"), ...words], {
      cwd: folder,
      env: { PATH: process.env["PATH"], HOME: home, HOOKTAPE_HOME: join(folder, "elsewhere") },
      encoding: "utf8"
    })
    return { status, stderr, stdout }
  }
  const cache = join(dist, "cache")
  const kept = () => {
    const [name, ...more] = readdirSync(cache)
    expect(more).toEqual([])
    return join(cache, name ?? "")
  }
  return { become, cache, dist, home, kept, run }
}

const says = (text: string) => `"use strict"; require("node:fs").writeSync(1, "${text}\\n")`

describe("what is said without loading the command", () => {
  it("is the version and help: there is nothing else to load here", () => {
    const { run } = installed()
    for (const flag of ["--version", "-v"])
      expect(run(flag)).toEqual({ status: 0, stderr: "", stdout: `${version}\n` })
    expect(run("--help").stdout).toMatch(/^hooktape .*: runs the hooks of AI coding agents/)
    expect(run("help", "show").stdout).toMatch(/^Explain one invocation/)
    expect(run("show", "--help")).toEqual(run("help", "show"))
    expect(run("log").status).not.toBe(0)
  })
})

describe("what V8 kept of the command", () => {
  it("is used again, for the same command alone", () => {
    const { cache, kept, run } = installed(says("one"))
    expect(run("log")).toEqual({ status: 0, stderr: "", stdout: "one\n" })
    // What does not fit is replaced by another file.
    const before = statSync(kept()).ino
    expect(run("log").stdout).toBe("one\n")
    expect(statSync(kept()).ino).toBe(before)
    run("show")
    expect(readdirSync(cache)).toHaveLength(2)
  })

  it("serves a command that has nothing of its own yet, which then keeps its own", () => {
    const { become, cache, kept, run } = installed(says("two"))
    run("log")
    // V8 runs what it is given: said to be of another text of that length, it shows which of the two has run.
    const bytes = readFileSync(kept())
    bytes.writeUInt32LE(crc32(Buffer.from(says("one"))), 4)
    writeFileSync(kept(), bytes)
    become(says("one"))
    expect(run("show").stdout).toBe("two\n")
    expect(readdirSync(cache)).toHaveLength(2)
    for (const name of readdirSync(cache)) if (name.includes(".log.")) writeFileSync(join(cache, name), "")
    expect(run("show").stdout).toBe("two\n")
    for (const name of readdirSync(cache)) writeFileSync(join(cache, name), "")
    expect(run("trust").stdout).toBe("one\n")
  })

  it("is kept of each file that the command asks for beside its own, and of no other", () => {
    const { cache, dist, run } = installed('require("./first.cjs"); require("./first.cjs")')
    writeFileSync(join(dist, "first.cjs"), says("first"))
    writeFileSync(join(dist, "second.cjs"), says("second"))
    expect(run("log")).toEqual({ status: 0, stderr: "", stdout: "first\n" })
    expect(readdirSync(cache).map((name) => name.split(".")[0])).toEqual(["command", "first"])
    expect(run("log").stdout).toBe("first\n")
  })

  it("takes up no more than a bound: what was made longest ago goes first", () => {
    const { cache, run } = installed(says("one"))
    for (const [at, name] of ["old", "new"].entries()) {
      run(name)
      for (const file of readdirSync(cache))
        if (file.includes(name)) utimesSync(join(cache, file), at + 1, at + 1)
    }
    const [first = 0] = readdirSync(cache).map((name) => statSync(join(cache, name)).size)
    prune(cache, 2 * first + 100)
    expect(readdirSync(cache)).toHaveLength(2)
    prune(cache, first + 100)
    expect(readdirSync(cache)).toEqual([expect.stringContaining(".new.")])
    prune(join(cache, "none"))
  })

  it("is not that of another text of the same length", () => {
    const { become, run } = installed(says("one"))
    run("log")
    become(says("two"))
    expect(run("log").stdout).toBe("two\n")
    expect(run("log").stdout).toBe("two\n")
  })

  it("is made anew where it is damaged, wherever that is", () => {
    const { kept, run } = installed(says("one"))
    run("log")
    const file = kept()
    const whole = readFileSync(file)
    const spoilt = [
      Buffer.alloc(0),
      whole.subarray(0, 6),
      whole.subarray(0, whole.length >> 1),
      ...[0, 5, 40, whole.length >> 1, whole.length - 1].map((at) => {
        const copy = Buffer.from(whole)
        copy.writeUInt8(copy.readUInt8(at) ^ 0xff, at)
        return copy
      })
    ]
    for (const bytes of spoilt) {
      writeFileSync(file, bytes)
      expect(run("log")).toEqual({ status: 0, stderr: "", stdout: "one\n" })
      // V8 takes most of these as they are: that another file lies there now says that it was not asked.
      expect(readFileSync(file).equals(bytes)).toBe(false)
    }
  })

  it("is not made of a command that failed, nor of one by a strange name", () => {
    const { cache, run } = installed("process.exitCode = 1")
    expect(run("log").status).toBe(1)
    expect(() => readdirSync(cache)).toThrow()
    const other = installed(says("one"))
    expect(other.run("../../x").stdout).toBe("one\n")
    expect(other.kept()).toMatch(/command\.cjs\.none\./)
  })

  it("changes nothing where it can be kept nowhere", () => {
    const { cache, run } = installed(says("one"))
    // Where a folder is wanted: that holds for an administrator as well.
    writeFileSync(cache, "")
    expect(run("log")).toEqual({ status: 0, stderr: "", stdout: "one\n" })
    expect(run("log")).toEqual({ status: 0, stderr: "", stdout: "one\n" })
  })

  it("lies in the user's usual state directory where the package is not theirs, if that is private", () => {
    const { cache, home } = installed(says("one"))
    const file = join(cache, "..", "command.cjs")
    const state =
      process.platform === "darwin"
        ? join(home, "Library", "Application Support", "hooktape")
        : join(home, ".local", "state", "hooktape")
    mkdirSync(state, { recursive: true })
    chmodSync(state, 0o777)
    expect(cacheFolders(file, { HOME: home }, home)).toEqual([cache])
    chmodSync(state, 0o700)
    expect(cacheFolders(file, { HOME: home }, home)).toEqual([cache, join(state, "cache")])
    // Wherever an environment points, which may be that of a repository.
    const elsewhere = { HOME: home, HOOKTAPE_HOME: cache, XDG_STATE_HOME: cache }
    expect(cacheFolders(file, elsewhere, home)).toEqual([cache, join(state, "cache")])
    expect(cacheFolders(file, { HOME: home }, "/home/somebody")).toEqual([cache])
    // Of an account that the machine does not know.
    expect(cacheFolders(file, { HOME: home }, undefined)).toEqual([cache])
  })

  it("is not looked for in a home that is not the user's own", () => {
    const { cache, home, run } = installed(says("one"))
    writeFileSync(cache, "")
    const state = join(home, ".local", "state", "hooktape")
    mkdirSync(state, { recursive: true, mode: 0o700 })
    run("log")
    expect(readdirSync(state)).toEqual([])
  })
})

describe("what V8 kept of the host and of what runs handlers", () => {
  const run = (file: string, ...flags: readonly string[]) =>
    spawnSync(process.execPath, [...flags, file], { env: { PATH: process.env["PATH"] }, encoding: "utf8" })

  it.each([
    ["host.cjs", "serving.cjs"],
    ["worker.cjs", "handlers.cjs"],
    ["thread.cjs", "handlers.cjs"]
  ])("is its own by its name and its flags: %s", (name, program) => {
    const { cache, dist } = installed()
    cpSync(join(root, "dist", name), join(dist, name))
    writeFileSync(join(dist, program), says("runs"))
    const at = join(dist, name)
    for (const _ of [1, 2]) expect(run(at)).toMatchObject({ status: 0, stderr: "", stdout: "runs\n" })
    expect(run(at, "--max-semi-space-size=1").stdout).toBe("runs\n")
    const begun = `${program}.${name}.${process.version}`
    expect(readdirSync(cache).map((one) => one.startsWith(begun))).toEqual([true, true])
  })

  it("is kept while it runs, however it ends, and taken by the next", () => {
    const { cache, dist } = installed()
    cpSync(join(root, "dist", "host.cjs"), join(dist, "host.cjs"))
    // Ends as one does that is killed, once something is kept.
    writeFileSync(
      join(dist, "serving.cjs"),
      `const { readdirSync } = require("node:fs")
setInterval(() => {
  try {
    if (readdirSync(${JSON.stringify(cache)}).some((name) => name.endsWith(".cache"))) process.kill(process.pid, "SIGKILL")
  } catch {}
}, 10)`
    )
    const at = join(dist, "host.cjs")
    expect(run(at).signal).toBe("SIGKILL")
    const [name = ""] = readdirSync(cache)
    const before = statSync(join(cache, name)).ino
    expect(run(at).signal).toBe("SIGKILL")
    expect(readdirSync(cache)).toEqual([name])
    expect(statSync(join(cache, name)).ino).toBe(before)
  })

  it("is no matter for a program by another name", () => {
    const { dist } = installed()
    cpSync(join(root, "dist", "host.cjs"), join(dist, "other.cjs"))
    expect(run(join(dist, "other.cjs")).stderr).toContain("nothing runs as other.cjs")
  })
})
