/** `hooktape actors`: who is at work, where each stands, and with `--follow` every step they take. */
import { randomBytes } from "node:crypto"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { uuidv7 } from "../../../../events/ids.ts"
import type { ActorFrame } from "../../../runtime/actors/ActorView.ts"
import { hostActors, watchHost } from "../../../runtime/host/askHost.ts"
import { Logbook, withLogbook } from "../logbook.ts"
import { findPlaces } from "../places.ts"
import { drawActors, drawFrame } from "../render/actor.ts"
import { Screen } from "../Screen.ts"
import { defineCommand } from "../syntax/Command.ts"
import { flag } from "../syntax/parameters.ts"
import { json as jsonOption } from "../syntax/shared.ts"

interface ActorsOptions {
  readonly follow: boolean
  readonly json: boolean
}

const noHost = "no host runs: this is what the log says"

/** How often it is looked whether a host has come. */
const lookEvery = "1 second"

/** Those of the host, where one runs. */
export const livingActors = (state: string) => Effect.option(hostActors(state))

const tell = Effect.fn("cli.actors.tell")(function* ({ json }: ActorsOptions) {
  const screen = yield* Screen
  const live = yield* livingActors(findPlaces().state)
  const isLive = live._tag === "Some"
  const actors = isLive ? live.value : yield* (yield* Logbook).actors
  if (json)
    return yield* screen.out(`${JSON.stringify({ from: isLive ? "host" : "log", actors }, null, 2)}\n`)
  if (!isLive) yield* screen.note(`${noHost}.\n`)
  if (actors.length === 0) return yield* screen.note("nobody is at work.\n")
  yield* screen.out(drawActors(actors, yield* Clock.currentTimeMillis, screen))
})

const ended = {
  "too-slow": "the host had more to show than could be read in time: what follows begins anew",
  closed: ""
}

/** Steps as the host shows them, until it ends. False where there was none. */
const followHost = Effect.fn("cli.actors.followHost")(function* (
  show: (frames: readonly ActorFrame[]) => Effect.Effect<void>
) {
  const { note } = yield* Screen
  const { state } = findPlaces()
  const watcher = uuidv7(yield* Clock.currentTimeMillis, randomBytes(10))
  for (let isThere = false; ; isThere = true) {
    const answer = yield* Effect.option(watchHost(state, watcher))
    if (answer._tag === "None") return isThere
    yield* show(answer.value.frames)
    const { end } = answer.value
    if (end === undefined) continue
    if (ended[end] !== "") yield* note(`${ended[end]}.\n`)
    return true
  }
})

/** Every step as text, of the host while one runs, of the log while none does. */
export const followFrames = Effect.fn("cli.actors.frames")(function* (
  draw: (frame: ActorFrame) => string,
  saysSo: boolean
) {
  const screen = yield* Screen
  const { actorFrames } = yield* Logbook
  const show = (frames: readonly ActorFrame[]): Effect.Effect<void> =>
    frames.length === 0 ? Effect.void : screen.out(frames.map(draw).join(""))
  const { state } = findPlaces()
  const came = Effect.retry(hostActors(state), { schedule: Schedule.spaced(lookEvery) })
  for (let isFirst = true; ; isFirst = false) {
    const was = yield* followHost(show)
    if (was) yield* screen.note("the host has ended.\n")
    if (was || (isFirst && saysSo)) yield* screen.note(`${noHost}.\n`)
    yield* Effect.raceFirst(
      Stream.runForEach(actorFrames, (frame) => show([frame])),
      came
    )
  }
})

const follow = Effect.fn("cli.actors.follow")(function* (options: ActorsOptions) {
  const screen = yield* Screen
  if (!options.json) yield* tell(options)
  return yield* followFrames(
    (frame) => (options.json ? `${JSON.stringify(frame)}\n` : drawFrame(frame, screen)),
    options.json
  )
})

const actors = (options: ActorsOptions) =>
  (options.follow ? follow(options) : tell(options)).pipe(withLogbook)

export const command = defineCommand({
  group: "Look after",
  summary: "Show who is at work, such as calls, jobs and processes, and where each stands.",
  options: {
    follow: flag("Go on, with a line for each step, until interrupted.", {
      details:
        "after that a line for each step, until it is interrupted: the fact, the state before it and the state after it"
    }),
    json: jsonOption("one document; with `--follow` only the steps, one a line")
  },
  examples: ["hooktape actors", "hooktape actors --follow"],
  guards: "keeps",
  run: actors
})
