/** `hooktape checkpoint`: how good the work stands, and why. */
import * as Effect from "effect/Effect"
import { assess, takeCheckpoint } from "../../../features/checkpoints/takeCheckpoint.ts"
import { messageOf } from "../../../state/messageOf.ts"
import { CliError } from "../CliError.ts"
import { firstBuild } from "../firstBuild.ts"
import { Logbook, withLogbook } from "../logbook.ts"
import { findPlaces } from "../places.ts"
import { prepareState } from "../prepare.ts"
import { printHookMessages } from "../printHookMessages.ts"
import { checkpointLine, drawAssessment } from "../render/checkpoint.ts"
import { Screen } from "../Screen.ts"
import { defineCommand } from "../syntax/Command.ts"
import { flag, text } from "../syntax/parameters.ts"
import { json as jsonOption, project as projectOption } from "../syntax/shared.ts"

export interface CheckpointOptions {
  readonly explain: boolean
  readonly session: string | undefined
  readonly project: string | undefined
  readonly json: boolean
}

const checkpoint = Effect.fn("cli.checkpoint")(function* (options: CheckpointOptions) {
  const screen = yield* Screen
  const { json, session } = options
  const places = findPlaces(options.project)
  const { cwd, project, state } = places
  yield* prepareState(state, { migrates: false })
  yield* firstBuild(places)
  const log = yield* withLogbook(Effect.flatMap(Logbook, ({ evidence }) => evidence(project)))
  const refused = (cause: unknown) =>
    new CliError({
      what: "checkpoint",
      reason: `not taken: ${messageOf(cause)}`,
      remedy: 'Run "hooktape doctor".',
      cause
    })
  if (options.explain) {
    const { problem, ...found } = yield* Effect.tryPromise({
      try: () => assess(project, log),
      catch: refused
    })
    yield* screen.out(json ? `${JSON.stringify(found, null, 2)}\n` : drawAssessment(found, screen))
    if (problem !== undefined) yield* screen.note(`warn: ${problem}\n`)
    return 0
  }
  const taken = yield* Effect.tryPromise({
    try: () => takeCheckpoint({ state, project, cwd, session, trigger: "operator", log }),
    catch: refused
  })
  yield* printHookMessages(taken.intents)
  const one = taken.checkpoint
  if (json) yield* screen.out(`${JSON.stringify(one, null, 2)}\n`)
  else yield* screen.out(checkpointLine(one, screen))
  return one.successful ? 0 : 1
})

export const command = defineCommand({
  group: "Remember",
  summary: "Take a checkpoint of the work: how good it stands, and why.",
  options: {
    explain: flag("Show every component with its weight, score and reason.", {
      details:
        "only say how it stands, with the weight, score and reason of every component. Nothing is recorded and no hook asked; `checkpoints show` explains one that was taken"
    }),
    session: text("ID", "The session of an agent that it belongs to.", { sample: "s1" }),
    project: projectOption,
    json: jsonOption()
  },
  examples: ["hooktape checkpoint", "hooktape checkpoint --explain"],
  guards: "keeps",
  run: checkpoint
})
