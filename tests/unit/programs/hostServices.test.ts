/** The parts of a host: opened each for itself, brought on in moments in which nobody waits. */
import { mkdtempSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { openSearchIndex } from "../../../src/features/search/catchUp.ts"
import { find } from "../../../src/features/search/find.ts"
import { EventLog } from "../../../src/log/EventLog.ts"
import { layerSqlite } from "../../../src/log/sqlite/SqliteLog.ts"
import { offParts } from "../../../src/programs/cli/doctor/host.ts"
import { type HostService, openHostServices } from "../../../src/programs/host/hostServices.ts"
import { projectionService } from "../../../src/programs/host/projectionService.ts"
import { draftOf } from "../../support/log/drafts.ts"
import { openPlainly } from "../../support/log/plainSqlite.ts"

const file = () => join(mkdtempSync(join(homedir(), "keep-")), "log.sqlite")

const write = (log: string, many: number, text: string) =>
  Effect.runPromise(
    Effect.gen(function* () {
      const { append } = yield* EventLog
      for (let at = 0; at < many; at++) {
        const data = { type: "NOTE_RECORDED", note: `${text}-${at}`, text }
        yield* append(`note/${text}-${at}`, "any", [draftOf(`note/${text}-${at}`, { type: data.type, data })])
      }
    }).pipe(Effect.provide(layerSqlite({ file: log, source: "here" })))
  )

const found = (log: string, query: string): number => {
  const db = openPlainly(log, { readonly: true })
  try {
    return find(db, { query, limit: 200 }).length
  } finally {
    db.close()
  }
}

const search = (log: string): HostService =>
  projectionService({
    name: "search",
    open: (most) => openSearchIndex(log, { most }),
    everyMs: 0,
    budgetMs: 0
  })

const always = (notes: string[] = []) => ({ isIdle: () => true, note: (one: string) => notes.push(one) })

describe("a projection", () => {
  it("gets its moment now and then where calls never pause", async () => {
    const log = file()
    await write(log, 120, "first")
    const parts = openHostServices([search(log)], { ...always(), isIdle: () => false, busyEveryMs: 0 })
    for (let at = 0; at < 3; at++) parts.tick()
    expect(found(log, "first")).toBe(120)
    parts.end()
  })

  it("takes up what is new step by step, only while nobody waits", async () => {
    const log = file()
    await write(log, 120, "first")
    let idle = false
    const notes: string[] = []
    const parts = openHostServices([search(log)], {
      ...always(notes),
      isIdle: () => idle,
      busyEveryMs: Number.POSITIVE_INFINITY
    })
    expect(found(log, "first"), "its tables are there before anybody asks").toBe(50)
    parts.tick()
    expect(found(log, "first")).toBe(50)
    idle = true
    for (let at = 0; at < 3; at++) parts.tick()
    expect(found(log, "first")).toBe(120)
    await write(log, 3, "second")
    parts.tick()
    expect(found(log, "second")).toBe(3)
    parts.end()
    parts.tick()
    expect(notes).toEqual([])
    expect(parts.states()).toEqual({ search: "ready" })
  })

  it("whose tables cannot be made is off, until they can", async () => {
    const log = file()
    await write(log, 1, "kept")
    const db = openPlainly(log)
    db.exec("CREATE VIEW search_documents AS SELECT 1")
    const notes: string[] = []
    const parts = openHostServices([search(log)], { ...always(notes), againMs: 0 })
    expect(parts.states()["search"]).toMatch(/view/)
    parts.tick()
    expect(notes).toHaveLength(1)
    db.exec("DROP VIEW search_documents")
    db.close()
    parts.tick()
    expect(parts.states()).toEqual({ search: "ready" })
    expect(notes).toEqual([expect.stringMatching(/^search is off: .*view/), "search is ready"])
    expect(found(log, "kept")).toBe(1)
    parts.end()
  })
})

describe("parts", () => {
  const fails = (name: string): HostService => ({
    name,
    open: () => {
      throw new Error("no room")
    }
  })

  it("are opened in order, and one that fails takes none of the others with it", () => {
    const opened: string[] = []
    const closed: string[] = []
    const notes: string[] = []
    const good = (name: string): HostService => ({
      name,
      open: () => void opened.push(name),
      close: () => void closed.push(name)
    })
    const parts = openHostServices([good("a"), fails("b"), good("c")], always(notes))
    expect(opened).toEqual(["a", "c"])
    expect(parts.states()).toEqual({ a: "ready", b: "no room", c: "ready" })
    for (let at = 0; at < 5; at++) parts.tick()
    expect(notes, "told once").toEqual(["b is off: no room"])
    parts.end()
    expect(closed).toEqual(["a", "c"])
  })

  it("have their moments in turn, whoever has much to do", () => {
    const had: string[] = []
    const busy = (name: string): HostService => ({
      name,
      open: () => undefined,
      tick: () => had.push(name) > 0
    })
    const idle: HostService = { name: "idle", open: () => undefined, tick: () => false }
    const parts = openHostServices([busy("a"), idle, busy("b")], always())
    for (let at = 0; at < 4; at++) parts.tick()
    expect(had).toEqual(["a", "b", "a", "b"])
  })

  it("that fail while they work are off and come back", () => {
    let broken = true
    let opened = 0
    const part: HostService = {
      name: "a",
      open: () => void opened++,
      tick: () => {
        if (broken) throw new Error("locked")
        return true
      }
    }
    const notes: string[] = []
    const parts = openHostServices([part], { ...always(notes), againMs: 0 })
    parts.tick()
    expect(parts.states()).toEqual({ a: "locked" })
    broken = false
    parts.tick()
    expect(parts.states()).toEqual({ a: "ready" })
    expect(notes).toEqual(["a is off: locked", "a is ready"])
    expect(opened).toBe(2)
  })

  it("are named by doctor where they are off", () => {
    expect(offParts({ log: "ready", search: "no room" })).toEqual([
      { name: "search", status: "warn", message: "is off in the host: no room", fix: expect.any(String) }
    ])
  })
})
