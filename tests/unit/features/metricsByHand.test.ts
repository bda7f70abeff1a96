/** One session whose every figure was worked out by hand, beside what the code makes of it. */
import { describe, expect, it } from "@effect/vitest"
import { measuresOf } from "../../../src/features/metrics/compute.ts"
import type { MetricId } from "../../../src/features/metrics/definitions.ts"
import type { Measure } from "../../../src/features/metrics/Measure.ts"
import type { SessionMoments } from "../../../src/features/metrics/Moment.ts"
import { traceOf } from "../../../src/features/metrics/trace.ts"
import { at, compact, prompt, sessionOf, startOf, stop, timeOf } from "../../support/metricsSession.ts"
import { denied, edited, ran, refused, stopped } from "../../support/toolCalls.ts"

const minutes = (many: number): number => many * 60_000

/**
 *  0 start · 1 prompt · 2 read · 3 edit a · 4 tests red · 6 edit a again · 7 tests green · 8 stop
 * 30 prompt · 31 a command that is not there · 32 an edit that is refused · 33 a denied call · 34 edit b · 35 types green
 * 36 commit · 37 stop · 40 a notification · 41 compaction · 42 stop
 */
const session = sessionOf([
  at(0, startOf),
  at(1, prompt("make it work")),
  at(2, ran("cat a.ts", 0, "text")),
  at(3, edited("/p/a.ts", "const first = 1\nconst second = 2\n}")),
  at(4, ran("npm test", 1, " FAIL  a.test.ts > adds\nAssertionError: expected 1 to be 2\n Tests  1 failed")),
  at(6, edited("/p/a.ts", "const first = 1\nconst third = 3")),
  at(7, ran("npm test", 0, " Tests  2 passed (2)")),
  at(8, stop),
  at(30, prompt("now the types")),
  at(31, ran("nonesuch --all", 127, "bash: nonesuch: command not found")),
  at(32, refused("/p/b.ts", "String to replace not found in file.")),
  at(33, denied("Bash", { command: "git push -f" }, "not to main")),
  at(34, edited("/p/b.ts", "export const b = 1")),
  at(35, ran("npx tsc --noEmit", 0, "")),
  at(36, ran("git commit -am b", 0, "[main 1a2b3c4] b\n 1 file changed")),
  at(37, stop),
  at(40, prompt("<task-notification>done</task-notification>")),
  at(41, compact),
  at(42, stop)
])

const figures = (of: SessionMoments = session): { readonly [id in MetricId]: Measure } =>
  Object.fromEntries(
    measuresOf(
      {
        traces: [traceOf(of)],
        hooks: { calls: [], runs: [] },
        checkpoints: [
          { at: timeOf(8), session: "s", project: "/p", quality: 99, evident: 0 },
          { at: timeOf(20), session: "s", project: "/p", quality: 70, evident: 1 },
          { at: timeOf(37), session: "s", project: "/p", quality: 90, evident: 1 }
        ]
      },
      {
        hourOf: (when) => new Date(when).getUTCHours(),
        reverted: (ids) => ({ known: ids.length, reverted: 0 })
      }
    ).map((measure) => [measure.id, measure])
  ) as { readonly [id in MetricId]: Measure }

const partsOf = ({ parts = [] }: Measure) => Object.fromEntries(parts.map(({ name, value }) => [name, value]))

describe("a session worked out by hand", () => {
  const all = figures()

  it("is active for 30 minutes: 42 less the pause of 22, of which 10 count", () => {
    expect(all["active-time"]).toMatchObject({ value: minutes(30), n: 1 })
  })

  it("is the agent's in its three turns of 7, 7 and 2 minutes", () => {
    expect(all["agent-share"].value).toBeCloseTo(16 / 30, 6)
    expect(partsOf(all["agent-share"])).toEqual({
      agent: minutes(16),
      "waiting for leave": 0,
      human: minutes(14)
    })
  })

  it("has two prompts of a person, and two interventions: a prompt after the first, a denial", () => {
    expect(all.prompts.value).toBe(2)
    expect(all.interventions.n).toBe(2)
    expect(all.interventions.value).toBeCloseTo(2 / (16 / 60), 6)
  })

  it("has eleven tool calls", () => {
    expect(all["tool-calls"].value).toBe(11)
    expect(all["tool-calls"].coverage).toEqual({ hooks: 11, transcript: 0, both: 0 })
  })

  it("passes two of three first runs: tests red, tests green, types green", () => {
    expect(all["first-pass"]).toMatchObject({ n: 3 })
    expect(all["first-pass"].value).toBeCloseTo(2 / 3, 6)
    expect(partsOf(all["first-pass"])).toEqual({ tests: 0.5, types: 1 })
    expect(all["first-pass"].interval?.[0]).toBeGreaterThan(0.2)
  })

  it("comes to green 3 minutes after the tests were red", () => {
    expect(all["time-to-green"]).toMatchObject({ value: minutes(3), n: 1 })
  })

  it("edits one file again after a red check, in two turns that edit", () => {
    expect(all.rework).toMatchObject({ value: 0.5, n: 2 })
  })

  it("puts in 5 lines that say something and takes none of them out again", () => {
    // Each edit says that it replaces "old", which no edit had put in; the second says `const first` again.
    expect(all.churn).toMatchObject({ value: 0, n: 5 })
  })

  it("checks one minute after its edits, in the median less the second that a call takes", () => {
    expect(all["edit-to-check"]).toMatchObject({ value: minutes(1) - 1000, n: 3 })
  })

  it("counts each failure under its reason, of eleven calls that ended", () => {
    const shares = Object.fromEntries(
      (["misuse", "environment", "check", "denied", "other"] as const).map((one) => [
        one,
        all[`errors-${one}`].value
      ])
    )
    expect(shares).toEqual({ misuse: 1 / 11, environment: 1 / 11, check: 1 / 11, denied: 1 / 11, other: 0 })
    expect(all["errors-check"].n).toBe(11)
  })

  it("tells one commit, one compaction, the hour, and what speaks for its quality", () => {
    expect(all.commits.value).toBe(1)
    expect(all.reverted).toMatchObject({ value: 0, n: 1 })
    expect(all.compactions).toMatchObject({ value: 2, n: 1 })
    expect(all.hours.value).toBe(9)
    expect(all["checkpoint-quality"]).toMatchObject({ value: 70, n: 2 })
    expect(partsOf(all["checkpoint-quality"])).toMatchObject({ "without evidence": 1 })
  })

  it("has reads, edits, checks and others", () => {
    expect(partsOf(all.mix)).toEqual({ read: 1, edit: 4, check: 3, other: 3 })
  })

  it("does not know what nothing tells: tokens, trend, hooks", () => {
    for (const id of [
      "tokens",
      "cost",
      "cache-hits",
      "context-pressure",
      "quality-trend",
      "hook-wait"
    ] as const) {
      expect(all[id].value).toBeNull()
      expect(all[id].why).toBeTruthy()
    }
  })
})

describe("how quality moves", () => {
  const week = 7 * 24 * 60
  const green = () => ran("npm test", 0, " Tests  2 passed (2)")
  const red = () => ran("npm test", 1, " Tests  1 failed")
  /** So many first runs after an edit in that week, of which so many pass. */
  const weekOf = (nth: number, runs: number, passed: number) =>
    Array.from({ length: runs }, (_, run) => run * 3).flatMap((minute, run) => [
      at(nth * week + minute, edited("/p/a.ts", `const a${run} = 1`)),
      at(nth * week + minute + 1, run < passed ? green() : red())
    ])
  type Week = readonly [runs: number, passed: number]
  const trendOf = (weeks: readonly Week[]) =>
    figures(sessionOf(weeks.flatMap(([runs, passed], nth) => weekOf(nth, runs, passed))))["quality-trend"]

  it("is the slope of the weekly first-pass rate, up or down, in spite of a bad week, and weeks of few runs have no part in it", () => {
    const rising = [8, 9, 10, 11, 12, 13, 14, 0, 16].map((passed): Week => [20, passed])
    const better = trendOf(rising)
    expect(better).toMatchObject({ n: 9, unit: "per-week" })
    expect(better.value).toBeCloseTo(0.05, 6)
    expect(better.interval?.[1]).toBeGreaterThanOrEqual(0.05)
    expect(trendOf(rising.map(([runs, passed]): Week => [runs, 20 - passed])).value).toBeCloseTo(-0.05, 6)
    // Each second week has a run less than counts, and all of them failed.
    const thinned = trendOf(rising.flatMap((full): readonly Week[] => [full, [19, 0]]))
    expect(thinned).toMatchObject({ n: 9 })
    expect(thinned.value).toBeCloseTo(0.025, 6)
  })

  it("is not told from fewer than eight weeks", () => {
    const seven = Array.from({ length: 8 }, (_, nth): Week => [nth === 3 ? 19 : 20, 10])
    expect(trendOf(seven)).toMatchObject({ value: null, n: 7, why: expect.stringContaining("7 of 8 weeks") })
    expect(trendOf(seven.with(3, [20, 10]))).toMatchObject({ n: 8, value: expect.closeTo(0) })
  })
})

describe("what is not so easily counted", () => {
  it("is unknown, not nothing, of a session in which nothing was done", () => {
    const all = figures(sessionOf([at(0, startOf)]))
    expect(all["first-pass"].value).toBeNull()
    expect(all["errors-check"].value).toBeNull()
    expect(all["agent-share"].value).toBeNull()
  })

  it("leaves a check out whose outcome an unseen pipe hides, and says how many there are", () => {
    const all = figures(
      sessionOf([at(1, prompt()), at(2, edited("/p/a.ts", "x")), at(3, ran("npm test | tail -3", 0, "done"))])
    )
    expect(all["first-pass"].value).toBeNull()
    expect(partsOf(all["first-pass"])).toEqual({ "runs of which nothing tells the outcome": 1 })
  })

  it("counts a check as green by a run of all, and not by a run of another part", () => {
    const red = at(3, ran("npx vitest run a.test.ts", 1, " FAIL  a.test.ts > x\n Tests  1 failed"))
    const other = at(4, ran("npx vitest run b.test.ts", 0, " Tests  1 passed (1)"))
    const whole = at(5, ran("npx vitest run", 0, " Tests  2 passed (2)"))
    expect(figures(sessionOf([at(1, prompt()), red, other]))["time-to-green"].value).toBeNull()
    expect(figures(sessionOf([at(1, prompt()), red, other, whole]))["time-to-green"].value).toBe(minutes(2))
  })

  it("counts lines that are taken out again in their own file only", () => {
    const change = (path: string, before: string, after: string) => [
      { event: "PreToolUse", payload: { tool_name: "Edit", tool_use_id: before + after + path } },
      {
        event: "PostToolUse",
        payload: {
          tool_name: "Edit",
          tool_use_id: before + after + path,
          tool_input: { file_path: path, old_string: before, new_string: after },
          tool_response: { filePath: path }
        }
      }
    ]
    const churn = (...edits: ReturnType<typeof change>[]) =>
      figures(sessionOf(edits.map((one, nth) => at(nth + 1, one)))).churn
    expect(churn(change("/p/a", "", "one\ntwo"), change("/p/a", "two", ""))).toMatchObject({
      value: 0.5,
      n: 2
    })
    expect(churn(change("/p/a", "", "one\ntwo"), change("/p/b", "two", ""))).toMatchObject({ value: 0, n: 2 })
    expect(churn(change("/p/a", "", "  one"), change("/p/a", "one\n}", "one\n)"))).toMatchObject({
      value: 0,
      n: 1
    })
  })

  it("counts a call that a person refused as denied, one that was interrupted not", () => {
    const refusal = "The user doesn't want to proceed with this tool use. The tool use was rejected."
    const told = figures(
      sessionOf([at(1, prompt()), at(2, stopped("rm a", refusal)), at(3, stopped("sleep 9")), at(4, stop)])
    )
    expect(told["errors-denied"]).toMatchObject({ value: 0.5, n: 2 })
    expect(partsOf(told.interventions)).toMatchObject({ denials: 2 })
  })

  it("counts an interrupted call among the interventions", () => {
    expect(
      partsOf(figures(sessionOf([at(1, prompt()), at(2, stopped("sleep 9")), at(3, stop)])).interventions)
    ).toMatchObject({
      denials: 1
    })
  })
})
