/** A real host over HTTP: the answers of the command, for callers who know the token, and nothing for anybody else. */
import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs"
import { Agent, request } from "node:http"
import { createConnection, createServer, type Server } from "node:net"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { isLocked } from "../../../src/log/hostLock.ts"
import { askHost } from "../../../src/runtime/host/askHost.ts"
import { payloadLimit } from "../../../src/runtime/payload.ts"
import { forgetHttpPort, httpToken, keepHttpPort } from "../../../src/state/state.ts"
import { bash, dataOf, payloadOf, type Run, type Station, station } from "../../support/entrypoint.ts"
import { equip, type RunningHost, startHost } from "../../support/host.ts"
import { type Asking, ask, bearer, freePort } from "../../support/httpHost.ts"

const hooks = `import { blockingFeedback, defineHook, modelContext } from "hooktape"
export const brief = defineHook({
  name: "brief",
  on: "prompt.submit",
  run: ({ cwd }) => modelContext([cwd, process.cwd(), process.env.PWD, process.env.CLAUDE_PROJECT_DIR, process.env.KEPT].join(" "))
})
export const guard = defineHook({
  name: "guard",
  on: "tool.before",
  when: { tool: "shell", command: /^rm / },
  run: () => blockingFeedback("Do not remove things.")
})
export const slow = defineHook({
  name: "slow",
  on: "turn.stop",
  run: async () => {
    const { existsSync } = await import("node:fs")
    while (!existsSync(process.env.HOOKTAPE_HOME + "/go")) await new Promise((done) => setTimeout(done, 10))
    return modelContext("at last")
  }
})
`

let here: Station
let host: RunningHost
let port: number
const hosts: RunningHost[] = []
const begin = async (place: Station, env: NodeJS.ProcessEnv = {}): Promise<RunningHost> => {
  const running = await startHost(place, { env })
  hosts.push(running)
  return running
}

const hook = (event: string, body: string | Buffer, more: Partial<Asking> = {}) =>
  ask({ port, path: `/v1/hooks/claude-code/${event}`, body, headers: bearer(here.state), ...more })
const denied = { hookSpecificOutput: { permissionDecision: "deny" } }
/** In order, by itself. */
const ended = { code: 0, signal: null }
const logOf = ({ state }: Station): string => {
  const file = join(state, "logs", "host.log")
  return existsSync(file) ? readFileSync(file, "utf8") : ""
}
/** The last invocation that the log has; all that led to an answer is there before it. */
const newest = async (place = here): Promise<Run> => (await place.runs()).at(-1) as Run
const eventually = <A>(look: () => Promise<A | undefined>): Promise<A> =>
  Effect.runPromise(
    Effect.retry(
      Effect.flatMap(Effect.promise(look), (found) =>
        found === undefined ? Effect.fail("not yet") : Effect.succeed(found)
      ),
      Schedule.spaced("20 millis")
    )
  )

beforeAll(async () => {
  here = await station()
  here.putUser("hooks/all.ts", hooks)
  await here.build()
  port = keepHttpPort(here.state, await freePort())
  host = await begin(here, { CLAUDE_PROJECT_DIR: "/of/another/session", KEPT: "kept" })
}, 60_000)
afterAll(async () => {
  for (const one of hosts) await one.stop("SIGKILL")
})

describe("a call with the token", () => {
  it("gets the answer of its handlers as JSON, run where the payload says", async () => {
    const link = join(here.home, "link")
    symlinkSync(here.project, link)
    const { status, headers, body } = await hook(
      "UserPromptSubmit",
      payloadOf("UserPromptSubmit", { prompt: "hi", cwd: link })
    )
    expect({ status, type: headers["content-type"], ...JSON.parse(body) }).toEqual({
      status: 200,
      type: "application/json",
      hookSpecificOutput: {
        hookEventName: "UserPromptSubmit",
        additionalContext: `${link} ${here.project} ${here.project}  kept`
      }
    })
    const run = await newest()
    expect(dataOf(run, "INVOCATION_OPENED")).toMatchObject([
      { transport: "http", agentEvent: "UserPromptSubmit", cwd: here.project, project: here.project }
    ])
    expect(dataOf(run, "REPLY_DELIVERED")).toMatchObject([{ stdout: body, stderr: "", exitCode: 0 }])
    expect(run.types.at(-1)).toBe("EXITED")
  })

  it("is blocked by the decision that a command answers with", async () => {
    const { status, body } = await hook("PreToolUse", bash("rm -rf /", { cwd: here.project }))
    expect({ status, ...JSON.parse(body) }).toEqual({
      status: 200,
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: "Do not remove things."
      }
    })
    const command = await here.fire({ input: bash("rm -rf /") })
    expect({ code: command.code, stderr: command.stderr, answer: JSON.parse(command.stdout) }).toEqual({
      code: 0,
      stderr: "",
      answer: JSON.parse(body)
    })
  })

  it("gets an empty answer where there is nothing to say, also for an event nobody knows", async () => {
    for (const event of ["PreToolUse", "Notification", "EventOfTomorrow"]) {
      const { status, body } = await hook(event, payloadOf(event, { cwd: here.project }))
      expect([event, status, body]).toEqual([event, 200, ""])
    }
    expect((await newest()).types.at(-1)).toBe("EXITED")
  })

  it("is left alone where the agent's environment switches hooks off", async () => {
    const known = (await here.runs()).length
    const body = bash("rm it", { cwd: here.project })
    const off = { ...bearer(here.state), "hooktape-switch": "0" }
    expect(await hook("PreToolUse", body, { headers: off })).toMatchObject({ status: 200, body: "" })
    expect(await here.runs()).toHaveLength(known)
    const on = { ...bearer(here.state), "hooktape-switch": "" }
    expect(JSON.parse((await hook("PreToolUse", body, { headers: on })).body)).toMatchObject(denied)
  })

  it.each([
    ["relative", "."],
    ["gone", "/there/is/no/such/directory"],
    ["no string", 7],
    ["absent", undefined]
  ])("runs in the home directory when the payload's is %s", async (_, cwd) => {
    await hook("PreToolUse", bash("ls", { cwd }))
    expect(dataOf(await newest(), "INVOCATION_OPENED")).toMatchObject([{ cwd: here.home }])
  })

  it.each([
    ["malformed", "{ not json"],
    ["empty", ""],
    ["not-a-hook-payload", "[1]"]
  ])("with a body that is %s is answered and recorded", async (reason, body) => {
    expect(await hook("PreToolUse", body)).toMatchObject({ status: 200, body: "" })
    expect(dataOf(await newest(), "PAYLOAD_REJECTED")).toMatchObject([{ reason }])
  })

  it("may bring 10 MB, and more is counted, turned down and answered", async () => {
    const filler = "x".repeat(10 * 1024 * 1024 - 1024)
    const large = bash(`rm ${filler}`, { cwd: here.project })
    expect(JSON.parse((await hook("PreToolUse", large)).body)).toMatchObject(denied)
    const tooLarge = Buffer.alloc(payloadLimit + 1_000_000, " ")
    expect(await hook("PreToolUse", tooLarge)).toMatchObject({ status: 200, body: "" })
    expect(dataOf(await newest(), "PAYLOAD_REJECTED")).toMatchObject([
      { reason: "too-large", bytes: tooLarge.length }
    ])
  })

  it("keeps its connection for the next", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const heard = []
    for (let at = 0; at < 20; at++)
      heard.push(await hook("PreToolUse", bash("ls", { cwd: here.project }), { agent }))
    agent.destroy()
    expect(heard.map(({ status }) => status)).toEqual(heard.map(() => 200))
    expect(heard.filter(({ reused }) => reused)).toHaveLength(19)
    expect(Number(/timeout=(\d+)/.exec(String(heard[0]?.headers["keep-alive"]))?.[1])).toBeGreaterThanOrEqual(
      60
    )
  })

  it("is recorded when its caller leaves in the middle of the body", async () => {
    const known = (await here.runs()).length
    const body = bash("rm it", { cwd: here.project })
    const outgoing = request({
      host: "127.0.0.1",
      port,
      method: "POST",
      path: "/v1/hooks/claude-code/PreToolUse",
      headers: { ...bearer(here.state), "content-length": String(body.length) },
      agent: false
    })
    outgoing.on("error", () => undefined)
    outgoing.on("socket", (socket) =>
      socket.on("connect", () => outgoing.write(body.slice(0, 40), () => socket.end(() => socket.destroy())))
    )
    const run = await eventually(async () => {
      const runs = await here.runs()
      return runs.length > known && runs.at(-1)?.types.at(-1) === "EXITED" ? runs.at(-1) : undefined
    })
    expect(dataOf(run, "PAYLOAD_REJECTED")).toMatchObject([{ reason: "malformed", bytes: 40 }])
    expect(run.types).toContain("DELIVERY_FAILED")
  })

  it("is handled to its end when its caller leaves before the answer, and the log says so", async () => {
    const outgoing = request({
      host: "127.0.0.1",
      port,
      method: "POST",
      path: "/v1/hooks/claude-code/Stop",
      headers: bearer(here.state)
    })
    outgoing.on("error", () => undefined)
    outgoing.end(payloadOf("Stop", { cwd: here.project }))
    await eventually(async () => ((await host.status()).underway === 1 ? true : undefined))
    await eventually(async () => ((await newest()).types.includes("HANDLER_STARTED") ? true : undefined))
    outgoing.destroy()
    // Whoever is answered after that is answered by a host that has heard of it.
    await host.status()
    mkdirSync(join(here.state, "go"))
    const run = await eventually(async () => {
      const last = await newest()
      return last.types.at(-1) === "EXITED" ? last : undefined
    })
    expect(run.types).toContain("HANDLER_SUCCEEDED")
    expect(dataOf(run, "DELIVERY_FAILED")).toMatchObject([
      { error: { message: "nobody waited for the answer any more" } }
    ])
  })
})

describe("a caller who is not ours", () => {
  const asks: readonly [string, number, Partial<Asking>][] = [
    ["has no token", 401, { headers: {} }],
    ["has a wrong token", 401, { headers: { authorization: `Bearer ${"0".repeat(32)}` } }],
    ["has a token of another length", 401, { headers: { authorization: "Bearer x" } }],
    ["has no bearer token", 401, { headers: { authorization: "Basic eDp4" } }],
    ["asks for another host", 403, { headers: { host: "hooks.example.org" } }],
    ["asks for another port", 403, { headers: { host: "127.0.0.1:1" } }],
    ["is a page", 403, { headers: { origin: "http://127.0.0.1" } }],
    ["is a page of nowhere", 403, { headers: { origin: "null" } }],
    ["is a browser", 403, { headers: { "sec-fetch-site": "same-origin" } }]
  ]
  it.each(asks)("that %s gets %i and no hook runs", async (_, status, more) => {
    const known = (await here.runs()).length
    const own = status === 403 ? bearer(here.state) : {}
    const heard = await hook("PreToolUse", bash("rm it"), { headers: { ...own, ...more.headers } })
    expect(heard.status).toBe(status)
    expect(heard.body).not.toContain(httpToken(here.state))
    expect(await here.runs()).toHaveLength(known)
  })

  it("learns no more from a path than from any other", async () => {
    for (const path of ["/v1/status", "/", "/v1/hooks/claude-code/PreToolUse"])
      for (const method of ["GET", "POST", "PUT", "DELETE", "OPTIONS"])
        expect((await ask({ port, path, method })).status).toBe(401)
  })
})

describe("a crowd of callers who are not ours", () => {
  /** Their connections as they end, and what was said on each. */
  const crowd = (count: number, first: string) =>
    Array.from({ length: count }, () => {
      const socket = createConnection({ host: "127.0.0.1", port })
      let said = ""
      socket.on("data", (data) => {
        said += String(data)
      })
      // One that is turned away may hear of it as a reset.
      socket.on("error", () => undefined)
      const closed = new Promise<string>((resolve) => socket.on("close", () => resolve(said)))
      const connected = new Promise<void>((resolve) => {
        socket.once("connect", () => {
          socket.write(first)
          resolve()
        })
        void closed.then(() => resolve())
      })
      return { socket, connected, closed }
    })

  it.each([
    ["say nothing", ""],
    ["stop in the middle of a head", "POST /v1/hooks/claude-code/PreToolUse HTTP/1.1\r\nhost: 127"],
    ["show no token and keep the connection", "GET /v1/status HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n"]
  ])("who %s keep no caller of ours out, and are shown out themselves", async (_, first) => {
    const strangers = crowd(560, first)
    await Promise.all(strangers.map(({ connected }) => connected))
    const heard = await hook("PreToolUse", bash("rm it"))
    expect(JSON.parse(heard.body)).toMatchObject(denied)
    // None of them closes its connection; a test's time-out ends what never does.
    await Promise.all(strangers.map(({ closed }) => closed))
  })

  it("are told that the connection ends with their 401", async () => {
    const refused = await ask({
      port,
      path: "/v1/status",
      method: "GET",
      agent: new Agent({ keepAlive: true })
    })
    expect(refused).toMatchObject({ status: 401, headers: { connection: "close" } })
  })
})

describe("with the token", () => {
  const get = (path: string, method = "GET") => ask({ port, path, method, headers: bearer(here.state) })

  it("only POST calls a hook and only GET asks how the host is", async () => {
    const known = (await here.runs()).length
    for (const method of ["GET", "PUT", "DELETE", "PATCH", "OPTIONS"]) {
      const { status, headers } = await get("/v1/hooks/claude-code/PreToolUse", method)
      expect([method, status, headers["allow"]]).toEqual([method, 405, "POST"])
    }
    for (const method of ["POST", "PUT", "DELETE"])
      expect(await get("/v1/status", method)).toMatchObject({ status: 405 })
    expect(await here.runs()).toHaveLength(known)
  })

  it("the host says how it is", async () => {
    const { status, body } = await get("/v1/status")
    const said = JSON.parse(body) as Record<string, unknown>
    expect({ status, pid: said["pid"], underway: said["underway"] }).toEqual({
      status: 200,
      pid: host.child.pid,
      underway: 0
    })
    expect(Object.keys(said).sort()).toEqual(["build", "pid", "served", "underway", "uptimeMs", "workers"])
    expect(await host.status()).toMatchObject({ port })
  })

  it.each([
    "/",
    "/v1/hooks",
    "/v1/hooks/claude-code",
    "/v1/hooks/nobody/PreToolUse",
    "/v1/hooks/hooktape/stop",
    "/v1/hooks/claude-code/..%2f..",
    "/v1/hooks/claude-code/%",
    "/v1/hooks/claude-code/PreToolUse/more",
    "/v1/hooks/constructor/PreToolUse"
  ])("there is nothing at %s", async (path) => {
    expect((await ask({ port, path, headers: bearer(here.state), body: "{}" })).status).toBe(404)
  })
})

describe("the port", () => {
  let other: Server | undefined
  afterEach(() => other?.close())

  it("is not opened where nobody is to call over HTTP, and is once somebody is, without a restart", async () => {
    const place = await station()
    await place.build()
    const running = await begin(place)
    expect((await running.status()).port).toBeNull()
    const chosen = keepHttpPort(place.state, await freePort())
    await eventually(async () => ((await running.status()).port === chosen ? true : undefined))
    const headers = bearer(place.state)
    expect((await ask({ port: chosen, path: "/v1/status", method: "GET", headers })).status).toBe(200)
    forgetHttpPort(place.state)
    await eventually(async () => ((await running.status()).port === null ? true : undefined))
    expect(await running.stop()).toEqual(ended)
  })

  it("that somebody else holds is left to them: the host serves without HTTP, and says so", async () => {
    const place = await station()
    await place.build()
    const taken = await new Promise<number>((resolve) => {
      other = createServer().listen(0, "127.0.0.1", () => {
        const address = other?.address()
        resolve(typeof address === "object" && address !== null ? address.port : 0)
      })
    })
    keepHttpPort(place.state, taken)
    const running = await begin(place)
    expect((await running.status()).port).toBeNull()
    expect(logOf(place)).toMatch(
      new RegExp(
        `^\\S+ warning: HTTP hooks are not answered, port ${taken} is not to be had: .*EADDRINUSE.*\\n$`
      )
    )
    expect(await running.stop()).toEqual(ended)
    const ready = (await place.facts()).filter(({ type }) => type === "HOST_READY")
    expect(ready.map(({ data }) => Object.keys(data as object))).toEqual([["type", "socket"]])
  })

  it("is answered once a session has begun, whoever had to start the host", async () => {
    const place = await station()
    await place.build()
    await equip(place)
    const chosen = keepHttpPort(place.state, await freePort())
    const input = payloadOf("SessionStart", { source: "startup", cwd: place.project })
    expect(await place.fire({ event: "SessionStart", input })).toMatchObject({
      code: 0,
      stdout: "",
      stderr: ""
    })
    const headers = bearer(place.state)
    const heard = await ask({ port: chosen, path: "/v1/status", method: "GET", headers }).catch(String)
    // Ended before it is judged: a host that serves HTTP would stay.
    await eventually(
      async () =>
        (await Effect.runPromise(Effect.option(askHost(place.state, "stop"))))._tag === "Some" || undefined
    )
    expect(heard).toMatchObject({ status: 200 })
    const locked = isLocked(join(place.state, "run", "host.lock"))
    await eventually(async () => ((await Effect.runPromise(locked)) ? undefined : true))
    expect((await place.runs()).map(({ types }) => types.at(-1))).toEqual(["EXITED"])
  })

  it("stays the same for the next host, and answers a call to its end when asked to stop", async () => {
    const place = await station()
    place.putUser("hooks/all.ts", hooks)
    await place.build()
    const chosen = keepHttpPort(place.state, await freePort())
    const first = await begin(place)
    const agent = new Agent({ keepAlive: true })
    const answer = ask({
      port: chosen,
      path: "/v1/hooks/claude-code/Stop",
      headers: bearer(place.state),
      body: payloadOf("Stop", { cwd: place.project }),
      agent
    })
    await eventually(async () => ((await first.status()).underway === 1 ? true : undefined))
    const stopping = first.stop()
    mkdirSync(join(place.state, "go"))
    expect(await answer).toMatchObject({ status: 200, body: expect.stringContaining("at last") })
    expect(await stopping).toEqual(ended)
    agent.destroy()
    const second = await begin(place)
    expect(await second.status()).toMatchObject({ port: chosen })
    expect(await second.stop()).toEqual(ended)
  })
})
