/** A project, a user's folder and a state directory to build in, all thrown away with the test run's home. */
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { bundleOf } from "../../../src/state/manifest.ts"
import { BuildError } from "../../../src/tools/build/BuildError.ts"
import { type BuildOptions, type BuildResult, buildHooks } from "../../../src/tools/build/build.ts"
import { reviewProject, trustProject } from "../../../src/tools/build/trust.ts"
import { fakeCore } from "./fakeCore.ts"

export interface Told {
  readonly name: string
  readonly source: string
  readonly withheld?: string
  readonly answer?: unknown
  readonly priority?: number
  readonly enabled?: boolean
}

export const workshop = () => {
  const home = realpathSync(mkdtempSync(join(homedir(), "workshop-")))
  const project = join(home, "project")
  const userFolder = join(home, "config")
  const state = join(home, "state")
  mkdirSync(project)
  const core = fakeCore()
  // Only the hook that never finishes loading meets a short limit: a busy machine is not a broken hook.
  const options: BuildOptions = { state, userFolder, project, core, loadTimeoutMs: 120_000 }
  const put =
    (folder: string) =>
    (name: string, text: string): string => {
      const file = join(folder, name)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
      return file
    }
  const { project: _, ...forUser } = options
  const wrongWith = (ended: Either.Either<BuildResult, BuildError>): BuildError => {
    if (Either.isLeft(ended)) return ended.left
    const { problems } = ended.right
    if (problems.length === 0) throw new Error("nothing is wrong with the hooks")
    return new BuildError({ op: "check", problems })
  }
  const run = (all: BuildOptions): Promise<Either.Either<BuildResult, BuildError>> =>
    Effect.runPromise(Effect.either(buildHooks(all)))
  const build = (over: Partial<BuildOptions> = {}): Promise<Either.Either<BuildResult, BuildError>> =>
    run({ ...options, ...over })
  type Over = Partial<BuildOptions>
  return {
    home,
    project,
    userFolder,
    state,
    core,
    options,
    /** Writes into the project. */
    put: put(project),
    putUser: put(userFolder),
    build,
    built: async (over: Partial<BuildOptions> = {}): Promise<BuildResult> =>
      Either.getOrThrowWith(await build(over), (error) => error),
    /** What is wrong with hooks of a build. */
    broken: async (over: Partial<BuildOptions> = {}): Promise<BuildError> => wrongWith(await build(over)),
    builtUser: async (over: Over = {}): Promise<BuildResult> =>
      Either.getOrThrowWith(await run({ ...forUser, ...over }), (error) => error),
    brokenUser: async (over: Over = {}): Promise<BuildError> => wrongWith(await run({ ...forUser, ...over })),
    review: () => Effect.runPromise(reviewProject({ state, project, core })),
    trust: () => Effect.runPromise(trustProject({ state, project, core })),
    /** What the bundle of an event gives to the entrypoint. */
    tell: (
      { manifest }: BuildResult,
      event: string
    ): { readonly registry: readonly Told[]; readonly [key: string]: unknown } =>
      JSON.parse(execFileSync(process.execPath, [bundleOf(manifest, event)], { encoding: "utf8" }))
  }
}

/** A hook file that answers with a text. */
export const hookFile = (name: string, on = '"tool.before"', more = ""): string =>
  `import { defineHook, userHint } from "hooktape"\nexport default defineHook({\n  name: ${JSON.stringify(name)},\n  on: ${on},\n  ${more}run: () => userHint(${JSON.stringify(`from ${name}`)})\n})\n`
