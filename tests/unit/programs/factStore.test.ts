/** Where a host keeps facts: kept at once, on the log soon, each once and in order, whatever the log does meanwhile. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { EventLog, EventLogError, type EventLogShape } from "../../../src/log/EventLog.ts"
import { layerMemory } from "../../../src/log/MemoryLog.ts"
import { ingest } from "../../../src/log/spool/ingest.ts"
import { pendingFacts } from "../../../src/log/spool/pendingFacts.ts"
import { makeFactStore } from "../../../src/programs/host/factStore.ts"
import { makeSources } from "../../../src/programs/host/sources.ts"
import { makeWriter } from "../../../src/programs/host/writer.ts"
import type { RedactedDraft } from "../../../src/redact/redact.ts"
import { progressOf } from "../../../src/runtime/host/progress.ts"
import { digestKey } from "../../../src/state/state.ts"
import { draftOf } from "../../support/log/drafts.ts"

// Files share a process: what those before this one loaded would know nothing of what stands in here, and those after it must not.
vi.hoisted(() => vi.resetModules())
afterAll(() => vi.resetModules())

/** A directory in which nothing is made or renamed. */
const disk = vi.hoisted(() => ({ isFixed: false, refused: 0 }))

vi.mock("node:fs", async (original) => {
  const real = await original<typeof import("node:fs")>()
  const refuse = (): void => {
    if (!disk.isFixed) return
    disk.refused++
    throw Object.assign(new Error("EROFS: read-only file system"), { code: "EROFS" })
  }
  return {
    ...real,
    renameSync: (from: string, to: string) => {
      refuse()
      real.renameSync(from, to)
    },
    openSync: (path: string, flags: number, mode?: number) => {
      if ((flags & real.constants.O_CREAT) !== 0) refuse()
      return real.openSync(path, flags, mode)
    }
  }
})

let state: string
let spool: string
let scope: Scope.CloseableScope
beforeEach(() => {
  scope = Effect.runSync(Scope.make())
  state = mkdtempSync(join(tmpdir(), "record-"))
  spool = join(state, "spool")
  Object.assign(disk, { isFixed: false, refused: 0 })
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
})
afterEach(async () => {
  vi.useRealTimers()
  await Effect.runPromise(Scope.close(scope, Exit.void))
  rmSync(state, { recursive: true, force: true })
})

const busy = () => Effect.fail(new EventLogError({ op: "append", reason: "io", detail: "busy" }))

const made = async () => {
  const log = await Effect.runPromise(Effect.provide(EventLog, layerMemory()))
  const way = { isBusy: false, isLogThere: true, appends: 0, held: undefined as Promise<void> | undefined }
  const appendMany: EventLogShape["appendMany"] = (batches) =>
    Effect.suspend(() => {
      way.appends++
      if (way.isBusy) return busy()
      const append = log.appendMany(batches)
      const { held } = way
      const after = Effect.suspend(() => (way.isBusy ? busy() : append))
      return held
        ? Effect.zipRight(
            Effect.promise(() => held),
            after
          )
        : append
    })
  const writer = await Effect.runPromise(Scope.extend(makeWriter({ appendMany }), scope))
  const isLogThere = () => way.isLogThere
  const record = makeFactStore({ state, writer, sources: makeSources(), key: digestKey(state), isLogThere })
  const facts = () =>
    Effect.runPromise(Effect.map(Stream.runCollect(log.read()), (all) => Chunk.toReadonlyArray(all)))
  return {
    log,
    way,
    record,
    facts,
    ids: async () => (await facts()).map(({ id }) => id as string),
    takeIn: (own?: string) =>
      Effect.runPromise(Effect.provideService(ingest(state, "here", own), EventLog, log))
  }
}

const draft = (stream = "invocation/a") => draftOf(stream)
const several = (count: number, stream?: string) => Array.from({ length: count }, () => draft(stream))
const idsOf = (drafts: readonly RedactedDraft[]) => drafts.map(({ id }) => id as string)
/** As whoever reads the spool gets them. */
const read = (...drafts: readonly RedactedDraft[]) => drafts.map(({ text: _, ...draft }) => draft)
const names = () => (existsSync(spool) ? readdirSync(spool) : [])
const quiet = () => vi.advanceTimersByTimeAsync(10)
const turns = async (until: () => boolean) => {
  while (!until()) await new Promise((resolve) => setImmediate(resolve))
}

type Made = Awaited<ReturnType<typeof made>>

/** The log is being written, with this alone, until the answer is called. */
const heldWith = async ({ record, way }: Made, one: RedactedDraft): Promise<() => void> => {
  let go: () => void = () => undefined
  way.held = new Promise((resolve) => {
    go = resolve
  })
  await record.commit([one])
  await quiet()
  await turns(() => way.appends === 1)
  return () => go()
}

describe("facts that a host keeps", () => {
  it("makes nothing anew of a state that was removed", async () => {
    const { record, way } = await made()
    rmSync(state, { recursive: true })
    way.isLogThere = false
    await expect(record.commit([draft()])).rejects.toThrow(`${state} is gone`)
    await record.close()
    expect(existsSync(state)).toBe(false)
  })

  it("are counted where they were not kept, and where not even that is possible as soon as it is", async () => {
    const { record, takeIn, facts } = await made()
    mkdirSync(join(state, "run"))
    const full = (code: string) => Object.assign(new Error(code), { code })
    record.missed(full("EROFS"))
    record.missed(full("ENOSPC"))
    // Makes the file to count in.
    await takeIn()
    expect(await facts()).toEqual([])
    await record.commit([draft()])
    await takeIn()
    await takeIn()
    const gaps = (await facts()).filter(({ type }) => type === "CALLS_UNRECORDED")
    expect(gaps.map(({ data, known }) => ({ known, data }))).toMatchObject([
      { known: true, data: { calls: 2, reason: "ENOSPC" } }
    ])
    await record.close()
  })

  it("are in the spool at once, where readers find them, and on the log when nothing more came for a moment", async () => {
    const { record, way, ids } = await made()
    const one = draft()
    await record.commit([one])
    expect(way.appends).toBe(0)
    expect(pendingFacts(state, {}).facts).toEqual(read(one))
    const two = draft()
    await vi.advanceTimersByTimeAsync(9)
    await record.commit([two])
    await vi.advanceTimersByTimeAsync(9)
    expect(way.appends).toBe(0)
    await vi.advanceTimersByTimeAsync(1)
    await turns(() => way.appends > 0)
    expect(await ids()).toEqual(idsOf([one, two]))
    expect(pendingFacts(state, {}).facts).toEqual([])
    await record.close()
    expect(names()).toEqual([])
  })

  it.each(["before they are written there", "while they are written there"])(
    "are left for the next host where the log is taken away %s",
    async (when) => {
      const { record, way } = await made()
      const one = draft()
      const two = draft()
      let written = (): void => undefined
      way.held = new Promise((resolve) => {
        written = resolve
      })
      await record.commit([one])
      if (when.startsWith("before")) way.isLogThere = false
      await quiet()
      way.isLogThere = false
      written()
      // Nothing else is under way than what was begun.
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
      await record.commit([two])
      await quiet()
      await record.close()
      expect(names()).toEqual([expect.stringMatching(/\.ndjson$/)])
      expect(pendingFacts(state, {}).facts).toEqual(read(one, two))
    }
  )

  it("wait no longer for the log when there are many", async () => {
    const { record, way, ids } = await made()
    const drafts = several(100)
    for (const one of drafts) await record.commit([one])
    await turns(() => way.appends > 0)
    expect(await ids()).toEqual(idsOf(drafts))
    await record.close()
  })

  it("have the digest of their payload on the log", async () => {
    const { record, facts } = await made()
    const data = { type: "PAYLOAD_BUFFERED", payload: "{}" }
    await record.commit([draftOf("invocation/a", { type: "PAYLOAD_BUFFERED", data })])
    await record.close()
    expect((await facts())[0]?.data).toMatchObject({ digest: expect.stringMatching(/^[0-9a-f]{64}$/) })
  })

  it("are there once and in order, however often others take them in meanwhile", async () => {
    const { record, ids, takeIn } = await made()
    const drafts = several(6)
    for (const [nth, one] of drafts.entries()) {
      await record.commit([one])
      if (nth % 2 === 0) expect(await takeIn()).toMatchObject({ rejected: [] })
      if (nth === 3) await quiet()
    }
    await record.close()
    expect(await takeIn()).toEqual({ files: 0, facts: 0, rejected: [] })
    expect(await ids()).toEqual(idsOf(drafts))
  })

  it("that come while the log is written stay in the spool until they are written as well", async () => {
    const all = await made()
    const { record, ids } = all
    const [one, two] = [draft(), draft()] as const
    const go = await heldWith(all, one)
    await record.commit([two])
    go()
    while ((await ids()).length === 0) await new Promise((resolve) => setImmediate(resolve))
    // What the host does when it hears of it.
    await new Promise((resolve) => setImmediate(resolve))
    expect(pendingFacts(state, {}).facts).toContainEqual(read(two)[0])
    await record.close()
    expect(await ids()).toEqual(idsOf([one, two]))
  })

  it("are left to whoever takes in the spool when the log takes nothing, and so is all that follows until then", async () => {
    const { record, way, ids, takeIn } = await made()
    way.isBusy = true
    const drafts = several(3)
    await record.commit([drafts[0] as RedactedDraft])
    await quiet()
    await turns(() => names().some((name) => name.endsWith(".ndjson")))
    way.isBusy = false
    const { appends } = way
    for (const one of drafts.slice(1)) {
      await record.commit([one])
      await quiet()
    }
    await turns(() => names().length === 3 && names().every((name) => name.endsWith(".ndjson")))
    expect(way.appends, "nothing overtakes what waits").toBe(appends)
    expect(await takeIn()).toMatchObject({ files: 3, facts: 3, rejected: [] })
    const last = draft()
    await record.commit([last])
    await record.close()
    expect(await ids()).toEqual(idsOf([...drafts, last]))
    expect(names()).toEqual([])
  })

  it("of a write that fails while more comes are handed over together", async () => {
    const all = await made()
    const { record, way, ids, takeIn } = all
    const [one, two] = [draft(), draft()] as const
    const go = await heldWith(all, one)
    way.isBusy = true
    await record.commit([two])
    go()
    await turns(() => names().every((name) => name.endsWith(".ndjson")))
    expect(await takeIn()).toMatchObject({ files: 1, facts: 2 })
    expect(await ids()).toEqual(idsOf([one, two]))
    await record.close()
  })

  it("go to the log themselves where no file can be kept", async () => {
    const { record, ids } = await made()
    mkdirSync(join(state, "elsewhere"))
    symlinkSync(join(state, "elsewhere"), spool)
    const drafts = several(2)
    for (const one of drafts) await record.commit([one])
    expect(await ids()).toEqual(idsOf(drafts))
    await record.close()
  })

  it("that nothing keeps are told once, and again after some of a call were kept", async () => {
    const { record, way } = await made()
    mkdirSync(join(state, "elsewhere"))
    symlinkSync(join(state, "elsewhere"), spool)
    way.isBusy = true
    await expect(record.commit([draft()])).rejects.toThrow("symbolic link")
    expect(record.complaint(new Error("no room"))).toContain("hook calls are not recorded: no room.")
    expect(record.complaint(new Error("no room"))).toBe("")
    way.isBusy = false
    await record.commit([draft("handlers/a")])
    expect(record.complaint(new Error("no room")), "a process's word found room").toBe("")
    await record.commit([draft()])
    expect(record.complaint(new Error("no room"))).not.toBe("")
    await record.close()
  })

  it("are not lost with a spool that is taken away while the log takes nothing", async () => {
    const { record, way, ids, takeIn } = await made()
    const drafts = several(2)
    way.isBusy = true
    for (const one of drafts) await record.commit([one])
    rmSync(spool, { recursive: true })
    await quiet()
    await turns(() => names().length > 0)
    await takeIn()
    expect(await ids()).toEqual(idsOf(drafts))
    await record.close()
  })

  it("stay where they are when they can be neither handed over nor written, and are tried again", async () => {
    const { record, way, ids } = await made()
    way.isBusy = true
    const one = draft()
    await record.commit([one])
    disk.isFixed = true
    await quiet()
    await turns(() => disk.refused > 1)
    expect(pendingFacts(state, {}).facts).toEqual(read(one))
    disk.isFixed = false
    way.isBusy = false
    await vi.advanceTimersByTimeAsync(1000)
    await turns(() => way.appends === 2)
    expect(await ids()).toEqual(idsOf([one]))
    await record.close()
  })

  it("come in order for each invocation when a file of many holds too much", async () => {
    const { record, ids, takeIn } = await made()
    const large = (stream: string) =>
      draftOf(stream, { data: { type: "EXITED", text: "x".repeat(1_500_000) } })
    const drafts = Array.from({ length: 12 }, (_, n) => large(`invocation/${n % 2}`))
    for (const one of drafts) await record.commit([one])
    await record.close()
    await takeIn()
    const came = await ids()
    for (const stream of ["invocation/0", "invocation/1"]) {
      const own = idsOf(drafts.filter((one) => one.stream === stream))
      expect(came.filter((id) => own.includes(id))).toEqual(own)
    }
  })

  it("leave no file lying about when nothing comes for long", async () => {
    const { record, way, ids } = await made()
    const one = draft()
    await record.commit([one])
    await quiet()
    await turns(() => way.appends === 1)
    expect(names()).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(names()).toEqual([])
    const two = draft()
    await record.commit([two])
    await record.close()
    expect(await ids()).toEqual(idsOf([one, two]))
  })

  it("that only others take in are left alone by the host's own look into the spool", async () => {
    const { record, takeIn } = await made()
    await record.commit([draft()])
    expect(await takeIn(record.journal())).toEqual({ files: 0, facts: 0, rejected: [] })
    expect(await takeIn()).toMatchObject({ files: 1, facts: 1 })
    await record.close()
  })

  it("tell how far an invocation has come before they are on the log", async () => {
    const { record, log } = await made()
    const progress = (id: string) => Effect.runPromise(progressOf(log, state, id))
    expect(await progress("a")).toBe("unknown")
    await record.commit([draftOf("invocation/a", { type: "INVOCATION_OPENED" })])
    expect(await progress("a")).toBe("begun")
    await record.commit([draftOf("invocation/a", { type: "EXITED" })])
    expect(await progress("a")).toBe("ended")
    expect(await progress("b")).toBe("unknown")
    await record.close()
    expect(await progress("a")).toBe("ended")
  })
})
