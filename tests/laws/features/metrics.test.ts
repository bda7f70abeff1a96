/** Metrics are a fold over the log: in whichever steps, and in whatever order facts arrive, the figures are the same. */
import { mkdtempSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import { openMetrics } from "../../../src/features/metrics/catchUp.ts"
import { measuresOf } from "../../../src/features/metrics/compute.ts"
import { findSessions } from "../../../src/features/metrics/find.ts"
import type { SessionMoments } from "../../../src/features/metrics/Moment.ts"
import { traceOf } from "../../../src/features/metrics/trace.ts"
import { EventLog } from "../../../src/log/EventLog.ts"
import { layerSqlite } from "../../../src/log/sqlite/SqliteLog.ts"
import { seed } from "../../support/arbitrary.ts"
import { draftOf } from "../../support/log/drafts.ts"
import { openPlainly } from "../../support/log/plainSqlite.ts"
import { at, compact, factsAt, prompt, sessionOf, startOf, stop } from "../../support/metricsSession.ts"
import { denied, edited, type Happening, ran, refused } from "../../support/toolCalls.ts"

const one = FastCheck.constantFrom

const happening: FastCheck.Arbitrary<Happening> = FastCheck.oneof(
  FastCheck.tuple(
    one("npm test", "npx tsc", "ls", "git commit -m x", "npm test -- a"),
    one(0, 1, 127, undefined),
    one(" Tests  1 passed (1)", "a.ts(1,2): error TS2304: Cannot find name 'x'.", "[main 1a2b3c4] x", "")
  ).map(([command, code, output]) => ran(command, code, output)),
  FastCheck.tuple(one("/p/a.ts", "/p/b.ts"), one("let x = 1", "let y = 2\nlet x = 1")).map(([path, text]) =>
    edited(path, text)
  ),
  one(() => refused("/p/a.ts", "String to replace not found in file.")).map((make) => make()),
  one(() => denied("Bash", { command: "git push -f" }, "no")).map((make) => make()),
  one(prompt(), prompt("<task-notification>x</task-notification>"), stop, compact, startOf)
)

const told = (sessions: readonly SessionMoments[]) =>
  measuresOf(
    { traces: sessions.map(traceOf), hooks: { calls: [], runs: [] }, checkpoints: [] },
    { hourOf: (when) => new Date(when).getUTCHours() }
  )

const look = (file: string, most = 500): void => {
  const steps = openMetrics(file, { most })
  while (steps.step());
  steps.close()
}

const rowsOf = (file: string): readonly unknown[] => {
  const db = openPlainly(file)
  try {
    return db.prepare("SELECT * FROM metrics_moments ORDER BY position, nth").all()
  } finally {
    db.close()
  }
}

const figuresOf = (file: string) => {
  const db = openPlainly(file)
  try {
    return told(findSessions({ prepare: (sql) => db.prepare(sql) }, {}))
  } finally {
    db.close()
  }
}

describe("metrics", () => {
  it("are the same in whichever steps the log was looked at, and when they are made anew", async () => {
    await FastCheck.assert(
      FastCheck.asyncProperty(
        FastCheck.array(FastCheck.tuple(happening, FastCheck.boolean()), { minLength: 5, maxLength: 25 }),
        async (steps) => {
          const file = join(mkdtempSync(join(homedir(), "metrics-")), "log.sqlite")
          const facts = factsAt(steps.map(([what], minute) => at(minute, what)))
          const writing = Effect.gen(function* () {
            const log = yield* EventLog
            for (const [nth, { fact, at: when }] of facts.entries()) {
              const stream = `invocation/i${nth}`
              const draft = draftOf(stream, {
                type: fact.type,
                data: fact,
                project: "/p",
                session: "s",
                agent: "claude-code"
              })
              yield* log.append(stream, "any", [{ ...draft, at: when }])
              if (steps[nth % steps.length]?.[1]) look(file, 2)
            }
          })
          await Effect.runPromise(Effect.provide(writing, layerSqlite({ file, source: "here" })))
          look(file)
          const stepwise = rowsOf(file)
          expect(stepwise.length).toBeGreaterThan(4)
          const figures = figuresOf(file)
          const db = openPlainly(file)
          db.prepare("DELETE FROM checkpoints WHERE name LIKE 'projection/metrics%'").run()
          db.close()
          look(file)
          expect(rowsOf(file)).toEqual(stepwise)
          expect(figuresOf(file)).toEqual(figures)
        }
      ),
      { numRuns: 25, seed }
    )
  })

  it("do not depend on the order in which facts arrive: the time of what happened counts", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.array(happening, { minLength: 3, maxLength: 30 }).chain((all) => {
          const session = sessionOf(all.map((what, minute) => at(minute, what)))
          return FastCheck.tuple(
            FastCheck.constant(session),
            FastCheck.shuffledSubarray([...session.moments], { minLength: session.moments.length })
          )
        }),
        ([session, shuffled]) => {
          expect(told([{ ...session, moments: shuffled }])).toEqual(told([session]))
        }
      ),
      { numRuns: 25, seed }
    )
  })

  it("count what two told of once", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.array(happening, { minLength: 3, maxLength: 20 }), (all) => {
        const session = sessionOf(all.map((what, minute) => at(minute, what)))
        const twice = {
          ...session,
          moments: [
            ...session.moments,
            ...session.moments
              .filter(({ moment }) => moment.kind === "call-ended" || moment.kind === "call-started")
              .map((one) => ({ ...one, source: "transcript" as const }))
          ]
        }
        const values = (of: SessionMoments) => told([of]).map(({ id, n, value }) => ({ id, n, value }))
        expect(values(twice)).toEqual(values(session))
      }),
      { numRuns: 25, seed }
    )
  })
})
