/** `hooktape test`: the project's hooks on kept hook calls, through the real entrypoint, compared with the kept replies. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { runFixtures } from "../fixtureRuns.ts"
import { findFixtures } from "../fixtures.ts"
import { findPlaces } from "../places.ts"
import { asCalled } from "../render/asCalled.ts"
import { drawTests } from "../render/fixtures.ts"
import { Screen } from "../Screen.ts"
import { defineCommand } from "../syntax/Command.ts"
import { anyArguments, flag } from "../syntax/parameters.ts"
import { json as jsonOption, project as projectOption } from "../syntax/shared.ts"

export interface TestOptions {
  readonly fixtures: readonly string[]
  readonly update: boolean
  readonly json: boolean
  readonly project: string | undefined
}

/** To be pasted. */
const firstFixture = [
  "  mkdir -p .hooktape/fixtures",
  `  echo '{"agent":"claude-code","event":"PreToolUse","payload":{"tool_name":"Bash","tool_input":{"command":"ls"}}}' > .hooktape/fixtures/ls.json`,
  "  hooktape test --update",
  ""
].join("\n")

const test = (options: TestOptions) =>
  Effect.gen(function* () {
    const screen = yield* Screen
    const { userFolder, project, cwd } = findPlaces(options.project)
    const folder = join(project, ".hooktape", "fixtures")
    const named = options.fixtures.length > 0 ? options.fixtures : [folder]
    const none = options.fixtures.length === 0 && !existsSync(folder)
    const files = none ? [] : yield* findFixtures(named)
    if (files.length === 0) {
      const where = named.join(", ")
      yield* screen.note(
        `hooktape: test: ${where}: there is no fixture. A fixture is a hook call as JSON; this makes one:\n\n`
      )
      yield* screen.note(asCalled(firstFixture), "exact")
      return 1
    }
    const tested = yield* runFixtures({ places: { cwd, project, userFolder }, files, update: options.update })
    const ok = tested.every(({ status }) => status === "same" || status === "written")
    yield* screen.out(
      options.json
        ? `${JSON.stringify({ ok, fixtures: tested }, null, 2)}\n`
        : drawTests(tested, screen.style)
    )
    return ok ? 0 : 1
  }).pipe(Effect.scoped)

export const command = defineCommand({
  group: "Try out",
  summary: "Run the project's hooks on fixtures and compare the replies with the kept ones.",
  arguments: {
    fixtures: anyArguments("<fixture>", "Files or directories. Default: .hooktape/fixtures.")
  },
  options: {
    update: flag("Write the replies as they are now."),
    json: jsonOption(),
    project: projectOption
  },
  heading: "[fixtures…]",
  line: "[fixtures…] [options]",
  examples: ["hooktape test"],
  guards: "keeps",
  run: test
})
