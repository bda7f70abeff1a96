/** What was done, when, and how much of it again. Pure. */

import { type Found, type Part, unknown } from "./Measure.ts"
import type { ErrorClass } from "./Moment.ts"
import { wilson } from "./statistics.ts"
import { longestPauseMs, type Trace, type TracedCall } from "./trace.ts"

const allCalls = (traces: readonly Trace[]): readonly TracedCall[] => traces.flatMap(({ calls }) => calls)

const byEnd = (a: TracedCall, b: TracedCall): number => (a.endedAt ?? a.at) - (b.endedAt ?? b.at)

/** Lines that a session puts in and takes out again, of those it puts in. */
const churnOf = ({
  calls
}: Trace): { readonly added: number; readonly again: number; readonly unshipped: number } => {
  const own = new Map<string, number>()
  let added = 0
  let again = 0
  let unshipped = 0
  for (const { ended } of [...calls].sort(byEnd))
    for (const edit of ended?.edits ?? []) {
      if (edit.counted !== undefined) unshipped++
      for (const sum of edit.removed) {
        const key = `${edit.path}\n${sum}`
        const count = own.get(key) ?? 0
        if (count === 0) continue
        own.set(key, count - 1)
        again++
      }
      for (const sum of edit.added)
        own.set(`${edit.path}\n${sum}`, (own.get(`${edit.path}\n${sum}`) ?? 0) + 1)
      added += edit.added.length
    }
  return { added, again, unshipped }
}

export const churn = (traces: readonly Trace[]): Found => {
  const all = traces.map(churnOf)
  const added = all.reduce((total, one) => total + one.added, 0)
  const again = all.reduce((total, one) => total + one.again, 0)
  const unshipped = all.reduce((total, one) => total + one.unshipped, 0)
  if (added === 0 && unshipped > 0) return unknown(`lines were not shipped (edits: ${unshipped})`)
  return added === 0
    ? unknown("no line was seen put in")
    : {
        value: again / added,
        n: added,
        parts: [
          { name: "put in", value: added },
          { name: "taken out again", value: again },
          ...(unshipped === 0 ? [] : [{ name: "edits without lines, not counted", value: unshipped }])
        ]
      }
}

type Deed = "read" | "edit" | "check" | "other"

const deedOf = ({ ended, tool }: TracedCall): Deed => {
  if (tool === "edit" || (ended?.edits?.length ?? 0) > 0) return "edit"
  if ((ended?.checks?.length ?? 0) > 0) return "check"
  return tool === "read" || tool === "search" || ended?.looks === true ? "read" : "other"
}

export const mix = (traces: readonly Trace[]): Found => {
  const calls = allCalls(traces)
  if (calls.length === 0) return unknown("no tool call was seen")
  const count = (deed: Deed): number => calls.filter((call) => deedOf(call) === deed).length
  return {
    value: count("read") / calls.length,
    n: calls.length,
    parts: (["read", "edit", "check", "other"] as const).map((name) => ({ name, value: count(name) }))
  }
}

export const commits = (traces: readonly Trace[]): Found => {
  const made = allCalls(traces).flatMap(({ ended }) => ended?.commits ?? [])
  return {
    value: new Set(made.filter((id) => id !== "")).size + made.filter((id) => id === "").length,
    n: traces.length
  }
}

/** Active time by hour of the day, each pause counted where it begins. */
export const hoursOfDay = (traces: readonly Trace[], hourOf: (at: number) => number): Found => {
  const hours = Array.from({ length: 24 }, () => 0)
  for (const { moments } of traces)
    moments.forEach(({ at }, nth) => {
      const before = moments[nth - 1]?.at
      if (before === undefined) return
      const hour = hourOf(before)
      hours[hour] = (hours[hour] ?? 0) + Math.min(at - before, longestPauseMs)
    })
  const busiest = hours.indexOf(Math.max(...hours))
  if (hours.every((ms) => ms === 0)) return unknown("nothing lasted", traces.length)
  return {
    value: busiest,
    n: traces.length,
    parts: hours.map((value, hour) => ({ name: String(hour).padStart(2, "0"), value }))
  }
}

const ended = (traces: readonly Trace[]): readonly TracedCall[] =>
  allCalls(traces).filter((call) => call.ended !== undefined)

/** Of the calls that ended, those that came to no good end for this reason. */
export const errorsOf =
  (error: ErrorClass) =>
  (traces: readonly Trace[]): Found => {
    const calls = ended(traces)
    if (calls.length === 0) return unknown("no tool call was seen to end")
    const hits = calls.filter((call) => call.ended?.error === error)
    const byName = new Map<string, number>()
    for (const { name } of hits) byName.set(name, (byName.get(name) ?? 0) + 1)
    const parts: readonly Part[] = [...byName]
      .sort(([, a], [, b]) => b - a)
      .slice(0, 5)
      .map(([name, value]) => ({ name, value }))
    return {
      value: hits.length / calls.length,
      n: calls.length,
      interval: wilson(hits.length, calls.length),
      ...(parts.length === 0 ? {} : { parts })
    }
  }
