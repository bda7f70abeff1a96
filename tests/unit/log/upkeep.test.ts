/** Upkeep: once a day, old invocations and what killed hooks left behind. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import { EventLog } from "../../../src/log/EventLog.ts"
import { layerMemory } from "../../../src/log/MemoryLog.ts"
import { upkeep } from "../../../src/log/upkeep.ts"
import { draftOf } from "../../support/log/drafts.ts"

const day = 86_400_000
const now = 200 * day

it.effect("forgets what is too old, once a day, and sweeps stale noise files but no fresh ones", () =>
  Effect.gen(function* () {
    const state = mkdtempSync(join(tmpdir(), "upkeep-"))
    const run = join(state, "run")
    mkdirSync(run)
    for (const [name, at] of [
      ["noise.1.1", now - day],
      ["noise.2.1", now],
      ["other", now - day]
    ] as const) {
      writeFileSync(join(run, name), "")
      utimesSync(join(run, name), at / 1000, at / 1000)
    }
    const payloads = join(run, "session-monitor")
    mkdirSync(payloads)
    for (const [name, at] of [
      ["left.json", now - 8 * day],
      ["waiting.json", now - 6 * day],
      ["other", now - 8 * day]
    ] as const) {
      writeFileSync(join(payloads, name), "{}")
      utimesSync(join(payloads, name), at / 1000, at / 1000)
    }
    const log = yield* EventLog
    const closed = (name: string, at: number) =>
      log.append(`invocation/${name}`, "any", [
        draftOf(`invocation/${name}`, {
          type: "INVOCATION_OPENED",
          at,
          data: { type: "INVOCATION_OPENED", pid: 1 }
        }),
        draftOf(`invocation/${name}`, { at })
      ])
    yield* TestClock.setTime(now)
    // A tenth at once, which here is one.
    yield* closed("first", now - 91 * day)
    yield* closed("second", now - 91 * day)
    yield* upkeep(state, "here")
    const streams = Effect.map(log.stats, (stats) => stats.streams)
    // What is left beside it is the operator's stream, which says that something went.
    expect(yield* streams).toBe(2)
    expect(["noise.1.1", "noise.2.1", "other"].map((name) => existsSync(join(run, name)))).toEqual([
      false,
      true,
      true
    ])
    expect(readdirSync(payloads)).toEqual(["other", "waiting.json"])
    yield* upkeep(state, "here")
    expect(yield* streams).toBe(2)
    yield* TestClock.setTime(now + day)
    yield* upkeep(state, "here")
    expect(yield* streams).toBe(1)
    rmSync(state, { recursive: true })
  }).pipe(Effect.provide(layerMemory()))
)

it.effect("keeps what a clock that was far behind has dated until it is old by where it stands", () =>
  Effect.gen(function* () {
    const state = mkdtempSync(join(tmpdir(), "upkeep-"))
    const log = yield* EventLog
    const call = (name: string, at: number) =>
      log.append(`invocation/${name}`, "any", [
        draftOf(`invocation/${name}`, {
          type: "INVOCATION_OPENED",
          at,
          data: { type: "INVOCATION_OPENED", pid: 1 }
        }),
        draftOf(`invocation/${name}`, { at })
      ])
    const on = (time: number) => Effect.zipRight(TestClock.setTime(time), upkeep(state, "here"))
    const isThere = (name: string) =>
      Effect.map(Stream.runCount(log.read({ stream: `invocation/${name}` })), (facts) => facts > 0)
    yield* on(now)
    yield* call("before", now)
    // Used now and then, so that the clock never jumps.
    for (let at = now; at <= now + 85 * day; at += 5 * day) yield* on(at)
    yield* call("slow", now - 200 * day)
    for (let at = now + 86 * day; at <= now + 165 * day; at += 5 * day) {
      yield* on(at)
      expect(yield* isThere("slow")).toBe(true)
    }
    expect(yield* isThere("before")).toBe(false)
    for (let at = now + 166 * day; at <= now + 190 * day; at += 5 * day) yield* on(at)
    expect(yield* isThere("slow")).toBe(false)
    rmSync(state, { recursive: true })
  }).pipe(Effect.provide(layerMemory()))
)
