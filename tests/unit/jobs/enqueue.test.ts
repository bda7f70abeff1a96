/** What becomes a job: the drafts that whoever answers an agent puts beside its plan. */
import { describe, expect, it } from "vitest"
import type { Backgrounded, InvocationFact } from "../../../events/facts.ts"
import type { Sources } from "../../../events/ids.ts"
import { derivedId, type InvocationId, uuidv7 } from "../../../events/ids.ts"
import type { HookDefinition } from "../../../src/hooks/defineHook.ts"
import type { Registered } from "../../../src/hooks/Registered.ts"
import { decodeFact } from "../../../src/log/validity.ts"
import { enqueue, jobsOf } from "../../../src/runtime/enqueue.ts"
import { makeRecorder } from "../../../src/runtime/recorder.ts"
import { plan } from "../../../src/runtime/registry.ts"
import { SpunTooLong } from "../../../src/runtime/watchdog.ts"
import { anyHook } from "../../support/anyHook.ts"
import * as fact from "../../support/facts.ts"

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const id = "01890000-0000-7000-8000-000000000000" as InvocationId

let count = 0
const sources: Sources = {
  now: () => 1_760_000_000_000 + count,
  random: (bytes) => Uint8Array.from({ length: bytes }, () => count++ % 256)
}

const hook = (name: string, more: Partial<HookDefinition> = {}): Registered => ({
  hook: anyHook({ name, on: "tool.before", run: () => {}, ...more }),
  source: `${name}.ts`
})

const planned = (registry: readonly Registered[], invocation: string | undefined = id) =>
  plan(registry, {
    agent: "raw",
    project: "/project",
    tool: undefined,
    events: [{ event: "tool.before", data: {} }],
    deadlineMs: 5000,
    ...(invocation === undefined ? {} : { invocation })
  })

const jobs = (background: readonly Backgrounded[]) => {
  const dress = makeRecorder(sources, id, { agent: "raw", agentEvent: "tool.before", project: "/project" })
  dress(fact.opened())
  dress(fact.buffered())
  const draft = dress({ type: "HANDLERS_PLANNED", handlers: [], left: [], background })
  return { draft, jobs: jobsOf(draft) }
}

describe("a derived id", () => {
  it("is a UUIDv7 of the same time, the same each time, another for each number", () => {
    const from = uuidv7(1_760_000_000_000, new Uint8Array(10).fill(255))
    const derived = Array.from({ length: 500 }, (_, nth) => derivedId(from, nth))
    for (const one of derived) {
      expect(one).toMatch(uuid)
      expect(one.slice(0, 13)).toBe(from.slice(0, 13))
    }
    expect(new Set([from, ...derived]).size).toBe(501)
    expect(new Set(derived.map((one) => one.slice(-8))).size).toBe(500)
    expect(derivedId(from, 7)).toBe(derived[7])
  })
})

describe("a plan", () => {
  it("keeps background hooks apart, in order, each with a job of its own", () => {
    const { handlers, background, left } = planned([
      hook("late", { background: true, priority: 900 }),
      hook("guard"),
      hook("early", { background: true, deadline: "2 minutes" })
    ])
    expect(handlers.map(({ handler, index }) => [handler, index])).toEqual([["guard", 0]])
    expect(left).toEqual([])
    expect(background).toEqual([
      {
        handler: "early",
        event: "tool.before",
        index: 0,
        priority: 500,
        source: "early.ts",
        deadlineMs: 120_000,
        onFailure: "allow",
        background: true,
        job: derivedId(id, 0)
      },
      expect.objectContaining({ handler: "late", index: 1, deadlineMs: 60_000, job: derivedId(id, 1) })
    ])
  })

  it("says nothing of the background where there is none", () => {
    expect(planned([hook("guard")])).not.toHaveProperty("background")
  })

  it("leaves a background hook out whose condition does not come to an end", () => {
    const { background, left } = plan(
      [
        hook("late", { background: true, when: { command: /(x+)+y/ } }),
        hook("guard", { when: { command: /(x+)+y/ } })
      ],
      {
        agent: "raw",
        project: "/project",
        tool: { kind: "shell", name: "sh", command: "xx", input: {}, response: null },
        events: [{ event: "tool.before", data: {} }],
        deadlineMs: 5000,
        invocation: id,
        watch: () => {
          throw new SpunTooLong("tool.before")
        }
      }
    )
    expect(background).toBeUndefined()
    expect(left).toEqual([
      { handler: "late", event: "tool.before", reason: "its condition took too long on this input" }
    ])
  })

  it("leaves a background hook out where nothing runs after the reply", () => {
    const reason = "nothing runs after the reply here"
    const registry = [hook("late", { background: true })]
    const input = { agent: "raw", project: "/project", tool: undefined, deadlineMs: 5000 }
    expect(plan(registry, { ...input, events: [{ event: "tool.before", data: {} }] })).toEqual({
      handlers: [],
      left: [{ handler: "late", event: "tool.before", reason }]
    })
  })

  it("gives the same ids to the same call", () => {
    const registry = [hook("a", { background: true }), hook("b", { background: true })]
    expect(planned(registry)).toEqual(planned(registry))
  })
})

describe("the jobs of a plan", () => {
  const { background = [] } = planned([
    hook("a", { background: true }),
    hook("b", { background: true, deadline: 1000 })
  ])

  it("are one draft for each background hook, caused by the plan, with its marks", () => {
    const { draft, jobs: made } = jobs(background)
    expect(made.map(({ stream }) => stream)).toEqual(background.map(({ job }) => `job/${job}`))
    expect(made[1]).toMatchObject({
      type: "JOB_ENQUEUED",
      cause: draft.id,
      at: draft.at,
      agent: "raw",
      session: "session",
      event: "tool.before",
      project: "/project",
      data: {
        type: "JOB_ENQUEUED",
        job: background[1]?.job,
        kind: "hook",
        key: "b /project",
        maxAttempts: 5,
        deadlineMs: 1000,
        input: null,
        invocation: id,
        handler: "b",
        event: "tool.before"
      }
    })
    for (const { type, data, schemaVersion } of made)
      expect(decodeFact(type, schemaVersion, JSON.parse(JSON.stringify(data))).known).toBe(true)
  })

  it("are the same drafts when the same plan is looked at again", () => {
    const { draft, jobs: made } = jobs(background)
    expect(jobsOf(JSON.parse(JSON.stringify(draft)))).toEqual(made)
    expect(new Set([draft.id, ...made.map(({ id }) => id)]).size).toBe(3)
  })

  it("are none for any other fact, and none where nobody runs in the background", () => {
    const dress = makeRecorder(sources, id, { agent: "raw", agentEvent: "x", project: null })
    expect(jobsOf(dress(fact.opened()))).toEqual([])
    expect(jobsOf(dress({ type: "HANDLERS_PLANNED", handlers: [], left: [] } as InvocationFact))).toEqual([])
  })
})

describe("a job of no plan", () => {
  it("is as usual in what is left out", () => {
    const draft = enqueue({ kind: "report", input: { n: 1 } }, sources)
    expect(draft).toMatchObject({
      type: "JOB_ENQUEUED",
      stream: `job/${draft.data.job}`,
      cause: null,
      project: null,
      data: { kind: "report", input: { n: 1 }, maxAttempts: 5, deadlineMs: 60_000 }
    })
    expect(draft.data.job).toMatch(uuid)
    expect(draft.data).not.toHaveProperty("marks")
  })

  it("has what it is given", () => {
    const draft = enqueue(
      { kind: "report", input: null, key: "k", maxAttempts: 1, notBefore: 5, marks: { project: "/p" } },
      sources
    )
    expect(draft).toMatchObject({ project: "/p", data: { key: "k", maxAttempts: 1, notBefore: 5 } })
  })
})
