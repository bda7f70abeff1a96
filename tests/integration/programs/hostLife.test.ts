/** The life of hosts: one at a time, whatever the one before left behind; handed over, drained, and killed in the middle. */
import { spawn, spawnSync } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Readable } from "node:stream"
import { finished } from "node:stream/promises"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { afterEach, describe, expect, it } from "vitest"
import { shippedClient } from "../../../src/programs/cli/prepare.ts"
import { hostStatus } from "../../../src/runtime/host/askHost.ts"
import { bash, dataOf, outcomeOf, type Station, station } from "../../support/entrypoint.ts"
import { answering, dist, equip, type RunningHost, startHost } from "../../support/host.ts"
import { openPlainly } from "../../support/log/plainSqlite.ts"

const running = new Set<RunningHost>()
const states = new Set<string>()

/** Hosts that were started by others than the test are asked to go; nothing is left when a test ends. */
afterEach(async () => {
  for (const host of running) await host.stop("SIGKILL")
  running.clear()
  for (const state of states) {
    const there = await Effect.runPromise(Effect.option(hostStatus(state)))
    if (there._tag === "Some") process.kill(there.value.pid, "SIGKILL")
  }
  states.clear()
})

const hook = `import { existsSync } from "node:fs"
import { defineHook, modelContext } from "hooktape"
export default defineHook({ name: "answers", on: "tool.before", run: async ({ tool }) => {
  if (tool?.command === "slower") await new Promise((resolve) => setTimeout(resolve, 2500))
  while (tool?.command === "held" && !existsSync(process.env.HOOKTAPE_HOME + "/go"))
    await new Promise((resolve) => setTimeout(resolve, 10))
  return modelContext("SAID")
} })`

const answer = `${JSON.stringify({ hookSpecificOutput: { additionalContext: "SAID", hookEventName: "PreToolUse" } })}\n`

const furnished = async (): Promise<Station> => {
  const place = await station()
  place.putUser("config.json", JSON.stringify({ deadlineMs: 60_000 }))
  place.putUser("hooks/answers.ts", hook)
  await place.build()
  await equip(place)
  states.add(place.state)
  return place
}

const start = async (place: Station): Promise<RunningHost> => {
  const host = await startHost(place)
  running.add(host)
  return host
}

const isAnswered = async (place: Station, command = "ls") =>
  expect(await place.fire({ input: bash(command) })).toMatchObject({ code: 0, stdout: answer, stderr: "" })

/** How the calls on the log came in, in order. */
const transports = async (place: Station) =>
  (await place.runs())
    .filter(({ types }) => types.includes("INVOCATION_OPENED"))
    .map((run) => dataOf(run, "INVOCATION_OPENED")[0]?.transport)

const life = async (place: Station) =>
  (await place.facts()).filter(({ stream }) => stream.startsWith("host/")).map(({ type }) => type)

describe.skipIf(!existsSync(shippedClient()))("a host", () => {
  it("answers, tells of itself, drains on SIGTERM, and has its whole life on the log", async () => {
    const place = await furnished()
    const host = await start(place)
    await isAnswered(place)
    expect(await host.status()).toMatchObject({ pid: host.child.pid, served: 1, underway: 0 })
    const held = place.fire({ input: bash("held") })
    // It is underway once the host says so.
    await Effect.runPromise(
      Effect.repeat(hostStatus(place.state), {
        schedule: Schedule.spaced("5 millis"),
        until: ({ underway }) => underway === 1
      })
    )
    const stopping = host.stop()
    await Effect.runPromise(
      Effect.repeat(
        Effect.promise(() => life(place)),
        { schedule: Schedule.spaced("20 millis"), until: (told) => told.includes("HOST_DRAINING") }
      )
    )
    writeFileSync(join(place.state, "go"), "")
    const ended = await stopping
    expect(await held).toMatchObject({ code: 0, stdout: answer })
    expect(ended).toEqual({ code: 0, signal: null })
    expect(await life(place)).toEqual(["HOST_STARTED", "HOST_READY", "HOST_DRAINING", "HOST_STOPPED"])
    expect(await transports(place)).toEqual(["socket", "socket"])
    expect(existsSync(join(place.state, "run", "host.sock"))).toBe(false)
  })

  it("opens its parts first: one that cannot be is off and named, and everything else runs", async () => {
    const place = await furnished()
    await (await start(place)).stop()
    const file = join(place.state, "log.sqlite")
    const db = openPlainly(file)
    db.prepare("DELETE FROM checkpoints").run()
    db.exec("DROP TABLE search_text; DROP TABLE search_documents; CREATE VIEW search_documents AS SELECT 1")
    db.close()
    const host = await start(place)
    await isAnswered(place)
    const { parts = {} } = await host.status()
    expect(parts).toMatchObject({ log: "ready", chains: "ready", search: expect.stringContaining("view") })
    const started = (await place.facts())
      .filter(({ type }) => type === "HOST_STARTED")
      .map(({ data }) => data)
    expect(started).toEqual([
      expect.objectContaining({
        parts: Object.fromEntries(Object.keys(parts).map((name) => [name, "ready"]))
      }),
      expect.objectContaining({ parts })
    ])
    expect(readFileSync(join(place.state, "logs", "host.log"), "utf8")).toMatch(/ search is off: .*view/)
    const said = (...args: string[]) =>
      spawnSync(process.execPath, [join(dist, "cli.js"), ...args], {
        env: place.env,
        cwd: place.project,
        encoding: "utf8"
      }).stdout
    expect(said("host", "status")).toMatch(/log: ready\n.*search: .*view/)
    const { checks } = JSON.parse(said("doctor", "--json"))
    expect(checks).toContainEqual(expect.objectContaining({ name: "search", status: "warn" }))
  })

  it("says that it is at work, so that a client waits longer than it would for silence", async () => {
    const place = await furnished()
    await start(place)
    expect(await place.fire({ input: bash("slower") })).toMatchObject({ code: 0, stdout: answer })
    expect(await transports(place)).toEqual(["socket"])
  })

  it("is alone: a second one leaves at once and without a word", async () => {
    const place = await furnished()
    const first = await start(place)
    const second = await startHost(place)
    const { code } = await second.stop("SIGCONT")
    expect(code).toBe(0)
    expect((await first.status()).pid).toBe(first.child.pid)
    await isAnswered(place)
  })

  it("two at the same moment: one serves", async () => {
    const place = await furnished()
    const both = await Promise.all([startHost(place), startHost(place)])
    for (const host of both) running.add(host)
    const { pid } = await answering(place.state)
    const other = both.find(({ child }) => child.pid !== pid) as RunningHost
    expect((await other.stop("SIGCONT")).code).toBe(0)
    await isAnswered(place)
    expect((await life(place)).filter((type) => type === "HOST_READY")).toHaveLength(1)
  })

  it("takes the place of one that was killed: its socket and its lock bind nobody", async () => {
    const place = await furnished()
    const first = await start(place)
    await first.stop("SIGKILL")
    expect(existsSync(join(place.state, "run", "host.sock"))).toBe(true)
    await isAnswered(place)
    await start(place)
    await isAnswered(place)
    expect(await transports(place)).toEqual(["entry", "socket"])
    expect(await life(place)).toEqual(["HOST_STARTED", "HOST_READY", "HOST_STARTED", "HOST_READY"])
  })

  it("says why it cannot listen, and hooks go on without it", async () => {
    const place = await furnished()
    mkdirSync(join(place.state, "run", "host.sock"))
    const host = await startHost(place)
    expect((await host.stop("SIGCONT")).code).not.toBeNull()
    const [stopped] = (await place.facts()).filter(({ type }) => type === "HOST_STOPPED")
    expect(JSON.stringify(stopped?.data)).toMatch(/cannot listen: .*host\.sock/)
    await isAnswered(place)
  })

  it("closes a state directory that is open to others", async () => {
    const place = await furnished()
    chmodSync(place.state, 0o777)
    chmodSync(join(place.state, "run"), 0o777)
    await start(place)
    for (const path of [place.state, join(place.state, "run")])
      expect(statSync(path).mode & 0o777).toBe(0o700)
    expect(statSync(join(place.state, "run", "host.sock")).mode & 0o777).toBe(0o600)
    expect(statSync(join(place.state, "run", "host.lock")).mode & 0o777).toBe(0o600)
    await isAnswered(place)
  })

  it("turns away whoever does not know its token", async () => {
    const place = await furnished()
    await start(place)
    writeFileSync(join(place.state, "run", "token"), "0".repeat(32))
    await isAnswered(place)
    expect(await transports(place)).toEqual(["entry"])
  })

  it("picks up a hook that was edited, without dropping a call", async () => {
    const place = await furnished()
    await start(place)
    await isAnswered(place)
    place.putUser("hooks/answers.ts", hook.replace('"SAID"', '"SAID SINCE"'))
    // The first call waits for the new build; on a machine that is out of breath a later one is the first to have it.
    const since = answer.replace("SAID", "SAID SINCE")
    for (let stdout = ""; stdout !== since; ) {
      const fired = await place.fire({ input: bash("ls") })
      expect([answer, since]).toContain(fired.stdout)
      stdout = fired.stdout
    }
    expect(new Set(await transports(place))).toEqual(new Set(["socket"]))
  })

  it("hands over to another build, answering until then, and the new one stays", async () => {
    const place = await furnished()
    const first = await start(place)
    await isAnswered(place)
    // Another version is installed; what it starts is this one under another name.
    writeFileSync(join(place.state, "bin", "build"), "0.0.0+another\n")
    const ended = first.stop("SIGCONT")
    // Every call is answered, whichever of them has it.
    let gone = false
    void ended.then(() => {
      gone = true
    })
    while (!gone) await isAnswered(place)
    const { pid } = await answering(place.state)
    expect(pid).not.toBe(first.child.pid)
    for (let at = 0; at < 20; at++) await isAnswered(place)
    expect((await Effect.runPromise(hostStatus(place.state))).pid).toBe(pid)
    const types = await life(place)
    expect(types.filter((type) => type === "HOST_STARTED")).toHaveLength(2)
    expect(types.filter((type) => type === "HOST_STOPPED")).toHaveLength(1)
  })

  it("keeps nothing open that whoever started it has: an agent would wait for its end", async () => {
    const place = await furnished()
    // Those that a client hands on, and one of anybody's.
    const kept = new Set([150, 200, 201, 202])
    const child = spawn(process.execPath, [join(dist, "host.cjs"), place.state], {
      env: place.env,
      stdio: Array.from({ length: 203 }, (_, at) => (kept.has(at) ? "pipe" : "ignore"))
    })
    const closed = [...kept]
      .map((at) => child.stdio[at])
      .map((stream) => finished((stream as Readable).resume()))
    await answering(place.state)
    await Promise.all(closed)
    await isAnswered(place)
    expect(await transports(place)).toEqual(["socket"])
    child.kill("SIGTERM")
    await outcomeOf(child)
  })

  it("does not speak another protocol: the client goes elsewhere, and so does one of another time", async () => {
    const place = await furnished()
    await start(place)
    const client = join(place.state, "bin", "hook")
    const bytes = readFileSync(client)
    const at = bytes.indexOf("HKT1")
    expect(at, "the client holds the name of its protocol").toBeGreaterThan(0)
    rmSync(client)
    writeFileSync(client, Buffer.from(bytes.toString("latin1").replaceAll("HKT1", "HKT0"), "latin1"), {
      mode: 0o700
    })
    await isAnswered(place)
    expect(await transports(place)).toEqual(["entry"])
  })
})
