/** The ways in which a call comes in: by the entrypoint alone, by client and host, and by the launcher that is for Windows. */
import { expect } from "vitest"
import type { InvocationFact } from "../../events/facts.ts"
import { deadlineOf } from "../../src/agents/deadline.ts"
import { type Fired, type Firing, inTurns, type Run, type Station, station } from "./entrypoint.ts"
import { equip, startHost } from "./host.ts"

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

/** The same calls to three stations that were set up alike: one has a host, one is called by Node as on Windows. */
export const everyWay = async (
  furnish: (place: Station) => void,
  firings: readonly Firing[],
  arrange: (place: Station) => Promise<Arranged> = async () => ({})
) => {
  const alone = await station()
  const hosted = await station()
  const windows = await station("hook.cjs")
  const all = [alone, hosted, windows]
  // Told once a session, by whichever of the calls is first.
  for (const { env } of all) env["HOOKTAPE_FAILURE_HINTS"] = "off"
  for (const place of all) {
    place.putUser("config.json", JSON.stringify({ deadlineMs: 60_000 }))
    furnish(place)
    await place.build()
    await equip(place)
  }
  const [atEntry, atHost, atNode] = [await arrange(alone), await arrange(hosted), await arrange(windows)]
  const host = await startHost(hosted, atHost)
  const off = { HOOKTAPE_HOST: "off" }
  const withoutHost = (place: Station, { before }: Arranged) =>
    inTurns(firings, before ? 1 : 2, (one, at) =>
      place.fire({ ...one, ...before?.(at), env: { ...one.env, ...off } })
    )
  const byEntry = await withoutHost(alone, atEntry)
  const byNode = await withoutHost(windows, atNode)
  // One at a time, so that the log has them in this order.
  const byHost = await inTurns(firings, 1, (one, at) => hosted.fire({ ...one, ...atHost.before?.(at) }))
  const entryRuns = await alone.runsByPid()
  const nodeRuns = await windows.runsByPid()
  const hostRuns = (await hosted.runs()).filter(({ facts }) => facts[0]?.type === "INVOCATION_OPENED")
  return { all, host, byEntry, byNode, byHost, entryRuns, nodeRuns, hostRuns }
}

export type Ways = Awaited<ReturnType<typeof everyWay>>

/** Paths of the stations, which differ by their names only. */
const inOnePlace = ({ all }: Ways, text: string): string =>
  all.reduce((left, { home }) => left.replaceAll(home, "HOME"), text)

export const compare = (ways: Ways, at: number) => {
  const [one, other, third] = [ways.byEntry[at], ways.byHost[at], ways.byNode[at]] as [Fired, Fired, Fired]
  const said = ({ code, signal, stdout, stderr }: Fired) =>
    inOnePlace(ways, JSON.stringify({ code, signal, stdout, stderr }))
  expect(said(other)).toBe(said(one))
  expect(said(third)).toBe(said(one))
  const entry = ways.entryRuns.get(one.pid) as Run
  const node = ways.nodeRuns.get(third.pid) as Run
  const host = ways.hostRuns[at] as Run
  expect(host.facts[0]?.data).toMatchObject({ transport: "socket" })
  const facts = (run: Run) =>
    comparable(run).map((line) => inOnePlace(ways, line).replace(/"HOOKTAPE_HOST":"off",?/, ""))
  expect(facts(host)).toEqual(facts(entry))
  expect(facts(node)).toEqual(facts(entry))
  for (const run of [entry, node, host]) {
    const opened = openedByCline(run)
    if (opened === undefined) continue
    const { agentEvent, client, deadlineMs } = opened
    const whole = deadlineOf({ agent: "cline", agentEvent }, {})
    // Only the client tells when it began.
    const before = run === node ? 0 : (client?.beforeUs ?? Number.NaN)
    expect(deadlineMs).toBe(Math.max(200, whole - Math.round(before / 1000)))
  }
}
