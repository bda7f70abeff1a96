/** `hooktape build`: from hook files to bundles. What does not build leaves the build before in use. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { isAbsolute, join, relative, sep } from "node:path"
import { pathToFileURL } from "node:url"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { stop } from "esbuild"
import { adapters } from "../../agents/adapters.ts"
import { forgetSessions } from "../../history/ledger.ts"
import { describeProblem, didYouMean, type Problem } from "../../hooks/Problem.ts"
import { newerBuild } from "../../runtime/builds/beingBuilt.ts"
import { describedFile } from "../../runtime/builds/described.ts"
import { type HookFile, realPath } from "../../runtime/builds/discover.ts"
import { routesFile } from "../../runtime/builds/routeTable.ts"
import { type Config, defaultDeadlineMs } from "../../state/configShape.ts"
import { type Manifest, projectManifest, userManifest, type WithheldFile } from "../../state/manifest.ts"
import { messageOf } from "../../state/messageOf.ts"
import { findProject } from "../../state/project.ts"
import { folderOfBuild, isUserFolder, userFolder as userFolderIn } from "../../state/userFolder.ts"
import { hashOf } from "../../trust/digest.ts"
import { labelIn } from "../../trust/policies/label.ts"
import { forgetSessions as forgetSessionGuards } from "../../trust/sessionGuards.ts"
import { isNewerTrust, readTrust, trustFile } from "../../trust/store.ts"
import { addTrusted } from "./addTrusted.ts"
import { BuildError } from "./BuildError.ts"
import { bundle } from "./bundle.ts"
import type { FoundHook } from "./check.ts"
import { type Core, findCore } from "./core.ts"
import { type Decided, decide } from "./decide.ts"
import { describeHooks } from "./describeHooks.ts"
import { loadTimeoutMs } from "./evaluate.ts"
import { type Gathered, gather } from "./gather.ts"
import { apartFromUser, orderOf, oursAmong, type Replaced, replaceByName, sourceOf } from "./generate.ts"
import { guardedEvents, guardsOf } from "./guarded.ts"
import { guardSettingsProblems } from "./guardSettings.ts"
import { keepGuards } from "./keepGuards.ts"
import { writeLeavable } from "./leavable.ts"
import { newerProblem, orNewer } from "./newerProblem.ts"
import { collectGarbage, historyWith, readManifest, writeBundles, writeManifest } from "./output.ts"
import { routesOf } from "./routes.ts"
import {
  type AskedDefaults,
  besideOthers,
  defaultsWanted,
  serving,
  shippedSettings,
  shippedStates,
  withoutDefaults
} from "./shipped.ts"
import type { Watching } from "./Watching.ts"

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
  readonly defaults?: AskedDefaults
  /** Whoever sees how far it is may also wait as long as it takes. */
  readonly watching?: Watching | undefined
  /** Of hooks that are laid out in the user's folder to be tried: each with where it is at home. */
  readonly placed?: ((hook: HookFile) => HookFile) | undefined
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
  /** Files that are not as they were trusted: what was trusted runs. */
  readonly held: readonly WithheldFile[]
  /** What is wrong with single files; all others are in the build. */
  readonly problems: readonly Problem[]
  readonly warnings: readonly Problem[]
  readonly ms: number
}

type Events = Readonly<Record<string, { readonly event: string }>>

const nativesIn = (events: Events): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(events).map(([native, { event }]) => [native, event]))

/** For each agent, which of our events each of its own is: by the adapters that the bundles have. */
const nativesOf = Effect.fn("build.natives")((core: Core) =>
  core.prebuilt === undefined
    ? Effect.tryPromise({
        try: async () => {
          const natives: Record<string, Readonly<Record<string, string>>> = {}
          for (const { agent, module, name } of core.adapters) {
            const exported = (await import(pathToFileURL(module).href)) as Record<
              string,
              { readonly events: Events } | undefined
            >
            natives[agent] = nativesIn(exported[name]?.events ?? {})
          }
          return natives
        },
        catch: (cause) =>
          new BuildError({ op: "bundle", problems: [{ file: core.root, reason: String(cause) }] })
      })
    : Effect.succeed(
        Object.fromEntries(Object.entries(adapters).map(([agent, { events }]) => [agent, nativesIn(events)]))
      )
)

const strayedReason = (name: string, owner: FoundHook["owner"], hooks: readonly FoundHook[]): string => {
  const there = hooks.find(({ hook, owner }) => hook === name && owner !== "project")
  if (owner !== "project" || there === undefined) return `settings for "${name}", but there is no such hook`
  return there.owner === "hooktape"
    ? `settings for "${name}", which guards you in every project: they count in your own configuration only`
    : `settings for "${name}", which is not a hook of this project but one of your own: they change nothing`
}

/** The project's hooks that a policy trusts, each with the policy. */
const signers = (hooks: readonly FoundHook[]): ReadonlyMap<string, string> =>
  new Map(
    hooks
      .filter(({ owner }) => owner === "project")
      .flatMap((hook) => {
        const policy = labelIn(sourceOf(hook))
        return policy === undefined ? [] : [[hook.hook, policy] as const]
      })
  )

/** Settings for a hook that is not there are no mistake (it may be another machine's), but often a misspelling. */
const strayed = (
  core: Core,
  { configs, held, withheld }: Decided,
  userConfig: Config,
  hooks: readonly FoundHook[],
  { userFolder }: BuildOptions
): readonly Problem[] => {
  const places = [
    { owner: "user" as const, file: join(userFolder, "config.json"), config: userConfig },
    ...configs.map(({ config, level }) => ({ owner: "project" as const, file: level.configFile, config }))
  ]
  return places.flatMap(({ config, file, owner }) => {
    // Of what is shipped and switched off altogether, settings are no misspelling.
    const shipped = core.shipped.filter(({ guards }) => owner === "user" || !guards).map(({ hook }) => hook)
    const names = [...hooks.filter((hook) => hook.owner === owner).map(({ hook }) => hook), ...shipped]
    const signed = owner === "project" ? signers(hooks) : new Map<string, string>()
    return Object.keys(config.hooks ?? {}).flatMap((name) =>
      signed.has(name)
        ? [{ file, reason: `settings for "${name}", which ${signed.get(name)} signed: they change nothing` }]
        : names.includes(name) || (owner === "project" && withheld.length + held.length > 0)
          ? []
          : [
              {
                file,
                reason: strayedReason(name, owner, hooks),
                ...(names.length === 0 ? {} : { remedy: didYouMean(name, names) })
              }
            ]
    )
  })
}

/** A project's configuration decides on the project's hooks; which of hooktape's own run for a user is the user's. */
const unheard = ({ configs }: Decided): readonly Problem[] =>
  configs.flatMap(({ config, level }) =>
    (["defaults", "policies"] as const)
      .filter((key) => config[key] !== undefined)
      .map((key) => ({
        file: level.configFile,
        reason: `"${key}" changes nothing here`,
        remedy: "It counts in your own configuration, ~/.config/hooktape/config.json."
      }))
  )

/** A project may give its hooks more time, but must not take the user's from them. */
const deadlineOf = (user: Config, project: Config): number =>
  Math.max(user.deadlineMs ?? defaultDeadlineMs, project.deadlineMs ?? 0)

const assemble = Effect.fn("build.assemble")(function* (
  core: Core,
  decided: Decided,
  user: Config,
  { project, defaults }: BuildOptions
) {
  const { projectConfig, units } = decided
  const configs = { user, project: projectConfig }
  const configHash = hashOf(JSON.stringify(configs)).slice(0, 16)
  const found = replaceByName(units.flatMap(({ hooks }) => hooks))
  const apart = apartFromUser(found.hooks)
  const { shipped, replaced } = besideOthers(
    defaultsWanted(configs, defaults) ? core.shipped.filter(({ serves }) => serves === undefined) : [],
    apart.hooks
  )
  const servants = serving(core.shipped, apart.hooks)
  const guards = new Set(shipped.map(({ hook }) => hook))
  const reserved = new Set([...guards, ...servants.map(({ hook }) => hook)])
  const taken = [...apart.taken, ...apart.hooks.filter(({ hook }) => reserved.has(hook))]
  const hooks = [...shipped, ...servants, ...apart.hooks.filter(({ hook }) => !reserved.has(hook))]
  const named = (hook: FoundHook): string => {
    const source = sourceOf(hook)
    return isAbsolute(source)
      ? relative(project ?? "", source)
          .split(sep)
          .join("/")
      : source
  }
  const withheld = [
    ...decided.withheld,
    ...found.kept.map((one) => ({
      file: named(one),
      reason: `hook "${one.hook}" has the name of a final one of an outer project`,
      kind: "taken" as const
    })),
    ...taken.map((one) => ({
      file: named(one),
      reason: guards.has(one.hook)
        ? `hook "${one.hook}" has the name of one that comes with hooktape and guards you everywhere`
        : reserved.has(one.hook)
          ? `hook "${one.hook}" has the name of one of hooktape's own, which another hook needs here`
          : `hook "${one.hook}" has the name of one of your own hooks`,
      kind: "taken" as const
    }))
  ]
  const settings = { user: user.hooks ?? {}, hooktape: shippedSettings(core.shipped, configs) }
  const hookFile = (hook: { readonly file: string } | undefined): readonly string[] =>
    hook === undefined ? [] : [hook.file]
  const effectFiles = new Set(
    units.filter(({ effect }) => effect !== undefined).flatMap(({ hooks: [first] }) => hookFile(first))
  )
  const files = new Map(units.flatMap(({ locals }) => [...locals]))
  const projectFiles = units.flatMap(({ hooks: [first], locals }) =>
    first?.owner === "project" ? [...locals.keys()] : []
  )
  const effect = units.map((one) => one.effect).find((folder) => typeof folder === "string")
  const stopBlocks = user.stopBlocks ?? projectConfig.stopBlocks
  const plan = {
    core,
    hooks,
    settings,
    withheld,
    held: decided.held,
    projectFiles,
    configHash,
    effectFiles,
    stopBlocks
  }
  const bundled = yield* bundle(plan, files, effect)
  const natives = yield* nativesOf(core)
  return {
    hooks,
    settings,
    bundled,
    natives,
    withheld,
    configHash,
    replaced: [...found.replaced, ...replaced],
    order: orderOf(hooks, settings)
  }
})

const placeOf = ({ project }: Pick<BuildOptions, "project">): string => project ?? findProject(process.cwd())

/** A folder that the environment named is judged by where it was named; one that a caller made is what it says. */
const countingFolder = (given: BuildOptions): string =>
  given.userFolder === userFolderIn(process.env)
    ? userFolderIn(process.env, placeOf(given))
    : given.userFolder

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
  // With these sources a build that a folder of the project went into would pass for one of the user's.
  const folder = folderOfBuild(standing)
  if (folder !== undefined && !isUserFolder(folder, process.env, placeOf(options))) return
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

/** A build that hangs must not outlive the hook call that started it for long, and nobody sees how far it is. */
const longestMs = 60_000
const tooLong = (): BuildError => {
  // The compiler is a program of its own, and what it waits for may never come.
  void stop()
  return new BuildError({
    op: "bundle",
    problems: [{ file: "hooktape build", reason: "took longer than 60 s" }]
  })
}

export const buildHooks = Effect.fn("build")(
  function* (given: BuildOptions) {
    const began = yield* Clock.currentTimeMillis
    const core = given.core ?? findCore()
    const project = given.project === undefined ? undefined : (realPath(given.project) ?? given.project)
    const options: BuildOptions = {
      ...given,
      ...(project === undefined ? {} : { project }),
      userFolder: countingFolder(given)
    }
    const { state, userFolder } = options
    const manifestFile = project === undefined ? userManifest(state) : projectManifest(state, project)
    const scratch = yield* scratchIn(state)
    const { failure, gathered } = yield* gather({
      core,
      project,
      userFolder,
      scratch,
      watching: given.watching,
      placed: given.placed
    })
    const made = yield* Effect.gen(function* () {
      if (failure !== undefined) return yield* failure
      // Built without it, a project would lose its guards: what was built while it could be read stays in use.
      const newer = isNewerTrust(state) ? trustFile(state) : newerBuild(state, project)
      if (newer !== undefined) return yield* newerProblem(newer)
      const decided = yield* orNewer(
        decide(
          {
            core,
            state,
            userFolder,
            project,
            scratch,
            timeoutMs: options.loadTimeoutMs ?? loadTimeoutMs,
            store: readTrust(state),
            now: began,
            watching: given.watching
          },
          gathered
        )
      )
      const assembled = yield* assemble(core, decided, decided.userConfig, options)
      return { ...assembled, decided }
    }).pipe(
      Effect.tapError((error) =>
        Effect.ignore(writing(state, () => rememberFailure(options, manifestFile, gathered, error)))
      )
    )
    const { bundled, configHash, decided, hooks, natives, order, replaced, settings, withheld } = made
    const { adopted, held, problems } = decided
    if (adopted.length > 0) yield* Effect.ignore(writing(state, () => addTrusted(state, adopted)))
    const manifest = yield* writing(state, (): Manifest => {
      const said = `${JSON.stringify(describeHooks(hooks, settings), null, 1)}\n`
      const routes = JSON.stringify(routesOf({ hooks, settings, manifest: { natives, withheld, held } }))
      const files = new Map([...bundled.files, [describedFile, said], [routesFile, `${routes}\n`]])
      const dir = writeBundles(state, { build: bundled.build, files })
      const written: Manifest = {
        version: 1,
        project: project ?? null,
        build: bundled.build,
        config: configHash,
        dir,
        events: bundled.events,
        default: bundled.default,
        ...(bundled.beside.length === 0 ? {} : { beside: bundled.beside }),
        natives,
        deadlineMs: deadlineOf(decided.userConfig, decided.projectConfig),
        sources: gathered.sources,
        withheld,
        ...(held.length === 0 ? {} : { held }),
        ...(problems.length === 0 ? {} : { failed: problems.map(describeProblem) }),
        history: historyWith(bundled.build, readManifest(manifestFile)),
        cli: core.cli,
        throughClient: true,
        hooktape: core.version,
        wanted: [...new Set(hooks.flatMap(({ on }) => on))],
        guarded: guardedEvents(hooks, settings),
        ours: oursAmong(Object.keys(bundled.events), hooks),
        contents: [...new Set(hooks.flatMap(({ digest }) => digest ?? []))],
        guards: guardsOf(hooks, settings),
        shipped: shippedStates(hooks, settings.hooktape),
        ...(withoutDefaults(options.defaults) ? { withoutDefaults: true as const } : {})
      }
      writeManifest(manifestFile, written)
      keepGuards(state, project, written.guards ?? [])
      if (project === undefined) writeLeavable(state, { manifest: written, hooks, settings })
      return written
    })
    const ended = yield* Clock.currentTimeMillis
    yield* Effect.ignore(
      writing(state, () => {
        collectGarbage(state, ended)
        forgetSessions(state, ended - longestSessionMs)
        forgetSessionGuards(state, ended - longestSessionMs)
      })
    )
    const warnings = [
      ...gathered.unstarted,
      ...strayed(core, decided, gathered.userConfig, hooks, options),
      ...unheard(decided),
      ...guardSettingsProblems(gathered.userConfig, userFolder)
    ]
    return {
      manifest,
      manifestFile,
      hooks,
      order,
      replaced,
      withheld,
      held,
      problems,
      warnings,
      ms: ended - began
    } satisfies BuildResult
  },
  Effect.scoped,
  (building, { watching }) =>
    watching === undefined
      ? Effect.timeoutFail(building, { duration: longestMs, onTimeout: tooLong })
      : building
)
