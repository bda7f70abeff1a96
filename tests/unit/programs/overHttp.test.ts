/** What is called over HTTP: which events, which settings may name the token, and whose the port is. */
import { execFileSync } from "node:child_process"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  writeFileSync
} from "node:fs"
import { createServer, type Server } from "node:net"
import { homedir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { checkHttp } from "../../../src/programs/cli/doctor/http.ts"
import { choosePort, giveUpUnusedPort, portState } from "../../../src/programs/cli/httpPort.ts"
import { chooseHttp, type HttpRequest } from "../../../src/programs/cli/overHttp.ts"
import { httpPort, httpToken, keepHttpPort } from "../../../src/state/state.ts"
import { buildHooks } from "../../../src/tools/build/build.ts"
import { httpHook, parseHttpHook } from "../../../src/tools/install/httpHook.ts"
import { inspect, install, uninstall } from "../../../src/tools/install/installation.ts"
import { httpEvents } from "../../../src/tools/install/transport.ts"

let root = ""
let other: Server | undefined
const at = (...parts: readonly string[]): string => join(root, ...parts)
const request = (more: Partial<HttpRequest> = {}): HttpRequest => ({
  agent: "claude-code",
  scope: "user",
  home: at("home"),
  project: at("project"),
  env: {},
  state: at("state"),
  transport: "http",
  dryRun: false,
  ...more
})
const run = <A, E>(effect: Effect.Effect<A, E>): Promise<A> => Effect.runPromise(effect)
const refusal = async <A>(effect: Effect.Effect<A, Error>): Promise<string> =>
  Either.getOrThrow(Either.flip(await run(Effect.either(effect)))).message
const settings = (): string => at("home", ".claude", "settings.json")
const registered = async (more: Partial<HttpRequest> = {}) => {
  const one = request(more)
  const { http } = await run(chooseHttp(one))
  return run(install({ ...one, http }))
}
/** Somebody else, on this very port. */
const hold = (port = 0): Promise<number> =>
  new Promise((resolve, reject) => {
    other = createServer()
    other.once("error", reject)
    other.listen(port, "127.0.0.1", () => {
      const address = other?.address()
      resolve(typeof address === "object" && address !== null ? address.port : 0)
    })
  })

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(homedir(), "http-")))
  for (const part of ["home", "project"]) mkdirSync(at(part))
  mkdirSync(at("state"), { mode: 0o700 })
})
afterEach(() => {
  other?.close()
  other = undefined
})

describe("an event goes over HTTP", () => {
  it("where the agent sends it there, takes the same answers, and has a use for it", () => {
    expect(httpEvents("claude-code")).toEqual([
      "InstructionsLoaded",
      "UserPromptSubmit",
      "UserPromptExpansion",
      "MessageDisplay",
      "PreToolUse",
      "PreSkillShellCommand",
      "PermissionRequest",
      "PermissionDenied",
      "PostToolUse",
      "PostToolBatch",
      "Notification",
      "SubagentStart",
      "SubagentStop",
      "TaskCreated",
      "Stop",
      "StopFailure",
      "PreCompact",
      "PostCompact",
      "PreModelSwitch",
      "PostModelSwitch",
      "ConfigChange",
      "CwdChanged",
      "DirectoryAdded",
      "FileChanged",
      "Elicitation",
      "ElicitationResult"
    ])
    for (const agent of ["codex", "gemini-cli", "cursor", "windsurf"] as const)
      expect(httpEvents(agent)).toEqual([])
  })

  it("unless a hook stands guard at it, or at what follows from it", async () => {
    mkdirSync(at("config", "hooks"), { recursive: true })
    writeFileSync(
      at("config", "hooks", "all.ts"),
      `import { defineHook } from "hooktape"
      const run = () => undefined
      export const strict = defineHook({ name: "strict", on: "tool.before", onFailure: "block", run })
      export const asking = defineHook({ name: "asking", on: "feedback.given", onFailure: "ask", run })
      export const lax = defineHook({ name: "lax", on: "turn.stop", run })
      export const off = defineHook({ name: "off", on: "notify", onFailure: "block", enabled: false, run })
      export const kept = defineHook({ name: "kept", on: "session.end", onFailure: "block", run })
      export const set = defineHook({ name: "set", on: "compact.before", run })`
    )
    writeFileSync(
      at("config", "config.json"),
      JSON.stringify({ hooks: { set: { onFailure: "block" }, kept: { enabled: false } } })
    )
    const { manifest } = await run(buildHooks({ state: at("state"), userFolder: at("config") }))
    // One that says itself that it is off may be switched on without a build; what the settings keep off may not.
    expect(manifest.guarded).toEqual(["tool.before", "feedback.given", "notify", "compact.before"])
    const { http, warnings } = await run(chooseHttp(request()))
    const guarded = ["UserPromptSubmit", "PreToolUse", "PreSkillShellCommand", "Notification", "PreCompact"]
    expect(http?.events).toEqual(httpEvents("claude-code").filter((event) => !guarded.includes(event)))
    expect(warnings).toEqual([
      "5 events with a hook whose failure is to block or ask stay with the command: UserPromptSubmit, PreToolUse, PreSkillShellCommand, Notification, PreCompact."
    ])
  })

  it("makes no state where a port is only looked for", () => {
    expect(httpPort(at("nowhere"))).toBeUndefined()
    expect(existsSync(at("nowhere"))).toBe(false)
  })

  it("by itself only where there is no native client", async () => {
    const hook = at("state", "bin", "hook")
    mkdirSync(at("state", "bin"))
    writeFileSync(hook, "\x7fELF")
    expect(await run(chooseHttp(request({ transport: "auto" })))).toEqual({ warnings: [] })
    expect(httpPort(at("state"))).toBeUndefined()
    writeFileSync(hook, "#!/bin/sh\n")
    expect((await run(chooseHttp(request({ transport: "auto" })))).http?.events).toContain("Stop")
    for (const more of [{ scope: "project" }, { agent: "codex" }, { transport: "command" }] as const)
      expect((await run(chooseHttp(request({ transport: "auto", ...more })))).http).toBeUndefined()
  })
})

describe("what is registered", () => {
  it("is told to be ours, with a state directory of any name in what a header can carry", () => {
    for (const state of ["/home/o'neil/state", "/a b/$HOME/ключ/%41/$(X)"]) {
      const target = { port: 20_001, token: "f".repeat(32), state }
      const { url, headers } = httpHook(target, "claude-code", "Stop", 10)
      const { "Hooktape-State": named, ...rest } = headers
      expect(named).toMatch(/^[\w/%.~'()-]+$/)
      expect(rest).toEqual({ Authorization: `Bearer ${target.token}`, "Hooktape-Switch": "$HOOKTAPE" })
      expect(parseHttpHook(url, (name) => (headers as Record<string, string>)[name])).toEqual({
        bin: `${state}/bin/hook`,
        agent: "claude-code",
        event: "Stop",
        url,
        port: target.port,
        token: target.token
      })
      expect(parseHttpHook(url, () => undefined)).toBeUndefined()
      expect(parseHttpHook(url.replace("127.0.0.1", "127.0.0.2"), () => state)).toBeUndefined()
    }
  })
})

describe("the token", () => {
  it("is for agents that take it, and for no file that a repository could carry", async () => {
    expect(await refusal(chooseHttp(request({ agent: "codex" })))).toBe(
      "HTTP hooks cannot be registered: Codex has no HTTP hooks. Use --transport command."
    )
    expect(await refusal(chooseHttp(request({ scope: "project" })))).toContain("are part of the repository")
    const local = request({ scope: "local" })
    expect((await run(chooseHttp(local))).http).toBeDefined()
    execFileSync("git", ["init", "-q", at("project")])
    expect(await refusal(chooseHttp(local))).toContain(
      `is in the repository ${at("project")}, which does not ignore it`
    )
    expect((await run(chooseHttp({ ...local, transport: "command" }))).http).toBeUndefined()
    writeFileSync(at("project", ".gitignore"), "settings.local.json\n")
    expect((await run(chooseHttp(local))).http).toBeDefined()
    // A file of the user can lie in one as well.
    execFileSync("git", ["init", "-q", at("home")])
    expect(await refusal(chooseHttp(request()))).toContain(`is in the repository ${at("home")}`)
  })

  it("stands in the settings alone: not in what is shown, and others are not to read it", async () => {
    mkdirSync(at("home", ".claude"))
    writeFileSync(settings(), "{}\n")
    chmodSync(settings(), 0o644)
    const { diff, concerns, overHttp } = await registered()
    const token = httpToken(at("state"))
    expect(readFileSync(settings(), "utf8")).toContain(`"Bearer ${token}"`)
    expect(diff).toContain("Bearer ‹token›")
    expect(diff).not.toContain(token)
    expect(overHttp).toContain("Stop")
    expect(concerns.map(({ message }) => message)).toEqual([
      `${settings()} holds the token of the HTTP hooks, and others can read it. Run: chmod 600 '${settings()}'`
    ])
    chmodSync(settings(), 0o600)
    expect((await registered()).concerns).toEqual([])
  })

  it("of an agent that is allowed to call nobody here is told of", async () => {
    mkdirSync(at("home", ".claude"))
    const concernsWith = async (allowedHttpHookUrls: readonly string[]) => {
      writeFileSync(settings(), JSON.stringify({ allowedHttpHookUrls }), { mode: 0o600 })
      return (await registered()).concerns.map(({ message }) => message.slice(0, 21))
    }
    expect(await concernsWith([])).toEqual(['"allowedHttpHookUrls"'])
    expect(await concernsWith(["https://example.org/*"])).toEqual(['"allowedHttpHookUrls"'])
    expect(await concernsWith(["http://127.0.0.1:*"])).toEqual([])
  })
})

describe("the other way", () => {
  it("replaces the one before, and leaves nothing of it", async () => {
    const text = '{ "model": "x" }\n'
    mkdirSync(at("home", ".claude"))
    writeFileSync(settings(), text, { mode: 0o600 })
    await registered()
    const port = httpPort(at("state"))
    const second = await registered({ transport: "command" })
    expect(second.changes.filter(({ kind }) => kind === "replaced").map(({ event }) => event)).toEqual(
      second.events.filter((event) => httpEvents("claude-code").includes(event))
    )
    expect(readFileSync(settings(), "utf8")).not.toMatch(/127\.0\.0\.1|Bearer/)
    expect(port).toBeDefined()
    await run(giveUpUnusedPort(at("state")))
    expect(httpPort(at("state"))).toBeUndefined()
    expect(existsSync(at("state", "run", "http-token"))).toBe(false)
    await registered()
    await run(uninstall(request()))
    expect(readFileSync(settings(), "utf8")).toBe(text)
  })

  it("keeps the port as long as one settings file names it", async () => {
    await registered()
    await registered({ scope: "local" })
    await run(uninstall(request()))
    await run(giveUpUnusedPort(at("state")))
    expect(httpPort(at("state"))).toBeDefined()
    await run(uninstall(request({ scope: "local" })))
    await run(giveUpUnusedPort(at("state")))
    expect(httpPort(at("state"))).toBeUndefined()
  })
})

describe("the port", () => {
  const checks = async () => run(Effect.flatMap(inspect(request()), (one) => checkHttp(at("state"), [one])))

  it("stays the same, and a dry run chooses none for good", async () => {
    expect(await run(portState(at("state")))).toEqual({ kind: "none" })
    await run(chooseHttp(request({ dryRun: true })))
    expect(existsSync(at("state", "run", "http-token"))).toBe(false)
    expect(await run(portState(at("state")))).toEqual({ kind: "none" })
    const { port } = await run(choosePort(at("state"), true))
    expect(await run(choosePort(at("state"), true))).toEqual({ port })
    expect(await run(portState(at("state")))).toEqual({ kind: "free", port })
  })

  it("that somebody else holds is told by the doctor and given up by the next installation", async () => {
    const taken = await hold()
    keepHttpPort(at("state"), taken)
    expect(await run(portState(at("state")))).toEqual({ kind: "held", port: taken })
    other?.close()
    other = undefined
    await registered()
    expect(httpPort(at("state"))).toBe(taken)
    expect((await checks()).map(({ status }) => status)).toEqual(["ok"])
    await hold(taken)
    expect(await checks()).toMatchObject([
      {
        status: "fail",
        message: `port ${taken} is held by another program, which gets the calls of your hooks`
      }
    ])
    const { http, warnings } = await run(chooseHttp(request()))
    expect(http?.target.port).not.toBe(taken)
    expect(warnings).toEqual([expect.stringContaining(`Port ${taken} is held by another program`)])
    // What was registered before calls where nobody of ours is.
    expect((await checks())[0]).toMatchObject({
      status: "fail",
      message: expect.stringContaining("of before")
    })
    await registered()
    expect((await checks()).map(({ status }) => status)).toEqual(["ok"])
  })

  it("is nobody's business where nothing is called over HTTP", async () => {
    keepHttpPort(at("state"), await hold())
    await registered({ transport: "command" })
    expect(await checks()).toEqual([])
  })
})
