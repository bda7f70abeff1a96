/** `hooktape --log NAME`: the log of a fleet, asked with the commands that ask one's own. */
import { spawn, spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import type { InvocationFact } from "../../events/facts.ts"
import { type FactId, uuidv7 } from "../../events/ids.ts"
import { noMarks, type Recorded } from "../../events/Recorded.ts"
import { cloudEvent } from "../../src/tools/shipping/cloudEvent.ts"
import { cli } from "../support/cli.ts"
import * as fact from "../support/facts.ts"
import { batchOf, type Collector, roles, startCollector } from "../support/postgres/collector.ts"

let collector: Collector
const root = mkdtempSync(join(tmpdir(), "fleet-"))
beforeAll(async () => {
  collector = await startCollector()
  collector.postgres.psql(`INSERT INTO hooktape.access VALUES ('${roles.reader}', 'default', NULL)`)
})
afterAll(async () => {
  await collector?.close()
  rmSync(root, { recursive: true, force: true })
})

let home = ""
const configure = (logs: unknown): void => {
  mkdirSync(join(home, ".config", "hooktape"), { recursive: true })
  writeFileSync(join(home, ".config", "hooktape", "config.json"), JSON.stringify({ logs }))
}
beforeEach(() => {
  home = mkdtempSync(join(root, "home-"))
  configure({ team: { url: collector.postgres.url(roles.reader) } })
})

const ask = (...words: readonly string[]) => {
  const { status, stderr, stdout } = spawnSync(process.execPath, [cli, ...words], {
    cwd: home,
    encoding: "utf8",
    env: { PATH: process.env["PATH"] ?? "", HOME: home, HOOKTAPE_HOME: join(home, "state"), NO_COLOR: "1" }
  })
  return { status, stderr, stdout }
}

const json = <A>(...words: readonly string[]): A => {
  const { status, stderr, stdout } = ask("--log", "team", ...words, "--json")
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
  return JSON.parse(stdout) as A
}

/** One fact a line. */
const factsOf = (...words: readonly string[]): readonly { stream: string; source: string; type: string }[] =>
  ask("--log", "team", "log", "--json", ...words)
    .stdout.split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))

const handler = fact.plannedHandler("no-force", 0)
const began = Date.now() - 3_600_000
const key = Buffer.alloc(32, 7)

const idOf = (machine: string, call: number): string =>
  uuidv7(began + call * 1000, createHash("sha256").update(`${machine} ${call}`).digest().subarray(0, 10))

/** A blocked command on a machine, as that machine has it. */
const blocked = (machine: string, call: number): readonly InvocationFact[] => [
  fact.opened({
    invocation: idOf(machine, call) as never,
    cwd: "/home/somebody/site",
    project: "/home/somebody/site"
  }),
  fact.buffered({ payload: '{"tool_input":{"command":"SECRET"}}' }),
  fact.planned([handler]),
  fact.started(handler),
  fact.succeeded(handler, [{ type: "BLOCKING_FEEDBACK", reason: "SECRET" }]),
  fact.delivered(2),
  fact.exited(2)
]

const perCall = 7

const shipFrom = async (machine: string, from: number, calls: number, shiftMs = 0) => {
  const token = await collector.token(machine)
  const events = Array.from({ length: calls }, (_, nth) => from + nth).flatMap((call) =>
    blocked(machine, call).map((data, nth) => {
      const position = call * perCall + nth + 1
      const recorded: Recorded = {
        ...noMarks,
        agent: "claude-code",
        agentEvent: "PreToolUse",
        session: nth === 0 ? null : `${machine}-s${call % 2}`,
        project: "/home/somebody/site",
        id: uuidv7(
          began + call * 1000 + nth,
          createHash("sha256").update(`${machine} ${position}`).digest().subarray(0, 10)
        ) as FactId,
        stream: `invocation/${idOf(machine, call)}`,
        type: data.type,
        schemaVersion: 1,
        at: began + shiftMs + call * 1000 + nth,
        cause: null,
        data,
        position,
        version: nth + 1,
        source: machine,
        recordedAt: began,
        known: true
      }
      return cloudEvent(recorded, key)
    })
  )
  const after = from * perCall
  const body = batchOf(after, [after + events.length], { facts: events as never, afterId: null })
  const answer = await collector.send(token, body)
  expect(answer.status).toBe(200)
}

describe("a fleet's log", () => {
  it("shows the calls of all machines, in the order in which they happened, with what was decided and by whom", async () => {
    await shipFrom("laptop-a", 0, 3)
    await shipFrom("laptop-b", 0, 2)
    const facts = factsOf("--type", "INVOCATION_OPENED")
    expect(facts.map(({ stream }) => stream)).toEqual(
      [
        ["laptop-a", 0],
        ["laptop-b", 0],
        ["laptop-a", 1],
        ["laptop-b", 1],
        ["laptop-a", 2]
      ].map(([machine, call]) => `invocation/${idOf(String(machine), Number(call))}`)
    )
    const text = ask("--log", "team", "log").stdout
    expect(text.match(/no-force/g)).toHaveLength(5)
    expect(text).toContain("laptop-b: payload not shipped")
    const shown = ask("--log", "team", "show", "last").stdout
    expect(shown).toContain("no-force")
    expect(shown).toContain("laptop-a: payload not shipped")
    expect(`${text}${shown}`).not.toContain("SECRET")
    // Nothing of it is on this machine's own log.
    expect(ask("log").stdout).toBe("")
  })

  it("is fetched once: what is new comes to what is there", async () => {
    await shipFrom("laptop-c", 0, 2)
    const before = factsOf().length
    await shipFrom("laptop-c", 2, 2)
    const after = factsOf()
    expect(after.length).toBe(before + 2 * perCall)
    expect(new Set(after.map(({ stream, type }) => `${stream} ${type}`)).size).toBe(after.length)
  })

  it("of which nothing was asked for long loses nothing: what is new of a known machine is fetched, however old", async () => {
    await shipFrom("laptop-f", 0, 1)
    factsOf()
    // Shipped now, and of the month before.
    const monthMs = 30 * 86_400_000
    await shipFrom("laptop-f", 1, 1, -monthMs)
    await shipFrom("laptop-g", 0, 1, -monthMs)
    const streams = factsOf("--type", "INVOCATION_OPENED").map(({ stream }) => stream)
    expect(streams).toContain(`invocation/${idOf("laptop-f", 1)}`)
    expect(streams).not.toContain(`invocation/${idOf("laptop-g", 0)}`)
  })

  it("is asked for metrics, chains, replays and backtests, which say what was not shipped", async () => {
    await shipFrom("laptop-d", 0, 2)
    const all = factsOf("--type", "INVOCATION_OPENED").length
    expect(json<{ compared: number; unshipped: number }>("replay", "--all")).toMatchObject({
      same: true,
      compared: 0,
      unshipped: all
    })
    expect(json<{ calls: number; unshipped: number }>("backtest", "--shipped")).toMatchObject({
      calls: 0,
      unshipped: all
    })
    expect(ask("--log", "team", "backtest", "--shipped").stdout).toContain(
      `${all} left out: payload not shipped`
    )
    const counted = { calls: all, without: all }
    expect(json("chains", "list", "--all")).toEqual({ chains: [], unshipped: counted })
    expect(json("metrics")).toMatchObject({ unshipped: counted })
    expect(ask("--log", "team", "chains", "list").stderr).toContain(
      `of ${all} of ${all} events of tool calls`
    )
    expect(ask("--log", "team", "metrics", "hooks", "--by", "hook").stdout).toContain("no-force")
  })

  it("is followed: what comes in later is fetched and shown, and a machine is found by its name", async () => {
    await shipFrom("laptop-i", 0, 1)
    const child = spawn(process.execPath, [cli, "--log", "team", "log", "--grep", "laptop-i", "--follow"], {
      cwd: home,
      env: { PATH: process.env["PATH"] ?? "", HOME: home, HOOKTAPE_HOME: join(home, "state"), NO_COLOR: "1" },
      stdio: ["ignore", "pipe", "ignore"]
    })
    const ended = once(child, "exit")
    const lines = createInterface(child.stdout)
    const shown: string[] = []
    lines.on("line", (line) => void shown.push(line))
    try {
      await expect.poll(() => shown.length, { timeout: 30_000 }).toBe(1)
      await shipFrom("laptop-j", 0, 1)
      await shipFrom("laptop-i", 1, 1)
      await expect.poll(() => shown.length, { timeout: 30_000 }).toBe(2)
      for (const line of shown) expect(line).toContain("laptop-i: payload not shipped")
    } finally {
      child.kill()
      await ended
    }
  })

  it("is fetched anew where the copy cannot be read", async () => {
    await shipFrom("laptop-h", 0, 1)
    const before = factsOf().length
    const fleet = join(home, "state", "fleet")
    const [copy = ""] = readdirSync(fleet)
    for (const end of ["", "-wal", "-shm"]) rmSync(join(fleet, copy, `log.sqlite${end}`), { force: true })
    writeFileSync(
      join(fleet, copy, "log.sqlite"),
      "no database at all, and long enough to be taken for one ".repeat(100)
    )
    expect(factsOf()).toHaveLength(before)
  })

  it("is looked at in a browser, where nothing can be run", async () => {
    await shipFrom("laptop-e", 0, 1)
    const child = spawn(process.execPath, [cli, "--log", "team", "inspect"], {
      cwd: home,
      env: { PATH: process.env["PATH"] ?? "", HOME: home, HOOKTAPE_HOME: join(home, "state") },
      stdio: ["ignore", "pipe", "ignore"]
    })
    const ended = once(child, "exit")
    try {
      const [line] = await once(createInterface(child.stdout), "line")
      const { hash, origin } = new URL(String(line))
      const headers = { authorization: `Bearer ${hash.slice("#token=".length)}` }
      const id = idOf("laptop-e", 0)
      const call = await fetch(`${origin}/api/v1/calls/${id}`, { headers })
      expect(call.status).toBe(200)
      expect(JSON.stringify(await call.json())).toContain("laptop-e: payload not shipped")
      const act = await fetch(`${origin}/api/v1/whatif`, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json", origin },
        body: JSON.stringify({ invocation: id })
      })
      expect(act.status).toBeGreaterThanOrEqual(400)
    } finally {
      child.kill()
      await ended
    }
  })

  it("is what was fetched where the database cannot be asked, and that is said", async () => {
    const before = factsOf().length
    collector.postgres.stop("fast")
    try {
      const { status, stderr, stdout } = ask("--log", "team", "log", "--json")
      expect(status).toBe(0)
      expect(stderr).toMatch(/team cannot be asked .*this is what was fetched/)
      expect(stdout.trim().split("\n")).toHaveLength(before)
      configure({ other: { url: collector.postgres.url("nobody") } })
      const none = ask("--log", "other", "log")
      expect(none).toMatchObject({ status: 1, stdout: "" })
      expect(none.stderr).toContain("it cannot be asked")
    } finally {
      collector.postgres.start()
    }
  })

  it("holds what its reader may see", async () => {
    const token = await collector.token("secret-laptop", "others")
    const events = [
      cloudEvent(
        {
          ...noMarks,
          id: "x" as FactId,
          stream: `invocation/${idOf("x", 1)}`,
          type: "EXITED",
          schemaVersion: 1,
          at: Date.now(),
          cause: null,
          data: fact.exited(),
          position: 1,
          version: 1,
          source: "x",
          recordedAt: 1,
          known: true
        },
        key
      )
    ]
    expect((await collector.send(token, batchOf(0, [1], { facts: events as never }))).status).toBe(200)
    const seen = factsOf()
    expect(seen.length).toBeGreaterThan(0)
    expect(seen.some(({ stream }) => stream.endsWith(idOf("x", 1)))).toBe(false)
  })

  it("is asked with a password from a file, without which it is refused, and which nothing repeats", async () => {
    const { postgres } = collector
    const password = "not p@ss/word?&#"
    postgres.psql(`CREATE ROLE guarded LOGIN PASSWORD '${password}'; GRANT hooktape_reader TO guarded;
      INSERT INTO hooktape.access VALUES ('guarded', 'default', NULL)`)
    const file = postgres.psql("SHOW hba_file")
    postgres.psql(`COPY (VALUES ('local all guarded scram-sha-256'), ('local all all trust')) TO '${file}'`)
    postgres.psql("SELECT pg_reload_conf()")
    configure({ team: { url: postgres.url("guarded") } })
    await expect.poll(() => ask("--log", "team", "log").status, { timeout: 60_000 }).toBe(1)
    const secret = join(home, ".config/pw")
    writeFileSync(secret, "another\n", { mode: 0o600 })
    configure({ team: { url: postgres.url("guarded"), passwordFile: secret } })
    expect(ask("--log", "team", "log").stderr).toContain("password authentication failed")
    writeFileSync(secret, `${password}\n`, { mode: 0o600 })
    const { status, stderr, stdout } = ask("--log", "team", "log", "--json")
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
    expect(stdout).toContain("INVOCATION_OPENED")
    expect(stdout).not.toContain(password)
    const kept = readdirSync(join(home, "state", "fleet"), { recursive: true, withFileTypes: true })
    for (const one of kept.filter((each) => each.isFile()))
      expect(readFileSync(join(one.parentPath, one.name)).includes(password)).toBe(false)
  })

  it.each([
    [["trust"], '"trust" asks this machine only'],
    [["log", "verify"], '"log verify" asks this machine only'],
    [["forget", "last"], '"forget" asks this machine only']
  ])("is not asked by %j", (words, why) => {
    const { status, stderr } = ask("--log", "team", ...words)
    expect(status).toBe(1)
    expect(stderr).toContain(why)
    expect(stderr).toContain("--log goes with log, show, inspect, replay, backtest, chains, metrics.")
  })

  it("that has no name is told with those that have", () => {
    const { status, stderr } = ask("--log", "nowhere", "log")
    expect(status).toBe(1)
    expect(stderr).toContain('no log is called "nowhere": there are team')
  })
})
