/** All figures of a part of what there is, each with its definition, its n and its coverage. Pure. */

import { editToCheck, firstPassRate, qualityTrend, rework, timeToGreen } from "./checkFigures.ts"
import { definitions, type MetricId } from "./definitions.ts"
import type { CheckpointRow } from "./find.ts"
import { falseBlocks, type HookCalls, hookShare, hookTimeouts, hookTimes, hookWait } from "./hookFigures.ts"
import { type Coverage, type Found, type Group, type Measure, unknown } from "./Measure.ts"
import { activeTime, autonomy, compactions, prompts, splitTime, toolCalls } from "./sessionFigures.ts"
import { quantile } from "./statistics.ts"
import type { Trace } from "./trace.ts"
import { cacheHits, contextPressure, cost, tokens } from "./usageFigures.ts"
import { churn, commits, errorsOf, hoursOfDay, mix } from "./workFigures.ts"

/** What one line of a report is about: a session, a day, everything. */
export interface Scope {
  readonly traces: readonly Trace[]
  readonly hooks: HookCalls
  readonly checkpoints: readonly CheckpointRow[]
}

/** What cannot be had from the log alone. */
export interface Surroundings {
  /** The hour of the day of a moment where the reader is, 0 to 23. */
  readonly hourOf: (at: number) => number
  /** Which of these short ids of commits were reverted, which only stand; undefined where git cannot be asked. */
  readonly reverted?:
    | ((ids: readonly string[]) => { readonly known: number; readonly reverted: number })
    | undefined
}

const checkpointQuality = ({ checkpoints }: Scope): Found => {
  const evident = checkpoints.filter((one) => one.evident === 1)
  const without = checkpoints.length - evident.length
  const parts = without === 0 ? [] : [{ name: "without evidence", value: without }]
  const qualities = evident.map(({ quality }) => quality)
  const median = quantile(qualities, 0.5)
  if (median === undefined) return { ...unknown("no checkpoint had evidence"), parts }
  return {
    value: median,
    n: evident.length,
    parts: [
      { name: "first", value: qualities[0] as number },
      { name: "last", value: qualities.at(-1) as number },
      ...parts
    ]
  }
}

const reverted = ({ traces }: Scope, { reverted: ask }: Surroundings): Found => {
  const ids = traces.flatMap(({ calls }) => calls.flatMap(({ ended }) => ended?.commits ?? []))
  const named = [...new Set(ids.filter((id) => id !== ""))]
  if (named.length === 0) return unknown("no commit was seen by its id")
  if (ask === undefined) return unknown("git was not asked: see one project at a time, in its folder")
  const { known, reverted: count } = ask(named)
  return known === 0 ? unknown("git knows none of the commits") : { value: count / known, n: known }
}

type Figure = (scope: Scope, surroundings: Surroundings) => Found

const ofTraces =
  (figure: (traces: readonly Trace[]) => Found): Figure =>
  ({ traces }) =>
    figure(traces)

const ofHooks =
  (figure: (hooks: HookCalls, traces: readonly Trace[]) => Found): Figure =>
  ({ hooks, traces }) =>
    figure(hooks, traces)

const figures: { readonly [id in MetricId]: Figure } = {
  "active-time": ofTraces(activeTime),
  "agent-share": ofTraces(splitTime),
  interventions: ofTraces(autonomy),
  prompts: ofTraces(prompts),
  "tool-calls": ofTraces(toolCalls),
  compactions: ofTraces(compactions),
  "first-pass": ofTraces(firstPassRate),
  "time-to-green": ofTraces(timeToGreen),
  "checkpoint-quality": checkpointQuality,
  "quality-trend": ofTraces(qualityTrend),
  rework: ofTraces(rework),
  churn: ofTraces(churn),
  mix: ofTraces(mix),
  "edit-to-check": ofTraces(editToCheck),
  commits: ofTraces(commits),
  reverted,
  hours: ({ traces }, { hourOf }) => hoursOfDay(traces, hourOf),
  "hook-wait": ofHooks(hookWait),
  "hook-share": ofHooks(hookShare),
  "hook-times": ofHooks(hookTimes),
  "hook-timeouts": ofHooks(hookTimeouts),
  "false-blocks": ofHooks(falseBlocks),
  "errors-misuse": ofTraces(errorsOf("misuse")),
  "errors-environment": ofTraces(errorsOf("environment")),
  "errors-check": ofTraces(errorsOf("check")),
  "errors-denied": ofTraces(errorsOf("denied")),
  "errors-other": ofTraces(errorsOf("other")),
  tokens: ofTraces(tokens),
  cost: ofTraces(cost),
  "cache-hits": ofTraces(cacheHits),
  "context-pressure": ofTraces(contextPressure)
}

export const coverageOf = (traces: readonly Trace[]): Coverage => {
  const sources = traces.flatMap(({ calls }) => calls.map((call) => call.sources))
  const both = sources.filter((one) => one.size === 2).length
  return {
    hooks: sources.filter((one) => one.has("hooks")).length - both,
    transcript: sources.filter((one) => one.has("transcript")).length - both,
    both
  }
}

export const measuresOf = (
  scope: Scope,
  surroundings: Surroundings,
  group?: Group | undefined
): readonly Measure[] => {
  const coverage = coverageOf(scope.traces)
  return definitions
    .filter((definition) => group === undefined || definition.group === group)
    .map((definition) => ({ ...definition, ...figures[definition.id](scope, surroundings), coverage }))
}
