/** The synchronous reader answers as the log does, sees the spool, stays within its bounds and never throws. */
import { closeSync, mkdtempSync, openSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Stream from "effect/Stream"
import type { InvocationId } from "../../../events/ids.ts"
import { EventLog, type Filter } from "../../../src/log/EventLog.ts"
import type { FactQuery } from "../../../src/log/FactQuery.ts"
import { openReader } from "../../../src/log/reader.ts"
import { writerLine } from "../../../src/log/spool/spoolFiles.ts"
import { openSpool, spoolDirectory } from "../../../src/log/spool/spoolWriter.ts"
import { layerSqlite } from "../../../src/log/sqlite/SqliteLog.ts"
import { openState, privateDirectory } from "../../../src/state/state.ts"
import { draftOf, nextId } from "../../support/log/drafts.ts"
import { openPlainly } from "../../support/log/plainSqlite.ts"

const from = fileURLToPath(new URL("../../../package.json", import.meta.url))
let root: string
let count = 0
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "reader-"))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const fresh = () => openState(join(root, `state-${count++}`))
const within = (state: string) => layerSqlite({ file: join(state, "log.sqlite"), source: "here" })
const append = (state: string, ...drafts: ReturnType<typeof draftOf>[]) =>
  Effect.provide(
    Effect.flatMap(EventLog, (log) =>
      Effect.forEach(drafts, (draft) => log.append(draft.stream, "any", [draft]), { discard: true })
    ),
    within(state)
  )
const spool = (state: string, ...drafts: ReturnType<typeof draftOf>[]) => {
  const file = openSpool(state, nextId() as InvocationId)
  for (const draft of drafts) file.append(draft)
  return file
}
const reading = (state: string) => openReader(state, { from })
const ids = (facts: readonly { readonly id: string }[]) => facts.map(({ id }) => id)

describe("reader", () => {
  it.live(
    "finds streams by how their names begin, on the log and in the spool, however far back they are",
    () =>
      Effect.gen(function* () {
        const state = fresh()
        const note = (name: string) => draftOf(`note/${name}`, { type: "EXITED" })
        const old = note("ab-1")
        const others = Array.from({ length: 40 }, (_, nth) => note(`b${nth}`))
        const waiting = note("ab-2")
        yield* append(state, old, ...others)
        spool(state, waiting, note("a-3")).close()
        const reader = reading(state)
        const { facts, problem } = reader.facts({ streamPrefix: "note/ab-", window: 5 })
        expect(ids(facts)).toEqual([old.id, waiting.id])
        expect(problem).toBeUndefined()
        expect(ids(reader.facts({ streamPrefix: "note/ab-", newestFirst: true }).facts)).toEqual([
          waiting.id,
          old.id
        ])
        reader.close()
      })
  )

  it.live("says apart that there is no log, and that there is one which cannot be read", () =>
    Effect.gen(function* () {
      const state = fresh()
      const none = reading(state)
      expect(none.facts()).toEqual({ facts: [], problem: "there is no log yet" })
      yield* append(state, draftOf("note/a", { type: "EXITED" }))
      const db = openPlainly(join(state, "log.sqlite"))
      db.exec("UPDATE recorded SET data = '{broken'")
      db.close()
      expect(none.facts()).toMatchObject({
        facts: [],
        problem: expect.stringContaining("the log is damaged")
      })
      const again = openPlainly(join(state, "log.sqlite"))
      again.exec("PRAGMA foreign_keys = OFF; DROP TABLE marks")
      again.close()
      expect(none.facts()).toMatchObject({ facts: [], unreadable: true })
      none.close()
    })
  )

  it.live("answers whatever it is asked as the log itself does", () =>
    Effect.gen(function* () {
      const state = fresh()
      const drafts = Array.from({ length: 120 }, (_, n) =>
        draftOf(`invocation/${n % 7}`, {
          type: ["EXITED", "HANDLER_STARTED", "NOT_KNOWN"][n % 3] as string,
          session: [null, "a", "b"][n % 4] ?? null,
          project: ["/p", "/q"][n % 2] as string,
          at: 1_760_000_000_000 + n,
          // Longer than what lies in a row.
          data: {
            type: ["EXITED", "HANDLER_STARTED", "NOT_KNOWN"][n % 3] as string,
            text: "é".repeat(n % 40 === 0 ? 70_000 : 3)
          }
        })
      )
      yield* append(state, ...drafts)
      const reader = reading(state)
      const one = <A>(...values: A[]) =>
        FastCheck.option(FastCheck.constantFrom(...values), { nil: undefined })
      const query = FastCheck.record({
        types: one(["EXITED"], ["NOT_KNOWN", "HANDLER_STARTED"], []),
        stream: one("invocation/3", "invocation/none"),
        session: one("a", "b", "c"),
        project: one("/p", "/q"),
        since: one(1_760_000_000_060),
        limit: one(1, 5, 1000),
        newestFirst: one(true, false)
      })
      yield* Effect.gen(function* () {
        const log = yield* EventLog
        for (const asked of FastCheck.sample(query, 200)) {
          const given = Object.fromEntries(
            Object.entries(asked).filter(([, value]) => value !== undefined)
          ) as FactQuery
          const { newestFirst, limit = 100, ...filter } = given
          const said = yield* Stream.runCollect(
            log.read({ ...filter, limit, reverse: newestFirst ?? false } as Filter)
          )
          const found = reader.facts(given)
          expect(found.facts).toEqual(
            [...said].map(({ known: _k, version: _v, source: _s, recordedAt: _r, ...fact }) => fact)
          )
        }
      }).pipe(Effect.provide(within(state)))
      reader.close()
    })
  )

  it.live(
    "takes nothing for new that is on the log already, however far back, because a file still holds it",
    () =>
      Effect.gen(function* () {
        const state = fresh()
        const all = Array.from({ length: 6 }, () => draftOf("s"))
        const [old, , , , newest] = all
        if (!old || !newest) throw new Error("drafts")
        yield* append(state, ...all.slice(0, 5))
        // The file of a host, which holds more until it is cut.
        writeFileSync(
          join(privateDirectory(spoolDirectory(state)), `${nextId()}.ndjson.open`),
          writerLine(process.pid) + all.map((draft) => `${JSON.stringify(draft)}\n`).join("")
        )
        const reader = reading(state)
        const waiting = all.slice(5)
        expect(ids(reader.facts({ newestFirst: true, limit: 2 }).facts)).toEqual(ids([...waiting, newest]))
        expect(ids(reader.facts({ after: 5 }).facts)).toEqual(ids(waiting))
        expect(ids(reader.facts({ limit: 1 }).facts)).toEqual(ids([old]))
        reader.close()
      })
  )

  it.live("sees what is spooled, closed or not, once, after all that is on the log", () =>
    Effect.gen(function* () {
      const state = fresh()
      const [first, second, third, other] = [1, 2, 3, 4].map((n) =>
        draftOf("s", { session: n === 4 ? "T" : "S" })
      )
      if (!first || !second || !third || !other) throw new Error("four drafts")
      yield* append(state, first, second)
      // Taken in, and not deleted yet.
      spool(state, second).close()
      const open = spool(state, other, third)
      const reader = reading(state)
      const found = reader.facts({ session: "S" })
      expect(ids(found.facts)).toEqual(ids([first, second, third]))
      expect(found.facts.map(({ position }) => position)).toEqual([1, 2, undefined])
      expect(ids(reader.facts({ session: "S", newestFirst: true, limit: 2 }).facts)).toEqual(
        ids([third, second])
      )
      expect(found.problem).toBeUndefined()
      open.close()
      expect(ids(reader.facts({ session: "S" }).facts)).toEqual(ids([first, second, third]))
      reader.close()
    })
  )

  it.live("says where it stopped: at the limit, at the end of its window", () =>
    Effect.gen(function* () {
      const state = fresh()
      const drafts = Array.from({ length: 30 }, () => draftOf("s", { project: "/p" }))
      yield* append(state, ...drafts)
      const reader = reading(state)
      expect(reader.facts({ limit: 29 })).toMatchObject({ problem: expect.stringMatching(/more of them/) })
      expect(reader.facts({ limit: 30 }).problem).toBeUndefined()
      const late = reader.facts({ project: "/p", window: 10 })
      expect(ids(late.facts)).toEqual(ids(drafts.slice(20)))
      expect(late.problem).toMatch(/only the newest/)
      expect(reader.facts({ stream: "s", window: 10 }).facts).toHaveLength(30)
      reader.close()
    })
  )

  it.live("finds facts that came after its first question", () =>
    Effect.gen(function* () {
      const state = fresh()
      const reader = reading(state)
      expect(reader.facts()).toEqual({ facts: [], problem: "there is no log yet" })
      yield* append(state, draftOf("s"))
      expect(reader.facts().facts).toHaveLength(1)
      yield* append(state, draftOf("s"))
      expect(reader.facts()).toMatchObject({ facts: [{}, {}] })
      reader.close()
    })
  )

  it("answers with the reason in place of facts, whatever lies there", () => {
    const problem = (make: (file: string, state: string) => void) => {
      const state = fresh()
      make(join(state, "log.sqlite"), state)
      // What waits in the spool is seen all the same.
      spool(state, draftOf("s")).close()
      const reader = reading(state)
      const found = reader.facts()
      reader.close()
      expect(found.facts).toHaveLength(1)
      return found.problem
    }
    expect(problem(() => undefined)).toMatch(/no log yet/)
    expect(problem((file) => closeSync(openSync(file, "w")))).toMatch(/no log yet/)
    expect(problem((file) => writeFileSync(file, "no database at all ".repeat(100)))).toMatch(
      /cannot be read/
    )
    expect(problem((file) => symlinkSync("/etc/passwd", file))).toMatch(/not a plain file/)
    const db = (file: string, statements: string) => {
      const made = openPlainly(file)
      made.exec(statements)
      made.close()
    }
    expect(problem((file) => db(file, "CREATE TABLE t (x); PRAGMA application_id = 7"))).toMatch(
      /another program/
    )
    const ours = `PRAGMA application_id = ${0x686b7470};`
    expect(problem((file) => db(file, `${ours} PRAGMA user_version = 99`))).toMatch(/newer hooktape/)
    expect(problem((file) => db(file, `${ours} PRAGMA user_version = 1`))).toMatch(/older hooktape/)
    expect(problem((file) => db(file, `${ours} PRAGMA user_version = 2`))).toMatch(/older hooktape/)
    expect(problem((file) => db(file, `${ours} PRAGMA user_version = 3`))).toMatch(/cannot be read/)
  })

  it("knows the installed package from what it built, and says when it is gone", () => {
    const state = fresh()
    writeFileSync(join(state, "log.sqlite"), "")
    const lone = openReader(state)
    expect(lone.facts().problem).toMatch(/installed hooktape is not to be found/)
  })
})
