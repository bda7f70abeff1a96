/** Tests, types, lint and builds: how often they pass at once, how long red lasts, whether it gets better. Pure. */
import { byKey } from "../../state/byKey.ts"
import type { Purpose } from "../checkpoints/commands.ts"
import { type Found, type Part, unknown } from "./Measure.ts"
import type { CheckRun } from "./Moment.ts"
import { kaplanMeierMedian, type Lasted, theilSen, wilson } from "./statistics.ts"
import { activeBetween, type Trace, type TracedCall } from "./trace.ts"

const hasEdit = ({ ended }: TracedCall): boolean => (ended?.edits?.length ?? 0) > 0

const byTime = (a: TracedCall, b: TracedCall): number => (a.endedAt ?? a.at) - (b.endedAt ?? b.at)

const endedCalls = ({ calls }: Trace): readonly TracedCall[] =>
  calls.filter(({ ended }) => ended !== undefined).sort(byTime)

export interface FirstRun {
  readonly purpose: Purpose
  readonly at: number
  readonly passed: boolean
  /** How long after the last edit it was begun. */
  readonly sinceEditMs: number
}

interface FirstRuns {
  readonly runs: readonly FirstRun[]
  /** Of these nobody can tell how they ended. */
  readonly untold: number
}

/** Of each purpose the first run after an edit. */
const firstRunsOf = (trace: Trace): FirstRuns => {
  const runs: FirstRun[] = []
  let untold = 0
  let edited: number | undefined
  let done = new Set<Purpose>()
  for (const call of endedCalls(trace)) {
    if (hasEdit(call)) {
      edited = call.endedAt ?? call.at
      done = new Set()
    }
    const { verdict } = call.ended as { readonly verdict: string }
    for (const { purpose } of call.ended?.checks ?? []) {
      if (edited === undefined || done.has(purpose)) continue
      done.add(purpose)
      if (verdict === "unknown") untold++
      else
        runs.push({
          purpose,
          at: call.at,
          passed: verdict === "pass",
          sinceEditMs: Math.max(0, call.at - edited)
        })
    }
  }
  return { runs, untold }
}

const allFirstRuns = (traces: readonly Trace[]): FirstRuns => {
  const all = traces.map(firstRunsOf)
  return { runs: all.flatMap(({ runs }) => runs), untold: all.reduce((total, one) => total + one.untold, 0) }
}

const purposes: readonly Purpose[] = ["tests", "types", "lint", "build"]

const shareOf = (runs: readonly FirstRun[]): number =>
  runs.filter(({ passed }) => passed).length / runs.length

export const firstPassRate = (traces: readonly Trace[]): Found => {
  const { runs, untold } = allFirstRuns(traces)
  const left = untold === 0 ? [] : [{ name: "runs of which nothing tells the outcome", value: untold }]
  if (runs.length === 0) return { ...unknown("no check was run after an edit"), parts: left }
  const parts = purposes.flatMap((purpose): readonly Part[] => {
    const of = runs.filter((run) => run.purpose === purpose)
    return of.length === 0 ? [] : [{ name: purpose, value: shareOf(of) }]
  })
  const hits = runs.filter(({ passed }) => passed).length
  return {
    value: hits / runs.length,
    n: runs.length,
    interval: wilson(hits, runs.length),
    parts: [...parts, ...left]
  }
}

export const editToCheck = (traces: readonly Trace[]): Found => {
  const { runs } = allFirstRuns(traces)
  const sorted = runs.map(({ sinceEditMs }) => sinceEditMs).sort((a, b) => a - b)
  if (sorted.length === 0) return unknown("no check was run after an edit")
  return { value: sorted[Math.floor((sorted.length - 1) / 2)] as number, n: sorted.length }
}

const isWithin = (target: string, folder: string): boolean =>
  target === folder || target.startsWith(`${folder.replace(/\/?(?:\.\.\.)?$/, "")}/`)

/** Whether a run looks at all that another one looked at: at everything, or at the same and more. */
export const covers = (run: CheckRun, other: CheckRun): boolean =>
  run.purpose === other.purpose &&
  run.folder === other.folder &&
  (run.targets.length === 0 ||
    (run.program === other.program &&
      other.targets.length > 0 &&
      other.targets.every((target) => run.targets.some((one) => isWithin(target, one)))))

/** From the first red run of a check to the first green one that covers it, pauses left out. */
const redTimesOf = (trace: Trace): readonly Lasted[] => {
  const times = trace.moments.map(({ at }) => at)
  let red: readonly { readonly run: CheckRun; readonly since: number }[] = []
  const lasted: Lasted[] = []
  for (const { ended, endedAt = 0 } of endedCalls(trace))
    for (const run of ended?.checks ?? []) {
      const isKnown = red.some((one) => covers(one.run, run) && covers(run, one.run))
      if (ended?.verdict === "fail" && !isKnown) red = [...red, { run, since: endedAt }]
      if (ended?.verdict !== "pass") continue
      const green = red.filter((one) => covers(run, one.run))
      lasted.push(...green.map(({ since }) => ({ ms: activeBetween(times, since, endedAt), ended: true })))
      red = red.filter((one) => !green.includes(one))
    }
  return [...lasted, ...red.map(({ since }) => ({ ms: activeBetween(times, since), ended: false }))]
}

export const timeToGreen = (traces: readonly Trace[]): Found => {
  const all = traces.flatMap(redTimesOf)
  const open = all.filter(({ ended }) => !ended).length
  const parts = [
    { name: "came to green", value: all.length - open },
    { name: "still red when last seen", value: open }
  ]
  if (all.length === 0) return unknown("no check was red")
  const median = kaplanMeierMedian(all)
  if (median === undefined) return { ...unknown("more than half never came to green", all.length), parts }
  return { value: median, n: all.length, parts }
}

const weekMs = 7 * 86_400_000
const leastWeeks = 8
const leastRuns = 20

/** The slope of the weekly first-pass rate: shown only where there is enough of it. */
export const qualityTrend = (traces: readonly Trace[]): Found => {
  const { runs } = allFirstRuns(traces)
  const first = Math.min(...runs.map(({ at }) => at))
  const weeks = byKey(runs, ({ at }) => Math.floor((at - first) / weekMs))
  const full = [...weeks].filter(([, of]) => of.length >= leastRuns)
  if (full.length < leastWeeks)
    return unknown(
      `not enough data: ${full.length} of ${leastWeeks} weeks with ${leastRuns} runs or more`,
      full.length
    )
  const last = Math.max(...full.map(([week]) => week))
  const rates = Array.from({ length: last + 1 }, (_, week) => {
    const of = weeks.get(week) ?? []
    return of.length >= leastRuns ? shareOf(of) : null
  })
  const trend = theilSen(rates)
  if (trend === undefined) return unknown("not enough data", full.length)
  return { value: trend.slope, n: full.length, interval: trend.interval }
}

/** Runs that were red between two edits of one file, for each turn that edits. */
export const rework = (traces: readonly Trace[]): Found => {
  let again = 0
  let turns = 0
  for (const trace of traces)
    for (const { from, to } of trace.turns) {
      const calls = endedCalls(trace).filter(({ endedAt = 0 }) => endedAt >= from && endedAt <= to)
      if (!calls.some(hasEdit)) continue
      turns++
      again += reworkIn(calls)
    }
  return turns === 0 ? unknown("no turn edits a file") : { value: again / turns, n: turns }
}

const reworkIn = (calls: readonly TracedCall[]): number => {
  /** `edited`, then `red` once a check failed after it. */
  const files = new Map<string, "edited" | "red">()
  let again = 0
  for (const { ended } of calls) {
    for (const path of new Set((ended?.edits ?? []).map((edit) => edit.path))) {
      if (files.get(path) === "red") again++
      files.set(path, "edited")
    }
    if (ended?.verdict === "fail" && (ended.checks?.length ?? 0) > 0)
      for (const path of files.keys()) files.set(path, "red")
  }
  return again
}
