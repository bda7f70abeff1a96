/** How the session monitor runs: its guards in their order, lock and cooldown, what it logs, and what it hands over. */
import { spawn, spawnSync } from "node:child_process"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import {
  type DeepAnalysis,
  deepAnalysis,
  type Ran,
  type StoredNote
} from "../../../src/features/monitor/deepAnalysis.ts"
import { type Evidence, gather } from "../../../src/features/monitor/Evidence.ts"
import { letMonitorLockGo, takeMonitorLock } from "../../../src/features/monitor/monitorLock.ts"
import { monitorPaths, payloadFile } from "../../../src/features/monitor/monitorPaths.ts"
import { candidates, firstThere } from "../../../src/features/monitor/needs.ts"
import { payloadFromJson } from "../../../src/features/monitor/payload.ts"
import { type QuickCheck, quickCheck } from "../../../src/features/monitor/quickCheck.ts"
import { monitorSettings } from "../../../src/features/monitor/settings.ts"
import { ingest } from "../../../src/log/spool/ingest.ts"
import { layerSqlite } from "../../../src/log/sqlite/SqliteLog.ts"
import { keep } from "../../../src/runtime/dispatch/keep.ts"
import { hostLog } from "../../../src/runtime/host/hostLog.ts"
import { projectManifest, userManifest } from "../../../src/state/manifest.ts"
import { openState } from "../../../src/state/state.ts"

const here = fileURLToPath(import.meta.url)
const start = Date.parse("2026-06-01T00:00:00.000Z")

let state: string
let time: number
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "hooktape-monitor-"))
  time = start
})
afterEach(() => rmSync(state, { recursive: true, force: true }))

const bad: Evidence = {
  now: start,
  notes: [],
  facts: [],
  spoolErrors: [{ file: "a:1", reason: "no JSON" }],
  logBytes: 2 ** 33,
  spooled: 0
}
const good: Evidence = { ...bad, spoolErrors: [], logBytes: 0 }

const on = { HOOKTAPE_SESSION_MONITOR: "True", PATH: "/bin" }

const ask = (given: Partial<QuickCheck> = {}): QuickCheck => ({
  state,
  project: state,
  invocation: "i1",
  env: on,
  settings: monitorSettings({}),
  places: [here],
  now: () => time,
  gather: () => bad,
  ...given
})

const paths = () => monitorPaths(state)
const logged = (): readonly string[] =>
  existsSync(paths().log)
    ? readFileSync(paths().log, "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => line.replace(/^\S+ \| /, ""))
    : []
const payload = (invocation = "i1") =>
  payloadFromJson(JSON.parse(readFileSync(payloadFile(paths(), invocation), "utf8")))

/** Holds the lock in a process of its own, which says so as a monitor does, until it is killed. */
const lockHolder = async () => {
  const program = `
    const Database = require("better-sqlite3")
    const db = new Database(${JSON.stringify(paths().lock)}, { timeout: 0 })
    db.pragma("journal_mode = DELETE")
    db.exec("BEGIN EXCLUSIVE")
    require("node:fs").writeFileSync(${JSON.stringify(paths().holder)}, process.pid + "\\n")
    process.stdout.write("held")
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ["-e", program], {
    cwd: fileURLToPath(new URL("../../..", import.meta.url))
  })
  await new Promise((resolve) => child.stdout.once("data", resolve))
  const gone = new Promise((resolve) => child.once("exit", resolve))
  const kill = async () => {
    child.kill("SIGKILL")
    await gone
  }
  return { kill }
}

describe("the quick check", () => {
  it("reports, hands over its findings with their counts, and leaves a line for each stage", async () => {
    const { report, ...rest } = await quickCheck(ask())
    expect(rest).toEqual({ findings: 2, handedOver: true })
    expect(report).toContain("Found 2 issues: 1 CRITICAL, 1 WARNINGS")
    expect(payload()).toMatchObject({
      namespace: "global",
      criticalCount: 1,
      warningCount: 1,
      environment: { PATH: "/bin" }
    })
    expect(logged()).toEqual([
      "hook triggered",
      "starting quick check",
      "quick check done: 2 issues",
      "handed over to deep analysis, hook complete"
    ])
  })

  it("writes lines that open with an ISO 8601 time, and only ever adds some", async () => {
    await quickCheck(ask({ gather: () => good }))
    const before = readFileSync(paths().log, "utf8")
    expect(before.split("\n")[0]).toBe("2026-06-01T00:00:00.000Z | hook triggered")
    time += 60_000
    await quickCheck(ask({ gather: () => good }))
    expect(readFileSync(paths().log, "utf8").startsWith(before)).toBe(true)
  })

  it.each([
    ["that is damaged", (file: string) => writeFileSync(file, "no database at all ".repeat(500))],
    ["of which nothing can be opened", (file: string) => mkdirSync(file)]
  ])("does not take a log %s for one without issues", async (_, spoil) => {
    spoil(join(state, "log.sqlite"))
    const { findings, report } = await quickCheck(ask({ gather }))
    expect(findings).toBe(1)
    expect(report).toContain("Found 1 issues: 1 CRITICAL")
    expect(report).toContain("nothing on the log could be looked at: ")
    expect(logged()).toContain("quick check done: 1 issues")
    expect(logged()).not.toContain("no issues")
  })

  it("finds nothing wrong where there is no log yet", async () => {
    expect(await quickCheck(ask({ gather }))).toEqual({ findings: 0, handedOver: false })
  })

  it("makes its directory when first needed, for nobody else to read", async () => {
    expect(existsSync(join(state, "logs"))).toBe(false)
    await quickCheck(ask())
    expect(statSync(join(state, "logs")).mode & 0o777).toBe(0o700)
    const logs = [paths().log, hostLog(state)].map((file) => dirname(file))
    expect(logs).toEqual([join(state, "logs"), join(state, "logs")])
    for (const file of [paths().log, paths().cooldown, payloadFile(paths(), "i1")])
      expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it("says nothing where there are no issues, and logs that", async () => {
    expect(await quickCheck(ask({ gather: () => good }))).toEqual({ findings: 0, handedOver: false })
    expect(logged().slice(-2)).toEqual(["quick check done: 0 issues", "no issues"])
  })

  it("with deep analysis off reports and hands nothing over", async () => {
    const checked = await quickCheck(ask({ env: { ...on, HOOKTAPE_SESSION_MONITOR_DEEP: "FALSE" } }))
    expect(checked).toMatchObject({ findings: 2, handedOver: false })
    expect(readdirSync(paths().payloads)).toEqual([])
  })

  it("runs once within the cooldown, and says that it does not run again", async () => {
    await quickCheck(ask())
    // On disk: the next session's end is another process.
    expect(readFileSync(paths().cooldown, "utf8")).toBe(`${start}\n`)
    time += 59_999
    expect(await quickCheck(ask({ invocation: "i2" }))).toEqual({ findings: 0, handedOver: false })
    expect(logged().at(-1)).toBe("cooldown active, skipping")
    time += 1
    expect(await quickCheck(ask({ invocation: "i3" }))).toMatchObject({ findings: 2 })
    time += 59_999
    expect(await quickCheck(ask({ invocation: "i4" }))).toMatchObject({ findings: 0 })
  })

  it("runs where the time of the last run cannot be read", async () => {
    for (const content of ["", "nonsense", `${start * 2}`, "-5"]) {
      paths()
      writeFileSync(paths().cooldown, content)
      expect(await quickCheck(ask({ invocation: `of-${content}` })), content).toMatchObject({ findings: 2 })
    }
    rmSync(paths().cooldown)
    mkdirSync(paths().cooldown)
    expect(await quickCheck(ask({ invocation: "directory" }))).toMatchObject({ findings: 2 })
  })

  it("that is switched off uses up no cooldown", async () => {
    expect(await quickCheck(ask({ env: { HOOKTAPE_SESSION_MONITOR: "no" } }))).toMatchObject({ findings: 0 })
    expect(logged()).toEqual(["hook triggered", "disabled, exiting"])
    expect(await quickCheck(ask())).toMatchObject({ findings: 2 })
  })

  it("asks its guards in one order: lock, cooldown, switch, needs, check", async () => {
    const off = { HOOKTAPE_SESSION_MONITOR: "false" }
    const fails = () => {
      throw new Error("unreachable")
    }
    await quickCheck(ask())
    const before = logged()
    const { kill } = await lockHolder()
    for (const env of [on, off]) await quickCheck(ask({ env, gather: fails }))
    time += 60_000
    for (const env of [on, off]) await quickCheck(ask({ env, gather: fails }))
    expect(logged()).toEqual(before)
    await kill()
    time -= 60_000
    await quickCheck(ask({ env: off, gather: fails }))
    expect(logged().at(-1)).toBe("cooldown active, skipping")
    time += 60_000
    await quickCheck(ask({ env: off, places: [], gather: fails }))
    expect(logged().at(-1)).toBe("disabled, exiting")
    await quickCheck(ask({ places: ["/nowhere"], gather: fails }))
    expect(logged().at(-1)).toBe("what reads the log was not found")
    await quickCheck(ask({ gather: fails }))
    expect(logged().at(-1)).toBe("quick check failed: Error: unreachable")
  })

  it("that fails ends quietly and says so, a missing module as just that", async () => {
    const none = { findings: 0, handedOver: false }
    expect(await quickCheck(ask({ gather: () => Promise.reject(new TypeError("x")) }))).toEqual(none)
    expect(logged().at(-1)).toMatch(/^quick check failed: TypeError/)
    // As `require` has it, as `import` does, and of an addon that is there and cannot be loaded.
    for (const code of ["MODULE_NOT_FOUND", "ERR_MODULE_NOT_FOUND", "ERR_DLOPEN_FAILED"]) {
      time += 60_000
      const gather = () => {
        throw Object.assign(new Error(`no better-sqlite3 (${code})`), { code })
      }
      expect(await quickCheck(ask({ gather }))).toEqual(none)
      expect(logged().at(-1)).toBe(`import error: no better-sqlite3 (${code})`)
    }
  })

  it("never fails, whatever is in its way", async () => {
    rmSync(state, { recursive: true })
    writeFileSync(state, "")
    expect(await quickCheck(ask())).toEqual({ findings: 0, handedOver: false })
    rmSync(state)
    mkdirSync(join(state, "logs"), { recursive: true })
    mkdirSync(join(state, "logs", "session-monitor.log"))
    expect(await quickCheck(ask())).toMatchObject({ findings: 2 })
  })
})

describe("what is looked at", () => {
  const sources = {
    now: () => start,
    random: (count: number) => new Uint8Array(count).map(() => Math.random() * 256)
  }
  const remember = (project: string, text: string) => {
    const note = {
      type: "NOTE_RECORDED",
      note: text,
      text,
      kind: "note",
      source: "operator",
      project
    } as const
    keep(state, { stream: `note/${text}`, fact: note, marks: { project } }, sources)
    const failed = { type: "BUILD_FAILED", project, errors: [text] } as never
    keep(state, { stream: `operator/${text}`, fact: failed, marks: { project } }, sources)
  }

  it("reads the notes and facts of every project, where the state is, and closes what it opened", async () => {
    openState(state)
    remember("/one", "a")
    const file = join(state, "log.sqlite")
    await Effect.runPromise(
      Effect.provide(ingest(state, "test"), Layer.fresh(layerSqlite({ file, source: "test" })))
    )
    remember("/two", "b")
    gather(state, start, here)
    const open = readdirSync("/proc/self/fd").length
    const evidence = gather(state, start, here)
    expect(evidence.notes.map(({ project, text }) => [project, text])).toEqual([
      ["/one", "a"],
      ["/two", "b"]
    ])
    expect(evidence.facts.map(({ project, type }) => [project, type])).toEqual([
      ["/one", "BUILD_FAILED"],
      ["/two", "BUILD_FAILED"]
    ])
    expect(evidence.logBytes).toBeGreaterThan(0)
    expect(evidence.spooled).toBe(2)
    expect(readdirSync("/proc/self/fd").length).toBeLessThanOrEqual(open)
  })
})

describe("the lock", () => {
  it("is one process's: another ends at once, without a word, until that one is gone, however it went", async () => {
    const { kill } = await lockHolder()
    expect(takeMonitorLock(paths(), here)).toBe(false)
    expect(await quickCheck(ask())).toEqual({ findings: 0, handedOver: false })
    expect(logged()).toEqual([])
    await kill()
    // What it wrote down of itself outlives it, and holds nobody off.
    expect(existsSync(paths().holder)).toBe(true)
    expect(await quickCheck(ask())).toMatchObject({ findings: 2 })
  })

  it("is not waited for", () => {
    // SQLite as it is, which says how long it would wait when it is told to lock.
    writeFileSync(
      join(state, "sqlite.cjs"),
      `const Real = require(${JSON.stringify(createRequire(import.meta.url).resolve("better-sqlite3"))})
      module.exports = class extends Real {
        exec(sql) {
          if (/EXCLUSIVE/.test(sql)) throw new Error("would wait " + this.pragma("busy_timeout", { simple: true }) + " ms")
          return super.exec(sql)
        }
      }`
    )
    expect(() => takeMonitorLock(paths(), join(state, "cli.js"))).toThrow("would wait 0 ms")
  })

  it("is held against every other process by whoever took it, until it lets go", () => {
    const program = `
      const Database = require("better-sqlite3")
      const db = new Database(${JSON.stringify(paths().lock)}, { timeout: 0 })
      db.exec("BEGIN EXCLUSIVE")`
    const other = () =>
      spawnSync(process.execPath, ["-e", program], {
        cwd: fileURLToPath(new URL("../../..", import.meta.url)),
        encoding: "utf8"
      })
    expect(takeMonitorLock(paths(), here)).toBe(true)
    expect(other().stderr).toContain("database is locked")
    letMonitorLockGo(paths())
    expect(other()).toMatchObject({ status: 0, stderr: "" })
  })

  it("can be taken again by who has it, and tells who that is", () => {
    expect(takeMonitorLock(paths(), here)).toBe(true)
    expect(takeMonitorLock(paths(), here)).toBe(true)
    expect(readFileSync(paths().holder, "utf8")).toBe(`${process.pid}\n`)
    letMonitorLockGo(paths())
    expect(existsSync(paths().holder)).toBe(false)
    letMonitorLockGo(paths())
  })

  it("that is damaged is nobody's, and is taken", () => {
    mkdirSync(join(state, "run"), { recursive: true })
    writeFileSync(paths().lock, "this is no database, and longer than the head of one would be. ".repeat(30))
    expect(takeMonitorLock(paths(), here)).toBe(true)
    letMonitorLockGo(paths())
    expect(takeMonitorLock(paths(), here)).toBe(true)
    letMonitorLockGo(paths())
  })

  it("whose holder cannot be written down is released again", () => {
    mkdirSync(paths().holder, { recursive: true })
    expect(() => takeMonitorLock(paths(), here)).toThrow("EISDIR")
    rmSync(paths().holder, { recursive: true })
    expect(takeMonitorLock(paths(), here)).toBe(true)
    expect(readFileSync(paths().holder, "utf8")).toBe(`${process.pid}\n`)
    letMonitorLockGo(paths())
  })

  it("that could not be taken leaves no open descriptor", async () => {
    const { kill } = await lockHolder()
    const open = () => readdirSync("/proc/self/fd").length
    takeMonitorLock(paths(), here)
    const before = open()
    for (let at = 0; at < 5; at++) expect(takeMonitorLock(paths(), here)).toBe(false)
    expect(open()).toBeLessThanOrEqual(before)
    await kill()
  })
})

describe("what it needs", () => {
  it("is looked for in three places, in this order, and the first that exists is used, once", () => {
    const manifest = join(state, "manifest.json")
    writeFileSync(manifest, JSON.stringify({ cli: "/a/dist/cli.js" }))
    mkdirSync(join(state, "projects"))
    writeFileSync(join(state, "projects", "user.json"), JSON.stringify({ cli: "/b/dist/cli.js" }))
    expect(candidates(state, manifest, "/c")).toEqual(["/a/dist/cli.js", "/b/dist/cli.js", "/c"])
    expect(candidates(state, manifest, "/a/dist/cli.js")).toEqual(["/a/dist/cli.js", "/b/dist/cli.js"])
    expect(candidates(state, undefined, undefined)).toHaveLength(2)
    writeFileSync(manifest, "broken")
    expect(candidates(state, manifest, "/c")).toEqual(["/b/dist/cli.js", "/c"])
    expect(firstThere(["/nowhere", here, state])).toBe(here)
    expect(firstThere(["/nowhere"])).toBeUndefined()
  })

  it("is taken from there by the check: from what built this project, then from what built the user's hooks", async () => {
    const { places: _, ...asked } = ask()
    const projects = join(state, "projects")
    mkdirSync(projects)
    const install = (name: string, manifest: string) => {
      const folder = join(state, name)
      mkdirSync(folder)
      writeFileSync(join(folder, "cli.js"), "")
      writeFileSync(
        join(folder, "sqlite.cjs"),
        `throw Object.assign(new Error("of ${name}"), { code: "MODULE_NOT_FOUND" })`
      )
      writeFileSync(manifest, JSON.stringify({ cli: join(folder, "cli.js") }))
    }
    install("user", userManifest(state))
    await quickCheck(asked)
    expect(logged().at(-1)).toBe("import error: of user")
    install("project", projectManifest(state, state))
    await quickCheck(asked)
    expect(logged().at(-1)).toBe("import error: of project")
  })
})

describe("the deep analysis", () => {
  const stored: StoredNote[] = []
  const asked: { command: string; options: Parameters<DeepAnalysis["run"]>[2] }[] = []
  beforeEach(() => {
    stored.length = 0
    asked.length = 0
    const bin = join(state, "bin")
    mkdirSync(bin)
    writeFileSync(join(bin, "claude"), "")
    chmodSync(join(bin, "claude"), 0o755)
  })

  const deep = async (ran: Partial<Ran> | Error, given: Partial<DeepAnalysis> = {}) => {
    await quickCheck(ask({ env: { ...on, PATH: join(state, "bin") } }))
    return deepAnalysis({
      state,
      invocation: "i1",
      project: "/nowhere/at/all",
      settings: monitorSettings({}),
      env: {},
      signal: new AbortController().signal,
      now: () => time,
      run: async (command, _, options) => {
        asked.push({ command, options })
        if (ran instanceof Error) throw ran
        return { exitCode: 0, stdout: "", stderr: "", ...ran }
      },
      store: async (note) => void stored.push(note),
      ...given
    })
  }
  const answer = '{"summary":"too big","recommendations":[{"priority":"high","action":"look"}]}'

  it("takes the stored findings, asks the model without hooks and for 120 seconds, and stores its answer as a note", async () => {
    expect(await deep({ stdout: answer, stderr: "debug: thinking\n" })).toEqual({
      stored: true,
      by: join(state, "bin", "claude"),
      importance: 0.7,
      confidence: 0.8,
      source: "session-monitor",
      namespace: "global",
      issuesFound: 2,
      criticalCount: 1,
      warningCount: 1
    })
    expect(asked[0]).toMatchObject({
      command: join(state, "bin", "claude"),
      options: {
        timeout: 120_000,
        env: { HOOKTAPE: "0", PATH: join(state, "bin") },
        input: expect.stringContaining("a:1")
      }
    })
    expect(stored).toEqual([
      {
        text: expect.stringContaining("- [high] look"),
        kind: "session",
        tags: ["session-monitor", "issues-2", "critical-1", "warnings-1"],
        importance: 0.7,
        confidence: 0.8
      }
    ])
    expect(logged().slice(4)).toEqual([
      "job: starting deep analysis",
      `job: model command found at ${join(state, "bin", "claude")}`,
      "job: asking it about 2 issues",
      "job: model: debug: thinking",
      "job: analysis complete, storing it",
      "job: note stored successfully"
    ])
    expect(readdirSync(paths().payloads)).toEqual([])
  })

  it.each([
    ["garbage", { stdout: "no idea" }, "BadAnswer: holds no JSON document"],
    ["an exit code", { exitCode: 1, stdout: answer }, "Error: ended with exit code 1"],
    ["nothing in time", { exitCode: null, failure: "timed-out" }, "Error: timed-out"],
    ["an exception", new RangeError("x"), "RangeError: x"]
  ] as const)(
    "that gets %s has no result: logged, nothing stored, the payload gone",
    async (_, ran, reason) => {
      expect(await deep(ran)).toMatchObject({ stored: false, reason: "no result", issuesFound: 2 })
      expect(stored).toEqual([])
      expect(logged().slice(-2)).toEqual([
        `job: analysis failed: ${reason}`,
        "job: no result, nothing is stored"
      ])
      expect(readdirSync(paths().payloads)).toEqual([])
    }
  )

  it("without a model command says so, with the path it looked in, and analyses alone", async () => {
    rmSync(join(state, "bin", "claude"))
    expect(await deep({})).toMatchObject({ stored: true, by: "deterministic", confidence: 0.8 })
    expect(asked).toEqual([])
    expect(stored[0]?.text).toContain("Made without a model")
    expect(logged()).toContain("job: ERROR - no model command (claude, codex, gemini) in PATH")
    expect(logged()).toContain(`job: PATH = ${join(state, "bin")}`)
  })

  it("where nothing was handed over is over at once", async () => {
    rmSync(payloadFile(paths(), "i1"), { force: true })
    const result = await deep({ stdout: answer }, { invocation: "other" })
    expect(result).toEqual({ stored: false, reason: "nothing was handed over" })
    expect(asked).toEqual([])
  })

  it("that fails says so and stays where it is; its payload is removed", async () => {
    const store = () => Promise.reject(new Error("disk full"))
    expect(await deep({ stdout: answer }, { store })).toEqual({ stored: false, reason: "error" })
    expect(logged().at(-1)).toBe("job: error - Error: disk full")
    expect(readdirSync(paths().payloads)).toEqual([])
  })

  it("that is ended with its host keeps its payload for the next one", async () => {
    const signal = AbortSignal.abort()
    await deep(new Error("killed"), { signal })
    expect(readdirSync(paths().payloads)).toEqual(["i1.json"])
    expect(await deep({ stdout: answer })).toMatchObject({ stored: true })
  })
})
