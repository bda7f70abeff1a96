/** A build that is gone or damaged: what comes with hooktape guards until it is made anew, and the human is told. */
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import { afterEach, describe, expect, it } from "vitest"
import { buildHooks } from "../../../src/tools/build/build.ts"
import { launcher } from "../../../src/tools/install/launcher.ts"
import { bash, type Fired, type Station } from "../../support/entrypoint.ts"
import { endPlaces, furnished, processesAt, until } from "../../support/fire/place.ts"
import { startHost } from "../../support/host.ts"

afterEach(endPlaces)

const isBlocked = ({ code, stdout }: Fired): boolean => code === 2 || /"(?:deny|block)"/.test(stdout)

/** Nothing can be made anew: what is looked at is who answers until then. */
const withoutBuilder = ({ state }: Station): void => {
  for (const file of [
    ...readdirSync(join(state, "projects")).map((name) => join(state, "projects", name)),
    join(state, "bin", "shipped", "manifest.json")
  ]) {
    const manifest = JSON.parse(readFileSync(file, "utf8"))
    writeFileSync(file, JSON.stringify({ ...manifest, cli: join(state, "gone.js") }))
  }
}

const bundles = ({ state }: Station): readonly string[] => {
  const builds = join(state, "build")
  return readdirSync(builds, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".cjs"))
    .map((name) => join(builds, name))
}

/** With what comes along, as an installation has it. */
const buildShipped = ({ env, state, userFolder }: Station) => {
  delete env["HOOKTAPE_DEFAULTS"]
  return Effect.runPromise(buildHooks({ state, userFolder, defaults: true }))
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

const guard = (run: string) => `import { blockingFeedback, defineHook } from "hooktape"
export default defineHook({ name: "guard", on: "tool.before", onFailure: "block", when: { tool: "shell" }, run: () => ${run} })
`
const read = JSON.stringify({ session_id: "s-2", tool_name: "Read", tool_input: { file_path: "/etc/hosts" } })
/** The way each of them puts it. */
const textOf = ({ stderr, stdout }: Fired): string => `${stdout}${stderr}`

const ways = ["a host", "a native client alone", "the launcher alone"] as const

const equipped = async (place: Station, way: (typeof ways)[number]) => {
  await buildShipped(place)
  withoutBuilder(place)
  if (way !== "a host") place.env["HOOKTAPE_HOST"] = "off"
  if (way === "the launcher alone")
    writeFileSync(join(place.state, "bin", "hook"), launcher({ node: process.execPath, state: place.state }))
  return way === "a host" ? startHost(place) : undefined
}

/** Below the host, who notices a loss is the same program for each of them: one that is gone and one that is damaged. */
const lossesFor = (way: (typeof ways)[number]) =>
  Object.entries(losses).filter(
    ([name]) => way === "a host" || name === "the build" || name === "half of each bundle"
  )

describe.each(ways)("with %s, where somebody has lost", (way) => {
  it.each(lossesFor(way))("%s, the shipped guard answers", async (_, lose) => {
    const place = await furnished({ hooks: {} })
    const host = await equipped(place, way)
    lose(place)
    const fired = await place.fire({ input: bash("rm -rf ~") })
    expect(isBlocked(fired)).toBe(true)
    const other = await place.fire({ event: "Stop", input: "{}" })
    expect(other.code).toBe(0)
    await host?.stop()
  })

  it.each(Object.entries(losses))("%s, a guard of the user's answers in each session", async (_, lose) => {
    const place = await furnished({ hooks: { guard: guard('blockingFeedback("GUARDED")') } })
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
    const place = await furnished({ hooks: { guard: guard("undefined") } })
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

const isStopped = (fired: Fired): boolean => isBlocked(fired) || /"ask"/.test(fired.stdout)

const readersOf = (place: Station): readonly string[] =>
  bundles(place).filter((file) => file.endsWith("shell-guards.cjs"))

describe.each(ways)("with %s, where only what reads commands", (way) => {
  it.each<readonly [string, (file: string) => void]>([
    ["is gone", (file) => rmSync(file)],
    ["is damaged", (file) => truncateSync(file, 1000)]
  ])("%s, no command passes for a harmless one", async (what, lose) => {
    const place = await furnished({ hooks: {} })
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
  const place = await furnished({ hooks: {} })
  place.env["HOOKTAPE_HOST"] = "off"
  await buildShipped(place)
  rmSync(join(place.state, "build"), { recursive: true })
  expect(isBlocked(await place.fire({ input: bash("rm -rf ~") }))).toBe(true)
  await until(() => processesAt(place).length === 0)
  expect(bundles(place).length).toBeGreaterThan(0)
  expect(isBlocked(await place.fire({ input: bash("rm -rf ~") }))).toBe(true)
})
