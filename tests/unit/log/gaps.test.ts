/** Calls that could not be recorded are counted within what the disk has given already, and on the log once there is room. */
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { EventLog, EventLogError } from "../../../src/log/EventLog.ts"
import { beginGaps, countGap, readGaps } from "../../../src/log/gaps.ts"
import { layerMemory } from "../../../src/log/MemoryLog.ts"
import { ingest } from "../../../src/log/spool/ingest.ts"

let state: string
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "gaps-"))
  mkdirSync(join(state, "run"))
})
afterEach(() => rmSync(state, { recursive: true, force: true }))

const full = Object.assign(new Error("no space left on device"), { code: "ENOSPC" })
const gaps = Effect.flatMap(EventLog, (log) =>
  Effect.map(Stream.runCollect(log.read()), (facts) => [...facts].map(({ data, id }) => ({ id, data })))
)

describe("calls that were not recorded", () => {
  it("are counted in a file that was there before, and nowhere else", () => {
    expect(countGap(state, 1000, full)).toBe(false)
    beginGaps(state)
    expect(countGap(state, 1000, new Error("spool append", { cause: full }))).toBe(true)
    expect(countGap(state, 2000, "whatever", 3)).toBe(true)
    expect(readGaps(state)?.gaps).toEqual([
      { at: 1000, calls: 1, code: "ENOSPC" },
      { at: 2000, calls: 3, code: "unknown" }
    ])
    // A hundred and more fit into the block that the file has from its beginning.
    expect(statSync(join(state, "run", "gaps")).size).toBe(96)
  })

  it("are not counted in a file of somebody else", () => {
    writeFileSync(join(state, "other"), "")
    symlinkSync(join(state, "other"), join(state, "run", "gaps"))
    expect(countGap(state, 1000, full)).toBe(false)
  })

  it.effect("come onto the log as one fact, once, and the count begins anew", () =>
    Effect.gen(function* () {
      yield* ingest(state, "here")
      countGap(state, 1000, full)
      // Torn by a disk that had room for so much.
      appendFileSync(join(state, "run", "gaps"), "1500 7 E")
      appendFileSync(join(state, "run", "gaps"), "\n")
      countGap(state, 2000, full, 2)
      yield* ingest(state, "here")
      yield* ingest(state, "here")
      const once = [{ type: "CALLS_UNRECORDED", calls: 10, from: 1000, to: 2000, reason: "ENOSPC, E" }]
      expect((yield* gaps).map(({ data }) => data)).toEqual(once)
      expect(readGaps(state)?.gaps).toEqual([])
    }).pipe(Effect.provide(layerMemory()))
  )

  it.effect("wait as long as the log takes nothing, and are no reason not to read it", () =>
    Effect.gen(function* () {
      const log = yield* EventLog
      beginGaps(state)
      countGap(state, 1000, full)
      const error = new EventLogError({ op: "append", reason: "io", detail: "full" })
      const refusing = { ...log, append: () => Effect.fail(error) }
      yield* Effect.provideService(ingest(state, "here"), EventLog, refusing)
      expect(readGaps(state)?.gaps).toHaveLength(1)
      const [first] = yield* Effect.zipRight(ingest(state, "here"), gaps)
      // As if it had been killed before the count began anew.
      beginGaps(state)
      countGap(state, 1000, full)
      yield* ingest(state, "here")
      expect(yield* gaps).toEqual([first])
    }).pipe(Effect.provide(layerMemory()))
  )
})
