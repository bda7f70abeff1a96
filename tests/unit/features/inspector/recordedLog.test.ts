/** What the read model tells of a log that real hooks wrote: the made-up one of the page's tests has only what somebody thought of. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { beforeAll, describe, expect, it } from "vitest"
import { switchesFile, switchesText } from "../../../../src/history/switches.ts"
import { EventLog } from "../../../../src/log/EventLog.ts"
import { layerSqlite } from "../../../../src/log/sqlite/SqliteLog.ts"
import { bash, payloadOf, type Station } from "../../../support/entrypoint.ts"
import { answersOf } from "../../../support/inspector/answersOf.ts"
import { recordedStation } from "../../../support/inspector/inspected.ts"
import { draftOf } from "../../../support/log/drafts.ts"

const mapsOf = (state: string): readonly string[] =>
  readdirSync(join(state, "build"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".map"))
    .map((name) => join(state, "build", name))

let place: Station
let answers: ReturnType<typeof answersOf>

beforeAll(async () => {
  place = await recordedStation()
  // As hooktape tells its own events, in the session of the agent that they are about: after the agent's last call.
  await place.fire({
    agent: "raw",
    event: "reflection.before",
    input: JSON.stringify({ session: "s-1", text: "Goal: push it" })
  })
  await place.fire({
    event: "SessionStart",
    input: payloadOf("SessionStart", { session_id: "s-2", source: "startup" })
  })
  // One hook blocks it, and another one fails in the same call.
  await place.fire({ input: bash("git push --force boom", { tool_use_id: "t-4", session_id: "s-2" }) })
  await place.facts()
  answers = answersOf(place.state)
})

describe("sessions", () => {
  it("are their agent's, also where hooktape's own events name them last", async () => {
    const { sessions } = await answers.sessions({}, "")
    expect(sessions.map(({ agent, session }) => [session, agent])).toEqual([
      ["s-2", "claude-code"],
      ["s-1", "claude-code"]
    ])
    const { lanes } = await answers.window({ span: 600_000 }, "")
    expect(
      lanes.map(({ agent, calls, session, tools }) => [session, agent, tools?.length, calls?.length])
    ).toEqual([
      ["s-2", "claude-code", 1, 1],
      ["s-1", "claude-code", 3, 1]
    ])
  })

  it("are told apart among the actors", async () => {
    const { kinds } = await answers.actors({}, "")
    const subjects = kinds
      .find(({ machine }) => machine === "invocation")
      ?.actors.map(({ subject }) => subject)
    expect(subjects).toContain("claude-code·s-1 PreToolUse Bash")
    expect(subjects).toContain("claude-code·s-2 SessionStart")
  })
})

describe("one session", () => {
  it("has numbers of its own, and a map of its own time", async () => {
    const all = await answers.numbers({}, "")
    const one = await answers.numbers({ session: "s-2" }, "")
    expect([all.calls, one.calls, one.sessions, one.openSessions, one.failing]).toEqual([
      7,
      2,
      1,
      1,
      ["throws"]
    ])
    expect(one.costliest?.share).toBeGreaterThan(0)
    const quiet = await answers.numbers({ session: "s-1", from: Date.now() }, "")
    expect([quiet.calls, quiet.costliest, quiet.failing]).toEqual([0, null, []])
    const { map } = await answers.window({ session: "s-2" }, "")
    expect(map.bins.reduce((sum, { calls }) => sum + calls, 0)).toBe(2)
    expect((await answers.calls({ session: "s-2", show: "blocked" }, "")).all).toBe(2)
  })

  it("is drawn up to the end of its last call", async () => {
    const { lanes } = await answers.window({ session: "s-2" }, "")
    expect(lanes[0]?.tools).toHaveLength(1)
  })
})

describe("hooks", () => {
  const hookCalled = async (name: string) =>
    (await answers.hooks({}, "")).hooks.find(({ hook }) => hook === name)

  it("are there before they ran, and after the reply", async () => {
    expect(await hookCalled("never")).toMatchObject({
      runs: 0,
      events: ["session.end"],
      on: true,
      share: null
    })
    expect(await hookCalled("asleep")).toMatchObject({
      runs: 0,
      on: false,
      why: "off unless somebody says otherwise"
    })
    expect(await hookCalled("later")).toMatchObject({
      background: true,
      events: ["tool.after"],
      on: true,
      share: null
    })
  })

  it("are off where somebody switched them off, and each project has its word", async () => {
    const put = (switches: Parameters<typeof switchesText>[0]): void =>
      writeFileSync(switchesFile(place.state), switchesText(switches), { mode: 0o600 })
    put([{ hook: "throws", enabled: false, scope: "user", at: 1 }])
    expect(await hookCalled("throws")).toMatchObject({ on: false, why: 'disabled with "hooktape hooks"' })
    put([])
    expect(await hookCalled("throws")).toMatchObject({ on: true, why: "on unless somebody says otherwise" })
    writeFileSync(switchesFile(place.state), "{}")
    expect(await hookCalled("throws")).toMatchObject({ on: null, why: expect.stringContaining("damaged") })
    put([])
  })

  it("are answerable for what they did themselves", async () => {
    const subjects = async (hook: string, show: "blocked" | "failed" | "trouble") =>
      (await answers.calls({ hook, show }, "")).calls.map(({ subject }) => subject)
    expect(await subjects("no-force", "blocked")).toEqual([
      "git push --force boom",
      "git push --force origin main"
    ])
    expect(await subjects("throws", "blocked")).toEqual([])
    expect(await subjects("throws", "failed")).toEqual(["git push --force boom", "boom"])
    expect(await subjects("no-force", "trouble")).toEqual([])
  })
})

describe("health", () => {
  const ran = async (more: object) => {
    const data = { type: "DOCTOR_RAN" as const, checks: 30, ms: 5, problems: [], ...more }
    await Effect.gen(function* () {
      const { append } = yield* EventLog
      yield* append("installation/here", "any", [draftOf("installation/here", { type: data.type, data })])
    }).pipe(
      Effect.provide(layerSqlite({ file: join(place.state, "log.sqlite"), source: "here" })),
      Effect.runPromise
    )
    return answers.health({}, "")
  }
  const problem = { name: "jobs", status: "warn", message: "9 jobs failed for good" }

  it("counts what was fine, also where the log does not name it, and gives no remedy that it does not know", async () => {
    expect(await ran({ problems: [problem] })).toMatchObject({
      checks: [{ ...problem, group: "hooks", fix: null }],
      unnamed: 29
    })
  })

  it("names what was fine and gives each problem's own remedy, where the log has them", async () => {
    const passed = [{ name: "host", message: "answers" }]
    const told = await ran({ checks: 2, problems: [{ ...problem, fix: "hooktape jobs retry" }], passed })
    expect(told).toMatchObject({
      checks: [
        { name: "jobs", fix: "hooktape jobs retry" },
        { name: "host", status: "ok", group: "host" }
      ],
      unnamed: 0
    })
  })
})

describe("the stack of a hook that failed", () => {
  const hitLine = async (): Promise<string | undefined> => {
    const { calls } = await answers.calls({ show: "failed" }, "")
    const { handlers } = await answers.call({}, calls.at(-1)?.invocation ?? "")
    const source = handlers
      .find(({ hook }) => hook === "throws")
      ?.error?.stack.find(({ isAuthors }) => isAuthors)?.source
    return source?.lines[source.hit - source.first]
  }

  it("shows the lines that ran, whatever stands in the file since", async () => {
    expect(await hitLine()).toContain('new Error("it broke")')
    const file = join(place.userFolder, "hooks", "all.ts")
    const text = readFileSync(file, "utf8")
    writeFileSync(file, `${"// put above it since\n".repeat(6)}${text}`)
    expect(await hitLine()).toContain('new Error("it broke")')
    rmSync(file)
    expect(await hitLine()).toContain('new Error("it broke")')
    writeFileSync(file, text)
  })

  it("shows none of a file that changed since, where the build kept no text", async () => {
    for (const map of mapsOf(place.state)) {
      const { sourcesContent: _, ...rest } = JSON.parse(readFileSync(map, "utf8"))
      writeFileSync(map, JSON.stringify(rest))
    }
    // It was written anew by the test before this one: after the call.
    expect(await hitLine()).toBeUndefined()
  })
})
