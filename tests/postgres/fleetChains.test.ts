/** From the calls of a machine to the chains and metrics of a fleet: what was shipped tells the same as on the machine, but for texts. */
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { uuidv7 } from "../../events/ids.ts"
import { openFindings } from "../../src/features/findings/catchUp.ts"
import { EventLog } from "../../src/log/EventLog.ts"
import { layerSqlite } from "../../src/log/sqlite/SqliteLog.ts"
import { installationId, openState } from "../../src/state/state.ts"
import { ask as fleet } from "../../src/tools/collector/collector.ts"
import { connect } from "../../src/tools/collector/database/connect.ts"
import { folds } from "../../src/tools/collector/owners/own.ts"
import { beginMarks, round } from "../../src/tools/collector/owners/round.ts"
import { skipLocked } from "../../src/tools/collector/owners/skipLocked.ts"
import { hiding } from "../../src/tools/shipping/hiding.ts"
import type { Sink } from "../../src/tools/shipping/Sink.ts"
import { ship } from "../../src/tools/shipping/ship.ts"
import { workedIn } from "../../src/tools/shipping/worked.ts"
import { cli } from "../support/cli.ts"
import * as fact from "../support/facts.ts"
import { draftOf } from "../support/log/drafts.ts"
import { type Collector, roles, startCollector } from "../support/postgres/collector.ts"
import { edited, factOf, type Happening, prompted, ran } from "../support/toolCalls.ts"

let collector: Collector
const root = mkdtempSync(join(tmpdir(), "fleet-chains-"))
beforeAll(async () => {
  collector = await startCollector()
  collector.postgres.psql(`INSERT INTO hooktape.access VALUES ('${roles.reader}', 'default', NULL)`)
})
afterAll(async () => {
  await collector?.close()
  rmSync(root, { recursive: true, force: true })
})

const began = Date.now() - 7_200_000
const project = "/home/somebody/SECRETSITE"
const key = Buffer.alloc(32, 7)

const failing = "src/SECRETFILE.ts(3,5): error TS2304: Cannot find name 'SECRETNAME'."

/** A problem, what was tried in vain, what helped, and one that stays. */
const session = (): readonly Happening[] => [
  prompted,
  ran("npx tsc --noEmit", 2, failing),
  edited(`${project}/src/other.ts`, "SECRETTEXT of something else"),
  ran("npx tsc --noEmit", 2, failing),
  edited(`${project}/src/SECRETFILE.ts`, "const SECRETNAME = 1"),
  ran("npx tsc --noEmit", 0, ""),
  ran("npm test -- SECRETARGUMENT", 1, "TypeError: SECRETNAME is not a function\n    at f (/p/a.ts:1:2)")
]

const invocationOf = (machine: string, nth: number): string =>
  uuidv7(began + nth * 5000, createHash("sha256").update(`${machine} ${nth}`).digest().subarray(0, 10))

const logged = (state: string, machine: string, calls: readonly Happening[]) =>
  Effect.gen(function* () {
    const log = yield* EventLog
    for (const [nth, told] of calls.flat().entries()) {
      const invocation = invocationOf(machine, nth)
      const stream = `invocation/${invocation}`
      const at = began + nth * 5000
      const marks = { agent: "claude-code", agentEvent: told.event, project, at }
      const buffered = factOf(told, `${machine}-s`)
      const toolUseId = buffered.type === "PAYLOAD_BUFFERED" ? buffered.toolUseId : null
      const known = { ...marks, session: `${machine}-s`, toolUseId }
      yield* log.append(stream, "any", [
        draftOf(stream, {
          ...marks,
          type: "INVOCATION_OPENED",
          data: fact.opened({
            invocation: invocation as never,
            agent: "claude-code",
            agentEvent: told.event,
            project,
            cwd: project
          })
        }),
        draftOf(stream, { ...known, type: "PAYLOAD_BUFFERED", data: buffered }),
        draftOf(stream, { ...known, type: "HANDLERS_PLANNED", data: fact.planned([]) }),
        draftOf(stream, { ...known, type: "REPLY_DELIVERED", data: fact.delivered() }),
        draftOf(stream, { ...known, type: "EXITED", data: fact.exited() })
      ])
    }
  }).pipe(Effect.provide(layerSqlite({ file: join(state, "log.sqlite"), source: installationId(state) })))

const headOf = (machine: string): number =>
  Number(
    collector.postgres.psql(
      `SELECT coalesce(max(head), 0) FROM hooktape.installation WHERE name = '${machine}'`
    )
  )

const shipAll = async (state: string, machine: string, more: Partial<Sink> = {}) => {
  const file = join(state, "log.sqlite")
  const tokenFile = join(state, "token")
  writeFileSync(tokenFile, `${await collector.token(machine)}\n`, { mode: 0o600 })
  const sink = {
    name: "collector",
    to: collector.url,
    kind: "collector" as const,
    tokenFile,
    after: 0,
    ...more
  }
  await Effect.gen(function* () {
    const log = yield* EventLog
    const { last } = yield* log.stats
    const worked = openFindings(file, { hide: hiding(key), shippedBy: "ship/collector" })
    while (worked.step());
    worked.close()
    const shipping = yield* Effect.fork(
      ship({
        log,
        sink,
        key,
        state,
        worked: workedIn(file),
        untilQuiet: Effect.void,
        report: () => Effect.void,
        lookMs: 5,
        firstPauseMs: 5
      })
    )
    yield* Effect.repeat(
      Effect.sync(() => headOf(machine) === last),
      { schedule: Schedule.spaced("50 millis"), until: (is) => is }
    )
    yield* Fiber.interrupt(shipping)
  }).pipe(Effect.provide(layerSqlite({ file, source: installationId(state) })), Effect.runPromise)
}

/** What `hooktape collect problems` says, once all is worked out. */
const problems = async () => {
  const all = Effect.flatMap(skipLocked, (claim) =>
    Effect.zipRight(
      beginMarks(folds),
      Effect.repeat(round(folds, claim), { while: ({ installations }) => installations > 0 })
    )
  )
  const pool = connect(Redacted.make(collector.postgres.url(roles.owner)), {
    most: 2,
    statementMs: 10_000,
    name: "test"
  })
  await Effect.runPromise(Effect.provide(all, pool))
  return Effect.runPromise(fleet.problems(Redacted.make(collector.postgres.url(roles.reader)), 10))
}

const home = mkdtempSync(join(root, "home-"))
const ask = (state: string, ...words: readonly string[]) => {
  const { status, stderr, stdout } = spawnSync(process.execPath, [cli, ...words], {
    cwd: home,
    encoding: "utf8",
    env: { PATH: process.env["PATH"] ?? "", HOME: home, HOOKTAPE_HOME: state, NO_COLOR: "1" }
  })
  return { status, stderr, stdout }
}

const json = <A>(state: string, ...words: readonly string[]): A => {
  const { status, stdout } = ask(state, ...words, "--json")
  expect(status).toBe(0)
  return JSON.parse(stdout) as A
}

interface Row {
  readonly chain: string
  readonly problem: { readonly signature: string; readonly family: string; readonly code?: string }
  readonly fix: readonly { readonly toolUseId: string; readonly kind: string }[]
  readonly attempts: readonly unknown[]
  readonly proof: { readonly toolUseId: string; readonly shown: string; readonly at: string } | null
}

/** What of a row is told of a chain wherever it is asked for. */
const told = ({ chain, problem, fix, attempts, proof, ...rest }: Row & Record<string, unknown>) => ({
  chain,
  signature: problem.signature,
  family: problem.family,
  // Names of a person's own are not shipped.
  code: /^TS\d+$/.test(problem.code ?? "") ? problem.code : undefined,
  fix: fix.map(({ kind, toolUseId }) => ({ kind, toolUseId })),
  attempts: attempts.length,
  proof: proof && { toolUseId: proof.toolUseId, shown: proof.shown, at: proof.at },
  ...Object.fromEntries(
    [
      "state",
      "grade",
      "error",
      "relation",
      "recursOf",
      "seenAt",
      "seen",
      "flaky",
      "ms",
      "abandoned",
      "agent"
    ].map((name) => [name, rest[name]])
  )
})

const configure = (): void => {
  mkdirSync(join(home, ".config", "hooktape"), { recursive: true })
  writeFileSync(
    join(home, ".config", "hooktape", "config.json"),
    JSON.stringify({ logs: { team: { url: collector.postgres.url(roles.reader) } } })
  )
}

describe("chains and metrics of a fleet", () => {
  it("are those of its machines, but for texts, which do not leave these", async () => {
    configure()
    const state = join(root, "laptop-a")
    openState(state)
    await Effect.runPromise(logged(state, "laptop-a", session()))
    await shipAll(state, "laptop-a")
    const here = json<{ chains: readonly (Row & Record<string, unknown>)[] }>(
      state,
      "chains",
      "list",
      "--all"
    )
    const analyst = join(root, "analyst")
    const there = json<typeof here>(analyst, "--log", "team", "chains", "list")
    expect(here.chains.map(({ state: one }) => one)).toEqual(["resolved", "resolved", "open"])
    expect(there.chains.map(told)).toEqual(here.chains.map(told))
    expect(there).toMatchObject({ unshipped: { calls: 12, without: 0 } })
    expect(here).not.toHaveProperty("unshipped")
    const [problem, ...other] = [...(await problems())].sort((one) => (one.code === null ? 1 : -1))
    expect(problem).toMatchObject({ code: "TS2304", installations: 1, projects: 1, resolved: 1, gradeA: 1 })
    expect(other).toMatchObject([{ code: null, chains: 1, open: 1, medianMs: null }])
    const shown = ask(analyst, "--log", "team", "chains", "show", here.chains[0]?.chain ?? "").stdout
    expect(shown).toContain("not shipped")
    const kept = collector.postgres.psql("SELECT string_agg(f::text, ' ') FROM hooktape.fact f")
    expect(kept).toContain("TS2304")
    for (const text of [kept, shown, JSON.stringify(there)]) expect(text).not.toContain("SECRET")

    type Figures = { readonly metrics: readonly { readonly id: string; readonly value: number | null }[] }
    const figures = ({ metrics: measures }: Figures) =>
      Object.fromEntries(measures.map(({ id, value }) => [id, value]).filter(([id]) => id !== "churn"))
    const own = json<Figures>(state, "metrics", "--all")
    expect(figures(json<Figures>(analyst, "--log", "team", "metrics"))).toEqual(figures(own))
    expect(figures(own)).toMatchObject({ "tool-calls": 6, "first-pass": expect.any(Number) })
  })
  it("with payloads are told in full, and its calls are replayed and asked about, but those that were too large", async () => {
    configure()
    const state = join(root, "laptop-b")
    openState(state)
    const token = `ghp_${"aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3z".slice(0, 36)}`
    const large = ran("npm run build", 0, `${"built in a while\n".repeat(6000)}`)
    await Effect.runPromise(
      logged(state, "laptop-b", [...session(), large, ran(`curl -H 'Authorization: token ${token}' x`, 0)])
    )
    await shipAll(state, "laptop-b", { payloads: { decided: 1 } })
    const analyst = join(root, "analyst-b")
    const of = ["--session", "laptop-b-s"]
    type Listed = { readonly chains: readonly Row[] }
    const here = json<Listed>(state, "chains", "list", ...of)
    const there = json<Listed & { readonly unshipped: object }>(
      analyst,
      "--log",
      "team",
      "chains",
      "list",
      ...of
    )
    expect(here.chains.length).toBeGreaterThan(2)
    // Where it lies is a digest, as of all that is shipped; and another machine met it before.
    const placed = (rows: readonly Row[]) =>
      rows.map((row) => ({ ...row, project: null, relation: null, recursOf: null }))
    expect(placed(there.chains)).toEqual(placed(here.chains))
    expect(collector.postgres.psql("SELECT count(*) FROM hooktape.parked")).toBe("0")
    expect(
      collector.postgres.psql(`SELECT count(*) FROM hooktape.fact f WHERE f::text LIKE '%${token}%'`)
    ).toBe("0")

    type Replayed = {
      readonly compared: number
      readonly unshipped?: number
      readonly differences: readonly unknown[]
    }
    const replay = (home: string, ...words: readonly string[]): Replayed =>
      JSON.parse(ask(home, ...words, "replay", "--all", "--json").stdout)
    const own = replay(state)
    const theirs = replay(analyst, "--log", "team")
    const others = collector.postgres.psql(`SELECT count(DISTINCT stream) FROM hooktape.fact f
      JOIN hooktape.installation i ON i.id = f.installation WHERE i.name = 'laptop-a'`)
    // Of the large one only its end: it begins with the command alone.
    expect(own.unshipped ?? 0).toBe(0)
    expect(theirs.unshipped).toBe(Number(others) + 1)
    expect(theirs.compared).toBe(own.compared - 1)
    expect(theirs.differences.length).toBeLessThanOrEqual(own.differences.length)
    const asked = json<{ readonly calls: number; readonly unshipped: number }>(
      analyst,
      "--log",
      "team",
      "backtest",
      "--shipped"
    )
    expect(asked).toMatchObject({ unshipped: Number(others) + 1 })
    expect(asked.calls).toBeGreaterThan(0)
  })
  it("with payloads, a problem stays open of which the payload was too large, until its machine finds that it is gone", async () => {
    configure()
    type Listed = { readonly chains: readonly Row[] }
    const open = [prompted, ran("npx tsc --noEmit", 2, `${failing}\n${"and so on\n".repeat(10_000)}`)]
    const gone = [edited(`${project}/src/SECRETFILE.ts`, "const SECRETNAME = 1"), ran("npx tsc --noEmit", 0)]
    // As many as are worth a request.
    const other = [...[1, 2, 3, 4, 5].map((nth) => ran(`echo ${nth}`, 0, "hi")), prompted]
    for (const [machine, calls, state] of [
      ["laptop-c", [...open, ...other], "open"],
      ["laptop-d", [...open, ...other, ...gone, prompted], "resolved"]
    ] as const) {
      const home = join(root, machine)
      openState(home)
      await Effect.runPromise(logged(home, machine, calls))
      await shipAll(home, machine, { payloads: { decided: 1 } })
      const of = ["chains", "list", "--all", "--session", `${machine}-s`]
      const here = json<Listed>(home, ...of)
      const there = json<Listed>(join(root, `analyst-${machine}`), "--log", "team", ...of)
      expect(here.chains).toMatchObject([{ state }])
      // Another machine met it before.
      const asNew = (rows: readonly Row[]) =>
        rows.map((row) => ({ ...told(row as never), relation: null, recursOf: null }))
      expect(asNew(there.chains).map((row) => ({ ...row, error: null }))).toEqual(
        asNew(here.chains).map((row) => ({ ...row, error: null }))
      )
    }
    expect(collector.postgres.psql("SELECT count(*) FROM hooktape.parked")).toBe("0")
  })
})
