/** The host's own file in the spool: whole lines or none, read by all others as what it is, cut when the log has what it holds. */
import * as fs from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { openJournal } from "../../../src/log/spool/journal.ts"
import { pendingFacts } from "../../../src/log/spool/pendingFacts.ts"
import { listSpool, readSpoolFile, writerLine } from "../../../src/log/spool/spoolFiles.ts"
import { makeSources } from "../../../src/programs/host/sources.ts"
import { draftOf } from "../../support/log/drafts.ts"

// Files share a process: what those before this one loaded would know nothing of what stands in here, and those after it must not.
vi.hoisted(() => vi.resetModules())
afterAll(() => vi.resetModules())

const disk = vi.hoisted(() => ({ room: Number.POSITIVE_INFINITY, cuts: true, shortest: 0 }))

vi.mock("node:fs", async (original) => {
  const real = await original<typeof import("node:fs")>()
  const full = () => Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" })
  return {
    ...real,
    writeSync: (fd: number, bytes: Buffer, at = 0, length = bytes.length - at) => {
      const fits = Math.min(length, disk.room, disk.shortest || length)
      if (fits === 0 && length > 0) throw full()
      disk.room -= fits
      return real.writeSync(fd, bytes, at, fits)
    },
    ftruncateSync: (fd: number, size: number) => {
      if (!disk.cuts) throw full()
      real.ftruncateSync(fd, size)
    }
  }
})

let state: string
let spool: string
beforeEach(() => {
  state = fs.mkdtempSync(join(tmpdir(), "journal-"))
  spool = join(state, "spool")
  Object.assign(disk, { room: Number.POSITIVE_INFINITY, cuts: true, shortest: 0 })
})
afterEach(() => fs.rmSync(state, { recursive: true, force: true }))

const opened = () => openJournal(state, makeSources())
const names = () => fs.readdirSync(spool)
const text = () => fs.readFileSync(join(spool, names()[0] ?? ""), "utf8")
const ids = (facts: readonly { readonly id: string }[]) => facts.map(({ id }) => id)
const some = (count: number) => Array.from({ length: count }, (_, n) => draftOf(`invocation/${n}`))
/** As ingest reads it. */
const read = (alive = true) => {
  const [file] = listSpool(state)
  if (!file) throw new Error("no file")
  const { found: _, ...content } = readSpoolFile(file, Date.now(), () => alive)
  return content
}
const found = () => ids(read().drafts.map(({ draft }) => draft))

describe("the journal", () => {
  it("has no file before there is something to keep, and then one that is private", () => {
    const journal = opened()
    expect(journal.name()).toBeUndefined()
    expect(fs.existsSync(spool)).toBe(false)
    expect(journal.append(some(1))).toBe(true)
    expect(names()).toEqual([journal.name()])
    expect(fs.statSync(spool).mode & 0o777).toBe(0o700)
    expect(fs.statSync(join(spool, names()[0] ?? "")).mode & 0o777).toBe(0o600)
  })

  it("gives back what was appended, whole and in order, to ingest as to hooks that read the log", () => {
    const journal = opened()
    const drafts = [...some(3), draftOf("s", { data: { type: "EXITED", text: 'ü "\n\u2028' } })]
    journal.append(drafts.slice(0, 2))
    journal.append(drafts.slice(2))
    expect(read().drafts.map(({ draft }) => draft)).toEqual(drafts)
    expect(pendingFacts(state, {}).facts).toEqual(drafts.map(({ text: _, ...draft }) => draft))
  })

  it("says who writes it, so that it lasts as long as that process, and not a line longer", () => {
    const journal = opened()
    journal.append(some(1))
    expect(text().split("\n")[0]).toBe(`{"writer":${process.pid}}`)
    expect(read(true)).toMatchObject({ finished: false, rejected: [] })
    expect(read(false)).toMatchObject({ finished: true, rejected: [] })
    journal.cut()
    expect(read(true)).toEqual({ drafts: [], rejected: [], finished: false })
    expect(read(false)).toEqual({ drafts: [], rejected: [], finished: true })
  })

  it("cut off holds who writes it and nothing else, and goes on with what comes then", () => {
    const journal = opened()
    journal.append(some(2))
    journal.cut()
    expect(text()).toBe(writerLine(process.pid))
    const after = some(2)
    journal.append(after)
    expect(found()).toEqual(ids(after))
  })

  it("handed over is a file like any other, and what comes then is in one with a later name", () => {
    const journal = opened()
    const before = some(1)
    journal.append(before)
    const there = journal.handOver() ?? ""
    expect(listSpool(state)).toMatchObject([{ path: there, open: false }])
    expect(journal.name()).toBeUndefined()
    expect(found()).toEqual(ids(before))
    expect(read().finished).toBe(true)
    journal.append(some(1))
    expect(listSpool(state).map(({ open }) => open)).toEqual([false, true])
  })

  it("has nothing to hand over where nothing was kept, or where its file was taken away", () => {
    const journal = opened()
    expect(journal.handOver()).toBeUndefined()
    journal.append(some(1))
    fs.rmSync(spool, { recursive: true })
    expect(journal.handOver()).toBeUndefined()
  })

  it("keeps none of what could not be written, and all that was there", () => {
    const journal = opened()
    const before = some(2)
    journal.append(before)
    disk.room = 100
    expect(() => journal.append(some(2))).toThrow("ENOSPC")
    expect(found()).toEqual(ids(before))
    expect(text().endsWith("\n")).toBe(true)
    disk.room = Number.POSITIVE_INFINITY
    const after = some(1)
    journal.append(after)
    expect(found()).toEqual(ids([...before, ...after]))
    expect(read(false).rejected).toEqual([])
  })

  it("leaves no file behind that took nothing", () => {
    const journal = opened()
    disk.room = 10
    expect(() => journal.append(some(1))).toThrow("ENOSPC")
    expect(names()).toEqual([])
    disk.room = Number.POSITIVE_INFINITY
    expect(journal.append(some(1))).toBe(true)
  })

  it("loses no fact to a torn line that could not be taken back", () => {
    const journal = opened()
    const before = some(1)
    journal.append(before)
    Object.assign(disk, { room: 100, cuts: false })
    expect(() => journal.append(some(1))).toThrow("ENOSPC")
    disk.room = Number.POSITIVE_INFINITY
    const after = some(1)
    journal.append(after)
    expect(found()).toEqual(ids([...before, ...after]))
  })

  it("goes on where a write was short", () => {
    const journal = opened()
    const drafts = some(3)
    disk.shortest = 7
    journal.append(drafts)
    expect(found()).toEqual(ids(drafts))
  })

  it("takes no more than 8 MB, until it is cut", () => {
    const journal = opened()
    const large = () => [draftOf("s", { data: { type: "EXITED", text: "x".repeat(3_000_000) } })]
    for (const _ of [1, 2, 3]) expect(journal.append(large())).toBe(true)
    expect(journal.append(some(1))).toBe(false)
    journal.cut()
    expect(journal.append(some(1))).toBe(true)
  })

  it("is begun anew where its file was taken away: nobody would find what is written there", () => {
    const journal = opened()
    journal.append(some(1))
    fs.rmSync(spool, { recursive: true })
    journal.cut()
    const after = some(1)
    journal.append(after)
    expect(found()).toEqual(ids(after))
  })

  it("does not go through a link", () => {
    const elsewhere = join(state, "elsewhere")
    fs.mkdirSync(elsewhere)
    fs.symlinkSync(elsewhere, spool)
    expect(() => opened().append(some(1))).toThrow("symbolic link")
    expect(fs.readdirSync(elsewhere)).toEqual([])
  })

  it("removed leaves nothing", () => {
    const journal = opened()
    journal.append(some(1))
    journal.remove()
    journal.remove()
    expect(names()).toEqual([])
    expect(journal.name()).toBeUndefined()
  })
})
