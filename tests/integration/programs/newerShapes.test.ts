/** Files of the state directory in a shape that only a newer version knows: they stay as they are, it is said, and guards go on, or what stands for them blocks. */
import { spawnSync } from "node:child_process"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { homedir } from "node:os"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import { afterEach, describe, expect, it } from "vitest"
import { switchesFile } from "../../../src/history/switches.ts"
import { projectManifest, userManifest } from "../../../src/state/manifest.ts"
import { buildHooks } from "../../../src/tools/build/build.ts"
import { collectGarbage } from "../../../src/tools/build/output.ts"
import { trustProject } from "../../../src/tools/build/trust.ts"
import type { InstallRecord } from "../../../src/tools/install/record.ts"
import { recordFile, writeRecord } from "../../../src/tools/install/store.ts"
import { guardsFile } from "../../../src/trust/keptGuards.ts"
import { cliFor } from "../../support/cli.ts"
import type { Station } from "../../support/entrypoint.ts"
import { inSession, isBlocked, textOf, ways, withGuard } from "../../support/fire/losing.ts"
import { endPlaces } from "../../support/fire/place.ts"

afterEach(endPlaces)

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((file) => file.endsWith(".json"))

/** As a newer version would have it: its number is one more, and there is more in it. */
const raise = (file: string): string => {
  const { version, ...rest } = JSON.parse(readFileSync(file, "utf8"))
  const text = JSON.stringify({ version: version + 1, ...rest, more: [7] })
  writeFileSync(file, text)
  return text
}

const raised = (files: readonly string[]): ReadonlyMap<string, string> =>
  new Map(files.map((file) => [file, raise(file)]))

const expectKept = (was: ReadonlyMap<string, string>): void => {
  for (const [file, text] of was) expect(readFileSync(file, "utf8") === text, file).toBe(true)
}

/** So that a call finds its build out of date. */
const touch = ({ project }: Station): void => {
  const file = join(project, ".hooktape", "hooks", "guard.ts")
  writeFileSync(file, `${readFileSync(file, "utf8")}// touched\n`)
}

const places = ({ state }: Station) => filesIn(join(state, "trusted", "places"))
const contents = ({ state }: Station) => filesIn(join(state, "trusted", "content"))
const shapes: Readonly<Record<string, (place: Station) => readonly string[]>> = {
  "its build": ({ project, state }) => [projectManifest(state, project)],
  "all builds": ({ project, state }) => [projectManifest(state, project), userManifest(state)],
  "which guards there are": ({ project, state }) => [guardsFile(state, project)],
  "where contents were trusted last": places,
  "what was kept of its guard": contents
}

describe.each(ways)("with %s, where a newer hooktape wrote", (way) => {
  it.each(Object.entries(shapes))(
    "%s, the guard answers, and nothing of it is written over",
    async (_, files) => {
      const { host, place } = await withGuard(way)
      const was = raised(files(place))
      expect(was.size).toBeGreaterThan(0)
      for (const session of ["a", "b"]) {
        const fired = await place.fire({ input: inSession(session) })
        expect(isBlocked(fired) && textOf(fired)).toContain("GUARDED")
        touch(place)
      }
      await host?.stop()
      const { project, state, userFolder } = place
      const building = buildHooks({ state, userFolder, project })
      const said = await Effect.runPromise(
        Effect.match(building, { onFailure: String, onSuccess: () => "it was built" })
      )
      expectKept(was)
      expect(said).toMatch(/was written by a newer hooktape: update this one\n.*remove that file/)
      const ended = await place.fire({ input: inSession("c") })
      expect(isBlocked(ended) && textOf(ended)).toContain("GUARDED")
    }
  )

  it("its build and what was kept of its guard, each tool call is blocked, with what to do", async () => {
    const { host, place } = await withGuard(way)
    const built = [projectManifest(place.state, place.project), userManifest(place.state)]
    const was = raised([...built, ...contents(place)])
    const fired = await place.fire({ input: inSession("a") })
    const ended = await place.fire({ event: "Stop", input: "{}" })
    await host?.stop()
    expect(isBlocked(fired) && textOf(fired)).toContain("newer hooktape")
    expect(ended.code).toBe(0)
    expectKept(was)
  })
})

it("what a build of a newer version is made of is no garbage", async () => {
  const { place } = await withGuard("a native client alone")
  const { dir } = JSON.parse(readFileSync(projectManifest(place.state, place.project), "utf8"))
  raise(projectManifest(place.state, place.project))
  utimesSync(dir, 0, 0)
  collectGarbage(place.state, Date.now())
  expect(existsSync(dir)).toBe(true)
})

describe("where a newer hooktape wrote", () => {
  it.each([
    ["where contents were trusted last", places],
    ["what was kept of them", contents]
  ])("%s, what is as it was trusted is built and trusted all the same", async (_, files) => {
    const { place } = await withGuard("a native client alone")
    const { project, state, userFolder } = place
    place.put(".hooktape/config.json", '{ "deadlineMs": 70000 }')
    const isGuarded = async (session: string) => {
      const built = await Effect.runPromise(buildHooks({ state, userFolder, project }))
      expect(built.problems).toEqual([])
      expect(built.withheld).toEqual([])
      const fired = await place.fire({ input: inSession(session) })
      expect(isBlocked(fired) && textOf(fired)).toContain("GUARDED")
    }
    await Effect.runPromise(trustProject({ state, project }))
    const was = raised(files(place))
    expect(was.size).toBeGreaterThan(1)
    await isGuarded("a")
    touch(place)
    await Effect.runPromise(trustProject({ state, project }))
    await isGuarded("b")
    expectKept(was)
  })

  it.each([
    ["where a configuration was trusted last", places],
    ["what was kept of it", contents]
  ])("%s, no build goes without it, and the one before goes on", async (_, files) => {
    const { place } = await withGuard("a native client alone")
    const { project, state, userFolder } = place
    place.put(".hooktape/config.json", '{ "deadlineMs": 70000 }')
    await Effect.runPromise(trustProject({ state, project }))
    await place.build(true)
    const was = raised(files(place))
    for (const text of ['{ "deadlineMs": 300 }', "{ broken"]) {
      place.put(".hooktape/config.json", text)
      const building = Effect.flip(buildHooks({ state, userFolder, project }))
      expect(String((await Effect.runPromise(building)).message)).toContain("newer hooktape")
    }
    const manifest = JSON.parse(readFileSync(projectManifest(state, project), "utf8"))
    expect(manifest.deadlineMs).toBe(70_000)
    expectKept(was)
  })

  it("what is switched on and off, no hook is switched, and a call goes on", async () => {
    const { place } = await withGuard("a native client alone")
    const file = switchesFile(place.state)
    const text = JSON.stringify({ version: 2, switches: { guard: "off" } })
    writeFileSync(file, text)
    const fired = await place.fire({ input: inSession("a") })
    expect(isBlocked(fired) && textOf(fired)).toContain("GUARDED")
    const words = ["hooks", "disable", "guard", "--scope", "project", "--project", place.project]
    const told = spawnSync(process.execPath, [cliFor(words), ...words], { env: place.env, encoding: "utf8" })
    expect([told.status, told.stderr]).toEqual([
      1,
      expect.stringContaining("written by a newer hooktape: update this one")
    ])
    expect(readFileSync(file, "utf8")).toBe(text)
  })

  it("the settings, what was built before goes on, and the file is named", async () => {
    const { place } = await withGuard("a native client alone")
    const file = join(place.userFolder, "config.json")
    const text = '{\n  "version": 2,\n  "rules": [{ "block": "all" }]\n}\n'
    writeFileSync(file, text)
    const { project, state, userFolder } = place
    for (const at of [{}, { project }]) {
      const building = buildHooks({ state, userFolder, ...at })
      const said = await Effect.runPromise(
        Effect.match(building, { onFailure: ({ message }) => message, onSuccess: () => "it was built" })
      )
      expect(said).toContain("config.json:2: is of version 2, which only a newer hooktape can read")
      expect(said).not.toContain("rules")
    }
    const fired = await place.fire({ input: inSession("a") })
    expect(isBlocked(fired) && textOf(fired)).toContain("GUARDED")
    expect(readFileSync(file, "utf8")).toBe(text)
  })

  it("what was registered, it is not written over, and the agent's settings stay as they are", async () => {
    const state = mkdtempSync(join(homedir(), "newer-"))
    const target = join(state, "settings.json")
    const file = recordFile(state, target)
    mkdirSync(dirname(file))
    writeFileSync(file, '{"version":2}')
    const error = await Effect.runPromise(Effect.flip(writeRecord(state, target, {} as InstallRecord)))
    expect(String(error.message)).toContain("newer hooktape")
    expect(readFileSync(file, "utf8")).toBe('{"version":2}')
  })
})
