/**
 * Adds calls that have ended to the sums of their minutes and hooks: in memory, and each row is written once in a round. Added one after the other to what
 * stands there, so that the sums are the same to the last bit however many come at once.
 */
import type { Database } from "better-sqlite3"
import type { HookRun } from "./Call.ts"
import type { Verdict } from "./foldCall.ts"
import { minuteMs, slowMs } from "./runningSums.ts"

/** As much of a call as its sums are made of. */
export interface SummedCall extends Pick<Verdict, "decision" | "outcome"> {
  readonly at: number
  readonly failures: number
  readonly wait: number | null
  readonly hooks: readonly Pick<HookRun, "hook" | "ms" | "outcome">[]
}

type Minute = [
  calls: number,
  blocked: number,
  failed: number,
  late: number,
  slow: number,
  waited: number,
  rank: number,
  longest: number | null
]

const wrong: readonly string[] = ["failed", "undelivered", "rejected", "unheard"]

/** As `rank` has it of a row. */
const rankOf = ({ decision, failures, outcome, wait }: SummedCall): number => {
  if (decision === "block") return 0
  if (outcome === "late") return 2
  if (failures > 0 || wrong.includes(outcome)) return 1
  if (wait !== null && wait >= slowMs) return 3
  return outcome === "silent" || outcome === "open" ? 5 : 4
}

const one = (is: boolean): number => (is ? 1 : 0)

const withCall = (sums: Minute, call: SummedCall): Minute => {
  const [calls, blocked, failed, late, slow, waited, rank, longest] = sums
  const { decision, failures, outcome, wait } = call
  return [
    calls + 1,
    blocked + one(decision === "block"),
    failed + one(failures > 0 && outcome !== "late"),
    late + one(outcome === "late"),
    slow + one(wait !== null && wait >= slowMs),
    waited + (wait ?? 0),
    Math.min(rank, rankOf(call)),
    wait === null ? longest : Math.max(longest ?? wait, wait)
  ]
}

const nothing: Minute = [0, 0, 0, 0, 0, 0, Number.MAX_SAFE_INTEGER, null]

export const makeAddToSums = (db: Database) => {
  const minuteOf = db
    .prepare<[number], Minute>(
      "SELECT calls, blocked, failed, late, slow, waited, rank, longest FROM timeline_minutes WHERE minute = ?"
    )
    .raw()
  const putMinute = db.prepare("INSERT OR REPLACE INTO timeline_minutes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
  const msOf = db.prepare<[string], number>("SELECT ms FROM timeline_hooks WHERE hook = ?").pluck()
  const putHook = db.prepare("INSERT OR REPLACE INTO timeline_hooks VALUES (?, ?)")
  const minutes = new Map<number, Minute>()
  const hooks = new Map<string, number>()

  const add = (call: SummedCall): void => {
    const minute = Math.trunc(call.at / minuteMs)
    minutes.set(minute, withCall(minutes.get(minute) ?? minuteOf.get(minute) ?? nothing, call))
    const own = new Map<string, number>()
    for (const { hook, ms, outcome } of call.hooks)
      if (outcome !== "skipped") own.set(hook, (own.get(hook) ?? 0) + (ms ?? 0))
    for (const [hook, ms] of own) hooks.set(hook, (hooks.get(hook) ?? msOf.get(hook) ?? 0) + ms)
  }

  const finish = (): void => {
    for (const [minute, sums] of minutes) putMinute.run(minute, ...sums)
    for (const [hook, ms] of hooks) putHook.run(hook, ms)
    minutes.clear()
    hooks.clear()
  }

  return { add, finish }
}
