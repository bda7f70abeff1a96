/** The project's hooks on kept hook calls, through the real entrypoint, compared with the kept replies. */
import { cpSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative, resolve } from "node:path"
import * as Array from "effect/Array"
import * as Effect from "effect/Effect"
import { writeWhole } from "../../state/files.ts"
import { BuildError } from "../../tools/build/BuildError.ts"
import { buildHooks } from "../../tools/build/build.ts"
import { trustProject } from "../../tools/build/trust.ts"
import { CliError } from "./CliError.ts"
import { type Fixture, readFixture, readReply, replyFile, replyText } from "./fixtures.ts"
import { launchWith } from "./launch.ts"
import type { Places } from "./places.ts"
import { prepareState } from "./prepare.ts"
import type { Broken, Judged, Tested } from "./render/fixtures.ts"
import { Screen } from "./Screen.ts"
import { canStartIn, scriptedPath } from "./scriptedPrograms.ts"

/** A folder that is gone with the scope. */
export const scratchState = Effect.acquireRelease(
  Effect.sync(() => realpathSync(mkdtempSync(join(tmpdir(), "hooktape-test-")))),
  (state) => Effect.sync(() => rmSync(state, { recursive: true, force: true }))
)

/** Large, and the same for every call; or what calls leave. */
const notCopied: ReadonlySet<string> = new Set(["build", "cache", "run", "spool", "logs"])

/** As it was built and nobody has called it: what one call leaves is not for the next, whose session may have the same name. */
const unused = (built: string) =>
  Effect.tap(scratchState, (state) =>
    Effect.sync(() => {
      for (const name of readdirSync(built))
        if (!notCopied.has(name) && !name.startsWith("log.sqlite"))
          cpSync(join(built, name), join(state, name), { recursive: true, preserveTimestamps: true })
    })
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

/** With the programs of a fixture before those of the machine. */
const withPrograms = (env: NodeJS.ProcessEnv, { run }: Fixture, folder: string): NodeJS.ProcessEnv =>
  run === undefined ? env : { ...env, PATH: scriptedPath(folder, run, env["PATH"]) }

const judged = (fixture: Fixture, name: string, reply: Judged["reply"], update: boolean): Judged => {
  const expected = readReply(fixture.file)
  const same = expected !== undefined && replyText(expected) === replyText(reply)
  if (same) return { fixture: name, status: "same", reply, expected }
  if (update) {
    // Moved into its place: a link that a repository put there is replaced, and not what it leads to.
    writeWhole(replyFile(fixture.file), replyText(reply), 0o644, 0o755)
    return { fixture: name, status: "written", reply, expected }
  }
  return { fixture: name, status: expected === undefined ? "missing" : "different", reply, expected }
}

/** A state of its own with these hooks built: what comes along says much that is not of the project, and is asked where it is meant. */
export const builtState = Effect.fn("cli.fixtures.built")(function* (
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
  return { state, built }
})

export interface FixtureRun {
  readonly places: Pick<Places, "project" | "cwd" | "userFolder">
  readonly files: readonly string[]
  /** Writes the replies as they are now. */
  readonly update: boolean
  /** Of a build that is there already: with the hooks that come along, or without. */
  readonly states?: ReadonlyMap<boolean, string>
}

/** Each fixture with its reply, in the order of the files. */
export const runFixtures = Effect.fn("cli.fixtures.run")(function* ({
  files,
  places,
  states: given,
  update
}: FixtureRun) {
  const screen = yield* Screen
  const { cwd, project, userFolder } = places
  const [unread, fixtures] = Array.separate(files.map(readFixture))
  const broken = unread.map(
    ({ file = "", reason }): Broken => ({ fixture: relative(cwd, file), status: "broken", reason })
  )
  const states = new Map(given)
  for (const defaults of new Set(fixtures.map((one) => one.defaults)))
    if (!states.has(defaults)) states.set(defaults, (yield* builtState(project, userFolder, defaults)).state)
  const progress = yield* Effect.acquireRelease(
    Effect.sync(() => screen.progress("testing")),
    (one) => Effect.sync(one.end)
  )
  let done = 0
  const programs = yield* scratchState
  if (fixtures.some(({ run }) => run !== undefined) && !canStartIn(join(programs, "probe")))
    return yield* new CliError({
      what: "test",
      reason: `nothing that is written to ${tmpdir()} can be started, and fixtures with "run" need it`,
      remedy: "Point TMPDIR at a folder on a mount without noexec."
    })
  const judgements = yield* Effect.forEach(
    fixtures,
    (fixture, nth) =>
      Effect.gen(function* () {
        const { agent, before, event: agentEvent, payload } = fixture
        const state = yield* unused(states.get(fixture.defaults) ?? "")
        const there = fixture.cwd === undefined ? project : resolve(project, fixture.cwd)
        const env = withPrograms(environment(state), fixture, join(programs, String(nth)))
        const call = { state, agent, cwd: there, env }
        for (const earlier of before)
          for (let time = 0; time < earlier.times; time++)
            yield* launchWith({ ...call, agentEvent: earlier.event }, earlier.payload)
        const reply = yield* launchWith({ ...call, agentEvent }, payload)
        progress.at(++done, files.length)
        return judged(fixture, relative(cwd, fixture.file), reply, update)
      }).pipe(Effect.scoped),
    { concurrency: 2 }
  )
  progress.end()
  const order = files.map((file) => relative(cwd, file))
  const tested: readonly Tested[] = [...broken, ...judgements]
  return tested.toSorted((a, b) => order.indexOf(a.fixture) - order.indexOf(b.fixture))
})
