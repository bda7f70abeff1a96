/** More calls at once than a host can handle: what no guard watches is answered at once and recorded, and nothing runs. */
import { describe, expect, it } from "vitest"
import type { InvocationFact } from "../../../events/facts.ts"
import { adapters } from "../../../src/agents/adapters.ts"
import { makeCallCounts } from "../../../src/programs/host/Activity.ts"
import { makeAnswering } from "../../../src/programs/host/answering.ts"
import { makeReception } from "../../../src/programs/host/reception.ts"
import { sessionOf } from "../../../src/programs/host/sessionOf.ts"
import { makeSources } from "../../../src/programs/host/sources.ts"
import { makeRegistry } from "../../../src/runtime/actors/registry.ts"
import { CallDeclined } from "../../../src/runtime/host/declined.ts"
import { makeArriving } from "../../../src/runtime/leftCalls/arrivingPayload.ts"
import type { Manifest } from "../../../src/state/manifest.ts"

const manifest = {
  build: "b",
  dir: "/b",
  default: "default.cjs",
  events: { "tool.before": "a.cjs", notify: "b.cjs" },
  natives: {
    "claude-code": { PreToolUse: "tool.before", Notification: "notify", PreCompact: "compact.before" }
  },
  guarded: ["compact.before"],
  withheld: []
} as unknown as Manifest

const reception = (most: number) => {
  const facts: InvocationFact[] = []
  let engaged = 0
  let asked = 0
  const calls = makeCallCounts(() => undefined)
  const { answer } = makeAnswering({
    shared: {
      adapters,
      state: "/nowhere",
      lackingGuards: () => () => false,
      atWork: undefined as never,
      workers: {
        // A handler's process that never comes free.
        take: () => {
          engaged++
          return new Promise(() => undefined)
        },
        takeFree: () => undefined,
        give: () => undefined,
        close: () => undefined,
        count: () => 0
      },
      factStore: {
        commit: async (drafts) => {
          for (const { data } of drafts) facts.push(data as unknown as InvocationFact)
        },
        complaint: ({ message }) => message,
        missed: () => undefined
      },
      sources: makeSources(),
      key: Buffer.from("key"),
      afterwards: () => undefined,
      actors: makeRegistry({ now: () => 0 })
    },
    builds: {
      serving: async () => ({ project: "/p", found: { manifest, rebuilt: false, warnings: [], hints: [] } })
    },
    routes: { asked: () => void asked++ },
    progress: async () => "unknown",
    touched: () => undefined
  })
  const made = makeReception({
    answer,
    calls,
    hasLeft: () => false,
    sessionOf: (head, payload) => sessionOf(adapters, head, payload),
    before: async () => undefined,
    token: "t",
    most,
    control: async () => ({ exitCode: 0, stdout: "", stderr: "" })
  })
  const call = (agentEvent: string) => {
    const payload = makeArriving(1_000_000)
    payload.chunk(Buffer.from(JSON.stringify({ session_id: "s", hook_event_name: agentEvent, message: "m" })))
    payload.end()
    const environment = { get: () => undefined, all: () => ({}) }
    const head = {
      token: "t",
      agent: "claude-code",
      agentEvent,
      call: "",
      cwd: "/p",
      build: "b",
      environment
    }
    return made.serve(head, payload, { isDisconnected: () => false, expect: () => undefined }, "socket")
  }
  return { call, facts, asked: () => asked, engaged: () => engaged, underway: calls.underway }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe("a host with more calls than it can handle", () => {
  it("answers neutrally at once, says so and records it, without any handler", async () => {
    const { call, facts, engaged, underway } = reception(1)
    void call("Notification")
    while (engaged() === 0) await turn()
    expect(underway()).toBe(1)
    const answer = await call("Notification")
    expect(answer).toMatchObject({ exitCode: 0, stdout: "" })
    expect(answer.stderr).toContain("no hook was run: the host had 1 other calls")
    expect(engaged()).toBe(1)
    expect(facts.map(({ type }) => type)).toEqual([
      "INVOCATION_OPENED",
      "PAYLOAD_BUFFERED",
      "HANDLERS_PLANNED",
      "REPLY_DELIVERED",
      "EXITED"
    ])
    expect(underway()).toBe(1)
  })

  it("looks up what clients may decide by themselves once a reply is out, not on its time", async () => {
    const { asked, call, engaged } = reception(1)
    void call("Notification")
    while (engaged() === 0) await turn()
    await turn()
    expect(asked()).toBe(0)
    const answered = call("Notification").then(asked)
    expect(await answered).toBe(0)
    await turn()
    expect(asked()).toBe(1)
  })

  it.each(["PreToolUse", "PreCompact"])(
    "sends %s to the entrypoint, where a hook stands guard or may stop a tool: it would let through what it is there to stop",
    async (event) => {
      const { call, engaged } = reception(1)
      void call("Notification")
      while (engaged() === 0) await turn()
      await expect(call(event)).rejects.toBeInstanceOf(CallDeclined)
    }
  )

  it("takes in only so many even of those", async () => {
    const { call, underway } = reception(0)
    await expect(call("Notification")).rejects.toBeInstanceOf(CallDeclined)
    expect(underway()).toBe(0)
  })
})
