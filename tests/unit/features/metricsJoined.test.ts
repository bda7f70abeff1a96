/** What hooks told and what a transcript tells of the same session: each thing counts once, with what either knows. */
import { describe, expect, it } from "@effect/vitest"
import type { Fact } from "../../../events/facts.ts"
import { measuresOf } from "../../../src/features/metrics/compute.ts"
import type { Measure } from "../../../src/features/metrics/Measure.ts"
import type { Moment, Placed, Source } from "../../../src/features/metrics/Moment.ts"
import { observedMoments } from "../../../src/features/metrics/observedMoments.ts"
import { traceOf } from "../../../src/features/metrics/trace.ts"

const second = 1000
const seen = (
  at: number,
  moment: Moment,
  source: Source = "hooks",
  subagent: string | null = null
): Placed => ({ at: at * second, moment, source, subagent })

const figures = (moments: readonly Placed[]): Readonly<Record<string, Measure>> =>
  Object.fromEntries(
    measuresOf(
      {
        traces: [traceOf({ agent: "gemini-cli", session: "s", project: "/p", moments })],
        hooks: { calls: [], runs: [] },
        checkpoints: []
      },
      { hourOf: () => 0 }
    ).map((measure) => [measure.id, measure])
  )

const prompt = { kind: "prompt", turn: null, isHuman: true } as const
const begun = (use: string, name = "run", more = {}): Moment => ({
  kind: "call-started",
  use,
  name,
  tool: "shell",
  ...more
})
const ended = (use: string, verdict: "pass" | "fail" | "unknown", more = {}): Moment => ({
  kind: "call-ended",
  use,
  name: "run",
  tool: "shell",
  told: verdict === "fail" ? "failed" : "ok",
  verdict,
  ...(verdict === "fail" ? { error: "other" as const } : {}),
  ...more
})
const unnamed = { isUnnamed: true }

describe("an agent that names no calls to its hooks", () => {
  it("has one call for each beginning and end, in order", () => {
    const all = figures([
      seen(1, begun("a", "run", unnamed)),
      seen(2, begun("b", "run", unnamed)),
      seen(3, ended("c", "pass", unnamed)),
      seen(4, ended("d", "fail", unnamed))
    ])
    expect(all["tool-calls"]?.value).toBe(2)
    expect(all["errors-other"]).toMatchObject({ value: 0.5, n: 2 })
  })

  it("has the transcript's call where that is of the same tool and moment, and another one where not", () => {
    const all = figures([
      seen(1, begun("a", "run", unnamed)),
      seen(2, ended("b", "unknown", unnamed)),
      seen(1.2, begun("t1"), "transcript"),
      seen(2.1, ended("t1", "fail"), "transcript"),
      seen(60, begun("t2"), "transcript"),
      seen(61, ended("t2", "pass"), "transcript")
    ])
    expect(all["tool-calls"]).toMatchObject({ value: 2, coverage: { hooks: 0, transcript: 1, both: 1 } })
    expect(all["errors-other"]).toMatchObject({ value: 0.5, n: 2 })
  })
})

describe("prompts", () => {
  it("that both told of count once, a later one and one of a subagent do not go with them", () => {
    const all = figures([
      seen(1, prompt),
      seen(1.5, prompt, "transcript"),
      seen(2, prompt, "transcript", "sub"),
      seen(30, prompt, "transcript")
    ])
    expect(all["prompts"]?.value).toBe(2)
  })
})

describe("what became of a call in the background", () => {
  it("is taken where its end told nothing, and nowhere else", () => {
    const settled = (told: "ok" | "failed"): Moment => ({ kind: "call-settled", use: "a", told })
    const share = (...moments: readonly Placed[]) => figures(moments)["errors-other"]?.value
    expect(share(seen(1, ended("a", "unknown")), seen(9, settled("failed"), "transcript"))).toBe(1)
    expect(share(seen(1, ended("a", "unknown")), seen(9, settled("ok"), "transcript"))).toBe(0)
    expect(share(seen(1, ended("a", "pass")), seen(9, settled("failed"), "transcript"))).toBe(0)
  })
})

describe("a fact of a transcript", () => {
  const place = { source: "transcript" } as const
  const of = (fact: Fact) => observedMoments(fact, 5, "claude-code", "m")

  it("tells of tokens, which make cost and cache", () => {
    const usage = of({
      type: "USAGE_OBSERVED",
      ...place,
      model: "claude-sonnet-4-5",
      input: 1_000_000,
      output: 100_000,
      cacheRead: 3_000_000
    })
    const all = figures(usage.map(({ at, moment }) => ({ at, moment, source: "transcript", subagent: null })))
    expect(all["tokens"]).toMatchObject({ value: 4_100_000, n: 1 })
    expect(all["cost"]?.value).toBeCloseTo(3 + 1.5 + 0.9, 6)
    expect(all["cache-hits"]?.value).toBe(0.75)
  })

  it("has no price for a model that the table does not know, and says which", () => {
    const usage = of({ type: "USAGE_OBSERVED", ...place, model: "nobody-1", input: 1, output: 1 })
    const all = figures(usage.map(({ at, moment }) => ({ at, moment, source: "transcript", subagent: null })))
    expect(all["cost"]).toMatchObject({ value: null, why: expect.stringContaining("nobody-1") })
  })

  it("tells of a call when it began and when it ended, and how", () => {
    const told = of({
      type: "TOOL_CALL_OBSERVED",
      ...place,
      call: "t1",
      name: "Bash",
      input: { command: "npm test" },
      response: "Exit code 1\n Tests  1 failed",
      told: "failed",
      ended: 9
    } as Fact)
    expect(told).toMatchObject([
      { at: 5, moment: { kind: "call-started", use: "t1" } },
      { at: 9, moment: { kind: "call-ended", use: "t1", verdict: "fail", checks: [{ purpose: "tests" }] } }
    ])
  })

  it("tells who spoke: what is automatic is no person", () => {
    const text = (automatic: boolean) => of({ type: "PROMPT_OBSERVED", ...place, text: "x", automatic })
    expect(text(true)).toMatchObject([{ moment: { kind: "prompt", isHuman: false } }])
    expect(text(false)).toMatchObject([{ moment: { kind: "prompt", isHuman: true } }])
  })
})

describe("what nothing tells", () => {
  const usage = (input: number): Moment => ({
    kind: "usage",
    message: `m${input}`,
    model: "claude-opus-4-6",
    input,
    output: 1,
    cacheRead: 0,
    cacheCreation: 0
  })

  it("is unknown: what hooks cost where no hook's call was seen, and a trend without weeks", () => {
    const found = figures([seen(0, prompt, "transcript"), seen(9, begun("a"), "transcript")])
    expect(found["hook-share"]).toMatchObject({ value: null, why: "no call of a hook was seen" })
    expect(found["quality-trend"]).toMatchObject({ value: null, n: 0 })
  })

  it("is how full a window was that held more than is known of it", () => {
    expect(figures([seen(0, usage(100_000), "transcript")])["context-pressure"]?.value).toBe(0.5)
    expect(
      figures([seen(0, usage(100_000), "transcript"), seen(1, usage(300_000), "transcript")])[
        "context-pressure"
      ]
    ).toMatchObject({ value: null, n: 2 })
  })
})
