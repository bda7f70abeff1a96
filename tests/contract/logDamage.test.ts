/** A log whose file was damaged: whatever is changed or gone is told, by whoever reads it and by `verifyLog`. */
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import type { Recorded } from "../../events/Recorded.ts"
import type { Damage } from "../../src/log/Damage.ts"
import { EventLog, type EventLogShape } from "../../src/log/EventLog.ts"
import { layerSqlite } from "../../src/log/SqliteLog.ts"
import { isSound, verifyLog } from "../../src/log/verify.ts"
import { draftOf } from "../support/log/drafts.ts"

let root: string
let base: string
let want: readonly Recorded[]

const readAll = (file: string, onDamage?: (damage: Damage) => void) =>
  Effect.gen(function* () {
    return Chunk.toReadonlyArray(yield* Stream.runCollect((yield* EventLog).read()))
  }).pipe(Effect.provide(layerSqlite({ file, source: "here", ...(onDamage ? { onDamage } : {}) })))

/** The same, left open until the scope ends. */
const fillOpen = (file: string) =>
  Effect.gen(function* () {
    const context = yield* Layer.build(Layer.fresh(layerSqlite({ file, source: "here" })))
    yield* append40(Context.get(context, EventLog))
  })

/** 40 invocations of one to five facts each, in two transactions each; one with data that lies elsewhere. */
const append40 = (log: EventLogShape) =>
  Effect.gen(function* () {
    for (let nth = 0; nth < 40; nth++) {
      const stream = `invocation/${nth}`
      const draft = () =>
        draftOf(stream, {
          session: `s${nth % 4}`,
          data: { type: "X", text: "z".repeat(nth === 7 ? 70_000 : 200 + nth * 10) } as never
        })
      yield* log.append(stream, "any", [draft()])
      yield* log.append(stream, "any", [draft(), ...Array.from({ length: nth % 5 }, draft)])
    }
  })

const fill = (file: string) =>
  Effect.flatMap(EventLog, append40).pipe(Effect.provide(layerSqlite({ file, source: "here" })))

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "log-damage-"))
  base = join(root, "base")
  await Effect.runPromise(fill(join(base, "log.sqlite")))
  want = await Effect.runPromise(readAll(join(base, "log.sqlite")))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** The same numbers in every run. */
const makeRandom = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    return state % below
  }
}

const copy = (name: string): string => {
  const dir = join(root, name)
  rmSync(dir, { recursive: true, force: true })
  cpSync(base, dir, { recursive: true })
  return join(dir, "log.sqlite")
}

const flip = (bytes: Buffer, random: (below: number) => number, isRun: boolean): void => {
  const change = (at: number) => bytes.writeUInt8(bytes.readUInt8(at) ^ (1 + random(255)), at)
  if (isRun) {
    const at = random(bytes.length - 512)
    for (let nth = 0; nth < 512; nth++) change(at + nth)
  } else for (let nth = 0; nth < 4; nth++) change(random(bytes.length))
}

/** Whether something was changed or is gone, and whether anybody was told. */
const judge = (file: string) =>
  Effect.gen(function* () {
    const told: Damage[] = []
    const read = yield* Effect.either(readAll(file, (damage) => told.push(damage)))
    const got = new Set(Either.getOrElse(read, () => []).map((fact) => JSON.stringify(fact)))
    const lost = want.filter((fact) => !got.has(JSON.stringify(fact))).length
    return { lost, told: Either.isLeft(read) || told.length > 0, sound: isSound(verifyLog(file)) }
  })

describe("of 300 damaged logs", () => {
  it("none is read wrongly or in part without a word, and none passes for sound", async () => {
    const random = makeRandom(11)
    const silent: number[] = []
    const passed: number[] = []
    for (let nth = 0; nth < 300; nth++) {
      const file = copy("flipped")
      const bytes = readFileSync(file)
      flip(bytes, random, nth % 2 === 0)
      writeFileSync(file, bytes)
      const { lost, sound, told } = await Effect.runPromise(judge(file))
      if (lost > 0 && !told) silent.push(nth)
      if (lost > 0 && sound) passed.push(nth)
    }
    expect({ silent, passed }).toEqual({ silent: [], passed: [] })
  }, 120_000)
})

describe("of 40 damaged journals", () => {
  it("none takes the end of the log with it without a word", async () => {
    const whole = join(root, "journal")
    // Copied while it is open: what was appended lies in the write-ahead log alone.
    await Effect.runPromise(
      Effect.gen(function* () {
        const file = join(whole, "log.sqlite")
        yield* fillOpen(file)
        cpSync(whole, base, { recursive: true, force: true })
      }).pipe(Effect.scoped)
    )
    const random = makeRandom(5)
    want = await Effect.runPromise(readAll(copy("whole")))
    const size = statSync(join(base, "log.sqlite-wal")).size
    expect(size).toBeGreaterThan(100_000)
    const silent: number[] = []
    let lossy = 0
    for (let nth = 0; nth < 40; nth++) {
      const file = copy("flipped")
      const bytes = readFileSync(`${file}-wal`)
      if (nth % 2 === 0) flip(bytes, random, nth % 4 === 0)
      writeFileSync(`${file}-wal`, nth % 2 === 0 ? bytes : bytes.subarray(0, random(size)))
      const { lost, sound, told } = await Effect.runPromise(judge(file))
      if (lost > 0) lossy++
      if (lost > 0 && (!told || sound)) silent.push(nth)
    }
    expect(silent).toEqual([])
    expect(lossy).toBeGreaterThan(20)
  }, 60_000)
})
