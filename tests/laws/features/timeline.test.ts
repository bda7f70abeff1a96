/** The timeline is a fold over the log: in whichever steps it is brought up to date, it is as if made anew. */
import { mkdtempSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import { numbers } from "../../../src/features/inspector/read/numbers.ts"
import type { Source } from "../../../src/features/inspector/read/Source.ts"
import { window } from "../../../src/features/inspector/read/window.ts"
import { askTimeline, openTimeline } from "../../../src/features/timeline/catchUp.ts"
import { findCalls } from "../../../src/features/timeline/find.ts"
import { foldCall, verdictOf } from "../../../src/features/timeline/foldCall.ts"
import { allCalls, binsOfAll, callSums, rank } from "../../../src/features/timeline/runningSums.ts"
import { timelineProjection } from "../../../src/features/timeline/tables.ts"
import { EventLog } from "../../../src/log/EventLog.ts"
import { projectInMemory } from "../../../src/log/projection.ts"
import { layerSqlite } from "../../../src/log/sqlite/SqliteLog.ts"
import { holds, seed } from "../../support/arbitrary.ts"
import * as facts from "../../support/facts.ts"
import { draftOf } from "../../support/log/drafts.ts"
import { openPlainly } from "../../support/log/plainSqlite.ts"

type Step =
  | {
      readonly type: "fact"
      readonly data: { readonly type: string }
      readonly stream: string
      readonly session: string | null
      readonly at?: number
    }
  | { readonly type: "look"; readonly most: number }
  | { readonly type: "forget"; readonly stream: string }

const one = FastCheck.constantFrom
const [first, second] = [facts.plannedHandler("first", 0), facts.plannedHandler("second", 1)]
const words = one("git push -f", "größe 100% _x_", 'a "quoted" text', "")

const tool = FastCheck.record({
  kind: one("shell" as const, "edit" as const),
  name: one("Bash", "Edit"),
  command: words,
  input: one(null)
})

const buffered = FastCheck.record({
  event: one("tool.before", "tool.after", "prompt.submit", "session.end"),
  session: one("s1", "s2", null),
  toolUseId: one("t1", "t2", null),
  tool: FastCheck.option(tool, { nil: undefined }),
  turn: one("p1", undefined)
}).map(({ event, session, tool: call, toolUseId, turn }) =>
  facts.buffered({
    session: session as never,
    toolUseId,
    payload: JSON.stringify({ prompt_id: turn }),
    events: [{ event: event as never, data: { prompt: "do it" } }],
    ...(call === undefined ? {} : { tool: call })
  })
)

/** Calls of hooktape's own events count in no sum. */
const ofItself = facts.opened({ agent: "raw", agentEvent: "checkpoint.after" })
const doctor = one({ type: "DOCTOR_RAN", checks: 1, problems: [], ms: 1 })

const data = FastCheck.oneof(
  FastCheck.record({ call: one("c1", "c2", undefined), entry: FastCheck.boolean() }).map(({ call, entry }) =>
    facts.opened({
      agent: "claude-code",
      transport: entry ? "entry" : "socket",
      ...(call === undefined ? {} : { call })
    })
  ),
  buffered,
  one(
    facts.planned([first, second]),
    facts.started(first),
    facts.started(second),
    facts.succeeded(first, []),
    facts.succeeded(second, [{ type: "BLOCKING_FEEDBACK", reason: "no, 50%" }]),
    facts.failed(first, "boom"),
    facts.timedOut(second),
    facts.skipped(second),
    facts.delivered(2),
    facts.undelivered(),
    facts.rejected("empty"),
    facts.exited()
  ),
  { arbitrary: one(ofItself), weight: 1 },
  {
    arbitrary: FastCheck.integer({ min: 0, max: 400 }).map((ms) => ({
      type: "EXITED" as const,
      code: 0,
      ms: { buffering: 1, handling: ms, emitting: 1 }
    })),
    weight: 2
  }
)

const job = one(
  { type: "JOB_ENQUEUED", job: "j", kind: "hook", maxAttempts: 1, deadlineMs: 1, input: null, handler: "h" },
  { type: "JOB_STARTED", attempt: 1, host: "h", pid: 1, until: 1 },
  { type: "JOB_SUCCEEDED", attempt: 1, ms: 2 },
  { type: "JOB_FAILED", attempt: 2, error: { name: "E", message: "m" } }
)

const streams = one("invocation/0", "invocation/1", "invocation/2")

const step: FastCheck.Arbitrary<Step> = FastCheck.oneof(
  {
    weight: 8,
    arbitrary: FastCheck.record({
      type: one("fact" as const),
      data,
      stream: streams,
      session: one("s1", null),
      at: FastCheck.integer({ min: 1_760_000_000_000, max: 1_760_000_300_000 })
    })
  },
  {
    weight: 1,
    arbitrary: FastCheck.record({
      type: one("fact" as const),
      data: job,
      stream: one("job/j"),
      session: one(null)
    })
  },
  {
    weight: 1,
    arbitrary: FastCheck.record({
      type: one("fact" as const),
      data: doctor,
      stream: one("operator/d"),
      session: one(null)
    })
  },
  {
    weight: 2,
    arbitrary: FastCheck.record({ type: one("look" as const), most: FastCheck.integer({ min: 1, max: 5 }) })
  },
  { weight: 1, arbitrary: FastCheck.record({ type: one("forget" as const), stream: streams }) }
)

let count = 0
const fresh = () => join(mkdtempSync(join(homedir(), "timeline-")), `log-${count++}.sqlite`)
const tables = ["calls", "runs", "jobs", "open", "doctor", "minutes", "hooks", "sessions", "turns", "tools"]

interface Tables {
  readonly prepare: (sql: string) => { readonly all: () => unknown[] }
}

const rows = (db: Tables) =>
  Object.fromEntries(
    tables.map((name) => [name, db.prepare(`SELECT * FROM timeline_${name} ORDER BY 1, 2`).all()])
  )

const dump = (file: string) => {
  askTimeline(file, () => undefined)
  const db = openPlainly(file)
  try {
    db.prepare("INSERT INTO timeline_words (timeline_words, rank) VALUES ('integrity-check', 1)").run()
    return rows(db)
  } finally {
    db.close()
  }
}

const renewed = (file: string) => {
  const db = openPlainly(file)
  db.prepare("DELETE FROM checkpoints WHERE name LIKE 'projection/timeline%'").run()
  db.close()
  return dump(file)
}

const inMemory = (file: string) => {
  const db = projectInMemory(file, timelineProjection)
  try {
    return rows({ prepare: (sql) => db.prepare<unknown[]>(sql) })
  } finally {
    db.close()
  }
}

const write = (file: string, steps: readonly Step[]) =>
  Effect.gen(function* () {
    const log = yield* EventLog
    for (const now of steps) {
      if (now.type === "look") {
        const timeline = openTimeline(file, { most: now.most })
        timeline.step()
        timeline.close()
      } else if (now.type === "forget") {
        yield* log.forget([now.stream])
        const truncated = { type: "LOG_TRUNCATED", before: 1, invocations: 1, reason: "old" }
        yield* log.append("operator/x", "any", [
          draftOf("operator/x", { type: "LOG_TRUNCATED", data: truncated })
        ])
      } else {
        const { at = 1_760_000_000_000, data: stored, session, stream } = now
        yield* log.append(stream, "any", [
          draftOf(stream, {
            type: stored.type,
            data: stored,
            project: "/p",
            session,
            at,
            agent: "claude-code"
          })
        ])
      }
    }
  })

describe("the timeline", () => {
  it("is the same in whichever steps it was made, in memory too, also when the log was shortened in between", async () => {
    let calls = 0
    await FastCheck.assert(
      FastCheck.asyncProperty(FastCheck.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
        const file = fresh()
        await Effect.runPromise(Effect.provide(write(file, steps), layerSqlite({ file, source: "here" })))
        const incremental = dump(file)
        calls += incremental["calls"]?.length ?? 0
        expect(incremental).toEqual(renewed(file))
        expect(inMemory(file)).toEqual(incremental)
      }),
      { numRuns: 25, seed }
    )
    expect(calls).toBeGreaterThan(25)
  })

  it("keeps sums that are those of its calls, whenever it was looked at, also when the log was shortened", async () => {
    let waits = 0
    let own = 0
    await FastCheck.assert(
      FastCheck.asyncProperty(FastCheck.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
        const file = fresh()
        await Effect.runPromise(Effect.provide(write(file, steps), layerSqlite({ file, source: "here" })))
        askTimeline(file, (db) => {
          const all = (sql: string) => db.prepare(sql).all()
          expect([allCalls(db)]).toEqual(all(`SELECT ${callSums} FROM timeline_calls WHERE own = 0`))
          const runs = `FROM timeline_runs JOIN timeline_calls ON position = timeline_runs.call
            WHERE own = 0 AND ended IS NOT NULL AND timeline_runs.outcome <> 'skipped'`
          expect(all("SELECT hook, ms FROM timeline_hooks ORDER BY hook")).toEqual(
            all(`SELECT hook, coalesce(sum(ms), 0) AS ms ${runs} GROUP BY hook ORDER BY hook`)
          )
          const source: Source = { db, state: "", now: 1_760_000_400_000, version: "" }
          const from = 1_759_999_980_000
          const bins = binsOfAll(db, from, 120_000)
          expect(bins).toEqual(
            all(`SELECT CAST((at - ${from}) / 120000 AS INTEGER) AS nth, min(${rank}) AS rank, count(*) AS calls,
              max(wait) AS longest FROM timeline_calls WHERE own = 0 GROUP BY nth ORDER BY nth`)
          )
          waits += bins.filter(({ longest }) => longest !== null).length
          const { bins: drawn, from: begin, stepMs, to } = window(source, { bins: 2 }).map
          expect(drawn.reduce((sum, { calls }) => sum + calls, 0)).toBe(allCalls(db).calls)
          for (const { at } of drawn) expect([at >= begin, at + stepMs <= to]).toEqual([true, true])
          own += all("SELECT 1 FROM timeline_calls WHERE own = 1").length
          const { costliest, ...kept } = numbers(source, {})
          const { costliest: summed, ...sums } = numbers(source, { from: 1 })
          expect(kept).toEqual(sums)
          // Of two that cost the same either may be named.
          expect(costliest === null ? null : [costliest.share, costliest.p95 === null]).toEqual(
            summed === null ? null : [summed.share, summed.p95 === null]
          )
        })
      }),
      { numRuns: 40, seed }
    )
    expect(waits).toBeGreaterThan(10)
    expect(own).toBeGreaterThan(10)
  })

  it("says of a call what its facts say, and finds it by any part of its texts and of its id", async () => {
    const file = fresh()
    const text = "npm run größe -- --watch=100% _all_"
    const shell = { kind: "shell", name: "Bash", command: text, input: null } as const
    const all = [
      facts.opened({ agent: "claude-code" }),
      facts.buffered({ tool: shell }),
      facts.planned([first]),
      facts.started(first),
      facts.failed(first, "it is O'Brien's \\ fault"),
      facts.delivered(),
      facts.exited()
    ]
    const id = "01890000-0000-7000-8000-00abcdef1234"
    const stream = `invocation/${id}`
    await Effect.runPromise(
      Effect.provide(
        write(
          file,
          all.map((stored) => ({ type: "fact", data: stored, stream, session: "session" }))
        ),
        layerSqlite({ file, source: "here" })
      )
    )
    const call = foldCall(all.map((data, at) => ({ data, at, position: at + 1, known: true, stream })))
    const found = (query: string) => askTimeline(file, (db) => findCalls(db, { text: query }, 0)).length
    askTimeline(file, (db) => {
      const [only] = findCalls(db, {}, 0)
      expect(only).toMatchObject({ invocation: id, subject: text, ...(call && verdictOf(call)) })
      const parts = FastCheck.tuple(FastCheck.nat(text.length - 1), FastCheck.integer({ min: 1, max: 8 }))
      holds(parts, ([from, length]) => {
        const part = text.slice(from, from + length)
        expect(findCalls(db, { text: part }, 0), part).toHaveLength(1)
      })
      const odd = FastCheck.stringOf(one('"', "'", "*", "%", "_", "\\", "(", " AND ", "\0", "z", "日"), {
        maxLength: 12
      })
      holds(odd, (query) => {
        findCalls(db, { text: query }, 0)
      })
    })
    for (const query of ["first", "O'Brien", "\\ fault", "cdef12", "01890000-0000", "NPM"])
      expect(found(query), query).toBe(1)
    for (const query of ["%all", "second", "cdef99", "100_"]) expect(found(query), query).toBe(0)
  })
})
