/** `hooktape adopt`: takes the command hooks of an agent's settings under hooktape as they are. */
import { homedir } from "node:os"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { count } from "../../../features/timeline/words.ts"
import { printable } from "../../../state/terminalText.ts"
import {
  type Adoption,
  type AdoptRequest,
  planAdoption,
  undoAdoption,
  writeAdoption
} from "../../../tools/adopt/adopt.ts"
import { adoptable } from "../../../tools/adopt/takenFrom.ts"
import { reviewProject, trustReviewed } from "../../../tools/build/trust.ts"
import { asked } from "../asked.ts"
import { CliError } from "../CliError.ts"
import { findPlaces, type Places } from "../places.ts"
import { prepareState } from "../prepare.ts"
import { asCalled } from "../render/asCalled.ts"
import { Screen } from "../Screen.ts"
import { defineCommand } from "../syntax/Command.ts"
import { choiceWithDefault, flag, optionalArgument } from "../syntax/parameters.ts"
import { json, project } from "../syntax/shared.ts"
import { build, noteDown } from "./build.ts"

const show = Effect.fn("cli.adopt.show")(function* ({
  deadlineMs,
  definitions,
  left,
  others,
  settings
}: Adoption) {
  const { out } = yield* Screen
  yield* out(`${count(definitions.length, "command")} of ${printable(settings.file)}\n`)
  for (const { agentEvents = [], name, run } of definitions)
    yield* out(`  ${printable(`${name}  ${agentEvents.join(", ")}  ${run}`)}\n`)
  for (const { command, event, reason } of left)
    yield* out(`  ${printable(`stays: ${[event, command].join("  ").trim()}: ${reason}`)}\n`)
  if (deadlineMs === undefined) return
  yield* out(
    `  ${deadlineMs / 1000} seconds for all hooks of an event, as long as the slowest of these may take with the agent; the agent's entries for hooktape get as much ("--keep-deadline" leaves both as they are)\n`
  )
  for (const { file } of others) yield* out(`  ${printable(`changes for it: ${file}`)}\n`)
})

/** A configuration that waits for consent is not consented to by the way. */
const unread = Effect.fn("cli.adopt.unread")(function* ({ project, state }: Places) {
  const { items } = yield* reviewProject({ state, project })
  const [waiting] = items.filter(({ change }) => change !== "same")
  if (waiting !== undefined)
    return yield* new CliError({
      what: "adopt",
      reason: `${waiting.file} is not trusted yet`,
      remedy: 'Read it and run "hooktape trust" first.'
    })
})

/** Whoever said yes saw exactly these commands; the scripts that they name are trusted with them. */
const bringIn = (places: Places, { scope }: AdoptRequest) =>
  Effect.gen(function* () {
    const { project, state } = places
    if (scope === "project") {
      const how = { state, project }
      const { digests, files } = yield* trustReviewed(how, yield* reviewProject(how))
      yield* noteDown(state, {
        type: "HOOKS_TRUSTED",
        project,
        files: files.map(({ file, hash }) => ({ file, hash })),
        ...(digests.length === 0 ? {} : { digests })
      })
    }
    yield* build({
      project: scope === "project" ? project : undefined,
      user: scope === "user",
      quiet: false,
      all: false
    })
  })

interface AdoptOptions {
  readonly agent: string | undefined
  readonly scope: "user" | "project"
  readonly dryRun: boolean
  readonly keepDeadline: boolean
  readonly undo: boolean
  readonly yes: boolean
  readonly json: boolean
  readonly project: string | undefined
}

const adopt = Effect.fn("cli.adopt")(function* (options: AdoptOptions) {
  const { note, out, style } = yield* Screen
  const places = findPlaces(options.project)
  const { env, home, project, state, userFolder } = places
  const { agent: named = "claude-code", scope } = options
  const agent = adoptable.find((one) => one === named)
  if (agent === undefined)
    return yield* new CliError({
      what: "adopt",
      reason: `hooks of "${named}" cannot be adopted`,
      remedy: `Name one of ${adoptable.join(", ")}.`
    })
  const request: AdoptRequest = {
    agent,
    scope,
    state,
    project,
    userFolder,
    home: home || homedir(),
    env,
    keepsDeadline: options.keepDeadline
  }
  if (options.undo) {
    const files = yield* undoAdoption(request)
    yield* build({
      project: scope === "project" ? project : undefined,
      user: scope === "user",
      quiet: true,
      all: false
    })
    yield* out(files.map((file) => `${style.good("✔")} ${printable(file)} is as it was\n`).join(""))
    return 0
  }
  const adoption = yield* planAdoption(request)
  const { deadlineMs, definitions, left, settings } = adoption
  if (options.json)
    yield* out(
      `${JSON.stringify({ file: settings.file, taken: definitions, left, deadlineMs: deadlineMs ?? null })}\n`
    )
  else yield* show(adoption)
  if (definitions.length === 0 && scope === "project" && !options.json) {
    const own = yield* Effect.either(planAdoption({ ...request, scope: "user" }))
    const many = Either.isRight(own) ? own.right.definitions.length : 0
    if (Either.isRight(own) && many > 0)
      yield* note(
        `${asCalled("hooktape adopt --scope user")} takes the ${count(many, "command")} of ${printable(own.right.settings.file)}\n`
      )
  }
  if (options.dryRun || definitions.length === 0) return 0
  yield* prepareState(state)
  if (scope === "project") yield* unread(places)
  const answer = options.yes
    ? "y"
    : yield* asked("Take these, and trust them with the scripts they name? [y/N] ")
  if (answer === undefined)
    return yield* new CliError({
      what: "adopt",
      reason: "nothing was changed: there is no terminal to ask on",
      remedy: 'Read what is listed, then run "hooktape adopt --yes".'
    })
  if (!/^y(es)?$/i.test(answer.trim())) {
    yield* note("Nothing was changed.\n")
    return 1
  }
  yield* writeAdoption(request, adoption, bringIn(places, request))
  if (!options.json)
    yield* out(
      `${style.good("✔")} they run under hooktape now; ${asCalled(style.strong("hooktape adopt --undo"))} puts every byte back\n`
    )
  return 0
})

export const command = defineCommand({
  group: "Set up",
  summary: "Take the command hooks of an agent's settings under hooktape as they are.",
  arguments: {
    agent: optionalArgument("<agent>", `Whose hooks: ${adoptable.join(", ")}. Default: claude-code.`)
  },
  options: {
    scope: choiceWithDefault(
      "SCOPE",
      ["user", "project"],
      "project",
      "Of which of its settings: project (default) or user.",
      { sample: "user" }
    ),
    dryRun: flag("Show what would be taken, and change nothing."),
    keepDeadline: flag("Leave the time that all hooks of an event have together as it is."),
    undo: flag("Put the settings back as they were."),
    yes: flag("Do not ask; needed where there is no terminal."),
    json: json("`{file, taken: [{name, on, run, …}], left: [{event, command, reason}], deadlineMs}`"),
    project
  },
  examples: ["hooktape adopt", "hooktape adopt codex", "hooktape adopt --undo"],
  guards: ({ dryRun }) => !dryRun,
  run: adopt
})
