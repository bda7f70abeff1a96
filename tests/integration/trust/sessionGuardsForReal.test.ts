/** A session keeps the guards it began with whichever way its calls come in: alone, through a host, over HTTP. */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdirSync, rmSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { afterEach, describe, expect, it } from "vitest"
import { keepHttpPort } from "../../../src/state/state.ts"
import { trustProject } from "../../../src/tools/build/trust.ts"
import { command } from "../../support/command.ts"
import { outcomeOf, payloadOf, type Station } from "../../support/entrypoint.ts"
import { endPlaces, furnished } from "../../support/fire/place.ts"
import { dist, startHost } from "../../support/host.ts"
import { ask, bearer, freePort } from "../../support/httpHost.ts"

afterEach(endPlaces)

const file = ".hooktape/hooks/deploys.ts"
const guard = `import { blockingFeedback, defineHook } from "hooktape"
export default defineHook({
  name: "deploys", on: "tool.before", onFailure: "block", when: { tool: "shell" }, run: () => blockingFeedback("Ask first.")
})
`

type Say = (event: string, session: string) => Promise<string>

const payload = (place: Station, event: string, session: string): string =>
  payloadOf(event, {
    session_id: session,
    cwd: place.project,
    ...(event === "PreToolUse" ? { tool_name: "Bash", tool_input: { command: "deploy" } } : {})
  })

const fired =
  (place: Station): Say =>
  async (event, session) =>
    (await place.fire({ event, input: payload(place, event, session) })).stdout

/** The command as it is shipped, which knows beneath whom it runs. */
const asAgent = (place: Station, env: NodeJS.ProcessEnv, ...args: readonly string[]): ChildProcess =>
  spawn(process.execPath, [join(dist, "cli.js"), ...args], {
    cwd: place.project,
    env,
    stdio: ["ignore", "pipe", "pipe"]
  })

const ways: Readonly<Record<string, (place: Station) => Promise<Say>>> = {
  "calls in process": async (place) => {
    place.env["HOOKTAPE_HOST"] = "off"
    return fired(place)
  },
  "calls through a host": async (place) => {
    await startHost(place)
    return fired(place)
  },
  "calls over HTTP": async (place) => {
    const port = keepHttpPort(place.state, await freePort())
    await startHost(place)
    return async (event, session) =>
      (
        await ask({
          port,
          path: `/v1/hooks/claude-code/${event}`,
          body: payload(place, event, session),
          headers: bearer(place.state)
        })
      ).body
  }
}

describe.each(Object.entries(ways))("a session with %s", (_, begin) => {
  it("keeps a guard whose file is deleted, says so once, and the next session goes without", async () => {
    const place = await furnished({ hooks: {} })
    place.put(".git/HEAD", "ref: refs/heads/main\n")
    place.put(file, guard)
    await Effect.runPromise(trustProject({ state: place.state, project: place.project }))
    await place.build(true)
    const say = await begin(place)
    expect(await say("PreToolUse", "s")).toContain("Ask first.")

    rmSync(join(place.project, file))
    await place.build(true)
    const gone = await say("PreToolUse", "s")
    expect(gone).toContain("Ask first.")
    expect(gone).toContain("deploys is gone or changed here")
    const again = await say("PreToolUse", "s")
    expect(again).toContain("Ask first.")
    expect(again).not.toContain("gone or changed")

    expect(await say("PreToolUse", "t")).not.toContain("Ask first.")
    await say("SessionEnd", "s")
    // Said by hand, perhaps, and by the model.
    expect(await say("PreToolUse", "s")).toContain("Ask first.")
    await say("SessionEnd", "s")
    await fired(place)("SessionStart", "s")
    expect(await say("PreToolUse", "s")).not.toContain("Ask first.")
  })

  it("begins with a guard whose file is there and cannot be read, as it was trusted", async () => {
    const place = await furnished({ hooks: {} })
    place.put(".git/HEAD", "ref: refs/heads/main\n")
    place.put(file, guard)
    await Effect.runPromise(trustProject({ state: place.state, project: place.project }))
    await place.build(true)
    const say = await begin(place)
    const path = join(place.project, file)
    const kinds = [() => symlinkSync(path, path), () => mkdirSync(path), () => symlinkSync("/dev/zero", path)]
    for (const [at, put] of kinds.entries()) {
      rmSync(path, { recursive: true })
      put()
      await place.build(true)
      expect([at, await say("PreToolUse", `of ${at}`)]).toEqual([at, expect.stringContaining("Ask first.")])
      expect(await fired(place)("SessionStart", `told ${at}`)).toContain("its last trusted version runs on")
    }
    rmSync(path, { recursive: true })
    await place.build(true)
    expect(await say("PreToolUse", "t")).not.toContain("Ask first.")
  })

  it("keeps a guard that is weakened, as it was trusted", async () => {
    const place = await furnished({ hooks: {} })
    place.put(".git/HEAD", "ref: refs/heads/main\n")
    place.put(file, guard)
    await Effect.runPromise(trustProject({ state: place.state, project: place.project }))
    await place.build(true)
    const say = await begin(place)
    expect(await say("PreToolUse", "s")).toContain("Ask first.")
    place.put(file, guard.replace('blockingFeedback("Ask first.")', "undefined"))
    await place.build(true)
    expect(await say("PreToolUse", "s")).toContain("Ask first.")
    expect(await say("PreToolUse", "t")).toContain("Ask first.")
    // The agent has no HTTP hook at this event.
    expect(await fired(place)("SessionStart", "u")).toContain("its last trusted version runs on")
  })
})

it("goes without a guard at once when its user says so in a terminal, with the host that it began with", async () => {
  const place = await furnished({ hooks: {} })
  place.put(".git/HEAD", "ref: refs/heads/main\n")
  place.put(file, guard)
  await Effect.runPromise(trustProject({ state: place.state, project: place.project }))
  await place.build(true)
  const host = await startHost(place)
  const say = fired(place)
  const { pid } = await host.status()
  expect(await say("PreToolUse", "s")).toContain("Ask first.")

  // An agent has no say in it.
  const env = { ...place.env, CLAUDECODE: "1" }
  expect(await outcomeOf(asAgent(place, env, "hooks", "disable", "deploys"))).toMatchObject({ code: 1 })
  expect(await say("PreToolUse", "s")).toContain("Ask first.")

  expect(await command(place, "hooks", "disable", "deploys")).toMatchObject({ code: 0 })
  expect(await say("PreToolUse", "s")).not.toContain("Ask first.")
  expect(await command(place, "hooks", "enable", "deploys")).toMatchObject({ code: 0 })
  expect(await say("PreToolUse", "s")).toContain("Ask first.")

  const { stdout } = await command(place, "trust", "list")
  const digest = /^([0-9a-f]{12})\s.*deploys\.ts/m.exec(stdout)?.[1] ?? ""
  expect(await command(place, "trust", "revoke", digest)).toMatchObject({ code: 0 })
  expect(await say("PreToolUse", "s")).not.toContain("Ask first.")
  expect(await say("PreToolUse", "t")).not.toContain("Ask first.")
  expect((await host.status()).pid).toBe(pid)
}, 60_000)

it("keeps its user's guards in sessions to come, whatever folder an agent's environment names as theirs when it builds", async () => {
  const place = await furnished({ hooks: { deploys: guard } })
  place.env["HOOKTAPE_HOST"] = "off"
  const say = fired(place)
  for (const other of ["gone", "elsewhere"]) {
    const env = { ...place.env, CLAUDECODE: "1", XDG_CONFIG_HOME: join(place.home, other) }
    expect(await outcomeOf(asAgent(place, env, "build"))).toMatchObject({ code: 0 })
    expect(await say("PreToolUse", `new-${other}`)).toContain("Ask first.")
  }
  // A person's environment is their word.
  const env = { ...place.env, XDG_CONFIG_HOME: join(place.home, "gone") }
  expect(await command({ ...place, env }, "build")).toMatchObject({ code: 0 })
  expect(await say("PreToolUse", "newest")).not.toContain("Ask first.")
})
