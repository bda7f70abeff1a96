/** Sums of sessions and hooks are the same in every store, and of what is shipped as of what is on the log. */
import { mkdtempSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { EventLog } from "../../../src/log/EventLog.ts"
import type { PlacedFact } from "../../../src/log/KeyedFold.ts"
import { keyedProjection, statesTable } from "../../../src/log/keyedProjection.ts"
import { catchUpProjection, openProjection } from "../../../src/log/projection.ts"
import { layerSqlite } from "../../../src/log/sqlite/SqliteLog.ts"
import { shapeOf } from "../../../src/tools/shipping/shape.ts"
import { seed } from "../../support/arbitrary.ts"
import { draftOf } from "../../support/log/drafts.ts"
import { openPlainly } from "../../support/log/plainSqlite.ts"
import { folds, type Happened, happenings, keepsWhatFoldsMake, statesBy } from "../../support/sums.ts"

const at = (position: number): number => 1_763_000_000_000 + position

const placed = ({ data, session }: Happened, position: number): PlacedFact => ({
  type: data.type,
  data,
  place: { position, stream: "invocation/one", at: at(position), agent: "raw", project: "/p", session }
})

const projections = folds.map((fold) => keyedProjection<unknown>(fold))

const inSqlite = async (facts: readonly Happened[]) => {
  const file = join(mkdtempSync(join(homedir(), "sums-")), "log.sqlite")
  await Effect.gen(function* () {
    const log = yield* EventLog
    for (const [nth, { data, look, session }] of facts.entries()) {
      for (const projection of look && nth > 0 ? projections : []) {
        const steps = openProjection(file, projection, { most: 3 })
        steps.step()
        steps.close()
      }
      const draft = draftOf("invocation/one", {
        type: data.type,
        data,
        session,
        agent: "raw",
        project: "/p",
        at: at(nth + 1)
      })
      yield* log.append("invocation/one", "any", [draft])
    }
  }).pipe(Effect.provide(layerSqlite({ file, source: "here" })), Effect.runPromise)
  for (const projection of projections) catchUpProjection(file, projection)
  const db = openPlainly(file)
  const statesOf = (table: string): ReadonlyMap<string, unknown> => {
    const [all] = db.prepare(`SELECT json_group_object(key, json(state)) AS states FROM ${table}`).all()
    const { states } = all as { readonly states: string }
    return new Map(Object.entries(JSON.parse(states)))
  }
  const states = Object.fromEntries(folds.map((fold) => [fold.name, statesOf(statesTable(fold))]))
  db.close()
  return { taken: facts.map((fact, nth) => placed(fact, nth + 1)), states }
}

describe("sums", () => {
  it("are in SQLite what their folds make of the facts, in whichever steps those came", () =>
    keepsWhatFoldsMake({ after: inSqlite }, 40))

  it("are of what is shipped what they are of what is on the log", () => {
    FastCheck.assert(
      FastCheck.property(happenings, (facts) => {
        const whole = facts.map((fact, nth) => placed(fact, nth + 1))
        const shipped = whole.map((fact) => ({ ...fact, data: shapeOf(fact.type, fact.data) }))
        for (const fold of folds)
          expect(statesBy<unknown>(fold, shipped)).toEqual(statesBy<unknown>(fold, whole))
      }),
      { numRuns: 200, seed }
    )
  })
})

it("a fold looks at no data but of those facts of which it says so", () => {
  FastCheck.assert(
    FastCheck.property(happenings, (facts) => {
      const taken = facts.map((fact, nth) => placed(fact, nth + 1))
      for (const fold of folds.filter(({ reads }) => reads !== undefined)) {
        const read = taken.map((fact) => (fold.reads?.includes(fact.type) ? fact : { ...fact, data: null }))
        expect([...statesBy(fold, read)], fold.name).toEqual([...statesBy(fold, taken)])
      }
    }),
    { numRuns: 50, seed }
  )
})
