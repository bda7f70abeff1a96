/** What hooks cost those who wait for them, and how often a block was wrong: told by the calls of the timeline. Pure. */
import { byKey } from "../../state/byKey.ts"
import { isTelling } from "../timeline/subject.ts"
import { type Found, unknown } from "./Measure.ts"
import { quantile, wilson } from "./statistics.ts"
import { activeBetween, type Trace } from "./trace.ts"

export interface HookCall {
  readonly at: number
  readonly session: string
  readonly event: string | null
  readonly tool: string | null
  readonly subject: string | null
  readonly decision: "block" | "ask" | "allow" | null
  readonly by: string | null
  /** Null where it did not end. */
  readonly waitMs: number | null
}

export interface HookRunRow {
  readonly at: number
  readonly hook: string
  readonly session: string
  readonly outcome: string
  readonly ms: number | null
}

export interface HookCalls {
  readonly calls: readonly HookCall[]
  readonly runs: readonly HookRunRow[]
}

const none = "no call of a hook was seen"

export const hookWait = ({ calls }: HookCalls): Found => {
  const waits = calls.flatMap(({ waitMs }) => (waitMs === null ? [] : [waitMs]))
  if (waits.length === 0) return unknown(none)
  return {
    value: quantile(waits, 0.5) as number,
    n: waits.length,
    parts: [
      { name: "p95", value: quantile(waits, 0.95) as number },
      { name: "in all", value: waits.reduce((sum, ms) => sum + ms, 0) }
    ]
  }
}

/** hooktape answers a call as a whole, its hooks one after the other: the wait of a call is counted once. */
export const hookShare = ({ calls }: HookCalls, traces: readonly Trace[]): Found => {
  // Transcripts alone leave silent hooks out: a share of nothing would be a lie.
  if (calls.length === 0) return unknown(none)
  let wall = 0
  let wait = 0
  let n = 0
  const bySession = byKey(calls, ({ session }) => session)
  for (const { moments, session, turns } of traces) {
    const times = moments.map(({ at }) => at)
    const own = (bySession.get(session) ?? []).filter(({ waitMs }) => waitMs !== null)
    for (const { from, to } of turns) {
      const within = own.filter(({ at }) => at >= from && at <= to)
      wall += activeBetween(times, from, to)
      wait += within.reduce((sum, { waitMs }) => sum + (waitMs ?? 0), 0)
      n += within.length
    }
  }
  return wall === 0 ? unknown("no turn of an agent was seen", n) : { value: Math.min(1, wait / wall), n }
}

/** How long each hook took. Those that ran out of time are counted apart: their time is their deadline's. */
export const hookTimes = ({ runs }: HookCalls): Found => {
  const ended = runs.flatMap(({ hook, ms, outcome }) =>
    ms === null || outcome === "timed-out" ? [] : [{ hook, ms }]
  )
  const all = [...byKey(ended, ({ hook }) => hook)].map(
    ([hook, of]) => [hook, of.map(({ ms }) => ms)] as const
  )
  if (all.length === 0) return unknown("no hook ran")
  return {
    value: quantile(
      all.flatMap(([, times]) => times),
      0.95
    ) as number,
    n: all.reduce((sum, [, times]) => sum + times.length, 0),
    parts: all
      .map(([name, times]) => ({ name, value: quantile(times, 0.95) as number }))
      .sort((a, b) => b.value - a.value)
      .slice(0, 10)
  }
}

export const hookTimeouts = ({ runs }: HookCalls): Found => {
  const ran = runs.filter(({ outcome }) => outcome !== "skipped")
  if (ran.length === 0) return unknown("no hook ran")
  const hits = ran.filter(({ outcome }) => outcome === "timed-out").length
  return { value: hits / ran.length, n: ran.length, interval: wilson(hits, ran.length) }
}

/** Two calls of the same, unchanged, in one session. */
const sameOf = ({ event, session, subject, tool }: HookCall): string =>
  JSON.stringify([session, event, tool, subject])

/** A block that the same call, unchanged, got past later in its session. */
const wasLifted = (block: HookCall, same: readonly HookCall[]): boolean =>
  same.some(
    ({ at, decision, subject, waitMs }) =>
      at > block.at && isTelling(subject) && decision !== "block" && waitMs !== null
  )

/** Where some machines ship what calls were about and others do not, the share is of those of which it is known. */
export const falseBlocks = ({ calls }: HookCalls): Found => {
  const all = calls.filter(({ decision, event }) => decision === "block" && event === "tool.before")
  if (all.length === 0) return unknown("nothing was blocked")
  const isUntold = ({ subject }: HookCall): boolean => subject !== null && !isTelling(subject)
  const untold = all.filter(isUntold).length
  const blocks = all.filter((block) => !isUntold(block))
  if (blocks.length === 0) return unknown(`nothing of what was blocked was shipped (blocks: ${untold})`)
  const alike = byKey(calls, sameOf)
  const lifted = blocks.filter((block) => wasLifted(block, alike.get(sameOf(block)) ?? []))
  const byHook = new Map<string, number>()
  for (const { by } of lifted) byHook.set(by ?? "?", (byHook.get(by ?? "?") ?? 0) + 1)
  const parts = [...byHook].map(([name, value]) => ({ name, value }))
  if (untold > 0) parts.push({ name: "not shipped, not counted", value: untold })
  return {
    value: lifted.length / blocks.length,
    n: blocks.length,
    interval: wilson(lifted.length, blocks.length),
    ...(parts.length === 0 ? {} : { parts })
  }
}
