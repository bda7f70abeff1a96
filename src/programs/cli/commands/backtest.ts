/** `hooktape backtest`: what hooks of today would have said of the calls of the past. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { realPath } from "../../../runtime/builds/discover.ts"
import { findBuild } from "../../../runtime/builds/refresh.ts"
import type { Manifest } from "../../../state/manifest.ts"
import { CliError } from "../CliError.ts"
import { Logbook, withLogbook } from "../logbook.ts"
import { findPlaces } from "../places.ts"
import { drawBacktest } from "../render/backtest.ts"
import { Screen } from "../Screen.ts"
import { parseSince } from "../since.ts"
import { defineCommand } from "../syntax/Command.ts"
import { anyArguments, flag, text } from "../syntax/parameters.ts"
import { json as jsonOption, times } from "../syntax/shared.ts"

interface BacktestOptions {
  readonly hooks: readonly string[]
  readonly since: string | undefined
  readonly against: string | undefined
  readonly shipped: boolean
  readonly project: string | undefined
  readonly all: boolean
  readonly json: boolean
}

const what = "backtest"
const asRecorded = "recorded"
/** What of the hooks that come along can stop an action. */
const shippedGuards = ["guard-destructive", "own-guards"]

const isFile = (word: string): boolean => /[/\\]|\.[cm]?[jt]sx?$/.test(word)

const wrong = (reason: string, remedy: string): CliError => new CliError({ what, reason, remedy })

const inUse = (project: string): Effect.Effect<Manifest, CliError> => {
  const found = findBuild(findPlaces().state, realPath(project) ?? "")
  return found === undefined
    ? wrong(
        "nothing is built",
        'Run "hooktape build", or ask about what comes along: "hooktape backtest --shipped".'
      )
    : Effect.succeed(found.current)
}

/** What is asked, and about which hooks. */
const chosen = Effect.fn("cli.backtest.chosen")(function* ({ hooks, project, shipped }: BacktestOptions) {
  const files = hooks.filter(isFile)
  if (shipped && hooks.length > 0)
    return yield* wrong("--shipped asks the guards that come along", "Leave the hooks out, or --shipped.")
  if (files.length > 0 && files.length < hooks.length)
    return yield* wrong(
      "hooks by name and by file do not go together",
      "Name files, or hooks that are in use."
    )
  const tools = yield* Effect.promise(() => import("../../../tools/backtest/buildAside.ts"))
  if (shipped) return { manifest: yield* tools.buildShipped(), asked: shippedGuards }
  if (files.length > 0) return { manifest: yield* tools.buildFiles(files), asked: undefined }
  const manifest = yield* inUse(findPlaces(project).project)
  return { manifest, asked: hooks.length === 0 ? undefined : hooks }
})

const backtest = (options: BacktestOptions) =>
  Effect.gen(function* () {
    const { against, all, json, shipped } = options
    const screen = yield* Screen
    const logbook = yield* Logbook
    const places = findPlaces(options.project)
    if (all && options.project !== undefined)
      return yield* wrong("--all and --project do not go together", "Leave one out.")
    const now = yield* Clock.currentTimeMillis
    const since = yield* parseSince(options.since ?? "30d", now)
    const { asked, manifest } = yield* chosen(options)
    const { judge, runBacktest, countOlder, aside } = yield* Effect.promise(async () => ({
      countOlder: (await import("../../../tools/backtest/countOlder.ts")).countOlder,
      judge: await import("../../../tools/backtest/judge.ts"),
      runBacktest: (await import("../../../tools/backtest/runBacktest.ts")).runBacktest,
      aside: await import("../../../tools/backtest/buildAside.ts")
    }))
    const directory = yield* aside.scratchDirectory
    const mine = yield* judge.makeJudge({ manifest, hooks: asked, directory })
    const isOther = against !== undefined && against !== asRecorded
    const other = isOther
      ? yield* judge.makeJudge({
          manifest: yield* aside.buildFolder(against, places.userFolder),
          hooks: asked,
          directory
        })
      : undefined
    // A new user's own month is that of all their projects.
    const project = all || (shipped && options.project === undefined) ? undefined : places.project
    const progress = yield* Effect.acquireRelease(
      Effect.sync(() => screen.progress("backtesting")),
      (one) => Effect.sync(one.end)
    )
    const began = yield* Clock.currentTimeMillis
    const ofProject = project === undefined ? {} : { project }
    const result = yield* runBacktest({
      read: (types) => logbook.read({ types, since, ...ofProject }),
      judge: mine,
      against: other,
      // Of files it is known only as they are loaded which hooks are in them.
      hooks: asked !== undefined ? new Set(asked) : options.hooks.length > 0 ? mine.known : undefined,
      progress: (calls) => progress.at(calls, undefined, "calls")
    })
    progress.end()
    const unknown = (asked ?? []).filter(
      (name) => !mine.known.has(name) && !result.hooks.some(({ hook }) => hook === name)
    )
    if (!shipped && unknown.length > 0 && result.calls > 0)
      return yield* wrong(
        `no hook that any of these calls goes to is called ${unknown.map((name) => `"${name}"`).join(", ")}`,
        `There are ${[...mine.known].sort().join(", ") || "none"}.`
      )
    // Whoever names a time knows what is left out.
    const older =
      options.since === undefined
        ? yield* countOlder((types) => logbook.read({ types, ...ofProject }), since)
        : null
    const ms = (yield* Clock.currentTimeMillis) - began
    yield* screen.out(
      json
        ? `${JSON.stringify({ since, project: project ?? null, tookMs: ms, older, ...result }, null, 2)}\n`
        : drawBacktest(
            result,
            { shipped, ms, older: older ?? 0, against: isOther ? against : undefined },
            screen
          )
    )
    return result.looser > 0 ? 1 : 0
  }).pipe(Effect.scoped, withLogbook)

export const command = defineCommand({
  group: "Look back",
  summary: "Ask hooks about the calls of the past, and compare with what was decided then.",
  line: "[hook…] [options]",
  arguments: {
    hooks: anyArguments(
      "[hook…]",
      "Hooks in use, by name, or hook files that are not yet. Default: all that are in use here."
    )
  },
  options: {
    since: text("TIME", `Of what happened since: ${times}. Default: 30d.`, { sample: "30d" }),
    against: text(
      "DIR",
      'Compare with the hooks of this directory, or with what was "recorded", the default.',
      {
        sample: "../before"
      }
    ),
    shipped: flag("Only the guards that come with hooktape, as shipped, on the calls of all projects.", {
      example: "hooktape backtest --shipped"
    }),
    project: text("DIR", "Calls of this project. Default: the one around the working directory.", {
      sample: "../site"
    }),
    all: flag("Calls of all projects."),
    json: jsonOption(
      "what it came to, by hook and by shape of command; `.shapes[].samples` are calls to look at"
    )
  },
  examples: [
    "hooktape backtest no-force-push",
    "hooktape backtest ./draft.ts --since 7d",
    "hooktape backtest --shipped"
  ],
  guards: "keeps",
  ofFleet: "of all projects",
  run: backtest
})
