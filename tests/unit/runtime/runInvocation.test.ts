/** One invocation over its ports: what is kept, what is said, and what leaves when something of ours is broken. */
import * as Micro from "effect/Micro"
import { describe, expect, it } from "vitest"
import type { InvocationFact } from "../../../events/facts.ts"
import type { InvocationId } from "../../../events/ids.ts"
import { blockingFeedback } from "../../../events/intents.ts"
import type { Encoded } from "../../../src/agents/Adapter.ts"
import { performed } from "../../../src/runtime/Edge.ts"
import type { Handling, HandlingCommand } from "../../../src/runtime/handling.ts"
import { type InvocationPorts, runInvocation } from "../../../src/runtime/runInvocation.ts"
import { plainAdapter } from "../../support/world.ts"

const planned = {
  handler: "h",
  event: "agent.Fired",
  index: 0,
  deadlineMs: 1000,
  onFailure: "allow"
} as const
const outOfTurn: InvocationFact = {
  type: "PAYLOAD_REJECTED",
  reason: "malformed",
  detail: "",
  bytes: 0,
  digest: ""
}

/** Handlers that answer what they are told to, and a log that says in which order things came. */
const world = (answers: Partial<Record<HandlingCommand["type"], () => readonly unknown[]>> = {}) => {
  const order: string[] = []
  const facts: InvocationFact[] = []
  const left: Encoded[] = []
  const common = { ...planned, attempt: 1, policy: "allow" }
  const usual = {
    PLAN: () => [{ type: "HANDLERS_PLANNED", handlers: [planned], left: [] }],
    START_HANDLER: () => [{ type: "HANDLER_STARTED", ...common }],
    RUN_HANDLER: () => [{ type: "HANDLER_SUCCEEDED", ...common, intents: [blockingFeedback("NO")], ms: 1 }]
  }
  const handling: Handling = {
    take: () => undefined,
    drainNoise: () => [],
    interpret: ({ type }) => Micro.sync(() => (answers[type] ?? usual[type])() as readonly InvocationFact[])
  }
  const ports: InvocationPorts = {
    id: "01890000-0000-7000-8000-000000000000" as InvocationId,
    adapter: plainAdapter,
    agent: "raw",
    agentEvent: "Fired",
    opening: { transport: "entry", cwd: "/", project: "/", env: {}, deadlineMs: 1000 },
    handling,
    sink: {
      append: (drafts) => {
        for (const { type, data } of drafts) {
          order.push(type)
          facts.push(data as InvocationFact)
        }
      },
      flush: async () => void order.push("flushed"),
      failed: (error) => void order.push(`failed: ${error.message}`),
      close: () => void order.push("closed"),
      complaint: () => "not recorded\n"
    },
    edge: {
      deliver: (encoded, noise) => {
        left.push(encoded)
        order.push("delivered")
        return performed(encoded, noise)
      }
    },
    sources: { now: () => 0, random: (count) => new Uint8Array(count) },
    read: () => ({ kind: "buffered", bytes: Buffer.from("{}") }),
    digest: () => "",
    elapsed: () => 0
  }
  return { order, facts, left, ports }
}

const broken = () => {
  throw new TypeError("broken")
}

describe("an invocation", () => {
  it("is kept before a handler acts, and closed after its last fact", async () => {
    const { order, ports } = world()
    await runInvocation(ports)
    expect(order).toEqual([
      "INVOCATION_OPENED",
      "PAYLOAD_BUFFERED",
      "HANDLERS_PLANNED",
      "HANDLER_STARTED",
      "flushed",
      "HANDLER_SUCCEEDED",
      "delivered",
      "REPLY_DELIVERED",
      "EXITED",
      "closed"
    ])
  })

  it("is kept without a secret: none of the payload, of what handlers say, of the answer", async () => {
    const secret = ["hunter2", "Xy9Qw"].join("-")
    const said = `DB_PASSWORD=${secret}`
    const { facts, left, ports } = world({
      RUN_HANDLER: () => [
        { type: "NOISE_CAPTURED", stream: "stderr", bytes: said.length, text: said, handler: "h" },
        {
          type: "HANDLER_SUCCEEDED",
          ...planned,
          attempt: 1,
          policy: "allow",
          intents: [blockingFeedback(said)],
          ms: 1
        }
      ]
    })
    await runInvocation({
      ...ports,
      read: () => ({ kind: "buffered", bytes: Buffer.from(JSON.stringify({ prompt: said })) })
    })
    for (const type of ["PAYLOAD_BUFFERED", "NOISE_CAPTURED", "HANDLER_SUCCEEDED", "REPLY_DELIVERED"])
      expect(JSON.stringify(facts.find((fact) => fact.type === type)), type).toContain(
        "DB_PASSWORD=‹redacted:password›"
      )
    expect(JSON.stringify(facts)).not.toContain(secret)
    // The agent is told what was said.
    expect(left[0]?.stderr).toContain(secret)
  })

  it("complains of what is not kept, and not on a blocking exit", async () => {
    expect(await runInvocation(world().ports)).toMatchObject({ delivery: { exitCode: 2 }, complaint: "" })
    const { ports } = world({ PLAN: () => [{ type: "HANDLERS_PLANNED", handlers: [], left: [] }] })
    expect(await runInvocation(ports)).toMatchObject({
      delivery: { exitCode: 0 },
      complaint: "not recorded\n"
    })
  })

  it("says which facts its machine did not take, whenever they come", async () => {
    const { facts, ports } = world({
      PLAN: () => [{ type: "HANDLERS_PLANNED", handlers: [], left: [] }, outOfTurn]
    })
    await runInvocation(ports)
    const said = facts.flatMap((fact) => (fact.type === "NOISE_CAPTURED" ? [fact.text] : []))
    expect(said).toEqual(["hooktape: the invocation did not take PAYLOAD_REJECTED where it stood\n"])
  })

  it("says so too of the facts after which nothing comes", async () => {
    const { facts, ports } = world({ PLAN: () => [outOfTurn] })
    await runInvocation(ports)
    expect(facts.at(-1)).toMatchObject({
      type: "NOISE_CAPTURED",
      text: expect.stringContaining("did not take")
    })
  })

  it("is judged by the policies of its handlers where nothing is said of one", async () => {
    const guarding = { ...planned, onFailure: "block" } as const
    const last = { ...guarding, handler: "last", index: 1 } as const
    const { facts, left, ports } = world({
      PLAN: () => [{ type: "HANDLERS_PLANNED", handlers: [guarding, last], left: [] }],
      RUN_HANDLER: () => []
    })
    expect(await runInvocation(ports)).toMatchObject({ delivery: { exitCode: 2 } })
    expect(left[0]?.stderr).toContain("its process did not say what became of it. Its policy is to block")
    expect(facts.slice(-3)).toMatchObject([
      { type: "HANDLER_FAILED", handler: "h", policy: "block", error: { name: "HandlerProcessEnded" } },
      { type: "HANDLER_SKIPPED", handler: "last", policy: "block" },
      { type: "DELIVERY_FAILED", exitCode: 2, error: { message: "it ended while handling" } }
    ])
  })

  it("says that it was not handled where nothing is said of a plan", async () => {
    const { left, ports } = world({ PLAN: () => [] })
    expect(await runInvocation(ports)).toMatchObject({ delivery: { exitCode: 0 } })
    expect(left[0]?.stderr).toContain("was not handled: it ended while handling")
  })

  it("lets the agent go on when something of ours is broken, and says and records it", async () => {
    const { facts, left, ports } = world({ PLAN: broken })
    expect(await runInvocation(ports)).toMatchObject({ delivery: { exitCode: 0 } })
    expect(left.map(({ stderr }) => stderr)).toEqual([expect.stringContaining("was not handled: broken")])
    expect(facts.at(-1)).toMatchObject({
      type: "DELIVERY_FAILED",
      stderr: left[0]?.stderr,
      error: { name: "TypeError", message: "broken" }
    })
  })

  it("keeps to the block that has left, whatever breaks after it", async () => {
    const { facts, left, ports } = world()
    let asked = 0
    const handling = { ...ports.handling, drainNoise: () => (++asked > 1 ? broken() : []) }
    expect(await runInvocation({ ...ports, handling })).toMatchObject({ delivery: { exitCode: 2 } })
    expect(left).toHaveLength(1)
    expect(facts.at(-1)).toMatchObject({ type: "NOISE_CAPTURED", text: expect.stringContaining("broken") })
    expect(facts.some(({ type }) => type === "DELIVERY_FAILED")).toBe(false)
  })

  it("answers with nothing where not even the answer to a defect can be encoded", async () => {
    const { facts, left, ports } = world()
    const adapter = { ...plainAdapter, decode: broken, encode: broken }
    const { delivery } = await runInvocation({ ...ports, adapter })
    expect(delivery).toMatchObject({ stdout: "", stderr: "", exitCode: 0 })
    expect(left).toEqual([])
    expect(facts.at(-1)?.type).toBe("DELIVERY_FAILED")
  })

  it("goes on without a record where its sink can do without, and fails where it cannot", async () => {
    const one = world()
    const sink = { ...one.ports.sink, append: broken }
    expect(await runInvocation({ ...one.ports, sink })).toMatchObject({ delivery: { exitCode: 2 } })
    expect(one.order.filter((line) => line === "failed: broken").length).toBeGreaterThan(5)
    const { failed: _, ...strict } = sink
    const other = runInvocation({ ...one.ports, sink: strict, isRaised: () => true })
    await expect(other).rejects.toThrow("broken")
  })

  it("that is to be handled elsewhere is neither answered nor closed here", async () => {
    const { left, order, ports } = world({ PLAN: broken })
    const run = runInvocation({ ...ports, isRaised: (error) => error instanceof TypeError })
    await expect(run).rejects.toThrow(TypeError)
    expect(left).toEqual([])
    expect(order).not.toContain("closed")
  })

  it("prepares to say that its reply was lost where the reply carries something, and only there", async () => {
    const { undelivered } = await runInvocation(world().ports)
    expect(undelivered()).toContain("DELIVERY_FAILED")
    const silent = {
      RUN_HANDLER: () => [
        { type: "HANDLER_SUCCEEDED", ...planned, attempt: 1, policy: "allow", intents: [], ms: 1 }
      ]
    }
    const nothing = await runInvocation(world(silent).ports)
    expect(nothing.undelivered()).toBeUndefined()
  })
})
