/** What the command line tells of an invocation, and how a person names one. */
import * as Either from "effect/Either"
import { describe, expect, it } from "vitest"
import type { InvocationFact } from "../../../events/facts.ts"
import type { FactId, JobId } from "../../../events/ids.ts"
import { blockingFeedback, modelContext } from "../../../events/intents.ts"
import { noMarks, type Recorded } from "../../../events/Recorded.ts"
import { describeInvocation, totalMs } from "../../../src/features/timeline/describe.ts"
import { sentenceOf } from "../../../src/features/timeline/sentence.ts"
import { shortId } from "../../../src/features/timeline/words.ts"
import type { Job } from "../../../src/jobs/Job.ts"
import { resolveRef } from "../../../src/programs/cli/refs.ts"
import { factLine } from "../../../src/programs/cli/render/factLine.ts"
import { drawInvocation } from "../../../src/programs/cli/render/invocation.ts"
import { plain } from "../../../src/programs/cli/render/style.ts"
import { parseSince } from "../../../src/programs/cli/since.ts"
import * as fact from "../../support/facts.ts"

const id = "01890000-0000-7000-8000-00000000abcd"

const recorded = (facts: readonly InvocationFact[]): readonly Recorded[] =>
  facts.map((data, index) => ({
    ...noMarks,
    id: `fact-${index}` as FactId,
    stream: `invocation/${id}`,
    type: data.type,
    schemaVersion: 1,
    at: 1000,
    cause: null,
    position: index + 1,
    version: index + 1,
    source: "test",
    recordedAt: 0,
    known: true,
    data
  }))

const [first, second] = [fact.plannedHandler("first", 0), fact.plannedHandler("second", 1)]
const whole: readonly InvocationFact[] = [
  fact.opened(),
  fact.buffered(),
  fact.planned([first, second]),
  fact.started(first),
  fact.noise("stdout", "hello", "first"),
  fact.succeeded(first, [modelContext("read")]),
  fact.started(second),
  fact.succeeded(second, [blockingFeedback("stop")]),
  fact.delivered(2),
  { type: "EXITED", code: 2, ms: { buffering: 1, handling: 2, emitting: 3 } }
]

describe("an invocation described", () => {
  it("has the states it went through with their share of the time", () => {
    const described = describeInvocation(recorded(whole))
    expect(described.states).toEqual([
      { state: "buffering", ms: 1 },
      { state: "handling", ms: 2 },
      { state: "emitting", ms: 3 },
      { state: "exiting", ms: 0 }
    ])
    expect(totalMs(described)).toBe(6)
    expect(described.lost).toBe(false)
  })

  it("says of a call that its client answered which way it went", () => {
    const facts = recorded([fact.opened({ route: "client" }), ...whole.slice(1)])
    const described = describeInvocation(facts)
    expect(described.route).toBe("client")
    const drawn = (one: typeof described) => drawInvocation(one, { style: plain, width: undefined })
    expect(drawn(described)).toContain("answered by its client and left: no hook had a word on it")
    expect(factLine(facts[0] as Recorded, { style: plain, width: undefined })).toContain(
      "/project · left by its client"
    )
    expect(drawn(describeInvocation(recorded(whole)))).not.toContain("client")
  })

  it("says of a run which chain it belongs to", () => {
    const facts = [
      ...whole.slice(0, 5),
      { ...fact.succeeded(first, [modelContext("read")]), chain: "a1b2" } as InvocationFact
    ]
    const described = describeInvocation(recorded(facts))
    expect(described.handlers[0]).toMatchObject({ handler: "first", chain: "a1b2" })
    expect(drawInvocation(described, { style: plain, width: undefined })).toContain(
      "MODEL_CONTEXT, chain a1b2"
    )
    const [line = ""] = recorded(facts)
      .slice(-1)
      .map((one) => factLine(one, { style: plain, width: undefined }))
    expect(line).toMatch(/· chain a1b2$/)
  })

  it("has the public fields, in their order", () => {
    const keys = Object.keys(describeInvocation(recorded(whole)))
    const promised = [
      "invocation",
      "agent",
      "agentEvent",
      "events",
      "states",
      "handlers",
      "intents",
      "noise",
      "delivered"
    ]
    expect(keys.filter((key) => promised.includes(key))).toEqual(promised)
  })

  it("has intents with who wanted them, and noise with whose it is", () => {
    const { intents, noise } = describeInvocation(recorded(whole))
    expect(intents).toEqual([
      { handler: "first", type: "MODEL_CONTEXT", text: "read" },
      { handler: "second", type: "BLOCKING_FEEDBACK", reason: "stop" }
    ])
    expect(noise).toEqual([{ stream: "stdout", bytes: 5, text: "hello", handler: "first" }])
  })

  it("says who answered where the host did not live to do it", () => {
    const answeredBy = "01890000-0000-7000-8000-00000000beef"
    const described = describeInvocation(recorded(whole.slice(0, 4)), [], answeredBy)
    expect(described).toMatchObject({ lost: false, answeredBy })
    expect(drawInvocation(described, { style: plain, width: undefined })).toContain(
      "↪ answered by 0000beef: the host did not get its answer across"
    )
    const [line] = recorded(whole)
    expect(line && factLine(line, { style: plain, width: undefined }, " · in place of 0000beef")).toMatch(
      /INVOCATION_OPENED .*\/project · in place of 0000beef$/
    )
  })

  it("shows a lost one as far as it went", () => {
    const described = describeInvocation(recorded(whole.slice(0, 7)))
    expect(described).toMatchObject({
      lost: true,
      delivered: null,
      states: [
        { state: "buffering", ms: null },
        { state: "handling", ms: null }
      ],
      handlers: [
        { handler: "first", outcome: "succeeded" },
        { handler: "second", outcome: "running" }
      ],
      intents: [{ handler: "first", text: "read" }]
    })
    expect(totalMs(described)).toBeNull()
  })

  it("shows the beginning of noise that nobody reads through", () => {
    const text = `begins\n${"word ".repeat(5000)}ends`
    const facts = [fact.opened(), fact.buffered(), fact.planned([first]), fact.noise("stderr", text, "first")]
    const drawn = drawInvocation(describeInvocation(recorded(facts)), { style: plain, width: undefined })
    expect(drawn).toMatch(
      /stderr {3}24\.4 KiB · first \(the beginning; --json shows what was kept\)\n +begins\n/
    )
    expect(drawn).not.toContain("ends")
    expect(drawn.length).toBeLessThan(5000)
  })

  it("shows why a payload was rejected", () => {
    expect(describeInvocation(recorded([fact.opened(), fact.rejected("empty")]))).toMatchObject({
      rejected: { reason: "empty" },
      states: [{ state: "buffering" }, { state: "emitting" }]
    })
  })
})

describe("what happened, in a sentence", () => {
  const both: readonly InvocationFact[] = [
    fact.opened(),
    fact.buffered(),
    fact.planned([first, second]),
    fact.started(first),
    fact.succeeded(first, [blockingFeedback("not this")]),
    fact.started(second),
    fact.succeeded(second, [blockingFeedback("nor that")]),
    {
      type: "REPLY_DELIVERED",
      stdout: "",
      stderr: "",
      exitCode: 2,
      channels: [
        { intent: "BLOCKING_FEEDBACK", handler: "first", channel: "stderr" },
        { intent: "BLOCKING_FEEDBACK", handler: "second", channel: "stderr" }
      ]
    },
    { type: "EXITED", code: 2, ms: { buffering: 1 } }
  ]

  it("names all hooks that blocked", () => {
    const described = describeInvocation(recorded(both))
    expect(described).toMatchObject({ by: "first", deciders: ["first", "second"] })
    expect(sentenceOf(described).text).toMatch(/^first and second blocked /)
  })

  it("says what the human answered to a question", () => {
    const described = { ...describeInvocation(recorded(both)), outcome: "asked", decision: "ask" } as const
    expect(sentenceOf({ ...described, answered: "refused" }).text).toMatch(/ asked about .*, who refused$/)
    expect(sentenceOf({ ...described, answered: "allowed" }).text).toMatch(/, who allowed it$/)
    expect(sentenceOf(described).text).not.toContain("who")
  })

  it("tells of work after the reply that failed, though no hook had a word", () => {
    const background = ["writes", "sends"].map((handler, index) => ({
      ...fact.plannedHandler(handler, index, { event: "turn.stop" }),
      job: `0189000${index}-0000-7000-8000-00000000beef` as JobId
    }))
    const plan = fact.planned([]) as Extract<InvocationFact, { type: "HANDLERS_PLANNED" }>
    const facts = recorded([fact.opened(), fact.buffered(), { ...plan, background }, ...both.slice(-1)])
    const bundle = "/state/build/0123456789abcdef/claude-code/turn.stop.cjs"
    const error = { name: "Error", message: "no such address", stack: `Error\n    at x (${bundle}:1:9)` }
    const job = (at: number, more: Partial<Job>) =>
      ({ job: background[at]?.job, history: [], ...more }) as Job
    const done = job(0, { state: "done", attempts: 1, error: null })
    const drawn = (jobs: readonly Job[]) =>
      drawInvocation(describeInvocation(facts, jobs), { style: plain, width: undefined })
    const dead = drawn([done, job(1, { state: "dead", attempts: 5, error })])
    expect(dead).toMatch(
      /^No hook ran at .*; 2 jobs went on after the reply, and sends failed\.\n {2}Error: no such/
    )
    expect(dead).toMatch(/sends .*dead after 5 attempts: Error: no such address\n +at x/)
    expect(drawn([done, job(1, { state: "waiting", attempts: 1, error })])).toContain(
      "and sends failed so far."
    )
    expect(drawn([done])).toMatch(/; 2 jobs went on after the reply\.\n/)
  })

  it("says what the agent waited beside what hooktape took", () => {
    const client = { startUs: 0, beforeUs: 4500 }
    const facts = recorded([fact.opened({ client }), ...whole.slice(1)])
    const drawn = drawInvocation(describeInvocation(facts), { style: plain, width: undefined })
    expect(drawn).toContain(
      "took       6.00 ms\nwaited     10.5 ms, as the agent had it: 4.50 ms until hooktape"
    )
    expect(
      drawInvocation(describeInvocation(recorded(whole)), { style: plain, width: undefined })
    ).not.toContain("waited")
  })
})

describe("a reference", () => {
  const candidates = ["01890000-0000-7000-8000-00000000abcd", "01890000-0000-7000-8000-00000000abce"].map(
    (invocation) => ({ invocation, at: 0, agent: "raw", agentEvent: "Fired" })
  )
  const resolved = (ref: string) => Either.getOrElse(resolveRef(ref, candidates), ({ message }) => message)

  it("of a transcript's call is none that hooks recorded, and says so", () => {
    expect(resolved("t1842")).toContain(
      "names what a transcript told, and this needs a call that hooks recorded"
    )
  })

  it("is an id, the end of one as it is shown, or the last", () => {
    expect(resolved(candidates[0]?.invocation ?? "")).toBe(candidates[0]?.invocation)
    for (const { invocation } of candidates) expect(resolved(shortId(invocation))).toBe(invocation)
    expect(resolved("last")).toBe(candidates[1]?.invocation)
  })

  it("is the beginning of the end that is shown, where that is unique", () => {
    const some = ["01890000-0000-7000-8000-00001f2e3d4c", "01890000-0000-7000-8000-00001f2eabcd"].map(
      (invocation) => ({ invocation, at: 0, agent: "raw", agentEvent: "Fired" })
    )
    const named = (ref: string) => Either.getOrElse(resolveRef(ref, some), ({ message }) => message)
    expect(named("1f2e3")).toBe(some[0]?.invocation)
    expect(named("1f2ea")).toBe(some[1]?.invocation)
    expect(named("1f2e")).toContain("could be")
  })

  it("that fits several names them", () => {
    expect(resolved("01890000")).toContain("could be 01890000-0000-7000-8000-00000000abcd (raw Fired), ")
  })

  it("that fits none says so", () => {
    expect(resolved("ffff")).toContain("no invocation has this id")
    expect(resolved("what")).toContain("no invocation has this id")
    expect(Either.isLeft(resolveRef("last", []))).toBe(true)
  })
})

describe("a time", () => {
  const at = (text: string) => Either.getOrElse(parseSince(text, 10_000_000), () => "no time")
  it("is a span back, a date, or the beginning", () => {
    expect(at("10m")).toBe(10_000_000 - 600_000)
    expect(at("1.5h")).toBe(10_000_000 - 5_400_000)
    expect(at("0")).toBe(0)
    expect(at("2026-01-31T09:00:00Z")).toBe(Date.parse("2026-01-31T09:00:00Z"))
  })
  it("is nothing else", () => {
    for (const text of ["", "soon", "-1h", "2026", "10 parsecs"].filter((one) => one !== "2026")) {
      expect(at(text)).toBe("no time")
    }
  })
})
