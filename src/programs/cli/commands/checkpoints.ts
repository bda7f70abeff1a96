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
import { defineAction, defineGroup } from "../syntax/Command.ts"
import { integer } from "../syntax/parameters.ts"
import { json as jsonOption, project as projectOption, refTo } from "../syntax/shared.ts"

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

const list = ({ json, limit, project }: ListOptions) =>
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

const show = ({ json, project, ref }: ShowOptions) =>
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

export const command = defineGroup({
  group: "Remember",
  summary: "Look at the checkpoints that were taken.",
  heading: "list",
  examples: ["hooktape checkpoints show last"],
  subcommands: {
    list: defineAction({
      summary: "The checkpoints of this project, newest last.",
      options: {
        limit: integer("NUMBER", "Only the last so many.", { sample: "5" }),
        project: projectOption,
        json: jsonOption("`{ checkpoints: […] }`")
      },
      examples: ["hooktape checkpoints list"],
      guards: "keeps",
      run: list
    }),
    show: defineAction({
      summary: "One with all its components.",
      arguments: { ref: refTo("A checkpoint") },
      options: { project: projectOption, json: jsonOption() },
      examples: ["hooktape checkpoints show last"],
      guards: "keeps",
      run: show
    })
  }
})
