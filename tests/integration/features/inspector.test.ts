/** `hooktape inspect` on a recorded log: its door, every answer as the contract has it, and its stream. */
import { once } from "node:events"
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { request } from "node:http"
import { connect } from "node:net"
import { dirname, join } from "node:path"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Answer, endpoints } from "../../../src/features/inspector/contract/endpoints.ts"
import { StreamEvents } from "../../../src/features/inspector/contract/stream.ts"
import { command } from "../../support/command.ts"
import { bash } from "../../support/entrypoint.ts"
import { type Inspected, inspected, recordedStation } from "../../support/inspector/inspected.ts"

let it_: Inspected

beforeAll(async () => {
  it_ = await inspected(await recordedStation())
})
afterAll(async () => {
  await it_?.end()
})

const authorised = (): Record<string, string> => ({ authorization: `Bearer ${it_.token}` })

type Name = Exclude<keyof typeof endpoints, "whatif" | "fixture">

const raw = async (path: string): Promise<unknown> => {
  const response = await fetch(`${it_.origin}/api/v1${path}`, { headers: authorised() })
  const body = (await response.json()) as unknown
  expect([response.status, body]).toEqual([200, body])
  return body
}

/** Held against the schema of the contract: what does not fit fails. */
const ask = async <E extends Name>(name: E, query = "", parameter = ""): Promise<Answer<E>> => {
  const { answer, path } = endpoints[name]
  const body = await raw(`${path.replace(/\{\w+\}/, encodeURIComponent(parameter))}${query}`)
  const decoded = Schema.decodeUnknownEither(answer as Schema.Schema.AnyNoContext, { errors: "all" })(body)
  if (Either.isLeft(decoded)) throw new Error(`${name}: ${decoded.left.message}`)
  return body as Answer<E>
}

const newestBlocked = async () => {
  const { calls } = await ask("calls", "?show=blocked")
  const [call] = calls
  if (call === undefined) throw new Error("no call was blocked")
  return call
}

interface Answered {
  readonly status: number
  readonly headers: NodeJS.Dict<string | string[]>
  readonly body: string
}

/** Paths as they are given: `fetch` would put them right first. */
const bare = (path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const sent = request(it_.origin, { path, headers, method }, (response) => {
      let body = ""
      response.on("data", (chunk) => {
        body += chunk
      })
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }))
    })
    sent.on("error", reject)
    sent.end()
  })

it.each(["1e19", "1e308", "Infinity"])(
  "a row that no list has, %s, is answered with none",
  async (offset) => {
    expect((await ask("calls", `?offset=${offset}`)).calls).toEqual([])
  }
)

it.each([
  ["nothing", ""],
  ["half of a head", "GET / HTTP/1.1\r\nhost: x"]
])("whoever says %s keeps no place", { timeout: 30_000 }, async (_, said) => {
  const { hostname, port } = new URL(it_.origin)
  const socket = connect(Number(port), hostname, () => socket.write(said))
  socket.on("error", () => undefined)
  socket.resume()
  await once(socket, "close")
})

describe("the door", () => {
  it.skipIf(process.platform !== "linux")("has its token on no command line of the machine", () => {
    const lines = readdirSync("/proc").flatMap((name) => {
      try {
        return /^\d+$/.test(name) ? [readFileSync(join("/proc", name, "cmdline"), "utf8")] : []
      } catch {
        // It ended meanwhile.
        return []
      }
    })
    expect(lines.filter((line) => line.includes("inspect"))).not.toEqual([])
    expect(lines.filter((line) => line.includes(it_.token))).toEqual([])
  })

  it("is shut without the token, for a foreign host, a foreign page, and whatever is not looked at", async () => {
    expect((await bare("/api/v1/status")).status).toBe(401)
    expect((await bare("/api/v1/status", authorised())).status).toBe(200)
    expect((await bare("/api/v1/status", { ...authorised(), host: "evil.example" })).status).toBe(403)
    expect((await bare("/", { host: "evil.example" })).status).toBe(403)
    expect((await bare("/api/v1/status", { ...authorised(), origin: "http://evil.example" })).status).toBe(
      403
    )
    expect((await bare("/api/v1/calls", authorised(), "POST")).status).toBe(405)
    expect((await bare("/api/v1/whatif", authorised(), "POST")).status).toBe(400)
    expect((await bare("/api/v1/whatif", { "content-type": "application/json" }, "POST")).status).toBe(401)
  })

  it("gives the page with its policy, and no other file", async () => {
    const page = await bare("/call/some-call")
    expect(page.status).toBe(200)
    expect(page.headers).toMatchObject({
      "content-security-policy": expect.stringContaining("default-src 'none'; script-src 'self'"),
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store"
    })
    expect((await bare("/app.js")).headers["content-type"]).toContain("text/javascript")
    expect((await bare("/nothing.js")).status).toBe(404)
    for (const path of [
      "/../cli.js",
      "/..%2fcli.js",
      "/%2e%2e/cli.js",
      "//etc/passwd",
      "/../../package.json"
    ]) {
      const { body, status } = await bare(path)
      expect([404, status === 200 && body === page.body ? 200 : 404]).toContain(status)
    }
  })

  it("answers what is not there, or not asked rightly, in the contract's form", async () => {
    expect(JSON.parse((await bare("/api/v1/calls/none", authorised())).body).error.code).toBe("not-found")
    expect((await bare("/api/v1/nothing", authorised())).status).toBe(404)
    expect((await bare("/api/v1/calls/%E0%A4%A", authorised())).status).toBe(404)
    expect((await bare("/api/v1/calls?limit=many", authorised())).status).toBe(400)
    expect((await bare("/api/v1/calls?show=other", authorised())).status).toBe(400)
  })
})

describe("what it answers", () => {
  it("tells how far the log goes, and its sums", async () => {
    expect(await ask("status")).toMatchObject({
      calls: 5,
      sessions: 1,
      openSessions: 1,
      failingHooks: 1,
      unwell: null,
      host: null
    })
    expect(await ask("numbers")).toMatchObject({ calls: 5, blocked: 1, lastBlockedBy: "no-force", failed: 1 })
  })

  it("lists calls, filtered and in parts", async () => {
    const all = await ask("calls")
    expect(all.calls.map(({ outcome }) => outcome)).toEqual([
      "blocked",
      "failed",
      "silent",
      "silent",
      "silent"
    ])
    const effect = await ask("calls", "?show=effect")
    expect(effect).toMatchObject({ total: 2, all: 5, folds: [{ calls: 3 }] })
    const part = await ask("calls", `?limit=2&offset=1&upTo=${all.upTo}`)
    expect(part.calls.map(({ invocation }) => invocation)).toEqual(
      all.calls.slice(1, 3).map(({ invocation }) => invocation)
    )
    expect(await ask("calls", "?text=force")).toMatchObject({ total: 1 })
  })

  it("tells one call fact by fact, with what the agent got", async () => {
    const { invocation, position } = await newestBlocked()
    const detail = await ask("call", "", invocation)
    expect(detail.call).toMatchObject({
      outcome: "blocked",
      by: "no-force",
      subject: "git push --force origin main"
    })
    expect(detail.sentence.text).toContain("no-force")
    expect(detail.frames[0]).toMatchObject({
      type: "INVOCATION_OPENED",
      position,
      effect: expect.any(String)
    })
    expect(detail.frames.at(-1)).toMatchObject({ type: "EXITED", refused: false })
    expect(detail.reached.map(({ text }) => text)).toContain("others have pulled it")
    expect(detail.delivered?.stdout).toContain("others have pulled it")
    expect(detail.payload).toContain("git push --force")
    expect(detail.older).not.toBeNull()
  })

  it("shows where a hook threw, in the author's source", async () => {
    const { calls } = await ask("calls", "?show=failed")
    const { handlers } = await ask("call", "", calls[0]?.invocation ?? "")
    const error = handlers.find(({ hook }) => hook === "throws")?.error
    expect(error?.message).toBe("it broke")
    expect(error?.stack.find(({ isAuthors }) => isAuthors)?.source?.lines.join("\n")).toContain(
      'new Error("it broke")'
    )
  })

  it("tells sessions, turns and tools", async () => {
    const { sessions } = await ask("sessions")
    expect(sessions).toMatchObject([{ session: "s-1", calls: 5, blocked: 1, failed: 1, title: "push it" }])
    const detail = await ask("session", "", "s-1")
    expect(detail.turns).toMatchObject([{ prompt: "push it" }])
    expect(detail.tools.map(({ subject }) => subject)).toEqual(["ls", "boom", "git push --force origin main"])
    expect(detail.hooks.find(({ hook }) => hook === "no-force")).toMatchObject({ runs: 3, blocked: 1 })
  })

  it("tells the window of time as lanes", async () => {
    const found = await ask("window", "?span=600000&bins=60")
    expect(found.lanes).toMatchObject([{ session: "s-1", agent: "claude-code" }])
    expect(found.map.bins.reduce((sum, { calls }) => sum + calls, 0)).toBe(5)
    expect(found.delays.map(({ hook }) => hook)).toContain("no-force")
    expect(found.delayedCalls).toBe(5)
  })

  it("tells that a call which was blocked is over, and that others run on", async () => {
    const { lanes } = await ask("window", "?span=600000")
    const tools = lanes.flatMap((lane) => lane.tools ?? [])
    const pushed = tools.find(({ subject }) => subject?.startsWith("git push"))
    const [block] = pushed?.before ?? []
    expect(pushed?.to).toBe((block?.at ?? 0) + (block?.waitMs ?? 0))
    expect(tools.find(({ subject }) => subject === "boom")?.to).toBeNull()
  })

  it("tells facts, and what led to one", async () => {
    const { facts } = await ask("facts", "?type=reply_delivered")
    expect(facts).toHaveLength(5)
    const detail = await ask("fact", "", String(facts[0]?.position))
    expect(detail.type).toBe("REPLY_DELIVERED")
    expect(detail.causes.at(-1)?.type).toBe("INVOCATION_OPENED")
    for (const kind of ["all", "trouble", "replies", "services", "jobs", "host"])
      await ask("facts", `?kind=${kind}`)
    expect((await ask("facts", "?kind=all")).total).toBe((await ask("facts")).total)
    expect((await ask("facts", "?kind=trouble")).facts.map(({ type }) => type)).toEqual(["HANDLER_FAILED"])
  })

  it("tells how hooks and jobs do", async () => {
    const { hooks } = await ask("hooks")
    expect(hooks.find(({ hook }) => hook === "throws")).toMatchObject({
      runs: 3,
      failed: 1,
      origin: "user",
      on: true,
      why: "on unless somebody says otherwise",
      lastError: { message: "Error: it broke" }
    })
    expect(hooks.find(({ hook }) => hook === "never")).toMatchObject({ runs: 0, on: true })
    expect(hooks.find(({ hook }) => hook === "asleep")).toMatchObject({ on: false })
    expect(hooks.find(({ hook }) => hook === "later")).toMatchObject({ background: true, share: null })
    expect((await ask("calls", "?hook=throws&show=blocked")).calls).toEqual([])
    expect(await ask("jobs")).toMatchObject({
      total: 1,
      jobs: [{ hook: "later", state: "queued" }],
      states: { queued: 1 }
    })
  })

  it("finds words, sessions and hooks", async () => {
    expect(await ask("search", "?text=force")).toMatchObject({ totalCalls: 1, hooks: ["no-force"] })
  })

  it("tells actors and their way, as their facts say where no host runs", async () => {
    const { kinds } = await ask("actors")
    expect(kinds.find(({ machine }) => machine === "invocation")).toMatchObject({
      alive: 0,
      total: 5,
      known: "log"
    })
    expect(kinds.find(({ machine }) => machine === "job")).toMatchObject({ alive: 1, states: { queued: 1 } })
    const { invocation } = await newestBlocked()
    const told = await ask("history", `?stream=invocation/${invocation}`)
    expect(told.steps.at(-1)).toMatchObject({ type: "EXITED", refused: false })
    const before = await ask("actors", "?at=1000")
    expect(before.kinds.flatMap(({ actors }) => actors)).toEqual([])
  })

  it("has no word of doctor before it ran, and nothing to run again with", async () => {
    expect(await ask("health")).toEqual({ inspectedAt: null, checks: [], unnamed: 0 })
    expect(await ask("options")).toEqual({ directories: [] })
    expect((await ask("status")).onlyLooks).toBeUndefined()
  })
})

describe("what is done again", () => {
  const acted = async (path: string, body: unknown) => {
    const response = await fetch(`${it_.origin}/api/v1${path}`, {
      method: "POST",
      headers: { ...authorised(), "content-type": "application/json" },
      body: typeof body === "string" ? body : JSON.stringify(body)
    })
    return { status: response.status, body: (await response.json()) as unknown }
  }
  const again = async (what: object): Promise<Answer<"whatif">> => {
    const { body, status } = await acted("/whatif", what)
    expect([status, body]).toEqual([200, body])
    const decoded = Schema.decodeUnknownEither(endpoints.whatif.answer, { errors: "all" })(body)
    if (Either.isLeft(decoded)) throw new Error(decoded.left.message)
    return body as Answer<"whatif">
  }

  it("comes to the same with what was recorded and with the same hooks", async () => {
    const { invocation } = await newestBlocked()
    for (const how of ["recorded", "today"]) {
      const ran = await again({ invocation, with: how })
      expect(ran).toMatchObject({
        compared: 1,
        same: 1,
        comparisons: [{ change: "same", says: "blocked", first: null }]
      })
      const [{ new: now, old }] = ran.comparisons as [Answer<"whatif">["comparisons"][number]]
      expect([old?.decision, now?.decision]).toEqual(["block", "block"])
      expect(now?.delivered).toEqual(old?.delivered)
    }
  })

  it("is looser or stricter with another payload, and says where it parts", async () => {
    const { invocation } = await newestBlocked()
    const looser = await again({ invocation, with: "today", payload: bash("git push origin main") })
    expect(looser).toMatchObject({
      looser: 1,
      comparisons: [{ change: "looser", says: "blocked → nothing said", new: { decision: null } }]
    })
    const [comparison] = looser.comparisons
    expect(comparison?.old?.facts[comparison.first?.fact ?? -1]?.type).toBe("HANDLER_SUCCEEDED")
    expect(comparison?.first).toMatchObject({
      path: "intents[0]",
      old: { type: "BLOCKING_FEEDBACK", reason: "others have pulled it" },
      new: null
    })
    const { calls } = await ask("calls", "?text=ls")
    const quiet = calls.find(({ event }) => event === "tool.before")
    const stricter = await again({
      invocation: quiet?.invocation,
      with: "today",
      payload: bash("git push --force")
    })
    expect(stricter).toMatchObject({ stricter: 1, comparisons: [{ says: "nothing said → blocked" }] })
  })

  it("takes a whole session, and shows of it what differs", async () => {
    const { session } = await newestBlocked()
    const ran = await again({ session, with: "today" })
    expect([ran.compared, ran.same, ran.comparisons]).toEqual([5, 5, []])
  })

  it("takes the hooks of another directory once they are trusted and built there, and offers it", async () => {
    const { calls } = await ask("calls", "?text=ls")
    const quiet = calls.find(({ event }) => event === "tool.before")
    const other = join(it_.place.home, "other")
    const hook = join(other, ".hooktape", "hooks", "strict.ts")
    for (const folder of [dirname(hook), join(other, ".git")]) mkdirSync(folder, { recursive: true })
    writeFileSync(
      hook,
      `import { blockingFeedback, defineHook } from "hooktape"
export default defineHook({ name: "strict", on: "tool.before", run: () => blockingFeedback("not here") })
`
    )
    const wanted = { invocation: quiet?.invocation, with: other }
    const there = { ...it_.place, project: other }
    expect(await command(there, "build")).toMatchObject({ code: 0 })
    expect((await acted("/whatif", wanted)).status).toBe(400)
    expect(await ask("options")).toEqual({ directories: [] })

    expect(await command(there, "trust", "--yes")).toMatchObject({ code: 0 })
    expect(await ask("options")).toEqual({ directories: [other] })
    const ran = await again(wanted)
    expect(ran).toMatchObject({
      stricter: 1,
      comparisons: [{ says: "nothing said → blocked", new: { by: "strict", reason: "not here" } }]
    })

    rmSync(other, { recursive: true })
    expect(await ask("options")).toEqual({ directories: [] })
    expect((await acted("/whatif", wanted)).status).toBe(400)
  })

  it("keeps a call as a fixture, once", async () => {
    const { invocation } = await newestBlocked()
    const kept = await acted("/fixtures", { invocation })
    expect(kept).toMatchObject({ status: 200, body: { file: expect.stringContaining("git-push-force") } })
    expect(await acted("/fixtures", { invocation })).toEqual(kept)
    const { file } = kept.body as { readonly file: string }
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
      agent: "claude-code",
      event: "PreToolUse"
    })
  })

  it.each([
    ["no JSON", "{", 400],
    ["nothing named", { with: "today" }, 400],
    ["a directory, whose hooks nobody trusts", { invocation: "x", with: "/tmp" }, 400],
    ["recorded outcomes for another payload", { invocation: "x", with: "recorded", payload: "{}" }, 400],
    ["a call that is not there", { invocation: "nowhere", with: "today" }, 404]
  ])("is refused for %s", async (_, body, status) => {
    expect(await acted("/whatif", body)).toMatchObject({
      status,
      body: { error: { message: expect.any(String) } }
    })
  })
})

interface Event {
  readonly event: string
  readonly id: number
  readonly data: unknown
}

/** Reads until enough has come, then lets go; each event is held against the contract. */
const heard = async (
  query: string,
  isEnough: (events: readonly Event[]) => boolean,
  meanwhile?: () => Promise<unknown>
) => {
  const leave = new AbortController()
  const response = await fetch(`${it_.origin}/api/v1/stream${query}`, {
    headers: authorised(),
    signal: leave.signal
  })
  const events: Event[] = []
  let text = ""
  const decoder = new TextDecoder()
  let act = meanwhile
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true })
    const parts = text.split("\n\n")
    text = parts.pop() ?? ""
    for (const part of parts) {
      const [, event = "", id = "", json = "null"] = /^event: (\w+)\nid: (\d+)\ndata: (.*)$/.exec(part) ?? []
      const data: unknown = JSON.parse(json)
      Schema.decodeUnknownSync(
        StreamEvents[event as keyof typeof StreamEvents] as Schema.Schema.AnyNoContext
      )(data)
      events.push({ event, id: Number(id), data })
    }
    if (isEnough(events)) break
    const next = act
    act = undefined
    await next?.()
  }
  leave.abort()
  return events
}

interface CallTold {
  readonly invocation: string
  readonly subject: string | null
  readonly outcome: string
}

const callsIn = (events: readonly Event[]) =>
  events
    .filter(({ event }) => event === "calls")
    .flatMap(({ data }) => (data as { calls: readonly CallTold[] }).calls)

const saw = (subject: string) => (events: readonly Event[]) =>
  callsIn(events).some((call) => call.subject === subject && call.outcome !== "open")

describe("the stream", () => {
  it("tells a call that comes, and to who was away what was missed, each once", async () => {
    const first = await heard("", saw("echo live"), () => it_.place.fire({ input: bash("echo live") }))
    expect(first[0]).toMatchObject({ event: "hello", data: { missed: 0 } })
    const left = first.at(-1)?.id ?? 0
    await it_.place.fire({ input: bash("echo while away") })
    const second = await heard(
      `?after=${left}&topics=calls,facts,actors`,
      (events) => saw("echo while away")(events) && events.some(({ event }) => event === "facts")
    )
    // One that had not ended, or not even named its command, when it was told is told again: each call counts as last told.
    const told = [...new Map(callsIn(second).map((call) => [call.invocation, call.subject])).values()]
    expect(told.filter((subject) => subject !== "echo live")).toEqual(["echo while away"])
    expect(second.map(({ event }) => event)).toContain("actors")
    const facts = second
      .filter(({ event }) => event === "facts")
      .flatMap(({ data }) => (data as { facts: readonly { position: number }[] }).facts)
    expect(facts[0]?.position).toBe(left + 1)
  })

  it("has nothing to say again to who knows everything", async () => {
    const { position } = await ask("status")
    const [hello, ...more] = await heard(`?after=${position}`, (events) => events.length > 0)
    expect(hello).toMatchObject({ event: "hello", id: position, data: { missed: 0 } })
    expect(more).toEqual([])
  })
})

describe("its end", () => {
  it("comes with an interrupt, also while somebody reads", async () => {
    const other = await inspected(it_.place)
    const response = await fetch(`${other.origin}/api/v1/stream`, {
      headers: { authorization: `Bearer ${other.token}` }
    })
    const rest = response.text().catch(() => "")
    expect(await other.end()).toBe(130)
    expect(await rest).toContain("event: bye")
  })
})
