/** error-chain as it ships: real hook calls of three agents, in process and through a host, from an error to its fix and back. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { afterEach, describe, expect, it, vi } from "vitest"
import type { Chain } from "../../../src/features/chains/Chain.ts"
import { askChains } from "../../../src/features/chains/catchUp.ts"
import { listChains, relatedIn } from "../../../src/features/chains/find.ts"
import { shippedClient } from "../../../src/programs/cli/prepare.ts"
import { buildHooks } from "../../../src/tools/build/build.ts"
import { makeRerun } from "../../../src/tools/replay/rerun.ts"
import { dataOf, payloadOf, type Station, station } from "../../support/entrypoint.ts"
import { equip, type RunningHost, startHost } from "../../support/host.ts"
import { openPlainly } from "../../support/log/plainSqlite.ts"

let host: RunningHost | undefined
afterEach(async () => {
  await host?.stop("SIGKILL")
  host = undefined
})

const furnished = async (hosted = false): Promise<Station> => {
  const place = await station()
  delete place.env["HOOKTAPE_DEFAULTS"]
  place.putUser(
    "config.json",
    JSON.stringify({ deadlineMs: 60_000, hooks: { "error-chain": { deadline: "30 seconds" } } })
  )
  await Effect.runPromise(buildHooks({ state: place.state, userFolder: place.userFolder, defaults: true }))
  if (hosted) {
    await equip(place)
    host = await startHost(place)
  }
  return place
}

interface Told {
  readonly event: string
  readonly payload: object
}

interface Dialect {
  readonly agent: string
  readonly failed: (command: string, output: string) => Told
  readonly passed: (command: string, output: string) => Told
  readonly edited: (path: string) => Told
}

const told = (event: string, tool_name: string, tool_input: object, more: object): Told => ({
  event,
  payload: { tool_name, tool_input, ...more }
})

const dialects: readonly Dialect[] = [
  {
    agent: "claude-code",
    failed: (command, output) =>
      told(
        "PostToolUseFailure",
        "Bash",
        { command },
        { error: `Exit code 1\n${output}`, is_interrupt: false }
      ),
    passed: (command, stdout) =>
      told("PostToolUse", "Bash", { command }, { tool_response: { stdout, stderr: "", interrupted: false } }),
    edited: (file_path) =>
      told(
        "PostToolUse",
        "Edit",
        { file_path, new_string: "connect()" },
        { tool_response: { filePath: file_path, oldString: "a" } }
      )
  },
  {
    agent: "codex",
    failed: (command, output) =>
      told(
        "PostToolUse",
        "Bash",
        { command },
        { tool_response: `Exit code: 1\nWall time: 2 seconds\nOutput:\n${output}` }
      ),
    passed: (command, output) =>
      told(
        "PostToolUse",
        "Bash",
        { command },
        { tool_response: `Exit code: 0\nWall time: 2 seconds\nOutput:\n${output}` }
      ),
    edited: (path) =>
      told(
        "PostToolUse",
        "apply_patch",
        { command: `*** Begin Patch\n*** Update File: ${path}\n@@\n-a\n+connect()\n*** End Patch\n` },
        { tool_response: `Success. Updated the following files:\nM ${path}\n` }
      )
  },
  {
    agent: "gemini-cli",
    failed: (command, output) =>
      told(
        "AfterTool",
        "run_shell_command",
        { command },
        {
          tool_response: {
            llmContent: `Output: ${output}\nExit Code: 1\nProcess Group PGID: 7`,
            returnDisplay: output
          }
        }
      ),
    passed: (command, output) =>
      told(
        "AfterTool",
        "run_shell_command",
        { command },
        { tool_response: { llmContent: `Output: ${output}\nProcess Group PGID: 7`, returnDisplay: output } }
      ),
    edited: (file_path) =>
      told(
        "AfterTool",
        "replace",
        { file_path, new_string: "connect()" },
        { tool_response: { llmContent: `Successfully modified file: ${file_path}`, returnDisplay: "" } }
      )
  }
]

const refused = (port: number) => `Error: connect ECONNREFUSED 127.0.0.1:${port}`

const speaking = (place: Station, agent: string) => async (session: string, one: Told) => {
  const input = payloadOf(one.event, { ...one.payload, session_id: session, cwd: place.project })
  const { code, stderr, stdout } = await place.fire({ agent, event: one.event, input })
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
  return stdout
}

const chainsOf = async (place: Station): Promise<readonly Chain[]> => {
  await place.facts()
  return askChains(join(place.state, "log.sqlite"), (db) => relatedIn(db, listChains(db, {}, 100)))
}

/** What the hook had to say of each of its runs, in order. */
const runsOf = async (place: Station) =>
  (await place.runs()).flatMap((run) =>
    dataOf(run, "HANDLER_SUCCEEDED")
      .filter(({ handler }) => handler === "error-chain")
      .map(({ chain, intents, patch }) => ({ id: run.id, chain, patch, said: intents.length }))
  )

const isOver = ({ types }: { readonly types: readonly string[] }): boolean => types.includes("EXITED")

const ways = [
  { way: "in process", hosted: false },
  { way: "through a host", hosted: true }
]

describe.skipIf(!existsSync(shippedClient())).each(ways)("error-chain, $way", ({ hosted }) => {
  it.each(dialects)("follows an error of $agent to its fix, and tells the next session", async (dialect) => {
    const place = await furnished(hosted)
    const say = speaking(place, dialect.agent)
    const silent = /^(?:\{\})?\n?$/
    expect(await say("s-1", dialect.failed("npm test", refused(6379)))).toMatch(silent)
    await say("s-1", dialect.edited(join(place.project, "src/redis.ts")))
    await say("s-1", dialect.passed("npm test", "12 passed"))
    // A host writes a call down after its answer; nobody's next session begins in that moment.
    if (hosted)
      await vi.waitUntil(async () => (await place.runs()).filter(isOver).length === 3, { timeout: 60_000 })
    const first = await say("s-2", dialect.failed("npm test", refused(6379)))
    expect(first).toContain("edited `src/redis.ts`; then `npm test` passed")
    expect(await say("s-2", dialect.failed("npm test", refused(6379))), "once in a session").toMatch(silent)
    expect(await say("s-3", dialect.failed("node nothing.js", "nothing is there"))).toMatch(silent)

    const runs = await runsOf(place)
    const [one, two, three, four] = runs
    expect(runs.map(({ said }) => said)).toEqual([0, 1, 0, 0])
    // A chain is known by the invocation that opened it; the error that comes again is the same one.
    expect([one?.chain, two?.chain, three?.chain, four?.chain]).toEqual([one?.id, two?.id, two?.id, four?.id])
    expect(two?.patch).toEqual({ chain: two?.id, told: one?.id })
    const chains = [...(await chainsOf(place))].reverse()
    expect(chains.map(({ id, state }) => [id, state])).toEqual([
      [one?.id, "resolved"],
      [two?.id, "open"],
      [four?.id, "open"]
    ])
    expect(chains[0]).toMatchObject({
      agent: dialect.agent,
      session: "s-1",
      project: place.project,
      context: { command: "npm test", cwd: place.project },
      attempts: [{ effects: [{ kind: "edit", what: join(place.project, "src/redis.ts") }], helped: true }],
      ending: { by: "npm test", grade: "A", shown: "proved", ms: expect.any(Number) }
    })
    expect(chains[1]).toMatchObject({
      session: "s-2",
      relation: "recurrence",
      sightings: [expect.anything(), expect.anything()],
      earlier: { chain: one?.id }
    })
  })
})

describe("error-chain", () => {
  const claude = dialects[0] as Dialect

  it("loads no database where nothing has failed, and says the same in a replay, where it asks nobody", async () => {
    const place = await furnished()
    place.putUser(
      "hooks/loads.ts",
      `import { createRequire } from "node:module"
      import { defineHook, diagnostic } from "hooktape"
      export default defineHook({ name: "loads", on: ["tool.after", "tool.failure", "error.observed"], priority: 999, run: () =>
        diagnostic("error", "addons: " + Object.keys(createRequire("/").cache).filter((file) => file.endsWith(".node")).length) })\n`
    )
    await Effect.runPromise(buildHooks({ state: place.state, userFolder: place.userFolder, defaults: true }))
    const fire = ({ event, payload }: Told, session: string) =>
      place.fire({ event, input: payloadOf(event, { ...payload, session_id: session }) })
    await fire(claude.failed("npm test", refused(1)), "s-1")
    await fire(claude.edited("/home/dev/project/a.ts"), "s-1")
    const passed = await fire(claude.passed("npm test", "ok"), "s-1")
    expect(passed.stderr).toContain("addons: 0")
    await place.facts()
    const again = await fire(claude.failed("npm test", refused(1)), "s-2")
    expect(again.stdout).toContain("Fixed before")
    expect(again.stderr).toContain("addons: 1")

    const runs = (await place.runs()).filter((run) => dataOf(run, "PAYLOAD_BUFFERED").length > 0)
    vi.stubEnv("HOOKTAPE_DEFAULTS", "on")
    const differences = await Effect.gen(function* () {
      const rerun = yield* makeRerun(join(place.userFolder, "hooks"), {
        userFolder: join(place.home, "nobody")
      })
      return yield* Effect.forEach(runs, ({ facts }) =>
        Effect.map(rerun(facts), (again) => again?.differences ?? [])
      )
    }).pipe(Effect.scoped, Effect.runPromise)
    const handlers = new Map(
      runs.flatMap(({ facts }) =>
        facts.map(({ data, position }) => [position, (data as { handler?: string }).handler] as const)
      )
    )
    // Of the hook that counts nothing is expected, and the reply holds what it says.
    const others = differences
      .flat()
      .filter(({ check, position }) => check !== "reply" && handlers.get(position) !== "loads")
    expect([differences.length, others]).toEqual([4, []])
    vi.unstubAllEnvs()
  })

  it("that cannot follow an error is logged as failed, and holds nobody up", async () => {
    const place = await furnished()
    const say = speaking(place, claude.agent)
    await say("s-1", claude.failed("npm test", refused(1)))
    await chainsOf(place)
    const db = openPlainly(join(place.state, "log.sqlite"))
    db.exec("DROP TABLE chains_text; DROP TABLE chains; CREATE VIEW chains AS SELECT 1 AS odd")
    db.close()
    const { event, payload } = claude.failed("npm test", refused(1))
    const input = payloadOf(event, payload)
    expect(await place.fire({ event, input })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("hook error-chain failed: no such column: chain"),
      stderr: "hooktape error: hook error-chain failed: no such column: chain\n"
    })
    const failed = (await place.runs()).flatMap((run) => dataOf(run, "HANDLER_FAILED"))
    expect(failed).toEqual([
      expect.objectContaining({
        handler: "error-chain",
        policy: "allow",
        error: expect.objectContaining({ message: expect.stringContaining("no such column") })
      })
    ])
  })

  it("without a log to follow it on succeeds, and records no chain", async () => {
    const place = await furnished()
    const db = openPlainly(join(place.state, "log.sqlite"))
    db.exec("CREATE TABLE other (x)")
    db.pragma("application_id = 77")
    db.close()
    const say = speaking(place, claude.agent)
    expect(await say("s-1", claude.failed("npm test", refused(1)))).toMatch(/^(?:\{\})?\n?$/)
    const spool = join(place.state, "spool")
    const lines = readdirSync(spool)
      .filter((name) => name.endsWith(".ndjson"))
      .flatMap((name) => readFileSync(join(spool, name), "utf8").trim().split("\n"))
      .map((line) => JSON.parse(line).data as { type: string; handler?: string; chain?: string })
    const own = lines.filter(({ handler, type }) => handler === "error-chain" && type.startsWith("HANDLER_"))
    expect(own.map(({ chain, type }) => [type, chain])).toEqual([
      ["HANDLER_STARTED", undefined],
      ["HANDLER_SUCCEEDED", undefined]
    ])
  })
})
