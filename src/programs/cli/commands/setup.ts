/** `hooktape setup`: what a clone needs after its packages are installed, from a script of its package.json. Never the reason why that fails. */
import { existsSync, statSync } from "node:fs"
import * as Effect from "effect/Effect"
import { count } from "../../../features/timeline/words.ts"
import { sorted } from "../../../runtime/builds/trustHint.ts"
import { folderOf, userManifest } from "../../../state/manifest.ts"
import { messageOf } from "../../../state/messageOf.ts"
import { hostFile } from "../../../state/startedFiles.ts"
import { buildHooks } from "../../../tools/build/build.ts"
import { hostIn } from "../../../tools/install/hostScript.ts"
import { withAskedFolder } from "../askedFolder.ts"
import { findPlaces, type Places } from "../places.ts"
import { contentOf, hookOf, prepareState } from "../prepare.ts"
import { Screen } from "../Screen.ts"
import { defineCommand } from "../syntax/Command.ts"

/** Whoever has hooktape keeps the version they have, unless the package that it starts is gone. */
const isSetUp = (state: string): boolean => {
  const host = hostIn(contentOf(hostFile(state))?.toString() ?? "")
  return existsSync(hookOf(state)) && host !== undefined && existsSync(host)
}

const withheldIn = Effect.fn("cli.setup.withheld")(function* ({ project, state, userFolder }: Places) {
  if (statSync(folderOf(project), { throwIfNoEntry: false }) === undefined) return []
  return (yield* buildHooks({ state, userFolder, project })).withheld
})

const setup = Effect.fn("cli.setup")(function* () {
  const screen = yield* Screen
  const places = yield* withAskedFolder(findPlaces())
  if (!isSetUp(places.state)) yield* prepareState(places.state)
  const { state, userFolder } = places
  if (!existsSync(userManifest(state))) yield* buildHooks({ state, userFolder })
  const waiting = yield* withheldIn(places)
  if (waiting.length === 0) return
  const { broken, taken } = sorted(waiting)
  if (broken.length > 0)
    yield* screen.note(
      `hooktape: ${count(broken.length, "hook file")} of this project ${broken.length === 1 ? "does" : "do"} not build: npx hooktape check\n`
    )
  if (taken.length > 0)
    yield* screen.note(
      `hooktape: ${count(taken.length, "hook")} of this project ${taken.length === 1 ? "has a name that is" : "have names that are"} taken: npx hooktape doctor\n`
    )
  const unread = waiting.length - broken.length - taken.length
  if (unread === 0) return
  yield* screen.note(
    `hooktape: ${count(unread, "hook")} of this project ${unread === 1 ? "waits" : "wait"} for you to read ${unread === 1 ? "it" : "them"}: npx hooktape trust\n`
  )
})

/** A package manager that stops because a guard could not be set up would be harm done by the guard. */
const orSaySo = (cause: unknown) =>
  Effect.flatMap(Screen, ({ note }) =>
    note(
      `hooktape: not set up here, agents work without it: ${messageOf(cause)}. Run "npx hooktape doctor".\n`
    )
  )

export const command = defineCommand({
  group: "Set up",
  summary: 'Make a clone ready, quietly: for "prepare" in package.json. Trusts nothing.',
  examples: ["hooktape setup"],
  guards: "keeps",
  run: () => setup().pipe(Effect.catchAll(orSaySo))
})
