/** What a repository's own agent settings start: the same bytes for everyone, with whatever hooktape each has, or none. */
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { projectVariables } from "../../../src/agents/about.ts"
import { adapters } from "../../../src/agents/adapters.ts"
import { defaults } from "../../../src/features/defaults.ts"
import { parseCommand } from "../../../src/tools/install/command.ts"
import { installAgents, settingsFile } from "../../../src/tools/install/dialects.ts"
import { defaultEvents } from "../../../src/tools/install/events.ts"
import { type InstallRequest, inspect, install, uninstall } from "../../../src/tools/install/installation.ts"
import { sharedHookFile, sharedHookText, sharedLine } from "../../../src/tools/install/sharedHook.ts"

let root = ""
beforeEach(() => {
  root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "hooktape shared ")))
})
afterEach(() => fs.rmSync(root, { recursive: true, force: true }))

const run = <A, E>(effect: Effect.Effect<A, E>): Promise<A> => Effect.runPromise(effect)
const script = (file: string, text: string): void => {
  fs.mkdirSync(dirname(file), { recursive: true })
  fs.writeFileSync(file, `#!/bin/sh\n${text}\n`, { mode: 0o755 })
}

/** Somebody with a home and a clone of their own. */
const person = (name: string) => {
  const home = join(root, name)
  const project = join(home, "clone")
  const state = join(home, ".local", "state", "hooktape")
  fs.mkdirSync(project, { recursive: true })
  const request = (more: Partial<InstallRequest> = {}): InstallRequest => ({
    agent: "claude-code",
    scope: "project",
    home,
    project,
    env: {},
    state,
    ...more
  })
  /** As the agent would, in its project's folder. */
  const call = (agent: InstallRequest["agent"], event: string) => {
    const { status, stdout, stderr } = spawnSync("/bin/sh", ["-c", sharedLine(agent, event)], {
      cwd: project,
      env: {
        PATH: process.env["PATH"],
        HOME: home,
        ...Object.fromEntries(projectVariables.map((name) => [name, project]))
      },
      input: "the payload",
      encoding: "utf8"
    })
    return { status, stdout, stderr }
  }
  const setUp = (): void => script(join(state, "bin", "hook"), 'printf "%s: " "$@"; cat')
  return { home, project, state, request, call, setUp }
}

describe("what a repository registers for everyone", () => {
  it("is the same bytes whoever registers it, and names nothing of theirs", async () => {
    const [ada, ben] = [person("ada"), person("ben")]
    for (const agent of installAgents) {
      for (const { request } of [ada, ben])
        await run(install(request({ agent, handled: ["MessageDisplay"] })))
      const [one, other] = [ada, ben].map(({ request }) =>
        fs.readFileSync(Effect.runSync(settingsFile(request({ agent }))), "utf8")
      )
      expect(one).toBe(other)
      expect(one).not.toContain(root)
    }
    for (const { project } of [ada, ben])
      expect(fs.readFileSync(sharedHookFile(project), "utf8")).toBe(sharedHookText)
    expect(sharedHookText).not.toContain(root)
  })

  it.each(installAgents)("holds every event of %s that shipped hooks want", (agent) => {
    const wanted = new Set<string>(defaults.flatMap(({ hook }) => hook.on))
    const natives = Object.entries(adapters[agent].events).filter(([, { event }]) => wanted.has(event))
    expect(natives.length).toBeGreaterThan(3)
    const always = defaultEvents(agent)
    const missing = natives
      .map(([native]) => native)
      .filter((native) => always.includes(native) && !defaultEvents(agent, { shared: true }).includes(native))
    expect(missing).toEqual([])
  })

  it.each(installAgents)("is known as ours in the settings of %s", (agent) => {
    expect(parseCommand(sharedLine(agent, "Stop"))).toMatchObject({ agent, event: "Stop" })
    expect(parseCommand(sharedLine(agent, "Stop").replace("exec ", ""))).toBeUndefined()
  })

  it("is right until somebody changes the script, and goes with the last agent", async () => {
    const { project, request } = person("ada")
    await run(install(request()))
    await run(install(request({ agent: "cursor" })))
    const current = async () => (await run(inspect(request()))).registered.every((one) => one.current)
    expect(await current()).toBe(true)
    fs.appendFileSync(sharedHookFile(project), "echo more\n")
    expect(await current()).toBe(false)
    expect((await run(install(request()))).changed).toBe(true)
    expect(await current()).toBe(true)
    await run(uninstall(request()))
    expect(fs.existsSync(sharedHookFile(project))).toBe(true)
    await run(uninstall(request({ agent: "cursor" })))
    expect(fs.existsSync(dirname(sharedHookFile(project)))).toBe(false)
  })

  it("takes the place of one person's path", async () => {
    const { project, request: any, state } = person("ada")
    const request = () => any({ events: "PreToolUse,Stop" })
    await run(install(request()))
    const file = Effect.runSync(settingsFile(request()))
    const bin = join(state, "bin", "hook")
    const shared = fs.readFileSync(file, "utf8")
    fs.writeFileSync(file, shared.replaceAll(/exec .*?\/\.hooktape\/agent-hook\\"/g, `exec '${bin}'`))
    expect(await run(inspect(request()))).toMatchObject({ registered: [{ bin }, {}] })
    await run(install(request()))
    expect(fs.readFileSync(file, "utf8")).toBe(shared)
    expect(fs.existsSync(sharedHookFile(project))).toBe(true)
  })
})

describe("the script that a repository carries", () => {
  it.each(installAgents)("starts what its user has, for %s", async (agent) => {
    const { call, request, setUp, project } = person("ada")
    spawnSync("git", ["init", "-q"], { cwd: project })
    await run(install(request({ agent })))
    setUp()
    const [event = ""] = defaultEvents(agent, { shared: true })
    expect(call(agent, event)).toEqual({ status: 0, stdout: `${agent}: ${event}: the payload`, stderr: "" })
  })

  it("leaves an event to the user's own registration, and only that", async () => {
    const { call, request, setUp } = person("ada")
    await run(install(request()))
    setUp()
    await run(install(request({ scope: "user", events: "Stop" })))
    expect(call("claude-code", "Stop")).toEqual({ status: 0, stdout: "", stderr: "" })
    expect(call("claude-code", "PreToolUse").stdout).toBe("claude-code: PreToolUse: the payload")
    await run(uninstall(request({ scope: "user" })))
    expect(call("claude-code", "Stop").stdout).toBe("claude-code: Stop: the payload")
  })

  it("answers where the user's own entries were taken out by hand", async () => {
    const { call, request, setUp } = person("ada")
    await run(install(request()))
    setUp()
    await run(install(request({ scope: "user" })))
    fs.writeFileSync(Effect.runSync(settingsFile(request({ scope: "user" }))), "{}")
    expect(call("claude-code", "Stop").stdout).toBe("claude-code: Stop: the payload")
  })

  it("sets up the package of the project, once", async () => {
    const { call, project, request, state } = person("ada")
    await run(install(request()))
    const hook = join(state, "bin", "hook")
    script(
      join(project, "node_modules", ".bin", "hooktape"),
      `echo "$@" >>'${root}/asked'; mkdir -p '${dirname(hook)}'; printf '#!/bin/sh\\nexec cat' >'${hook}'; chmod +x '${hook}'; echo noise`
    )
    for (const _ of [1, 2]) expect(call("claude-code", "Stop").stdout).toBe("the payload")
    expect(fs.readFileSync(join(root, "asked"), "utf8")).toBe("setup\n")
  })

  it("is silent where there is no hooktape, but for a word at the start", async () => {
    const { call, request } = person("ada")
    await run(install(request()))
    for (const event of defaultEvents("claude-code").filter((one) => one !== "SessionStart"))
      expect(call("claude-code", event)).toEqual({ status: 0, stdout: "", stderr: "" })
    const { status, stdout, stderr } = call("claude-code", "SessionStart")
    expect([status, stderr]).toEqual([0, ""])
    expect(JSON.parse(stdout)).toEqual({ systemMessage: expect.stringContaining("npx hooktape setup") })
  })
})
