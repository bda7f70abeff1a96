/** `hooktape fixture`: a recorded call becomes a test. */
import { relative, resolve } from "node:path"
import * as Effect from "effect/Effect"
import { printable } from "../../../state/terminalText.ts"
import { Logbook, withLogbook } from "../logbook.ts"
import { observedAt } from "../observedAt.ts"
import { findPlaces } from "../places.ts"
import { asCalled } from "../render/asCalled.ts"
import type { Style } from "../render/style.ts"
import { Screen } from "../Screen.ts"
import { type SavedFixture, saveFixture, saveObserved } from "../saveFixture.ts"
import { defineCommand } from "../syntax/Command.ts"
import { text } from "../syntax/parameters.ts"
import { json as jsonOption, ref as refArgument } from "../syntax/shared.ts"

interface FixtureOptions {
  readonly ref: string
  readonly project: string | undefined
  readonly json: boolean
}

export const drawSaved = ({ file, isOld, kept }: SavedFixture, cwd: string, style: Style): string => {
  const { defaults = false } = kept.fixture
  const lines = [
    `${style.good("✔")} ${isOld ? "was kept before as" : "kept as"} ${printable(relative(cwd, file))}${
      kept.reply === undefined
        ? ", made again from its transcript; no hook ran, so there is no reply"
        : ", with the reply that it got"
    }`,
    ...kept.redacted.map(
      ({ at, kinds }) =>
        `${style.warn("!")} ${printable(at)}: ${kinds.join(", ")} was taken out before it was recorded. Hooks get the mark in its place, until you write something there.`
    ),
    ...(defaults
      ? [
          style.faint(
            '  Hooks that come along had a say in it: "defaults": true has the test ask them too, without what they remembered.'
          )
        ]
      : []),
    style.faint(asCalled("  hooktape test runs it."))
  ]
  return `${lines.join("\n")}\n`
}

const fixture = ({ json, project, ref }: FixtureOptions) =>
  Effect.gen(function* () {
    const screen = yield* Screen
    const { resolve: resolved } = yield* Logbook
    const places = findPlaces()
    const into = {
      here: places.project,
      project: project === undefined ? undefined : resolve(places.cwd, project)
    }
    const observed = yield* observedAt(ref)
    const saved =
      observed === undefined
        ? yield* saveFixture(yield* resolved(ref), into)
        : yield* saveObserved(observed, into)
    const { file, kept, reply } = saved
    const { invocation, redacted } = kept
    yield* screen.out(
      json
        ? `${JSON.stringify({ file, reply, invocation, redacted, defaults: kept.fixture.defaults ?? false }, null, 2)}\n`
        : drawSaved(saved, places.cwd, screen.style)
    )
    return 0
  }).pipe(withLogbook)

export const command = defineCommand({
  group: "Try out",
  summary: "Keep a recorded call with its reply as a fixture for `hooktape test`.",
  arguments: { ref: refArgument },
  options: {
    project: text("DIR", "Write it into this project. Default: the call's own.", { sample: "../site" }),
    json: jsonOption("`{file, reply, invocation, redacted: [{at, kinds}], defaults}`")
  },
  heading: "<ref>",
  line: "<ref> [options]",
  examples: ["hooktape fixture last"],
  guards: "keeps",
  run: fixture
})
