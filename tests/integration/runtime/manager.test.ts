/** Limits, switches and refused stops for real: the same in process and through a host, and across both. */
import { rmSync } from "node:fs"
import { join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { dataOf, inTurns, payloadOf, type Station, station } from "../../support/entrypoint.ts"
import { equip, type RunningHost, startHost } from "../../support/host.ts"

const hooks = `import { blockingFeedback, defineHook, modelContext, userHint } from "hooktape"
export const once = defineHook({ name: "once", on: "prompt.submit", once: "session", run: () => userHint("once") })
export const rare = defineHook({
  name: "rare", on: "prompt.submit", rateLimit: { limit: 2, per: "1 day", scope: "project" }, run: () => userHint("rare")
})
export const off = defineHook({ name: "off", on: "prompt.submit", enabled: false, run: () => userHint("off") })
let left = 2
export const shaky = defineHook({
  name: "shaky", on: "session.start", retry: { attempts: 3, delay: 5 },
  run: () => {
    if (left-- > 0) throw new Error("not yet")
    return modelContext("third time lucky")
  }
})
export const insisting = defineHook({ name: "insisting", on: "turn.stop", run: () => blockingFeedback("more to do") })
`

let hosts: RunningHost[] = []
afterEach(async () => {
  for (const host of hosts) await host.stop("SIGKILL")
  hosts = []
})

const furnished = async (): Promise<Station> => {
  const place = await station()
  place.putUser("hooks/all.ts", hooks)
  await place.build()
  await equip(place)
  return place
}

/** Through the host where there is one, else in process; no call starts one. */
const alone = { HOOKTAPE_HOST: "off" }
const prompt = (session: string, more: object = {}) => ({
  event: "UserPromptSubmit",
  input: payloadOf("UserPromptSubmit", { session_id: session, prompt: "go on", ...more })
})
const stop = (session: string, active: boolean) => ({
  event: "Stop",
  input: payloadOf("Stop", { session_id: session, stop_hook_active: active })
})

const hintOf = (stdout: string): string =>
  stdout === "" ? "" : ((JSON.parse(stdout) as { systemMessage?: string }).systemMessage ?? "")

const start = async (place: Station): Promise<RunningHost> => {
  const host = await startHost(place)
  hosts.push(host)
  return host
}

describe("limits", () => {
  it("hold over processes, the host, and what is in between; each skip has its reason", async () => {
    const place = await furnished()
    const said = async (session: string, env: NodeJS.ProcessEnv = {}) =>
      hintOf((await place.fire({ ...prompt(session), env })).stdout)
    expect(await said("s", alone)).toBe("once\n\nrare")
    await start(place)
    expect(await said("s")).toBe("rare")
    expect(await said("t")).toBe("once")
    expect(await said("t", alone)).toBe("")
    expect(await said("u", alone)).toBe("once")
    // From the log alone.
    rmSync(join(place.state, "limits"), { recursive: true })
    expect(await said("u")).toBe("")
    expect(await said("s", alone)).toBe("")
    const runs = await place.runs()
    const plans = runs.flatMap((run) => dataOf(run, "HANDLERS_PLANNED"))
    expect(new Set(runs.map((run) => dataOf(run, "INVOCATION_OPENED")[0]?.transport))).toEqual(
      new Set(["entry", "socket"])
    )
    const reasons = plans.flatMap(({ left }) => left.map(({ handler, reason }) => `${handler}: ${reason}`))
    expect(reasons.filter((one) => one === "once: once: it has run in this session already")).toHaveLength(4)
    expect(
      reasons.filter((one) => one.startsWith("rare: rateLimit: 2 in 1 day in this project"))
    ).toHaveLength(5)
    expect(reasons.filter((one) => one === "off: disabled")).toHaveLength(plans.length)
  })

  it("hold for calls that come at the same moment", async () => {
    const place = await furnished()
    await start(place)
    const calls = Array.from({ length: 8 }, (_, nth) => (nth % 2 === 0 ? {} : alone))
    const hints = await inTurns(calls, 8, async (env) =>
      hintOf((await place.fire({ ...prompt("s"), env })).stdout)
    )
    const words = hints.flatMap((hint) => hint.split("\n\n")).filter((word) => word !== "")
    expect(words.toSorted()).toEqual(["once", "rare", "rare"])
  })
})

describe("a hook that is tried again", () => {
  it.each(["in process", "in the host"])("comes to its answer %s, each attempt on the log", async (where) => {
    const place = await furnished()
    if (where === "in the host") await start(place)
    const input = payloadOf("SessionStart", { source: "startup" })
    const fired = await place.fire({ event: "SessionStart", input, env: where === "in process" ? alone : {} })
    expect(fired).toMatchObject({ code: 0, stdout: expect.stringContaining("third time lucky") })
    const [run] = await place.runs()
    expect(
      run?.facts.flatMap(({ data, type }) => {
        const { attempt } = data as { readonly attempt?: number }
        return attempt === undefined ? [] : [`${type} ${attempt}`]
      })
    ).toEqual([
      "HANDLER_STARTED 1",
      "HANDLER_FAILED 1",
      "HANDLER_STARTED 2",
      "HANDLER_FAILED 2",
      "HANDLER_STARTED 3",
      "HANDLER_SUCCEEDED 3"
    ])
  })
})

/** Claude Code reads a refusal from standard output. */
const isRefused = ({ stdout }: { readonly stdout: string }): boolean =>
  stdout !== "" && JSON.parse(stdout).decision === "block"

describe("a stop that is always refused", () => {
  it("is refused three times in a row, in process and in the host together, and again once the human spoke", async () => {
    const place = await furnished()
    await start(place)
    const stopped = async (nth: number, session = "s") =>
      place.fire({ ...stop(session, nth > 0), env: nth % 2 === 0 ? {} : alone })
    const refused: boolean[] = []
    for (let nth = 0; nth < 5; nth++) {
      refused.push(isRefused(await stopped(nth)))
      // What the agent makes of a refusal is no word of the human.
      if (nth === 1) await place.fire(prompt("s", { prompt: "more to do" }))
    }
    expect(refused).toEqual([true, true, true, false, false])
    // Another session has its own row.
    expect(isRefused(await stopped(1, "t"))).toBe(true)
    const held = await stopped(1)
    expect(hintOf(held.stdout)).toMatch(/^hooktape: hooks have kept the agent from stopping 3 times in a row/)
    expect(held.stderr).toContain("what insisting has against it was not passed on")
    await place.fire(prompt("s"))
    expect(isRefused(await stopped(1))).toBe(true)
  })

  it("is refused three times of eight at one moment, in process and in the host together", async () => {
    const place = await furnished()
    await start(place)
    const calls = Array.from({ length: 8 }, (_, nth) => (nth % 2 === 0 ? {} : alone))
    const refused = await inTurns(calls, 8, async (env) =>
      isRefused(await place.fire({ ...stop("s", true), env }))
    )
    expect(refused.filter(Boolean)).toHaveLength(3)
    expect(isRefused(await place.fire({ ...stop("s", true), env: alone }))).toBe(false)
  })

  it("has the limit that the configuration says", async () => {
    const place = await furnished()
    place.putUser("config.json", '{ "stopBlocks": 1 }')
    await place.build()
    const refused: boolean[] = []
    for (let nth = 0; nth < 3; nth++)
      refused.push(isRefused(await place.fire({ ...stop("s", nth > 0), env: alone })))
    expect(refused).toEqual([true, false, false])
  })
})
