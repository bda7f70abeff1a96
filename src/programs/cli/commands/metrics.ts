/** `hooktape metrics`: how work with agents goes, each figure with what it stands on. */
import { join } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { openMetrics } from "../../../features/metrics/catchUp.ts"
import { measuresOf, type Surroundings } from "../../../features/metrics/compute.ts"
import { findWorkDays } from "../../../features/metrics/days.ts"
import {
  findCheckpoints,
  findHookCalls,
  findSessions,
  type MetricsQuery
} from "../../../features/metrics/find.ts"
import { type Gathered, groupedBy, type Way, ways, whole } from "../../../features/metrics/groupBy.ts"
import { type Group, groups, type Measure } from "../../../features/metrics/Measure.ts"
import { monthsOf } from "../../../features/metrics/months.ts"
import { readReverts } from "../../../features/metrics/reverted.ts"
import { findCallDays, findHookDays } from "../../../features/timeline/days.ts"
import { day } from "../../../features/timeline/words.ts"
import { CliError } from "../CliError.ts"
import { Logbook, withLogbook } from "../logbook.ts"
import { findPlaces } from "../places.ts"
import { readyToAsk } from "../ready.ts"
import { drawBy, drawMetrics } from "../render/metrics.ts"
import { drawHookMonths, drawMonths } from "../render/months.ts"
import { Screen } from "../Screen.ts"
import { fullSession } from "../sessions.ts"
import { parseSince } from "../since.ts"
import { defineCommand } from "../syntax/Command.ts"
import { choice, flag, optionalArgument, text } from "../syntax/parameters.ts"
import { json as jsonOption, ofProject, ofSession, times } from "../syntax/shared.ts"
import { sayUnshipped, unshippedPart } from "../unshipped.ts"

interface MetricsOptions {
  readonly group: string | undefined
  readonly since: string | undefined
  readonly by: Way | "month" | undefined
  readonly session: string | undefined
  readonly agent: string | undefined
  readonly project: string | undefined
  readonly all: boolean
  readonly explain: boolean
  readonly json: boolean
}

const what = "metrics"

const groupNamed = (name: string | undefined): Effect.Effect<Group | undefined, CliError> => {
  const found = groups.find((group) => group === name)
  return name === undefined || found !== undefined
    ? Effect.succeed(found)
    : Effect.fail(
        new CliError({
          what,
          reason: `there is no group "${name}"`,
          remedy: `There are ${groups.join(", ")}.`
        })
      )
}

const gathered = Effect.fn("cli.metrics.gathered")(function* (query: MetricsQuery) {
  const file = join(findPlaces().logState, "log.sqlite")
  yield* readyToAsk(what, () => openMetrics(file))
  const { timeline } = yield* Logbook
  return yield* timeline(
    (db): Gathered => ({
      sessions: findSessions(db, query),
      hooks: findHookCalls(db, query),
      checkpoints: findCheckpoints(db, query)
    })
  )
})

const hourOf = (at: number): number => new Date(at).getHours()

/** Git is asked about one project, and only where its answer is shown. */
const surroundingsOf = (project: string | undefined, group: Group | undefined, since: number) =>
  Effect.map(
    project === undefined || (group !== undefined && group !== "work")
      ? Effect.succeed(undefined)
      : Effect.promise(() => readReverts(project, since)),
    (reverted): Surroundings => ({ hourOf, reverted })
  )

/** Of a hook there is what it takes and whether its blocks held; nothing else belongs to it. */
const ofOneHook: readonly string[] = ["hook-times", "hook-timeouts", "false-blocks"]

/** As many columns as anybody reads beside each other. */
const inTables: { readonly [group in Group]: readonly string[] } = {
  sessions: ["active-time", "agent-share", "interventions", "prompts", "tool-calls"],
  quality: ["first-pass", "time-to-green", "checkpoint-quality"],
  work: ["rework", "churn", "edit-to-check", "commits"],
  hooks: ["hook-wait", "hook-share", "hook-times", "hook-timeouts", "false-blocks"],
  errors: ["errors-misuse", "errors-environment", "errors-check", "errors-denied", "errors-other"],
  usage: ["tokens", "cost", "cache-hits", "context-pressure"]
}

const overview: readonly string[] = ["active-time", "tool-calls", "first-pass", "time-to-green", "hook-wait"]

const columnsOf = (by: Way, group: Group | undefined): readonly string[] => {
  if (by === "hook") return ofOneHook
  return group === undefined ? overview : inTables[group]
}

const only = (measures: readonly Measure[], ids: readonly string[]): readonly Measure[] =>
  measures.filter(({ id }) => ids.includes(id))

/** Months stand on sums that were kept of days whose facts are gone, and on what the log still tells. */
const months = Effect.fn("cli.metrics.months")(function* (
  query: MetricsQuery,
  isOfHooks: boolean,
  json: boolean,
  /** What a document says besides. */
  more: object
) {
  const screen = yield* Screen
  const { agent, project, session, since = 0 } = query
  if (session !== undefined)
    return yield* new CliError({
      what,
      reason: "sums of days do not tell one session from another",
      remedy: 'Leave out "--session", or take "--by day".'
    })
  const file = join(findPlaces().logState, "log.sqlite")
  yield* readyToAsk(what, () => openMetrics(file))
  const { timeline } = yield* Logbook
  const first = new Date(since).toISOString().slice(0, 10)
  const fits = (one: { readonly day: string; readonly project: string; readonly agent: string }): boolean =>
    one.day >= first &&
    (project === undefined || one.project === project) &&
    (agent === undefined || one.agent === agent)
  const found = yield* timeline((db) =>
    monthsOf({
      calls: findCallDays(db).filter(fits),
      hooks: findHookDays(db).filter(fits),
      work: findWorkDays(db).filter(fits)
    })
  )
  if (json)
    return yield* screen.out(document({ since, by: "month", project: project ?? null, rows: found, ...more }))
  const isEmpty = isOfHooks ? found.every(({ hooks }) => hooks.length === 0) : found.length === 0
  if (isEmpty) return yield* screen.note("nothing was seen.\n")
  yield* screen.out(isOfHooks ? drawHookMonths(found, screen) : drawMonths(found, screen))
})

const document = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const metrics = (options: MetricsOptions) =>
  Effect.gen(function* () {
    const screen = yield* Screen
    const { agent, all, by, explain, json } = options
    const group = yield* groupNamed(options.group)
    const now = yield* Clock.currentTimeMillis
    const since = yield* Either.match(parseSince(options.since ?? "0", now), {
      onLeft: Effect.fail,
      onRight: Effect.succeed
    })
    const session = yield* fullSession(options.session)
    const project = all || session !== undefined ? undefined : findPlaces(options.project).project
    const found = yield* gathered({ since, project, session, agent })
    const surroundings = yield* surroundingsOf(project, group, since)
    const more = json ? yield* unshippedPart : {}
    if (!json) yield* sayUnshipped
    if (by === "month")
      return yield* months({ since, project, session, agent }, group === "hooks", json, more)
    if (by === undefined) {
      const measures = measuresOf(whole(found), surroundings, group)
      if (json)
        return yield* screen.out(
          document({ since, project: project ?? null, session: session ?? null, metrics: measures, ...more })
        )
      if (found.sessions.length === 0)
        return yield* screen.note(
          'nothing was seen of a session here. "--all" has other projects; "hooktape import" takes in past ones.\n'
        )
      const place = session === undefined ? (project ?? "All projects") : `Session ${session}`
      return yield* screen.out(drawMetrics({ measures, what: place }, explain, screen))
    }
    const rows = groupedBy(found, by, day).map((scope) => ({
      name: scope.name,
      measures: measuresOf(scope, surroundings, by === "hook" ? "hooks" : group)
    }))
    if (json)
      return yield* screen.out(
        document({
          since,
          by,
          rows: rows.map(({ measures, name }) => ({ name, metrics: measures })),
          ...more
        })
      )
    if (rows.length === 0) return yield* screen.note("nothing was seen.\n")
    const columns = columnsOf(by, group)
    yield* screen.out(
      drawBy(
        rows.map(({ measures, name }) => ({ name, measures: only(measures, columns) })),
        by,
        screen
      )
    )
  }).pipe(withLogbook)

export const command = defineCommand({
  group: "Look back",
  summary: "See how work with agents goes: pace, checks, failures, what hooks cost.",
  arguments: {
    group: optionalArgument("<group>", `Only these figures: ${groups.join(", ")}.`)
  },
  options: {
    since: text("TIME", `Of what happened since: ${times}.`, { sample: "30d" }),
    by: choice(
      "WAY",
      [...ways, "month"],
      `A line for each ${ways.join(", ")}, or month: months outlast what the log keeps.`,
      { sample: "day" }
    ),
    session: ofSession,
    agent: text("NAME", "Only of this agent.", { sample: "codex" }),
    project: ofProject,
    all: flag("Of all projects."),
    explain: flag("With the definition of each figure."),
    json: jsonOption("each figure with `value`, `unit`, `n`, `interval`, `coverage`, `definition`")
  },
  examples: [
    "hooktape metrics",
    "hooktape metrics quality --since 30d",
    "hooktape metrics hooks --by hook",
    "hooktape metrics --by month"
  ],
  guards: "keeps",
  ofFleet: "of all projects",
  run: metrics
})
