/** `hooktape install` and `uninstall`: registering with an agent, and every trace of it taken back. */

import { statSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { count } from "../../../features/timeline/words.ts"
import { remediesFor } from "../../../runtime/builds/trustHint.ts"
import { readConfig } from "../../../state/config.ts"
import { folderOf, type Manifest, projectManifest, userManifest } from "../../../state/manifest.ts"
import { printable } from "../../../state/terminalText.ts"
import { buildHooks } from "../../../tools/build/build.ts"
import { readManifest } from "../../../tools/build/output.ts"
import type { InstallAgent, Scope } from "../../../tools/install/dialects.ts"
import { dialects } from "../../../tools/install/dialects.ts"
import { handledBy } from "../../../tools/install/events.ts"
import * as Installation from "../../../tools/install/installation.ts"
import { sharedHookFile } from "../../../tools/install/sharedHook.ts"
import type { TransportChoice } from "../../../tools/install/transport.ts"
import { appendOperatorFact } from "../appendOperatorFact.ts"
import { withAskedFolder } from "../askedFolder.ts"
import { giveUpUnusedPort } from "../httpPort.ts"
import { recordsIn } from "../installRecords.ts"
import { chooseHttp } from "../overHttp.ts"
import { findPlaces, type Places } from "../places.ts"
import { prepareState } from "../prepare.ts"
import { asCalled } from "../render/asCalled.ts"
import { withheldText } from "../render/words.ts"
import { Screen } from "../Screen.ts"
import { stopHost } from "../stopHost.ts"
import { defineCommand } from "../syntax/Command.ts"
import { choiceWithDefault, text } from "../syntax/parameters.ts"
import { registering } from "../syntax/registering.ts"
import { takesAway } from "../takesAway.ts"

export interface UninstallOptions {
  readonly agent: InstallAgent
  readonly scope: Scope
  readonly dryRun: boolean
}

export interface InstallOptions extends UninstallOptions {
  readonly events: string | undefined
  readonly transport: TransportChoice
}

const requestOf = ({ agent, scope, dryRun }: UninstallOptions, { state, home, project, env }: Places) => ({
  agent,
  scope,
  dryRun,
  state,
  project,
  home: home || homedir(),
  env
})

const hasFolder = (project: string): boolean =>
  statSync(folderOf(project), { throwIfNoEntry: false }) !== undefined

const builds = Effect.fn("cli.install.builds")(function* (places: Places) {
  const { project, state, userFolder } = yield* withAskedFolder(places)
  const user = yield* buildHooks({ state, userFolder })
  return hasFolder(project) ? [user, yield* buildHooks({ state, userFolder, project })] : [user]
})

/** What a dry run goes by: it builds nothing. */
const standing = ({ state, project }: Places): readonly Manifest[] =>
  [userManifest(state), projectManifest(state, project)].flatMap((file) => readManifest(file) ?? [])

const tellConcerns = ({ concerns }: Installation.Outcome, sign: string): string =>
  concerns.map(({ message }) => `${sign} ${message}\n`).join("")

/** What everyone who clones a repository has says nothing of whoever wrote it: there its own configuration alone counts. */
const deadlineFor = (
  scope: Scope,
  { project }: Places,
  manifests: readonly Manifest[]
): number | undefined => {
  if (scope !== "project") {
    const all = manifests.flatMap(({ deadlineMs }) => deadlineMs ?? [])
    return all.length === 0 ? undefined : Math.max(...all)
  }
  return Either.getOrUndefined(readConfig(join(folderOf(project), "config.json")))?.deadlineMs
}

const install = Effect.fn("cli.install")(function* (options: InstallOptions) {
  const screen = yield* Screen
  const { style } = screen
  const places = findPlaces()
  const { agent, dryRun } = options
  const manifests: Manifest[] = []
  const hadFolder = hasFolder(places.project)
  if (dryRun) manifests.push(...standing(places))
  else {
    const projects = options.scope === "user" ? [] : [places.project]
    yield* prepareState(places.state, { asked: true, projects })
    for (const { manifest, withheld } of yield* builds(places)) {
      manifests.push(manifest)
      for (const one of withheld) {
        const remedy = remediesFor([one]).join(" ")
        yield* screen.note(`${style.warn("!")} ${printable(`${withheldText(one)}. ${remedy}`.trim())}\n`)
      }
    }
  }
  const request = requestOf(options, places)
  const handled = handledBy(agent, manifests)
  const { http, warnings } = yield* chooseHttp({ ...request, transport: options.transport })
  const outcome = yield* Installation.install({
    ...request,
    http,
    events: options.events,
    deadlineMs: deadlineFor(options.scope, places, manifests),
    handled
  })
  if (dryRun) {
    return yield* screen.out(outcome.diff === "" ? `${outcome.file} would stay as it is\n` : outcome.diff)
  }
  // The script for everyone lies in the folder of a project's own hooks: from here on calls look for a build of it.
  if (!hadFolder && hasFolder(places.project)) yield* builds(places)
  yield* giveUpUnusedPort(places.state)
  const { name } = dialects[agent]
  const { file, companion, events, overHttp, backup, changed, scope } = outcome
  const isShared = scope === "project"
  // For everyone the list is fixed: what one person's hooks want besides is theirs to say.
  const outside =
    isShared && options.events === undefined ? handled.filter((one) => !events.includes(one)) : []
  if (changed) {
    yield* appendOperatorFact(places.state, {
      type: "HOOKS_INSTALLED",
      agent,
      scope,
      file,
      events,
      ...(backup === undefined ? {} : { backup })
    })
  }
  const done = changed ? "registered" : "was registered already"
  yield* screen.out(
    [
      `${style.good("✔")} hooktape ${done} for ${count(events.length, "event")} of ${name}\n`,
      `  settings  ${file}\n`,
      backup === undefined ? "" : `  backup    ${backup}\n`,
      companion === undefined ? "" : `  plugin    ${companion}\n`,
      isShared ? `  script    ${sharedHookFile(places.project)}\n` : "",
      `  state     ${places.state}\n`,
      overHttp.length === 0
        ? ""
        : `  http      ${count(overHttp.length, "event")}, on 127.0.0.1:${http?.target.port}\n`,
      ...warnings.map((warning) => `${style.warn("!")} ${warning}\n`),
      tellConcerns(outcome, style.warn("!")),
      outside.length === 0
        ? ""
        : `${style.warn("!")} Hooks want ${outside.join(", ")} too. Registered for everyone with: --events ${outside.map((one) => `+${one}`).join(",")}\n`,
      isShared
        ? `Commit ${companion === undefined ? "both files" : "all three files"}. Whoever clones them needs hooktape among the project's packages, and "prepare": "hooktape setup" in package.json.\n`
        : "",
      asCalled(
        `Next: use ${name} as ever, then look with ${style.strong("hooktape log")}. ${style.strong("hooktape doctor")} checks the setup.\n`
      )
    ].join("")
  )
})

export const uninstall = Effect.fn("cli.uninstall")(function* (options: UninstallOptions) {
  const screen = yield* Screen
  const { style } = screen
  const places = findPlaces()
  const outcome = yield* Installation.uninstall(requestOf(options, places))
  const { agent, scope, file, events, changed, backup } = outcome
  const { name } = dialects[agent]
  if (!changed) return yield* screen.out(`hooktape is not registered in ${file}\n`)
  if (options.dryRun) return yield* screen.out(outcome.diff)
  yield* giveUpUnusedPort(places.state)
  yield* appendOperatorFact(places.state, {
    type: "HOOKS_REMOVED",
    agent,
    scope,
    file,
    events,
    ...(backup === undefined ? {} : { backup })
  })
  // One that cannot be stopped must not undo what was said of the settings.
  const isLast = (yield* recordsIn(places.state)).length === 0
  const hasHostStopped =
    isLast &&
    (yield* stopHost(places.state).pipe(
      Effect.catchAll(({ reason }) =>
        Effect.as(screen.note(`The host still runs: ${reason}. Stop it with "hooktape host stop".\n`), false)
      )
    ))
  yield* screen.out(
    [
      `${style.good("✔")} hooktape taken out of ${count(events.length, "event")} of ${name}\n`,
      `  settings  ${file}\n`,
      backup === undefined ? "" : `  backup    ${backup}\n`,
      `The log stays in ${places.state}.\n`,
      hasHostStopped ? "Nothing calls hooktape any more: its host has stopped.\n" : ""
    ].join("")
  )
})

export const command = defineCommand({
  group: "Set up",
  summary: "Build, and register hooktape in an agent's settings.",
  options: {
    ...registering,
    events: text("LIST", "Exactly these events (a,b), all of them (all), or more or fewer (+a,-b).", {
      details: "exactly these (`a,b`), `all`, or the default with more or fewer (`+a,-b`)",
      sample: "+Stop"
    }),
    transport: choiceWithDefault(
      "NAME",
      ["auto", "command", "http"],
      "auto",
      "command, http (Claude Code only), or auto (default): http only where there is no native client.",
      {
        details:
          "`command`, `http` (Claude Code only), or `auto` (default), which takes [HTTP](../how-to/use-http-hooks.md) only where there is no native client",
        sample: "command"
      }
    )
  },
  examples: ["hooktape install --agent claude-code", "hooktape install --agent codex --events +Stop"],
  guards: takesAway,
  run: install
})
