/** A build that is gone or damaged: what comes with hooktape guards until it is made anew, and the human is told. */
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { bash, type Fired, type Station } from "../../support/entrypoint.ts"
import {
  buildShipped,
  equipped,
  guard,
  inSession,
  isBlocked,
  keptGuards,
  newerTrust,
  textOf,
  update,
  ways
} from "../../support/fire/losing.ts"
import { endPlaces, furnished, processesAt, until } from "../../support/fire/place.ts"

afterEach(endPlaces)

const bundles = ({ state }: Station): readonly string[] => {
  const builds = join(state, "build")
  return readdirSync(builds, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".cjs"))
    .map((name) => join(builds, name))
}

const losses: Readonly<Record<string, (place: Station) => void>> = {
  "the build": ({ state }) => rmSync(join(state, "build"), { recursive: true }),
  "the manifests": ({ state }) => rmSync(join(state, "projects"), { recursive: true }),
  "what a manifest says": ({ state }) => writeFileSync(join(state, "projects", "user.json"), "{"),
  "half of each bundle": (place) => {
    for (const file of bundles(place)) truncateSync(file, 1000)
  },
  "all of each bundle": (place) => {
    for (const file of bundles(place)) truncateSync(file, 0)
  }
}

const read = JSON.stringify({ session_id: "s-2", tool_name: "Read", tool_input: { file_path: "/etc/hosts" } })

/** Below the host, who notices a loss is the same program for each of them: one that is gone and one that is damaged. */
const lossesFor = (way: (typeof ways)[number]) =>
  Object.entries(losses).filter(
    ([name]) => way === "a host" || name === "the build" || name === "half of each bundle"
  )

describe.each(ways)("with %s, where somebody has lost", (way) => {
  it.each(lossesFor(way))("%s, the shipped guard answers", async (_, lose) => {
    const place = await furnished({ builds: false, hooks: {} })
    const host = await equipped(place, way)
    lose(place)
    const fired = await place.fire({ input: bash("rm -rf ~") })
    expect(isBlocked(fired)).toBe(true)
    const other = await place.fire({ event: "Stop", input: "{}" })
    expect(other.code).toBe(0)
    await host?.stop()
  })

  it.each(Object.entries(losses))("%s, a guard of the user's answers in each session", async (_, lose) => {
    const place = await furnished({ builds: false, hooks: { guard: guard('blockingFeedback("GUARDED")') } })
    const host = await equipped(place, way)
    lose(place)
    const guarded = await place.fire({ input: bash("ls") })
    expect(isBlocked(guarded)).toBe(true)
    expect(textOf(guarded)).toContain("GUARDED")
    expect(textOf(guarded)).toContain("the build of your hooks is gone")
    // Where it has no say, and the human was told.
    const other = await place.fire({ input: read })
    expect(isBlocked(other)).toBe(false)
    expect(textOf(other)).not.toContain("the build of your hooks is gone")
    await host?.stop()
  })

  it("all that was kept of a guard too, it blocks by its policy", async () => {
    const place = await furnished({ builds: false, hooks: { guard: guard("undefined") } })
    const host = await equipped(place, way)
    rmSync(join(place.state, "build"), { recursive: true })
    rmSync(join(place.state, "trusted", "content"), { recursive: true })
    const guarded = await place.fire({ input: bash("ls") })
    expect(isBlocked(guarded)).toBe(true)
    expect(textOf(guarded)).toContain("guard failed: its build is gone and is being made anew")
    expect((await place.fire({ event: "Stop", input: "{}" })).code).toBe(0)
    await host?.stop()
  })
})

const spoilKept = (place: Station): void => {
  for (const name of readdirSync(keptGuards(place))) writeFileSync(join(keptGuards(place), name), "{ rubbish")
}

/** Nothing of what a guard is made of is left. */
const loseAll = ({ state }: Station): void => {
  for (const name of ["build", "projects", "trusted/content"])
    rmSync(join(state, name), { recursive: true, force: true })
}

describe.each(ways)("with %s, where nobody can tell which guards there were", (way) => {
  const withGuard = async () => {
    const place = await furnished({ builds: false, hooks: { guard: guard('blockingFeedback("GUARDED")') } })
    return { place, host: await equipped(place, way) }
  }

  /** In each new session, for as long as it is so. */
  const expectBlocked = async (place: Station, says: string): Promise<void> => {
    for (const session of ["a", "b"]) {
      const fired = await place.fire({ input: inSession(session) })
      expect(textOf(fired)).toContain(says)
      expect(isBlocked(fired)).toBe(true)
      expect(textOf(fired)).not.toContain("is being made anew")
    }
    expect((await place.fire({ event: "Stop", input: "{}" })).code).toBe(0)
  }

  it("because what was kept of them is gone, and a newer hooktape wrote what is trusted, each tool call is blocked", async () => {
    const { host, place } = await withGuard()
    newerTrust(place)
    loseAll(place)
    rmSync(keptGuards(place), { recursive: true })
    await expectBlocked(place, update)
    await host?.stop()
  })

  it("because what was kept of them cannot be read, each tool call is blocked until it can", async () => {
    const { host, place } = await withGuard()
    loseAll(place)
    const kept = new Map(
      readdirSync(keptGuards(place)).map((name) => [name, readFileSync(join(keptGuards(place), name))])
    )
    spoilKept(place)
    const fired = await place.fire({ input: inSession("a") })
    expect(isBlocked(fired)).toBe(true)
    expect(textOf(fired)).toMatch(
      /unreadable guards failed: \S+\.json cannot be read, .*"hooktape build" writes it anew/
    )
    expect(isBlocked(await place.fire({ input: inSession("b") }))).toBe(true)
    for (const [name, bytes] of kept) writeFileSync(join(keptGuards(place), name), bytes)
    // The session that was blocked keeps nothing of that.
    expect(textOf(await place.fire({ input: inSession("a") }))).not.toContain("unreadable guards")
    await host?.stop()
  })

  it("but by the build that is gone, that one is believed", async () => {
    const { host, place } = await withGuard()
    newerTrust(place)
    rmSync(join(place.state, "build"), { recursive: true })
    rmSync(keptGuards(place), { recursive: true })
    await expectBlocked(place, update)
    writeFileSync(join(place.state, "trust.json"), "{}")
    const fired = await place.fire({ input: inSession("c") })
    expect([isBlocked(fired), textOf(fired)]).toEqual([true, expect.stringContaining("GUARDED")])
    await host?.stop()
  })

  it("because there never were any, every call passes", async () => {
    const place = await furnished({ builds: false, hooks: {} })
    const host = await equipped(place, way)
    loseAll(place)
    rmSync(keptGuards(place), { recursive: true, force: true })
    const fired = await place.fire({ input: inSession("a") })
    expect(isBlocked(fired)).toBe(false)
    await host?.stop()
  })
})

const isStopped = (fired: Fired): boolean => isBlocked(fired) || /"ask"/.test(fired.stdout)

const readersOf = (place: Station): readonly string[] =>
  bundles(place).filter((file) => file.endsWith("shell-guards.cjs"))

describe.each(ways)("with %s, where only what reads commands", (way) => {
  it.each<readonly [string, (file: string) => void]>([
    ["is gone", (file) => rmSync(file)],
    ["is damaged", (file) => truncateSync(file, 1000)]
  ])("%s, no command passes for a harmless one", async (what, lose) => {
    const place = await furnished({ builds: false, hooks: {} })
    const host = await equipped(place, way)
    expect(readersOf(place)).not.toEqual([])
    for (const file of readersOf(place)) {
      lose(file)
      for (const name of readdirSync(dirname(file)))
        if (name.startsWith("shell-guards.cjs.")) rmSync(join(dirname(file), name))
    }
    const fired = await place.fire({ input: bash("rm -rf ~") })
    expect(isStopped(fired)).toBe(true)
    // Without a host it is noticed before the call, as if the build were gone: then what comes with hooktape answers.
    if (way !== "a host" && what === "is gone") expect(isBlocked(fired)).toBe(true)
    expect(isStopped(await place.fire({ input: bash("ls -la | head") }))).toBe(false)
    await host?.stop()
  })
})

it("a build that is gone is made anew", async () => {
  const place = await furnished({ builds: false, hooks: {} })
  place.env["HOOKTAPE_HOST"] = "off"
  await buildShipped(place)
  rmSync(join(place.state, "build"), { recursive: true })
  expect(isBlocked(await place.fire({ input: bash("rm -rf ~") }))).toBe(true)
  await until(() => processesAt(place).length === 0)
  expect(bundles(place).length).toBeGreaterThan(0)
  expect(isBlocked(await place.fire({ input: bash("rm -rf ~") }))).toBe(true)
})
