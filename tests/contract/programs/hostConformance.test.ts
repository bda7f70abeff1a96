/** One behaviour whichever way a call comes in: the entrypoint alone, the launcher for Windows, and the client with a host, say and record the same. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, join, relative } from "node:path"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { canonicalEvents } from "../../../events/agentEvents.ts"
import { blockingFeedback, diagnostic, modelContext, userHint } from "../../../events/intents.ts"
import { adapters } from "../../../src/agents/adapters.ts"
import { shippedClient } from "../../../src/programs/cli/prepare.ts"
import { bash, type Fired, heardOn, probeHook, type Run, station } from "../../support/entrypoint.ts"
import { compare, everyWay, type Ways } from "../../support/everyWay.ts"
import type { RunningHost } from "../../support/host.ts"
import { plantOutOfTurn } from "../../support/outOfTurn.ts"
import { cases, hook } from "../../support/realHandlers.ts"
import { rebuilding } from "../../support/rebuilding.ts"

const folder = join(import.meta.dirname, "..", "..", "fixtures")

const fixtures = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
  .map(({ name, parentPath }) => {
    const path = relative(folder, join(parentPath, name))
    const agent = path.split("/").find((part) => Object.hasOwn(adapters, part)) ?? ""
    return { name: path, agent, event: basename(name, ".json"), input: readFileSync(join(folder, path)) }
  })
  .filter(({ agent }) => agent !== "")
  .sort((a, b) => (a.name < b.name ? -1 : 1))

// Without a compiler there is no client, and nothing to compare.
describe.skipIf(!existsSync(shippedClient()))("through client and host", () => {
  const running: RunningHost[] = []
  afterAll(async () => {
    for (const host of running) await host.stop()
  })

  describe("every fixture is answered and recorded as in process", () => {
    let both: Ways
    beforeAll(async () => {
      const said = JSON.stringify([
        modelContext("CONTEXT"),
        userHint("HINT"),
        diagnostic("warn", "DIAGNOSTIC")
      ])
      const passed = Object.values(adapters).flatMap(({ events }) =>
        Object.values(events).flatMap(({ event }) => (event.startsWith("agent.") ? [event] : []))
      )
      const firings = fixtures.map(({ agent, event, input }) => ({
        agent,
        event,
        input,
        env: { PROBE: said }
      }))
      both = await everyWay(
        (place) => place.putUser("hooks/probe.ts", probeHook([...canonicalEvents, ...new Set(passed)])),
        firings
      )
      running.push(both.host)
    }, 240_000)

    it.each(fixtures.map(({ name }, at) => ({ name, at })))("$name", ({ at }) => compare(both, at))
    it("one invocation for each", () => expect(both.hostRuns.length).toBe(fixtures.length))
  })

  describe("every handler that misbehaves is answered and recorded as in process", () => {
    let both: Ways
    beforeAll(async () => {
      const firings = cases.map(({ act, policy, last }) => ({
        input: bash("true", { act, ...(policy ? { policy } : {}), ...(last ? { last } : {}) })
      }))
      both = await everyWay((place) => place.putUser("hooks/acts.ts", hook), firings)
      running.push(both.host)
    }, 240_000)

    it.each(cases.map((one, at) => ({ ...one, at })))("$act", ({ at }) => compare(both, at))
  })

  describe("what is no payload is answered and recorded as in process", () => {
    const inputs = [
      ["nothing", "", "empty"],
      ["white space", " \n\t\r\n ", "empty"],
      ["text", "hello", "malformed"],
      ["half a payload", bash("true").slice(0, -10), "malformed"],
      ["a list", "[1,2]", "not-a-hook-payload"]
    ] as const
    let both: Ways
    beforeAll(async () => {
      both = await everyWay(
        (place) => place.putUser("hooks/probe.ts", probeHook(["tool.before"])),
        inputs.map(([, input]) => ({ input }))
      )
      running.push(both.host)
    }, 240_000)

    it.each(inputs.map(([name, , reason], at) => ({ name, reason, at })))(
      "$name: $reason",
      ({ at, reason }) => {
        compare(both, at)
        expect(both.byHost[at]).toMatchObject({ code: 0, stdout: "" })
        expect(both.byHost[at]?.stderr).toContain(`hooktape warn: payload rejected (${reason}): `)
        expect(both.hostRuns[at]?.types).toContain("PAYLOAD_REJECTED")
      }
    )
  })

  describe("what the runtime itself has to say is said as in process", () => {
    // With a field for the human and without one, with and without a bundle of the event's own, and where little time is.
    const events = [
      ["claude-code", "PreToolUse"],
      ["claude-code", "SessionStart"],
      ["claude-code", "SessionEnd"],
      ["codex", "UserPromptSubmit"],
      ["gemini-cli", "Notification"],
      ["cursor", "sessionStart"],
      ["cursor", "stop"],
      ["windsurf", "pre_user_prompt"],
      ["windsurf", "post_run_command"]
    ] as const
    const updated = /updated from 0\.0\.1 to/
    const untrusted = /files of this project are not trusted/
    const unbuilt = /the hooks changed and could not be built/
    const lost = /hooktape's package is gone \(.*no-builder\.cjs\), so that nothing is built/
    const steps = events.flatMap(([agent, event]) => [
      { agent, event, owner: "user", build: "building", says: [updated] } as const,
      { agent, event, owner: "user", build: "failing", says: [unbuilt] } as const,
      { agent, event, owner: "user", build: "gone", says: [lost] } as const,
      { agent, event, owner: "project", build: "building", says: [updated, untrusted] } as const,
      { agent, event, owner: "project", build: "failing", says: [unbuilt] } as const,
      { agent, event, owner: "project", build: "gone", says: [lost] } as const
    ])
    const inputOf = (agent: string, event: string): Buffer =>
      readFileSync(join(folder, agent, `${event}.json`))
    let both: Ways
    beforeAll(async () => {
      const firings = steps.map(({ agent, event }) => ({ agent, event, input: inputOf(agent, event) }))
      both = await everyWay(
        () => undefined,
        firings,
        async (place) => {
          const user = await rebuilding(place, "user")
          const project = await rebuilding(place, "project")
          // Outside of the project its hooks count for nothing.
          const outside = join(place.home, "outside")
          mkdirSync(outside)
          const before = (at: number) => {
            const { build, owner } = steps[at] as (typeof steps)[number]
            const one = owner === "project" ? project : user
            one[build]()
            return { cwd: owner === "project" ? place.project : outside }
          }
          return { before }
        }
      )
      running.push(both.host)
    }, 240_000)

    it.each(steps.map((step, at) => ({ ...step, at })))("$agent $event: $owner, $build", ({ at, says }) => {
      compare(both, at)
      const { stdout, stderr } = both.byHost[at] as Fired
      for (const one of says) expect((stdout + stderr).match(new RegExp(one, "g"))).toHaveLength(1)
    })
  })

  describe("what the machine does not take is kept as in process", () => {
    let both: Ways
    const said = [modelContext("CONTEXT"), userHint("HINT"), blockingFeedback("REASON")]
    beforeAll(async () => {
      const firings = said.map((intent) => ({
        input: bash("true"),
        env: { PROBE: JSON.stringify(intent) }
      }))
      both = await everyWay(
        (place) => place.putUser("hooks/probe.ts", probeHook(["tool.before"])),
        firings,
        async (place) => ({ env: plantOutOfTurn(place) })
      )
      running.push(both.host)
    }, 240_000)

    it.each(said.map(({ type }, at) => ({ type, at })))("$type", ({ at }) => {
      compare(both, at)
      const run = both.hostRuns[at] as Run
      expect(run.types.filter((type) => type === "PAYLOAD_REJECTED")).toHaveLength(1)
      expect(heardOn(run, "stderr")).toContain("the invocation did not take PAYLOAD_REJECTED where it stood")
    })
  })
})

describe("the first event of a session starts a host", () => {
  const starts = Object.values(adapters).flatMap(({ agent, events }) =>
    Object.entries(events).flatMap(([event, known]) =>
      known.event === "session.start" ? [{ agent, event }] : []
    )
  )
  it("is known for every agent that tells of one", () =>
    expect(starts.map(({ agent }) => agent)).toEqual(
      expect.arrayContaining(["claude-code", "codex", "gemini-cli", "cursor"])
    ))

  it.each(starts)("$agent $event, where no native client does", async ({ agent, event }) => {
    const place = await station()
    await place.build()
    delete place.env["HOOKTAPE_HOST"]
    const started = join(place.home, "started")
    writeFileSync(join(place.state, "bin", "host"), `#!/bin/sh\necho "$0" > '${started}'\n`, { mode: 0o700 })
    const input = JSON.stringify({ hook_event_name: event, session_id: "s-1" })
    expect((await place.fire({ agent, event, input })).code).toBe(0)
    // Whoever starts a host does not wait for it.
    await vi.waitFor(() => expect(readFileSync(started, "utf8")).toContain(join("bin", "host")), 20_000)
  })
})
