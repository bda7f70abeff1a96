/** `hooktape build`: from hook files to bundles. What does not build leaves the build before in use. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { join, relative, sep } from "node:path"
import { pathToFileURL } from "node:url"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { type Config, defaultDeadlineMs, type HookSettings } from "../hooks/config.ts"
import { describedFile } from "../hooks/described.ts"
import { realPath } from "../hooks/discover.ts"
import { type Manifest, projectManifest, userManifest } from "../hooks/manifest.ts"
import { describeProblem, didYouMean, type Problem } from "../hooks/Problem.ts"
import { nameTaken } from "../hooks/trustHint.ts"
import { forgetSessions } from "../log/ledger.ts"
import { messageOf } from "../log/messageOf.ts"
import { BuildError } from "./BuildError.ts"
import { bundle } from "./bundle.ts"
import { checkHooks, type FoundHook } from "./check.ts"
import { type Core, findCore } from "./core.ts"
import { describeHooks } from "./describeHooks.ts"
import { evaluate, loadTimeoutMs } from "./evaluate.ts"
import { type Gathered, gather } from "./gather.ts"
import { apartFromUser, orderOf, type Replaced, replaceByName, type WithheldFile } from "./generate.ts"
import { guardedEvents } from "./guarded.ts"
import { guardSettingsProblems } from "./guardSettings.ts"
import type { Inspected } from "./inspect.ts"
import { writeLeavable } from "./leavable.ts"
import { collectGarbage, historyWith, readManifest, writeBundles, writeManifest } from "./output.ts"
import { besideOthers, defaultsWanted, shippedSettings, shippedStates } from "./shipped.ts"

export interface BuildOptions {
  /** The state directory. */
  readonly state: string
  /** Where the user's hooks and settings are. */
  readonly userFolder: string
  /** Without one, only the user's hooks are built. */
  readonly project?: string
  readonly core?: Core
  readonly loadTimeoutMs?: number
  /** Whether the hooks that come with hooktape are in it. Default: unless the user's settings or HOOKTAPE_DEFAULTS say no. */
  readonly defaults?: boolean
}

export interface BuildResult {
  readonly manifest: Manifest
  readonly manifestFile: string
  readonly hooks: readonly FoundHook[]
  /** For each event its hooks in the order in which they run. */
  readonly order: Readonly<Record<string, readonly string[]>>
  /** Hooks that a later file of the same owner, or of the user one that is shipped, replaced. */
  readonly replaced: readonly Replaced[]
  readonly withheld: readonly WithheldFile[]
  readonly warnings: readonly Problem[]
  readonly ms: number
}

const textOf = ({ file, locals }: Inspected): string => locals.get(realPath(file) ?? file) ?? ""

/** The hooks of all files, or the mistakes of all files. */
const load = Effect.fn("build.load")(function* (
  runnable: readonly Inspected[],
  scratch: string,
  timeoutMs: number
) {
  const loaded = yield* Effect.forEach(
    runnable,
    (inspected) =>
      Effect.map(Effect.either(evaluate(inspected, scratch, timeoutMs)), (exports) =>
        Either.isLeft(exports)
          ? { hooks: [], problems: exports.left.problems, op: exports.left.op }
          : { ...checkHooks(inspected, textOf(inspected), exports.right), op: "check" as const }
      ),
    { concurrency: 3 }
  )
  const broken = loaded.filter(({ problems }) => problems.length > 0)
  const [first] = broken
  if (first !== undefined) {
    return yield* new BuildError({ op: first.op, problems: broken.flatMap(({ problems }) => problems) })
  }
  return loaded.flatMap(({ hooks }) => hooks)
})

const nativesOf = Effect.fn("build.natives")((core: Core) =>
  Effect.tryPromise({
    try: async () => {
      const natives: Record<string, Record<string, string>> = {}
      for (const { agent, module, name } of core.adapters) {
        const exported = (await import(pathToFileURL(module).href)) as Record<
          string,
          { readonly events: Readonly<Record<string, { readonly event: string }>> } | undefined
        >
        const events = Object.entries(exported[name]?.events ?? {})
        natives[agent] = Object.fromEntries(events.map(([native, { event }]) => [native, event]))
      }
      return natives
    },
    catch: (cause) => new BuildError({ op: "bundle", problems: [{ file: core.root, reason: String(cause) }] })
  })
)

const strayedReason = (name: string, owner: FoundHook["owner"], hooks: readonly FoundHook[]): string => {
  const there = hooks.find(({ hook, owner }) => hook === name && owner !== "project")
  if (owner !== "project" || there === undefined) return `settings for "${name}", but there is no such hook`
  return there.owner === "hooktape"
    ? `settings for "${name}", which guards you in every project: they count in your own configuration only`
    : `settings for "${name}", which is not a hook of this project but one of your own: they change nothing`
}

/** Settings for a hook that is not there are no mistake (it may be another machine's), but often a misspelling. */
const strayed = (
  core: Core,
  gathered: Gathered,
  hooks: readonly FoundHook[],
  options: BuildOptions
): readonly Problem[] => {
  const files = { user: options.userFolder, project: join(options.project ?? "", ".hooktape") }
  return (["user", "project"] as const).flatMap((owner) => {
    // Of what is shipped and switched off altogether, settings are no misspelling.
    const shipped = core.shipped.filter(({ guards }) => owner === "user" || !guards).map(({ hook }) => hook)
    const names = [...hooks.filter((hook) => hook.owner === owner).map(({ hook }) => hook), ...shipped]
    return Object.keys(gathered.configs[owner].hooks ?? {}).flatMap((name) =>
      names.includes(name) || (owner === "project" && gathered.withheld.length > 0)
        ? []
        : [
            {
              file: join(files[owner], "config.json"),
              reason: strayedReason(name, owner, hooks),
              ...(names.length === 0 ? {} : { remedy: didYouMean(name, names) })
            }
          ]
    )
  })
}

/** A project's configuration decides on the project's hooks; which of hooktape's own run for a user is the user's. */
const unheard = ({ configs }: Gathered, { project }: BuildOptions): readonly Problem[] =>
  configs.project.defaults === undefined
    ? []
    : [
        {
          file: join(project ?? "", ".hooktape", "config.json"),
          reason: '"defaults" changes nothing here',
          remedy: "It counts in your own configuration, ~/.config/hooktape/config.json."
        }
      ]

/** Hooks of the project that name no time of their own have the project's. */
const capped = (
  { deadlineMs, hooks: settings = {} }: Config,
  hooks: readonly FoundHook[]
): Readonly<Record<string, HookSettings>> => {
  if (deadlineMs === undefined) return settings
  const own = hooks.filter(({ deadline, owner }) => owner === "project" && deadline === undefined)
  return {
    ...settings,
    ...Object.fromEntries(own.map(({ hook }) => [hook, { deadline: deadlineMs, ...settings[hook] }]))
  }
}

/** A project may give its hooks more time, but must not take the user's from them. */
const deadlineOf = ({ project, user }: Gathered["configs"]): number =>
  Math.max(user.deadlineMs ?? defaultDeadlineMs, project.deadlineMs ?? 0)

const assemble = Effect.fn("build.assemble")(function* (
  core: Core,
  gathered: Gathered,
  { project, defaults }: BuildOptions,
  scratch: string,
  timeoutMs: number
) {
  const { configHash, configs, runnable } = gathered
  const found = replaceByName(yield* load(runnable, scratch, timeoutMs))
  const apart = apartFromUser(found.hooks)
  const { shipped, replaced } = besideOthers(
    defaultsWanted(configs, defaults) ? core.shipped : [],
    apart.hooks
  )
  const guards = new Set(shipped.map(({ hook }) => hook))
  const taken = [...apart.taken, ...apart.hooks.filter(({ hook }) => guards.has(hook))]
  const hooks = [...shipped, ...apart.hooks.filter(({ hook }) => !guards.has(hook))]
  const withheld = [
    ...gathered.withheld,
    ...taken.map(({ file, hook }) => ({
      file: relative(project ?? "", file)
        .split(sep)
        .join("/"),
      reason: guards.has(hook)
        ? `hook "${hook}" has the name of one that comes with hooktape and guards you everywhere`
        : `hook "${hook}" ${nameTaken}`
    }))
  ]
  const settings = {
    user: configs.user.hooks ?? {},
    project: capped(configs.project, hooks),
    hooktape: shippedSettings(core.shipped, configs)
  }
  const effectFiles = new Set(runnable.filter(({ effect }) => effect !== undefined).map(({ file }) => file))
  const files = new Map(runnable.flatMap(({ locals }) => [...locals]))
  const projectFiles = runnable.flatMap(({ locals, owner }) =>
    owner === "project" ? [...locals.keys()] : []
  )
  const effect = runnable.find((one) => one.effect !== undefined)?.effect
  const stopBlocks = configs.user.stopBlocks ?? configs.project.stopBlocks
  const plan = { core, hooks, settings, withheld, projectFiles, configHash, effectFiles, stopBlocks }
  const bundled = yield* bundle(plan, files, effect)
  const natives = yield* nativesOf(core)
  return {
    hooks,
    settings,
    bundled,
    natives,
    withheld,
    replaced: [...found.replaced, ...replaced],
    order: orderOf(hooks, settings)
  }
})

/**
 * After a failure nothing runs that did not run before, but the manifest knows these sources now: they are not tried
 * again at every hook until they change.
 */
const rememberFailure = (
  options: BuildOptions,
  manifestFile: string,
  gathered: Gathered,
  error: BuildError
): void => {
  const standing = readManifest(manifestFile) ?? readManifest(userManifest(options.state))
  if (standing === undefined) return
  writeManifest(manifestFile, {
    ...standing,
    project: options.project ?? null,
    sources: gathered.sources,
    failed: error.problems.map(describeProblem)
  })
}

const writing = <A>(file: string, act: () => A): Effect.Effect<A, BuildError> =>
  Effect.try({
    try: act,
    catch: (cause) =>
      new BuildError({
        op: "write",
        problems: [{ file, reason: `cannot be written: ${messageOf(cause)}` }]
      })
  })

const scratchIn = (state: string) =>
  Effect.acquireRelease(
    writing(state, () => {
      const builds = join(state, "build")
      mkdirSync(builds, { recursive: true, mode: 0o700 })
      return mkdtempSync(join(builds, ".load-"))
    }),
    (scratch) => Effect.sync(() => rmSync(scratch, { recursive: true, force: true }))
  )

/** After so long a session is over, whatever became of it. */
const longestSessionMs = 30 * 86_400_000

/** A build that hangs must not outlive the hook call that started it for long. */
const longestMs = 60_000
const tooLong = (): BuildError =>
  new BuildError({ op: "bundle", problems: [{ file: "hooktape build", reason: "took longer than 60 s" }] })

export const buildHooks = Effect.fn("build")(
  function* (given: BuildOptions) {
    const began = yield* Clock.currentTimeMillis
    const core = given.core ?? findCore()
    const project = given.project === undefined ? undefined : (realPath(given.project) ?? given.project)
    const options: BuildOptions = project === undefined ? given : { ...given, project }
    const { state, userFolder } = options
    const manifestFile = project === undefined ? userManifest(state) : projectManifest(state, project)
    const scratch = yield* scratchIn(state)
    const { failure, gathered } = yield* gather({ core, state, project, userFolder, scratch })
    const made = yield* (
      failure === undefined
        ? assemble(core, gathered, options, scratch, options.loadTimeoutMs ?? loadTimeoutMs)
        : Effect.fail(failure)
    ).pipe(
      Effect.tapError((error) =>
        Effect.ignore(writing(state, () => rememberFailure(options, manifestFile, gathered, error)))
      )
    )
    const { bundled, hooks, natives, order, replaced, settings, withheld } = made
    const manifest = yield* writing(state, (): Manifest => {
      const said = `${JSON.stringify(describeHooks(hooks, settings), null, 1)}\n`
      const files = new Map([...bundled.files, [describedFile, said]])
      const dir = writeBundles(state, { build: bundled.build, files })
      const written: Manifest = {
        version: 1,
        project: project ?? null,
        build: bundled.build,
        config: gathered.configHash,
        dir,
        events: bundled.events,
        default: bundled.default,
        natives,
        deadlineMs: deadlineOf(gathered.configs),
        sources: gathered.sources,
        withheld,
        history: historyWith(bundled.build, readManifest(manifestFile)),
        cli: core.cli,
        hooktape: core.version,
        wanted: [...new Set(hooks.flatMap(({ on }) => on))],
        guarded: guardedEvents(hooks, settings),
        shipped: shippedStates(hooks, settings.hooktape)
      }
      writeManifest(manifestFile, written)
      if (project === undefined) writeLeavable(state, { manifest: written, hooks, settings })
      return written
    })
    const ended = yield* Clock.currentTimeMillis
    yield* Effect.ignore(
      writing(state, () => {
        collectGarbage(state, ended)
        forgetSessions(state, ended - longestSessionMs)
      })
    )
    const warnings = [
      ...strayed(core, gathered, hooks, options),
      ...unheard(gathered, options),
      ...guardSettingsProblems(gathered.configs.user, userFolder)
    ]
    return {
      manifest,
      manifestFile,
      hooks,
      order,
      replaced,
      withheld,
      warnings,
      ms: ended - began
    } satisfies BuildResult
  },
  Effect.scoped,
  Effect.timeoutFail({ duration: longestMs, onTimeout: tooLong })
)
