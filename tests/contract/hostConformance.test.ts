/** One behaviour whichever way a call comes in: the entrypoint alone, and the client with a host, say and record the same. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { basename, join, relative } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { canonicalEvents } from "../../events/agentEvents.ts"
import { diagnostic, modelContext, userHint } from "../../events/intents.ts"
import { adapters } from "../../src/adapters/adapters.ts"
import { shippedClient } from "../../src/cli/prepare.ts"
import {
  bash,
  type Fired,
  type Firing,
  inTurns,
  probeHook,
  type Run,
  type Station,
  station
} from "../support/entrypoint.ts"
import { equip, type RunningHost, startHost } from "../support/host.ts"
import { cases, hook } from "../support/realHandlers.ts"

const folder = join(import.meta.dirname, "..", "fixtures")

const fixtures = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
  .map(({ name, parentPath }) => {
    const path = relative(folder, join(parentPath, name))
    const agent = path.split("/").find((part) => Object.hasOwn(adapters, part)) ?? ""
    return { name: path, agent, event: basename(name, ".json"), input: readFileSync(join(folder, path)) }
  })
  .filter(({ agent }) => agent !== "")
  .sort((a, b) => (a.name < b.name ? -1 : 1))

/** Ids, times, hashes over the station's own paths and key, places in source texts, the way it came in: all that may differ. */
const comparable = (run: Run) =>
  run.facts.map(({ type, data }) => {
    const shown = JSON.stringify(data, (key, value: unknown) => {
      if (["invocation", "pid", "transport", "call", "ms", "stack", "job", "build"].includes(key))
        return undefined
      if (key === "digest" && typeof value === "string") return value.length
      // The time-out of a handler is what was left of the call's.
      if (key === "deadlineMs" && type === "HANDLER_TIMED_OUT") return undefined
      return value
    })
    return `${type} ${shown}`
  })

/** The same calls to two stations that were set up alike; one has a host. */
const bothWays = async (furnish: (place: Station) => void, firings: readonly Firing[]) => {
  const alone = await station()
  const hosted = await station()
  for (const place of [alone, hosted]) {
    place.putUser("config.json", JSON.stringify({ deadlineMs: 60_000 }))
    furnish(place)
    await place.build()
    await equip(place)
  }
  const host = await startHost(hosted)
  const off = { HOOKTAPE_HOST: "off" }
  const byEntry = await inTurns(firings, 2, (one) => alone.fire({ ...one, env: { ...one.env, ...off } }))
  // One at a time, so that the log has them in this order.
  const byHost = await inTurns(firings, 1, (one) => hosted.fire(one))
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
})
