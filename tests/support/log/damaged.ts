/** Logs that are damaged on purpose, and whether anybody was told: a whole one to copy, what is changed in a copy, what a reader makes of it. */
import { cpSync, rmSync } from "node:fs"
import { join } from "node:path"
import * as Chunk from "effect/Chunk"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import type { Recorded } from "../../../events/Recorded.ts"
import type { Damage } from "../../../src/log/Damage.ts"
import { EventLog, type EventLogShape } from "../../../src/log/EventLog.ts"
import { layerSqlite } from "../../../src/log/sqlite/SqliteLog.ts"
import { isSound } from "../../../src/log/verdict.ts"
import { verifyLog } from "../../../src/log/verify.ts"
import { draftOf } from "./drafts.ts"

export const readAll = (file: string, onDamage?: (damage: Damage) => void) =>
  Effect.gen(function* () {
    return Chunk.toReadonlyArray(yield* Stream.runCollect((yield* EventLog).read()))
  }).pipe(Effect.provide(layerSqlite({ file, source: "here", ...(onDamage ? { onDamage } : {}) })))

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

export const fill = (file: string) =>
  Effect.flatMap(EventLog, append40).pipe(Effect.provide(layerSqlite({ file, source: "here" })))

/** A log in `base` of which everything lies in the write-ahead log alone: copied from `whole` while it was open. */
export const fillJournal = (whole: string, base: string) =>
  Effect.gen(function* () {
    const file = join(whole, "log.sqlite")
    const context = yield* Layer.build(Layer.fresh(layerSqlite({ file, source: "here" })))
    yield* append40(Context.get(context, EventLog))
    cpSync(whole, base, { recursive: true, force: true })
  }).pipe(Effect.scoped)

/** The same numbers in every run. */
export const makeRandom = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    return state % below
  }
}

export const copyOf = (base: string, dir: string): string => {
  rmSync(dir, { recursive: true, force: true })
  cpSync(base, dir, { recursive: true })
  return join(dir, "log.sqlite")
}

/** Four bytes anywhere, or 512 in a row. */
export const flip = (bytes: Buffer, random: (below: number) => number, isRun: boolean): void => {
  const change = (at: number) => bytes.writeUInt8(bytes.readUInt8(at) ^ (1 + random(255)), at)
  if (isRun) {
    const at = random(bytes.length - 512)
    for (let nth = 0; nth < 512; nth++) change(at + nth)
  } else for (let nth = 0; nth < 4; nth++) change(random(bytes.length))
}

/** How many of the facts that were there were changed or are gone, whether a reader was told, and whether the log passes for sound. */
export const judge = (file: string, want: readonly Recorded[]) =>
  Effect.gen(function* () {
    const told: Damage[] = []
    const read = yield* Effect.either(readAll(file, (damage) => told.push(damage)))
    const got = new Set(Either.getOrElse(read, () => []).map((fact) => JSON.stringify(fact)))
    const lost = want.filter((fact) => !got.has(JSON.stringify(fact))).length
    return { lost, told: Either.isLeft(read) || told.length > 0, sound: isSound(verifyLog(file)) }
  })
