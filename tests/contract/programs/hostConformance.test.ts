/** One behaviour whichever way a call comes in: the entrypoint alone, and the client with a host, say and record the same. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, join, relative } from "node:path"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { canonicalEvents } from "../../../events/agentEvents.ts"
import type { InvocationFact } from "../../../events/facts.ts"
import { blockingFeedback, diagnostic, modelContext, userHint } from "../../../events/intents.ts"
import { adapters } from "../../../src/agents/adapters.ts"
import { deadlineOf } from "../../../src/agents/deadline.ts"
import { shippedClient } from "../../../src/programs/cli/prepare.ts"
import {
  bash,
  type Fired,
  type Firing,
  heardOn,
  inTurns,
  probeHook,
  type Run,
  type Station,
  station
} from "../../support/entrypoint.ts"
import { equip, type RunningHost, startHost } from "../../support/host.ts"
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

/** Of a call of Cline, which waits so short that its time counts from the start of the client. */
const openedByCline = ({ facts: [first] }: Run) => {
  const opened = first?.data as InvocationFact | undefined
  return opened?.type === "INVOCATION_OPENED" && opened.agent === "cline" ? opened : undefined
}

/** Ids, times, hashes over the station's own paths and key, places in source texts, the way it came in: all that may differ. */
const comparable = (run: Run) =>
  run.facts.map(({ type, data }) => {
    const shown = JSON.stringify(data, (key, value: unknown) => {
      if (["invocation", "pid", "transport", "call", "ms", "stack", "job", "build"].includes(key))
        return undefined
      // When the client and the handler began, and which process that was.
      if (["client", "fromUs", "process"].includes(key)) return undefined
      if (key === "digest" && typeof value === "string") return value.length
      // The time-out of a handler is what was left of the call's.
      if (key === "deadlineMs" && (type === "HANDLER_TIMED_OUT" || openedByCline(run) !== undefined))
        return undefined
      return value
    })
    return `${type} ${shown}`
  })

/** What is done to a station when it is built. */
interface Arranged {
  /** What is done before each of its calls, and where the call is made from. */
  readonly before?: (at: number) => Pick<Firing, "cwd">
  /** What its host is started with. */
  readonly env?: NodeJS.ProcessEnv
}

/** The same calls to two stations that were set up alike; one has a host. */
const bothWays = async (
  furnish: (place: Station) => void,
  firings: readonly Firing[],
  arrange: (place: Station) => Promise<Arranged> = async () => ({})
) => {
  const alone = await station()
  const hosted = await station()
  // Told once a session, by whichever of the calls is first.
  for (const { env } of [alone, hosted]) env["HOOKTAPE_FAILURE_HINTS"] = "off"
  for (const place of [alone, hosted]) {
    place.putUser("config.json", JSON.stringify({ deadlineMs: 60_000 }))
    furnish(place)
    await place.build()
    await equip(place)
  }
  const [atEntry, atHost] = [await arrange(alone), await arrange(hosted)]
  const host = await startHost(hosted, atHost)
  const off = { HOOKTAPE_HOST: "off" }
  const byEntry = await inTurns(firings, atEntry.before ? 1 : 2, (one, at) =>
    alone.fire({ ...one, ...atEntry.before?.(at), env: { ...one.env, ...off } })
  )
  // One at a time, so that the log has them in this order.
  const byHost = await inTurns(firings, 1, (one, at) => hosted.fire({ ...one, ...atHost.before?.(at) }))
  const entryRuns = await alone.runsByPid()
  const hostRuns = (await hosted.runs()).filter(({ facts }) => facts[0]?.type === "INVOCATION_OPENED")
  return { alone, hosted, host, byEntry, byHost, entryRuns, hostRuns }
}

type Both = Awaited<ReturnType<typeof bothWays>>

/** Paths of the two stations, which differ by their names only. */
const inOnePlace = (both: Both, text: string): string =>
  text.replaceAll(both.alone.home, "HOME").replaceAll(both.hosted.home, "HOME")

const compare = (both: Both, at: number) => {
  const [one, other] = [both.byEntry[at], both.byHost[at]] as [Fired, Fired]
  const said = ({ code, signal, stdout, stderr }: Fired) =>
    inOnePlace(both, JSON.stringify({ code, signal, stdout, stderr }))
  expect(said(other)).toBe(said(one))
  const entry = both.entryRuns.get(one.pid) as Run
  const host = both.hostRuns[at] as Run
  expect(host.facts[0]?.data).toMatchObject({ transport: "socket" })
  const facts = (run: Run) =>
    comparable(run).map((line) => inOnePlace(both, line).replace(/"HOOKTAPE_HOST":"off",?/, ""))
  expect(facts(host)).toEqual(facts(entry))
  for (const run of [entry, host]) {
    const opened = openedByCline(run)
    if (opened === undefined) continue
    const { agentEvent, client, deadlineMs } = opened
    const whole = deadlineOf({ agent: "cline", agentEvent }, {})
    expect(deadlineMs).toBe(Math.max(200, whole - Math.round((client?.beforeUs ?? Number.NaN) / 1000)))
  }
}

// Without a compiler there is no client, and nothing to compare.
describe.skipIf(!existsSync(shippedClient()))("through client and host", () => {
  const running: RunningHost[] = []
  afterAll(async () => {
    for (const host of running) await host.stop()
  })

  describe("every fixture is answered and recorded as in process", () => {
    let both: Both
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
      both = await bothWays(
        (place) => place.putUser("hooks/probe.ts", probeHook([...canonicalEvents, ...new Set(passed)])),
        firings
      )
      running.push(both.host)
    }, 240_000)

    it.each(fixtures.map(({ name }, at) => ({ name, at })))("$name", ({ at }) => compare(both, at))
    it("one invocation for each", () => expect(both.hostRuns.length).toBe(fixtures.length))
  })

  describe("every handler that misbehaves is answered and recorded as in process", () => {
    let both: Both
    beforeAll(async () => {
      const firings = cases.map(({ act, policy, last }) => ({
        input: bash("true", { act, ...(policy ? { policy } : {}), ...(last ? { last } : {}) })
      }))
      both = await bothWays((place) => place.putUser("hooks/acts.ts", hook), firings)
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
    let both: Both
    beforeAll(async () => {
      both = await bothWays(
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
    const unbuilt = /could not be built/
    const steps = events.flatMap(([agent, event]) => [
      { agent, event, owner: "user", built: true, says: [updated] },
      { agent, event, owner: "user", built: false, says: [unbuilt] },
      { agent, event, owner: "project", built: true, says: [updated, untrusted] },
      { agent, event, owner: "project", built: false, says: [unbuilt] }
    ])
    const inputOf = (agent: string, event: string): Buffer =>
      readFileSync(join(folder, agent, `${event}.json`))
    let both: Both
    beforeAll(async () => {
      const firings = steps.map(({ agent, event }) => ({ agent, event, input: inputOf(agent, event) }))
      both = await bothWays(
        () => undefined,
        firings,
        async (place) => {
          const user = await rebuilding(place, "user")
          const project = await rebuilding(place, "project")
          // Outside of the project its hooks count for nothing.
          const outside = join(place.home, "outside")
          mkdirSync(outside)
          const before = (at: number) => {
            const { owner, built } = steps[at] as (typeof steps)[number]
            const one = owner === "project" ? project : user
            if (built) one.building()
            else one.failing()
            return { cwd: owner === "project" ? place.project : outside }
          }
          return { before }
        }
      )
      running.push(both.host)
    }, 240_000)

    it.each(steps.map((step, at) => ({ ...step, at })))(
      "$agent $event: $owner, built: $built",
      ({ at, says }) => {
        compare(both, at)
        const { stdout, stderr } = both.byHost[at] as Fired
        for (const one of says) expect((stdout + stderr).match(new RegExp(one, "g"))).toHaveLength(1)
      }
    )
  })

  describe("what the machine does not take is kept as in process", () => {
    let both: Both
    const said = [modelContext("CONTEXT"), userHint("HINT"), blockingFeedback("REASON")]
    beforeAll(async () => {
      const firings = said.map((intent) => ({
        input: bash("true"),
        env: { PROBE: JSON.stringify(intent) }
      }))
      both = await bothWays(
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
