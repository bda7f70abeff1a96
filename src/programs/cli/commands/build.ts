/** `hooktape build`: compiles the user's hooks and the project's, and says what will run when. */
import { existsSync } from "node:fs"
import { relative, resolve } from "node:path"
import * as Effect from "effect/Effect"
import type { OperatorFact } from "../../../../events/facts.ts"
import { count, milliseconds } from "../../../features/timeline/words.ts"
import { describeProblem, type Problem } from "../../../hooks/Problem.ts"
import { buildLock } from "../../../runtime/builds/beingBuilt.ts"
import { realPath } from "../../../runtime/builds/discover.ts"
import { remediesFor } from "../../../runtime/builds/trustHint.ts"
import { closeInherited } from "../../../runtime/closeInherited.ts"
import { folderOf, type Manifest, projectManifest, userManifest } from "../../../state/manifest.ts"
import { messageOf } from "../../../state/messageOf.ts"
import { takeOwnerLock } from "../../../state/ownerLock.ts"
import { printable, printableLines } from "../../../state/terminalText.ts"
import { BuildError } from "../../../tools/build/BuildError.ts"
import { type BuildOptions, type BuildResult, buildHooks } from "../../../tools/build/build.ts"
import { warm } from "../../../tools/build/warm.ts"
import { unregistered, unregisteredText } from "../../../tools/check/registration.ts"
import { appendOperatorFact } from "../appendOperatorFact.ts"
import { askedDefaults } from "../askedDefaults.ts"
import { withAskedFolder } from "../askedFolder.ts"
import { findPlaces, type Places } from "../places.ts"
import { loaderOf, prepareState } from "../prepare.ts"
import { table } from "../render/table.ts"
import { withheldText } from "../render/words.ts"
import { Screen, type ScreenShape } from "../Screen.ts"
import { defineCommand } from "../syntax/Command.ts"
import { flag } from "../syntax/parameters.ts"
import { project } from "../syntax/shared.ts"
import { type WatchedHooks, watchHooks } from "../watchHooks.ts"

export interface BuildCommandOptions {
  readonly project: string | undefined
  readonly user: boolean
  readonly quiet: boolean
  /** Also name the hooks that come with hooktape. */
  readonly all: boolean
}

/** A named project is what is wanted alone; otherwise everything that serves this directory. */
export const targets = (
  options: BuildCommandOptions,
  { project, state, userFolder }: Places
): readonly BuildOptions[] => {
  const users: BuildOptions = { state, userFolder }
  const own = existsSync(folderOf(project))
  if (options.user || !own) return [users]
  const both = { ...users, project: realPath(project) ?? project }
  return options.project === undefined ? [users, both] : [both]
}

/** What is done is done, recorded or not; but whoever looks on is told. */
export const noteDown = Effect.fn("cli.noteDown")(function* (
  state: string,
  fact: OperatorFact,
  quiet = false
) {
  const screen = yield* Screen
  yield* appendOperatorFact(state, fact).pipe(
    Effect.catchAll((error) =>
      quiet ? Effect.void : screen.note(`This is not on the log: ${error.message}\n`)
    )
  )
})

/** `watched`: by somebody at a terminal, who sees how far it is. */
export const recorded = (options: BuildOptions, quiet: boolean, watched?: WatchedHooks) =>
  Effect.flatMap(askedDefaults(options), (defaults) =>
    buildHooks({ ...options, ...(defaults === undefined ? {} : { defaults }), watching: watched })
  ).pipe(
    Effect.ensuring(Effect.sync(() => watched?.pause())),
    Effect.tap(({ hooks, manifest, ms, order, problems, replaced }) =>
      Effect.zipRight(
        noteDown(
          options.state,
          {
            type: "HOOKS_BUILT",
            project: manifest.project ?? "",
            build: manifest.build,
            hooks: hooks.map(({ hook }) => hook),
            order,
            ...(replaced.length > 0 ? { replaced } : {}),
            ms
          },
          quiet
        ),
        problems.length === 0
          ? Effect.void
          : noteDown(
              options.state,
              { type: "BUILD_FAILED", project: options.project ?? "", errors: problems.map(describeProblem) },
              quiet
            )
      )
    ),
    Effect.tapError((error: BuildError) => {
      const errors = error.problems.map(describeProblem)
      return noteDown(options.state, { type: "BUILD_FAILED", project: options.project ?? "", errors }, quiet)
    })
  )

const stands = ({ project, state }: BuildOptions): boolean =>
  existsSync(project === undefined ? userManifest(state) : projectManifest(state, project))

/** What a build of these hooks amounts to, and what is left out of it. */
export const tellBuild = (
  { out, note, style, width }: ScreenShape,
  { held, hooks, manifest, ms, replaced, warnings, withheld }: BuildResult,
  all: boolean,
  told: ReadonlySet<string> = new Set()
) =>
  Effect.gen(function* () {
    const base = manifest.project ?? ""
    const near = (file: string): string =>
      base !== "" && file.startsWith(base) ? relative(base, file) : file
    const whose = manifest.project === null ? "the user" : manifest.project
    const own = hooks.filter(({ owner }) => owner !== "hooktape").length
    const shipped = own === hooks.length ? "" : ` and ${hooks.length - own} that come with hooktape`
    const rows = table(
      [{ title: "" }, { title: "" }, { title: "" }],
      hooks
        .filter(({ owner }) => all || owner !== "hooktape")
        .map((one) => [
          `  ${style.strong(printable(one.hook))}`,
          printable(one.on.join(", ")),
          style.faint(
            one.owner !== "hooktape"
              ? printable(near(one.origin ?? one.file))
              : `hooktape${manifest.shipped?.[one.hook] === false ? ", off" : ""}`
          )
        ]),
      { style, width }
    )
    yield* out(
      `${style.good("✔")} built ${count(own, "hook")} of ${printable(whose)}${shipped} in ${milliseconds(ms)}\n${rows}`
    )
    if (own === 0 && withheld.length === 0)
      yield* note(
        `There is no hook of your own yet. ${style.strong("hooktape init")} makes a first one in a project.\n`
      )
    for (const { by, file, hook } of replaced)
      yield* note(
        `${style.warn("!")} ${printable(`${near(by)}: hook "${hook}" replaces the one in ${near(file)}`)}\n`
      )
    const untold = withheld.filter(({ file }) => !told.has(resolve(base, file)))
    for (const one of untold) yield* note(`${style.warn("!")} ${printable(withheldText(one))}\n`)
    for (const one of held)
      yield* note(
        `${style.warn("!")} ${printable(`${withheldText(one)}${one.kind === "policy" ? "" : "; the last trusted version runs on"}`)}\n`
      )
    for (const remedy of remediesFor([...untold, ...held])) yield* note(`  ${remedy}\n`)
    for (const warning of warnings)
      yield* note(`${style.warn("!")} ${printableLines(describeProblem(warning))}\n`)
  })

/** A hook that nobody calls is silent: said where it is built. */
const tellUnregistered = ({ note, style }: ScreenShape, places: Places, manifest: Manifest) =>
  Effect.gen(function* () {
    for (const one of yield* unregistered(places, manifest))
      yield* note(`${style.warn("!")} ${printable(unregisteredText(one))}\n  ${printable(one.remedy)}\n`)
  })

/** Whether nobody else builds it; nobody does until the scope closes. */
const alone = ({ project, state }: BuildOptions) => {
  const file = buildLock(state, project)
  return Effect.acquireRelease(
    Effect.try({
      try: () => takeOwnerLock(file),
      catch: (cause) =>
        new BuildError({ op: "write", problems: [{ file, reason: `cannot be locked: ${messageOf(cause)}` }] })
    }),
    (lock) => Effect.sync(() => lock?.release())
  ).pipe(Effect.map((lock) => lock !== undefined))
}

/** `told`: hook files of whose problems somebody says more; that they are left out is no news. */
export const build = Effect.fn("cli.build")(function* (
  options: BuildCommandOptions,
  watched?: WatchedHooks,
  told: ReadonlySet<string> = new Set()
) {
  const screen = yield* Screen
  // A call began it and may not wait for its end: the agent must not either.
  if (options.quiet) closeInherited()
  const watching = options.quiet ? undefined : (watched ?? (yield* watchHooks))
  const places = yield* withAskedFolder(findPlaces(options.project))
  yield* prepareState(places.state)
  const wanted = targets(options, places)
  const problems: Problem[] = []
  for (const target of wanted) {
    // Of the hook calls that notice the same change, one builds; the others go on with the build before.
    if (options.quiet && !(yield* alone(target))) continue
    const result = yield* recorded(target, options.quiet, watching).pipe(
      Effect.tapError(() =>
        stands(target) && !options.quiet ? screen.note("The build before stays in use.\n") : Effect.void
      )
    )
    problems.push(...result.problems)
    if (options.quiet) continue
    const isLast = target === wanted.at(-1)
    // What comes along is told once, and of somebody without hooks of their own there is nothing to tell beside a project's.
    const hooks = isLast ? result.hooks : result.hooks.filter(({ owner }) => owner !== "hooktape")
    if (hooks.length > 0 || isLast) yield* tellBuild(screen, { ...result, hooks }, options.all, told)
    if (target.project !== undefined) yield* tellUnregistered(screen, places, result.manifest)
    // A hook that waits for its rebuild does not wait for this too.
    yield* warm({ manifest: result.manifest, loader: loaderOf(places.state) })
  }
  if (problems.length > 0 && !options.quiet) {
    yield* screen.note("All other hooks are in the build; of these, what worked before stays in use.\n")
    return yield* new BuildError({ op: "check", problems })
  }
}, Effect.scoped)

export const command = defineCommand({
  group: "Set up",
  summary: "Compile the hooks.",
  options: {
    project: { ...project, details: "only that project" },
    user: flag("Only the user's own hooks."),
    all: flag("Name the hooks that come with hooktape, too."),
    quiet: flag("Say nothing but errors.")
  },
  examples: ["hooktape build"],
  guards: "keeps",
  run: (options: BuildCommandOptions) => build(options)
})
