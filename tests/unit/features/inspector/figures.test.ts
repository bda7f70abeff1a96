/** The figures that the page asks for on every tick: one session's are found by its index, and all of them mean the same by trouble. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { failingHooks, listCalls } from "../../../../src/features/inspector/read/calls.ts"
import { listHooks } from "../../../../src/features/inspector/read/hooks.ts"
import { numbers } from "../../../../src/features/inspector/read/numbers.ts"
import { listSessions } from "../../../../src/features/inspector/read/sessions.ts"
import { window } from "../../../../src/features/inspector/read/window.ts"
import { type MadeTimeline, now, timelineOf } from "../../../support/inspector/timelineOf.ts"

let state: string
let made: MadeTimeline
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "figures-"))
  made = timelineOf(state)
})
afterEach(() => {
  made.close()
  rmSync(state, { recursive: true })
})

describe("the figures of one session", () => {
  beforeEach(() => {
    made.putSession({ session: "s" })
    made.putCall({ position: 1 })
    made.putRun({ call: 1, hook: "guard" })
  })

  it("are found by its index, and not by a walk through the time of all", () => {
    numbers(made.source, { session: "s" })
    const walks = made
      .plans()
      // Few are blocked or fail: those are gone through whatever session they are of.
      .filter((plan) => !/timeline_calls_(blocked|failed)/.test(plan))
      .filter((plan) =>
        /timeline_calls_time|timeline_calls_at\b|SCAN (timeline_)?(calls|turns|tools)\b/.test(plan)
      )
    expect(walks).toEqual([])
  })

  it("are those of a time where one is asked for, and not all of a long session's", () => {
    window(made.source, { session: "s", from: now - 2000, to: now })
    const plans = made.plans()
    expect(plans.filter((plan) => /SCAN timeline_(calls|turns|tools)\b/.test(plan))).toEqual([])
    // The lanes, their marks, and what delayed.
    expect(
      plans.filter((plan) => plan.includes("timeline_calls_time (at>? AND at<?)")).length
    ).toBeGreaterThan(3)
  })

  it("are of that session alone", () => {
    made.putSession({ session: "other" })
    for (let position = 2; position <= 5; position++) {
      made.putCall({ position, session: position === 5 ? "other" : "s", wait: 20 })
      made.putRun({ call: position, hook: "quick", ms: 1 })
      made.putRun({ call: position, nth: 1, hook: "slow", ms: 4 * position })
    }
    const found = numbers(made.source, { session: "s" })
    expect(found).toMatchObject({ calls: 4, sessions: 1, openSessions: 1, waitedMs: 70 })
    expect(found.costliest).toEqual({ hook: "slow", share: 36 / 70, p95: 16 })
    made.putCall({ position: 6, event: "session.end" })
    expect(numbers(made.source, { session: "s" }).openSessions).toBe(0)
    expect(numbers(made.source, { session: "other" }).costliest).toMatchObject({ hook: "slow", p95: 20 })
    expect(window(made.source, { session: "s" }).lanes.map(({ session }) => session)).toEqual(["s"])
  })
})

describe("a call whose work after the reply was given up", () => {
  beforeEach(() => {
    for (const session of ["s", "other"]) made.putSession({ session })
    made.putCall({ position: 1 })
    made.putCall({ position: 2 })
    made.putCall({ position: 3, session: "other" })
    made.putCall({ position: 4, own: 1 })
    made.putJob({ job: "j-1", hook: "later", invocation: "i-2", state: "dead" })
    made.putJob({ job: "j-2", hook: "later", invocation: "i-2", state: "dead" })
    made.putJob({ job: "j-3", hook: "probe", invocation: "i-4", state: "dead" })
    // Of no call: hooktape's own work.
    made.putJob({ job: "j-4", hook: "ship", state: "dead" })
  })

  it("is a failed one in the numbers, in those of its session, and in the list of what failed", () => {
    // The sums of all calls are kept as calls end: here there are none of them.
    const figures = (session?: string) => {
      const { failed, failing } = numbers(made.source, session === undefined ? {} : { session })
      return {
        failed,
        failing,
        listed: listCalls(made.source, { show: "trouble", ...(session && { session }) }).total
      }
    }
    expect(figures("s")).toEqual({ failed: 1, failing: ["later"], listed: 1 })
    expect(figures("other")).toEqual({ failed: 0, failing: [], listed: 0 })
    expect(figures().failing).toEqual(["later"])
    expect(figures().listed).toBe(1)
    expect(numbers(made.source, { from: 1 }).failed).toBe(1)
    expect(failingHooks(made.source)).toEqual(["later"])
    expect(
      listSessions(made.source, {})
        .sessions.map(({ failed, session }) => [session, failed])
        .sort()
    ).toEqual([
      ["other", 0],
      ["s", 1]
    ])
  })

  it("is counted once where a hook failed in it as well, or was late", () => {
    made.putCall({ position: 5, failures: 1, outcome: "failed" })
    made.putCall({ position: 6, failures: 1, outcome: "late" })
    made.putRun({ call: 5, hook: "throws", outcome: "failed" })
    for (const position of [5, 6])
      made.putJob({ job: `j-${position}`, hook: "later", invocation: `i-${position}`, state: "dead" })
    expect(numbers(made.source, { session: "s" })).toMatchObject({
      failed: 2,
      late: 1,
      failing: ["throws", "later"]
    })
    expect(listCalls(made.source, { show: "trouble" }).total).toBe(3)
  })

  it("is found by what failed, and not by a look at each call", () => {
    made.putCall({ position: 7, ended: null, outcome: "open" })
    expect(listCalls(made.source, { show: "trouble" }).calls.map(({ position }) => position)).toEqual([7, 2])
    const plans = made.plans().join("\n")
    for (const index of [/calls_failed/, /calls_(open|ended)/, /jobs_dead/]) expect(plans).toMatch(index)
  })
})

describe("work after the reply", () => {
  it("is told of as far back as is needed to tell how hooks do, without all jobs being sorted", () => {
    listHooks(made.source, {})
    const jobs = made.plans().filter((plan) => plan.includes("timeline_jobs"))
    expect(jobs.length).toBeGreaterThan(0)
    const all = made.plans()
    expect(
      all.filter((plan, at) => plan.includes("ORDER BY") && all[at - 1]?.includes("timeline_jobs"))
    ).toEqual([])
  })

  it("failed last only where nothing failed after it", () => {
    made.putCall({ position: 1, at: now - 1000 })
    made.putRun({ call: 1, hook: "moved", outcome: "failed", reason: "as a job no more" })
    made.putJob({ job: "j-1", hook: "moved", at: now - 5000, state: "dead", error: "as a job" })
    const lastError = () => listHooks(made.source, {}).hooks.find(({ hook }) => hook === "moved")?.lastError
    expect(lastError()).toMatchObject({ at: now - 1000, message: "as a job no more" })
    made.putJob({ job: "j-2", hook: "moved", at: now - 10, state: "dead", error: "as a job again" })
    expect(lastError()).toMatchObject({ at: now - 10, message: "as a job again" })
  })
})
