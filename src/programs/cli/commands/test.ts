/** `hooktape test`: the project's hooks on kept hook calls, through the real entrypoint, compared with the kept replies. */
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative, resolve } from "node:path"
import * as Array from "effect/Array"
import * as Effect from "effect/Effect"
import { BuildError } from "../../../tools/build/BuildError.ts"
import { buildHooks } from "../../../tools/build/build.ts"
import { trustProject } from "../../../tools/build/trust.ts"
import { type Fixture, findFixtures, readFixture, readReply, replyFile, replyText } from "../fixtures.ts"
import { launchWith } from "../launch.ts"
import { findPlaces } from "../places.ts"
import { prepareState } from "../prepare.ts"
import { type Broken, drawTests, type Judged, type Tested } from "../render/fixtures.ts"
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

const scratchState = Effect.acquireRelease(
  Effect.sync(() => realpathSync(mkdtempSync(join(tmpdir(), "hooktape-test-")))),
  (state) => Effect.sync(() => rmSync(state, { recursive: true, force: true }))
)

const environment = (state: string): NodeJS.ProcessEnv => {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith("HOOKTAPE"))
  return {
    ...Object.fromEntries(kept),
    HOOKTAPE_HOME: state,
    HOOKTAPE_HOST: "off",
    HOOKTAPE_FAILURE_HINTS: "off"
  }
}

const judged = (fixture: Fixture, name: string, reply: Judged["reply"], update: boolean): Judged => {
  const expected = readReply(fixture.file)
  const same = expected !== undefined && replyText(expected) === replyText(reply)
  if (same) return { fixture: name, status: "same", reply, expected }
  if (update) {
    writeFileSync(replyFile(fixture.file), replyText(reply))
    return { fixture: name, status: "written", reply, expected }
  }
  return { fixture: name, status: expected === undefined ? "missing" : "different", reply, expected }
}

/** A state of its own with these hooks built: what comes along says much that is not of the project, and is asked where it is meant. */
const builtState = Effect.fn("cli.test.built")(function* (
  project: string,
  userFolder: string,
  defaults: boolean
) {
  const state = yield* scratchState
  yield* prepareState(state)
  // Asking for the test of these hooks is asking to run them; nothing is trusted outside of the scratch state.
  const trusted = yield* trustProject({ state, project })
  const built = yield* buildHooks({ state, userFolder, project, defaults })
  const problems = [...trusted.problems, ...built.problems]
  // Replies of hooks that are not all there prove nothing.
  if (problems.length > 0) return yield* new BuildError({ op: "check", problems })
  return state
})

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
        `hooktape: test: ${where}: there is no fixture. A fixture is a hook call as JSON; this makes one:\n\n${firstFixture}`
      )
      return 1
    }
    const [unread, fixtures] = Array.separate(files.map(readFixture))
    const broken = unread.map(
      ({ file = "", reason }): Broken => ({ fixture: relative(cwd, file), status: "broken", reason })
    )
    const states = new Map<boolean, string>()
    for (const defaults of new Set(fixtures.map((one) => one.defaults)))
      states.set(defaults, yield* builtState(project, userFolder, defaults))
    const progress = yield* Effect.acquireRelease(
      Effect.sync(() => screen.progress("testing")),
      (one) => Effect.sync(one.end)
    )
    let done = 0
    const judgements = yield* Effect.forEach(
      fixtures,
      (fixture) =>
        Effect.gen(function* () {
          const { agent, event: agentEvent, payload } = fixture
          const state = states.get(fixture.defaults) ?? ""
          const there = fixture.cwd === undefined ? project : resolve(project, fixture.cwd)
          const reply = yield* launchWith(
            { state, agent, agentEvent, cwd: there, env: environment(state) },
            payload
          )
          progress.at(++done, files.length)
          return judged(fixture, relative(cwd, fixture.file), reply, options.update)
        }),
      { concurrency: 2 }
    )
    progress.end()
    const places = files.map((file) => relative(cwd, file))
    const tested: readonly Tested[] = [...broken, ...judgements].sort(
      (a, b) => places.indexOf(a.fixture) - places.indexOf(b.fixture)
    )
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
