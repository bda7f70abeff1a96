/** What work, waiting and failures came to is still told when the calls themselves are too old for the log. */
import { mkdtempSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import { openMetrics } from "../../../src/features/metrics/catchUp.ts"
import { findWorkDays, type WorkDay } from "../../../src/features/metrics/days.ts"
import { type Month, monthsOf } from "../../../src/features/metrics/months.ts"
import { metricsProjection } from "../../../src/features/metrics/tables.ts"
import { openTimeline } from "../../../src/features/timeline/catchUp.ts"
import { findCallDays, findHookDays } from "../../../src/features/timeline/days.ts"
import { timelineProjection } from "../../../src/features/timeline/tables.ts"
import { EventLog } from "../../../src/log/EventLog.ts"
import { type Forgotten, renewProjection } from "../../../src/log/projection.ts"
import { layerSqlite } from "../../../src/log/sqlite/SqliteLog.ts"
import { draftOf } from "../../support/log/drafts.ts"
import { openPlainly } from "../../support/log/plainSqlite.ts"
import { factOf, ran } from "../../support/toolCalls.ts"

const march = Date.UTC(2026, 2, 30, 9)
const april = Date.UTC(2026, 3, 2, 9)

interface Logged {
  readonly append: (stream: string, at: number, ...facts: readonly object[]) => Promise<void>
  readonly forget: (streams: readonly string[], before: number) => Promise<void>
  /** As `hooktape forget` does, once the facts are gone. */
  readonly renew: (forgotten: Forgotten) => void
  readonly months: () => readonly Month[]
}

const projections = [timelineProjection, metricsProjection]

const logged = (): Logged => {
  const file = join(mkdtempSync(join(homedir(), "months-")), "log.sqlite")
  const within = <A, E>(effect: Effect.Effect<A, E, EventLog>): Promise<A> =>
    Effect.runPromise(Effect.provide(effect, layerSqlite({ file, source: "here" })))
  return {
    append: (stream, at, ...facts) =>
      within(
        Effect.gen(function* () {
          const { append } = yield* EventLog
          const drafts = facts.map((data) =>
            draftOf(stream, {
              type: (data as { readonly type: string }).type,
              data: data as { type: string },
              session: "s",
              project: "/p",
              agent: "claude-code",
              at
            })
          )
          for (const draft of drafts) yield* append(stream, "any", [draft])
        })
      ),
    forget: (streams, before) =>
      within(
        Effect.gen(function* () {
          const { append, forget } = yield* EventLog
          yield* forget([...streams])
          const data = {
            type: "LOG_TRUNCATED",
            before,
            invocations: streams.length,
            reason: "older than 90 days"
          }
          yield* append("operator/here", "any", [draftOf("operator/here", { type: "LOG_TRUNCATED", data })])
        })
      ),
    renew: (forgotten) => {
      for (const projection of projections) renewProjection(file, projection, forgotten)
    },
    months: () => {
      for (const open of [openMetrics, openTimeline]) {
        const steps = open(file)
        while (steps.step());
        steps.close()
      }
      const db = openPlainly(file, { readonly: true })
      const asked = { prepare: (sql: string) => db.prepare(sql) }
      const found = monthsOf({
        calls: findCallDays(asked),
        hooks: findHookDays(asked),
        work: findWorkDays(asked)
      })
      db.close()
      return found
    }
  }
}

const opened = (invocation: string, agentEvent: string) => ({
  type: "INVOCATION_OPENED",
  invocation,
  agent: "claude-code",
  agentEvent,
  transport: "entry",
  cwd: "/p",
  project: "/p",
  env: {},
  runtime: "node",
  deadlineMs: 1000,
  pid: 1
})

const call = async (log: Logged, nth: number, at: number, exitCode: number): Promise<readonly string[]> => {
  const streams: string[] = []
  for (const [step, told] of ran("npm test", exitCode, "1 failed", { id: `use-${nth}` }).entries()) {
    const stream = `invocation/00000000-0000-7000-8000-00000000${nth}${step}0${step}`
    streams.push(stream)
    await log.append(
      stream,
      at + step * 1000,
      opened(stream.slice(11), told.event),
      factOf(told, "s"),
      {
        type: "HANDLERS_PLANNED",
        handlers: [
          {
            handler: "slow",
            event: "tool.before",
            index: 0,
            priority: 100,
            deadlineMs: 1000,
            onFailure: "allow"
          }
        ],
        left: []
      },
      { type: "HANDLER_STARTED", handler: "slow", index: 0, event: "tool.before", attempt: 1 },
      {
        type: "HANDLER_FAILED",
        handler: "slow",
        index: 0,
        event: "tool.before",
        attempt: 1,
        ms: 20,
        error: { name: "Error", message: "no" },
        policy: "allow"
      },
      { type: "EXITED", code: 0, ms: { handling: 20 } }
    )
  }
  return streams
}

it("sums of days outlast the facts that they are made of, however often the tables are made anew", async () => {
  const log = logged()
  const old = [...(await call(log, 1, march, 1)), ...(await call(log, 2, march + 60_000, 0))]
  const before = log.months()
  expect(before).toMatchObject([
    {
      month: "2026-03",
      days: 1,
      ended: 2,
      errors: { check: 1 },
      calls: 4,
      waitedMs: 80,
      hooks: [{ hook: "slow", failed: 4 }]
    }
  ])
  expect(before[0]?.activeMs).toBe(61_000)
  await call(log, 3, april, 0)
  // One of the old calls goes today, the others another day: the day is not told by what is left of it.
  const [first = "", ...others] = old
  await log.forget([first], 7)
  expect(log.months()[0]).toEqual(before[0])
  await log.forget(others, 25)
  const after = log.months()
  expect(after[0]).toEqual(before[0])
  expect(after.map(({ calls, month }) => [month, calls])).toEqual([
    ["2026-03", 4],
    ["2026-04", 2]
  ])
})

it("a session that is forgotten is in no sum of its days, and a text in no name of them", async () => {
  const log = logged()
  const old = await call(log, 1, march, 1)
  const kept = await call(log, 2, march + 60_000, 0)
  await call(log, 3, april, 0)
  log.months()
  await log.forget(old, 7)
  expect(log.months()[0]).toMatchObject({ month: "2026-03", calls: 4, ended: 2 })
  log.renew({ text: "slow" })
  log.renew({ session: "another" })
  expect(log.months()[0]).toMatchObject({
    calls: 4,
    ended: 2,
    hooks: [{ hook: "slow", runs: 2 }, { hook: "‹forgotten›" }]
  })
  await log.forget(kept, 0)
  log.renew({ session: "s" })
  expect(log.months().map(({ calls, ended, month }) => [month, calls, ended])).toEqual([["2026-04", 2, 1]])
})

it("a month is the sum of its days and of no other's: errors, waiting and effort", () => {
  const place = { project: "/p", agent: "claude-code" }
  const errors = { misuse: 1, environment: 0, check: 2, denied: 0, other: 3 }
  const worked = (day: string, sessions: number): WorkDay => ({
    ...place,
    day,
    seen: 9,
    sessions,
    prompts: 2,
    activeMs: 1000,
    ended: 7,
    errors
  })
  const called = (day: string, waited: number) => ({
    ...place,
    day,
    calls: 3,
    blocked: 1,
    failed: 2,
    late: 1,
    waited
  })
  const ran = (day: string, hook: string, ms: number) => ({
    ...place,
    day,
    hook,
    runs: 2,
    blocked: 1,
    failed: 1,
    late: 0,
    ms
  })
  const [march, april] = monthsOf({
    work: [worked("2026-03-30", 1), worked("2026-03-31", 4), worked("2026-04-01", 1)],
    calls: [called("2026-03-30", 20), called("2026-03-31", 35), called("2026-04-01", 1000)],
    hooks: [ran("2026-03-30", "a", 5), ran("2026-03-31", "b", 7), ran("2026-03-31", "a", 6)]
  })
  expect(march).toEqual({
    month: "2026-03",
    days: 2,
    sessions: 5,
    prompts: 4,
    activeMs: 2000,
    ended: 14,
    errors: { misuse: 2, environment: 0, check: 4, denied: 0, other: 6 },
    calls: 6,
    blocked: 2,
    failed: 4,
    late: 2,
    waitedMs: 55,
    hooks: [
      { hook: "a", runs: 4, blocked: 2, failed: 2, late: 0, ms: 11 },
      { hook: "b", runs: 2, blocked: 1, failed: 1, late: 0, ms: 7 }
    ]
  })
  expect(april).toMatchObject({ month: "2026-04", days: 1, ended: 7, waitedMs: 1000, hooks: [] })
})
