/** Chains of a log on which some payloads are there and of others only what was found in them. */
import { mkdtempSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import Sqlite from "better-sqlite3"
import * as Effects from "effect/Effect"
import { beforeAll, expect, it } from "vitest"
import type { Fact } from "../../../events/facts.ts"
import type { FoundSign } from "../../../events/findings.ts"
import type { Effect } from "../../../machines/chain.ts"
import { foundSigns } from "../../../src/features/chains/foundSigns.ts"
import { memoryStore } from "../../../src/features/chains/memoryStore.ts"
import { chainsProjection } from "../../../src/features/chains/tables.ts"
import { findIn } from "../../../src/features/findings/findIn.ts"
import type { Buffered } from "../../../src/features/metrics/momentsOf.ts"
import { EventLog } from "../../../src/log/EventLog.ts"
import { layerSqlite } from "../../../src/log/sqlite/SqliteLog.ts"
import { edited, factOf, type Happening, prompted, ran } from "../../support/toolCalls.ts"

const file = join(mkdtempSync(join(homedir(), "found-")), "log.sqlite")
beforeAll(() =>
  EventLog.pipe(Effects.provide(layerSqlite({ file, source: "here" })), Effects.asVoid, Effects.runPromise)
)

const failing = "src/a.ts(3,5): error TS2304: Cannot find name 'b'."

/** `isWhole`: whether the payload came, and not only what was found in it. */
const chainsOf = (calls: readonly Happening[], isWhole: (payload: string) => boolean) => {
  const db = new Sqlite(file)
  for (const statement of chainsProjection.anew) db.exec(statement)
  const fold = chainsProjection.makeFold(db)
  const { store } = memoryStore()
  for (const [nth, told] of calls.flat().entries()) {
    const data = factOf(told, "s") as Buffered
    const place = {
      position: nth + 1,
      stream: `invocation/i${nth}`,
      at: 1_763_000_000_000 + nth * 7000,
      agent: "claude-code",
      project: "/p",
      session: "s"
    }
    const findings = findIn(store, data, place, (text) => text)
    const shipped = isWhole(data.payload)
      ? { ...data, findings }
      : { ...data, payload: "", missing: "not shipped", findings }
    fold(shipped as Fact, place)
  }
  fold.finish?.()
  const rows = db.prepare<[], string>("SELECT chain FROM chains ORDER BY row").pluck().all()
  db.close()
  return rows.map((row) => {
    const { ending, id, sightings, state } = JSON.parse(row)
    return { id, state, sightings: sightings.length, grade: ending?.grade, shown: ending?.shown }
  })
}

const check = (exitCode: number) => ran("npx tsc --noEmit", exitCode, exitCode === 0 ? "" : failing)
const withoutTheFailure = (payload: string): boolean => !payload.includes("TS2304")
const all = (): boolean => true

it.each([
  ["stays open after another call of its tool", [prompted, check(2), ran("echo hi", 0, "hi"), prompted]],
  ["is seen again", [prompted, check(2), edited("/p/src/a.ts", "x"), check(2), ran("echo hi", 0, "hi")]],
  ["ends with the call that shows it", [prompted, check(2), edited("/p/src/a.ts", "x"), check(0)]]
])("a problem of which only findings came %s, as where its payload is", (_, calls) => {
  const here = chainsOf(calls, all)
  expect(here).toHaveLength(1)
  expect(chainsOf(calls, withoutTheFailure)).toEqual(here)
})

it("a problem of which first only findings came goes on in whole payloads", () => {
  const calls = [prompted, check(2), edited("/p/src/a.ts", "x"), check(2), ran("echo hi", 0, "hi"), check(0)]
  let failures = 0
  const afterTheFirst = (payload: string): boolean => withoutTheFailure(payload) || ++failures > 1
  expect(chainsOf(calls, afterTheFirst)).toEqual(chainsOf(calls, all))
})

it("of a long stretch of work as much is sent as a chain keeps", () => {
  const effects = Array.from(
    { length: 3000 },
    (_, at): Effect => ({ toolUseId: `toolu_${at}`, kind: "edit", what: "/p/a.ts", at })
  )
  const ending = {
    at: 1,
    by: "",
    toolUseId: "u",
    shown: "proved",
    grade: "A",
    fix: [],
    flaky: false
  } as const
  const chain = { id: "c" } as Parameters<typeof foundSigns>[0][number]["chain"]
  const found = foundSigns([{ chain, sign: { type: "PROBLEM_GONE", ending, effects } }])
  expect(found.effects?.map(({ at }) => at)).toEqual(Array.from({ length: 30 }, (_, nth) => 2970 + nth))
  expect(found.signs?.map(({ effects: places }: FoundSign) => places?.length)).toEqual([30])
})
