/** `hooktape checkpoints list|show`: those that were taken, and those that were refused. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Checkpoint } from "../../../features/checkpoints/Checkpoint.ts"
import { Logbook, withLogbook } from "../logbook.ts"
import { findPlaces } from "../places.ts"
import { resolveId, type Words } from "../refs.ts"
import { drawCheckpoint, drawCheckpoints } from "../render/checkpoint.ts"
import { Screen } from "../Screen.ts"

export interface ListOptions {
  readonly limit: number | undefined
  readonly project: string | undefined
  readonly json: boolean
}

const words: Words = {
  stream: "checkpoint/",
  none: { reason: "this project has no checkpoint yet", remedy: 'Take one: "hooktape checkpoint".' },
  unknown: {
    reason: "no checkpoint of this project has this id",
    remedy: 'Take one from "hooktape checkpoints list", or "last".'
  }
}

export const list = ({ json, limit, project }: ListOptions) =>
  Effect.gen(function* () {
    const screen = yield* Screen
    const logbook = yield* Logbook
    const all = yield* logbook.checkpoints(findPlaces(project).project)
    const wanted = limit === undefined ? all : limit <= 0 ? [] : all.slice(-limit)
    if (json) return yield* screen.out(`${JSON.stringify({ checkpoints: wanted }, null, 2)}\n`)
    if (wanted.length === 0)
      return yield* screen.note('no checkpoint of this project yet. Take one: "hooktape checkpoint".\n')
    yield* screen.out(drawCheckpoints(wanted, yield* Clock.currentTimeMillis, screen))
  }).pipe(withLogbook)

export interface ShowOptions {
  readonly ref: string
  readonly project: string | undefined
  readonly json: boolean
}

export const show = ({ json, project, ref }: ShowOptions) =>
  Effect.gen(function* () {
    const screen = yield* Screen
    const logbook = yield* Logbook
    const all = yield* logbook.checkpoints(findPlaces(project).project)
    const candidates = all.map(({ checkpoint, trigger }) => ({ id: checkpoint, about: trigger }))
    const id = yield* Either.match(resolveId(ref, candidates, words), {
      onLeft: Effect.fail,
      onRight: Effect.succeed
    })
    const one = all.find(({ checkpoint }) => checkpoint === id) as Checkpoint
    yield* screen.out(json ? `${JSON.stringify(one, null, 2)}\n` : drawCheckpoint(one, screen))
  }).pipe(withLogbook)
