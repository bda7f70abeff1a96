/** What services answer is recorded, and a replay has the same answers without asking anybody. */
import { execFileSync } from "node:child_process"
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { ServiceCalled } from "../../../events/facts.ts"
import type { Services } from "../../../src/hooks/Services.ts"
import { UnrecordedCall } from "../../../src/hooks/UnrecordedCall.ts"
import { redact } from "../../../src/redact/redact.ts"
import { liveAnswers, maxCalls, maxRecorded, recordedAnswers } from "../../../src/runtime/services/answers.ts"
import { makeHandlerServices } from "../../../src/runtime/services/handlerServices.ts"
import { isAlive } from "../../../src/state/isAlive.ts"
import { maxOutput } from "../../../src/trust/runCommand.ts"

const asking = { handler: "h", event: "tool.before", index: 0, attempt: 1 }
let cwd: string
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), "services-")))
})
afterEach(() => rmSync(cwd, { recursive: true, force: true }))

/** Until it is restored, every function that reaches beyond the process throws. */
const closeWorld = (): (() => void) => {
  const modules = [
    "fs",
    "fs/promises",
    "child_process",
    "net",
    "http",
    "https",
    "dgram",
    "dns",
    "worker_threads"
  ]
  // All are there before the first is closed: what loads while another is closed keeps what that throws.
  const loaded = modules.map(
    (name) => [name, process.getBuiltinModule(`node:${name}`) as unknown as Record<string, unknown>] as const
  )
  const undo = loaded.flatMap(([name, module]) =>
    Object.entries(module).flatMap(([key, value]) => {
      const { writable = false } = Object.getOwnPropertyDescriptor(module, key) ?? {}
      if (typeof value !== "function" || !writable || /^[A-Z]/.test(key)) return []
      module[key] = () => {
        throw new Error(`touched the world: ${name}.${key}`)
      }
      return [() => (module[key] = value)]
    })
  )
  expect(undo.length).toBeGreaterThan(100)
  syncBuiltinESMExports()
  return () => {
    for (const one of undo) one()
    syncBuiltinESMExports()
  }
}

let ticks = 0
const world = (over: object = {}) => ({ project: cwd, elapsed: () => ticks++, ...over })

/** Runs it in the world, then from the record with the world gone. */
const twice = async <A>(
  act: (services: Services) => Promise<A>
): Promise<{ readonly value: A; readonly called: readonly ServiceCalled[] }> => {
  const live = makeHandlerServices(world(), asking)
  const value = await act(live.services(cwd, {}))
  const called = live.end()
  rmSync(cwd, { recursive: true, force: true })
  const again = makeHandlerServices(world({ recorded: JSON.parse(JSON.stringify(called)) }), asking)
  expect(await act(again.services(cwd, {}))).toEqual(value)
  return { value, called }
}

describe("services", () => {
  it("give the same again: clock, randomness, files, commands", async () => {
    writeFileSync(join(cwd, "a.txt"), "one\n")
    mkdirSync(join(cwd, "sub"))
    symlinkSync("a.txt", join(cwd, "link"))
    const { called, value } = await twice(async ({ clock, files, random, run }) => ({
      now: clock.now(),
      random: [random.next(), random.next(), random.uuid(), random.uuid()],
      text: await files.read("a.txt"),
      part: await files.read("a.txt", { maxBytes: 2 }),
      none: await files.read("nothing.txt"),
      kinds: await Promise.all(["a.txt", "sub", "link", "nothing"].map((path) => files.exists(path))),
      list: await files.list("."),
      noList: await files.list("nothing"),
      ran: await run("sh", ["-c", 'cat; echo "$0 $GIVEN" >&2; exit 3', "arg"], {
        input: "in",
        env: { GIVEN: "x" }
      })
    }))
    expect(value).toMatchObject({
      text: { text: "one\n", bytes: 4, truncated: false },
      part: { text: "on", bytes: 4, truncated: true },
      none: undefined,
      kinds: ["file", "directory", "file", undefined],
      list: [
        { name: "a.txt", kind: "file" },
        { name: "link", kind: "link" },
        { name: "sub", kind: "directory" }
      ],
      noList: undefined,
      ran: { exitCode: 3, stdout: "in", stderr: "arg x\n", truncated: false }
    })
    expect(new Set(value.random).size).toBe(4)
    expect(called.map(({ call }) => call)).toEqual(called.map((_, at) => at + 1))
    expect(called[0]).toEqual({
      type: "SERVICE_CALLED",
      ...asking,
      call: 1,
      service: "clock.now",
      input: null,
      result: value.now,
      fromUs: expect.any(Number),
      ms: expect.any(Number)
    })
  })

  it("fail the same again", async () => {
    mkdirSync(join(cwd, "sub"))
    const told = async (act: () => Promise<unknown>) =>
      act().then(String, ({ name, message }) => `${name}: ${message}`)
    const { called, value } = await twice(async ({ call, files, log, run }) => [
      await told(() => files.read("sub")),
      await told(() => run("true", [], { cwd: "nowhere" })),
      await told(() => call("broken", null, () => Promise.reject(new TypeError("no")))),
      await told(() => log.facts({}))
    ])
    expect(value).toEqual([
      expect.stringMatching(/^Error: .*sub is not a file/),
      expect.stringMatching(/^Error: there is no directory/),
      "TypeError: no",
      "NoLog: there is no log here"
    ])
    expect(called.map(({ error }) => error?.name)).toEqual(["Error", "Error", "TypeError", "NoLog"])
  })

  it("a program that is not there, is late, floods, or is refused rejects nothing", async () => {
    writeFileSync(join(cwd, "plain"), "")
    chmodSync(join(cwd, "plain"), 0o600)
    const { value } = await twice(async ({ run }) => ({
      missing: await run("no-such-program"),
      refused: await run("./plain"),
      // Long enough for a shell to start on a machine that does other things.
      late: await run("sh", ["-c", "echo begun; sleep 600"], { timeout: 3000 }),
      flood: await run("sh", ["-c", "yes | head -c 3000000"], { maxOutput: 10_000_000 }),
      killed: await run("sh", ["-c", "kill -9 $$"]),
      // What it leaves running with its streams is not waited for.
      left: await run("sh", ["-c", "echo here; sleep 600 & exit 0"])
    }))
    expect(value).toMatchObject({
      missing: { exitCode: null, failure: "missing" },
      refused: { exitCode: null, failure: "refused" },
      late: { exitCode: null, stdout: "begun\n", failure: "timed-out" },
      flood: { exitCode: 0, truncated: true },
      killed: { exitCode: null, failure: "killed" },
      left: { exitCode: 0, stdout: "here\n" }
    })
    expect(value.flood.stdout.length).toBe(maxOutput)
  })

  it("whatever has no service is recorded by call, and not done again", async () => {
    let done = 0
    const { value } = await twice(async ({ call }) => [
      await call("count", { by: 1 }, () => ++done),
      await call("nothing", null, () => undefined),
      await call("date", null, () => new Date(0) as never)
    ])
    expect(value).toEqual([1, undefined, "1970-01-01T00:00:00.000Z"])
    expect(done).toBe(1)
  })

  it("asked for at once each have their own answer again", async () => {
    for (const name of ["a", "b", "c"]) writeFileSync(join(cwd, name), name)
    const { value } = await twice(({ files, run }) =>
      Promise.all([
        run("sh", ["-c", "sleep 0.1; echo slow"]).then(({ stdout }) => stdout),
        ...["c", "a", "b", "a"].map((name) => files.read(name).then((file) => file?.text))
      ])
    )
    expect(value).toEqual(["slow\n", "c", "a", "b", "a"])
  })

  it("end with the handler, with all they started, and answer nothing afterwards", async () => {
    const handlerServices = makeHandlerServices(world(), asking)
    const { clock, run } = handlerServices.services(cwd, {})
    const late = run("sh", ["-c", "echo $$ > pid; sleep 600"])
    const pid = async (): Promise<number> => {
      for (;;) {
        try {
          return Number(
            execFileSync("cat", [join(cwd, "pid")], {
              encoding: "utf8",
              stdio: ["ignore", "pipe", "ignore"]
            }).trim() || "x"
          )
        } catch {
          await new Promise((resolve) => setTimeout(resolve, 10))
        }
      }
    }
    const started = await pid()
    const called = handlerServices.end()
    expect(called).toMatchObject([{ service: "run", error: { name: "Unfinished" } }])
    expect(await late).toMatchObject({ failure: "killed" })
    expect(isAlive(started)).toBe(false)
    expect(() => clock.now()).toThrow(/the handler is over/)
    // What comes after the end does not change what was told.
    expect(called).toMatchObject([{ error: { name: "Unfinished" } }])
  })
})

describe("a replay", () => {
  const fact = (over: Partial<ServiceCalled>): ServiceCalled => ({
    type: "SERVICE_CALLED",
    ...asking,
    call: 1,
    service: "s",
    input: null,
    result: 1,
    ms: 0,
    ...over
  })

  it("fails what was not recorded, by name, and never asks", async () => {
    const { later, now } = recordedAnswers(asking, [fact({ service: "files.read", input: { path: "a" } })])
    const act = () => {
      throw new Error("the world was asked")
    }
    await expect(later("files.read", { path: "b" }, act)).rejects.toThrow(UnrecordedCall)
    await expect(later("files.read", { path: "b" }, act)).rejects.toMatchObject({
      name: "UnrecordedCall",
      service: "files.read",
      input: { path: "b" },
      message: 'files.read({"path":"b"}) was not recorded'
    })
    expect(await later("files.read", { path: "a" }, act)).toBe(1)
    await expect(later("files.read", { path: "a" }, act)).rejects.toThrow(UnrecordedCall)
    expect(() => now("clock.now", null, act)).toThrow(UnrecordedCall)
  })

  it("leaves a handler waiting that waited in vain when it was recorded", async () => {
    const live = liveAnswers(asking, () => 0)
    void live.later("run", { command: "sleep" }, () => new Promise<never>(() => {}))
    const replayed = recordedAnswers(asking, live.close())
    const answer = replayed
      .later("run", { command: "sleep" }, () => 0)
      .then(
        () => "answered",
        () => "refused"
      )
    const waiting = new Promise((resolve) => setImmediate(() => resolve("waiting")))
    expect(await Promise.race([answer, waiting])).toBe("waiting")
  })

  it("leaves one waiting that ran out of time and whose questions nobody lived to record", async () => {
    const ask = (isLate: boolean) =>
      recordedAnswers(asking, [], isLate)
        .later("run", { command: "sleep" }, () => 0)
        .then(
          () => "answered",
          () => "refused"
        )
    const waiting = () => new Promise((resolve) => setImmediate(() => resolve("waiting")))
    expect(await Promise.race([ask(true), waiting()])).toBe("waiting")
    expect(await Promise.race([ask(false), waiting()])).toBe("refused")
  })

  it("knows a question again whose secret was taken out of the log", async () => {
    const token = `ghp_${"a1B2".repeat(9)}`
    const recorded = redact(fact({ service: "call fetch", input: { token } }))
    expect(JSON.stringify(recorded)).not.toContain(token)
    expect(await recordedAnswers(asking, [recorded]).later("call fetch", { token }, () => 0)).toBe(1)
  })

  it.each([
    { importance: Number.NaN },
    { importance: 1.1 },
    { confidence: -0.1 },
    { confidence: Number.POSITIVE_INFINITY },
    { confidence: "high" as never }
  ])("stores no note with %j", async (share) => {
    const handlerServices = makeHandlerServices(world({ state: join(cwd, "state") }), asking)
    const { notes } = handlerServices.services(cwd, {})
    await expect(notes.add({ text: "one", ...share })).rejects.toMatchObject({
      name: "BadNote",
      message: `${Object.keys(share)[0]} is a number from 0 to 1`
    })
    handlerServices.end()
  })

  it("touches no file, process or socket", async () => {
    writeFileSync(join(cwd, "a.txt"), "one")
    const state = join(cwd, "state")
    const act = async ({ call, clock, files, log, notes, random, run, transcript }: Services) => [
      clock.now(),
      random.next(),
      random.uuid(),
      await files.read("a.txt"),
      await files.exists("a.txt"),
      await files.list("."),
      await run("true"),
      await log.facts({}),
      await notes.list(),
      await notes.search("one"),
      await notes.add({ text: "one", importance: 1, confidence: 0 }),
      await transcript.read(),
      await call("own", null, () => "own")
    ]
    const payload = { transcript_path: join(cwd, "a.txt") }
    const live = makeHandlerServices(world({ state }), asking)
    const said = await act(live.services(cwd, payload))
    const called = live.end()
    expect(new Set(called.map(({ service }) => service)).size).toBe(said.length)
    const recorded = JSON.parse(JSON.stringify(called)) as readonly ServiceCalled[]
    const restore = closeWorld()
    try {
      const again = makeHandlerServices(world({ state, recorded }), asking)
      expect(await act(again.services(cwd, payload))).toEqual(
        JSON.parse(JSON.stringify(said), (_, value) => value ?? undefined)
      )
      again.end()
      // The guard is one: whoever asks the world meets it.
      const asks = makeHandlerServices(world({ state }), asking)
      const { files, run } = asks.services(cwd, payload)
      await expect(files.exists("a.txt")).rejects.toThrow(/touched the world/)
      await expect(run("true")).rejects.toThrow(/touched the world/)
      asks.end()
    } finally {
      restore()
    }
  })

  it("has the answers of each handler, event and attempt apart; its own run of several first", () => {
    const all = [
      fact({ index: 1, result: "second run" }),
      fact({ index: 0, result: "first run" }),
      fact({ attempt: 2, result: "again" }),
      fact({ handler: "other", result: "other" })
    ]
    const ask = (over: object) => recordedAnswers({ ...asking, ...over }, all).now("s", null, () => 0)
    expect([ask({}), ask({ index: 1 }), ask({ attempt: 2 }), ask({ handler: "other" })]).toEqual([
      "first run",
      "second run",
      "again",
      "other"
    ])
    expect(() => ask({ event: "turn.stop" })).toThrow(UnrecordedCall)
  })

  it("says so where an answer was too long to be recorded", async () => {
    const live = liveAnswers(asking, () => 0)
    const long = "x".repeat(maxRecorded / 2 + 10)
    expect(await live.later("call a", null, () => long)).toBe(long)
    expect(await live.later("call b", null, () => long)).toBe(long)
    expect(await live.later("call c", null, () => "short")).toBe("short")
    const called = live.close()
    expect(called.map(({ omitted, result }) => [omitted, result])).toEqual([
      [undefined, long],
      [long.length + 2, undefined],
      [undefined, "short"]
    ])
    const replayed = recordedAnswers(asking, called)
    await expect(replayed.later("call b", null, () => "")).rejects.toThrow(/was too long to be recorded/)
    expect(await replayed.later("call c", null, () => "")).toBe("short")
  })

  it("a handler that asks without end gets no answer at some point", () => {
    const live = liveAnswers(asking, () => 0)
    for (let n = 0; n < maxCalls; n++) live.now("clock.now", null, () => n)
    expect(() => live.now("clock.now", null, () => 0)).toThrow(/may ask/)
    expect(live.close()).toHaveLength(maxCalls)
  })
})
