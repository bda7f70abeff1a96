/** Months as sums of their days. Pure. */
import type { CallDay, HookDay } from "../timeline/days.ts"
import { errorClasses, type WorkDay } from "./days.ts"

export interface Month {
  readonly month: string
  /** Days of which anything is known. */
  readonly days: number
  /** Each counts once for each day on which it went on. */
  readonly sessions: number
  readonly prompts: number
  readonly activeMs: number
  readonly ended: number
  readonly errors: WorkDay["errors"]
  readonly calls: number
  readonly blocked: number
  readonly failed: number
  readonly late: number
  readonly waitedMs: number
  readonly hooks: readonly MonthOfHook[]
}

export interface MonthOfHook {
  readonly hook: string
  readonly runs: number
  readonly blocked: number
  readonly failed: number
  readonly late: number
  readonly ms: number
}

export interface Days {
  readonly calls: readonly CallDay[]
  readonly hooks: readonly HookDay[]
  readonly work: readonly WorkDay[]
}

const monthOf = ({ day }: { readonly day: string }): string => day.slice(0, 7)

const sum = <A>(all: readonly A[], of: (one: A) => number): number =>
  all.reduce((total, one) => total + of(one), 0)

const hooksOf = (days: readonly HookDay[]): readonly MonthOfHook[] =>
  [...new Set(days.map(({ hook }) => hook))].sort().map((hook) => {
    const own = days.filter((one) => one.hook === hook)
    return {
      hook,
      runs: sum(own, ({ runs }) => runs),
      blocked: sum(own, ({ blocked }) => blocked),
      failed: sum(own, ({ failed }) => failed),
      late: sum(own, ({ late }) => late),
      ms: sum(own, ({ ms }) => ms)
    }
  })

/** The oldest first. */
export const monthsOf = ({ calls, hooks, work }: Days): readonly Month[] =>
  [...new Set([...calls, ...work].map(monthOf))].sort().map((month) => {
    const ofMonth = <A extends { readonly day: string }>(days: readonly A[]): readonly A[] =>
      days.filter((one) => monthOf(one) === month)
    const [called, worked] = [ofMonth(calls), ofMonth(work)]
    const errors = Object.fromEntries(
      errorClasses.map((name) => [name, sum(worked, (one) => one.errors[name])])
    ) as Month["errors"]
    return {
      month,
      days: new Set([...called, ...worked].map(({ day }) => day)).size,
      sessions: sum(worked, ({ sessions }) => sessions),
      prompts: sum(worked, ({ prompts }) => prompts),
      activeMs: sum(worked, ({ activeMs }) => activeMs),
      ended: sum(worked, ({ ended }) => ended),
      errors,
      calls: sum(called, (one) => one.calls),
      blocked: sum(called, ({ blocked }) => blocked),
      failed: sum(called, ({ failed }) => failed),
      late: sum(called, ({ late }) => late),
      waitedMs: sum(called, ({ waited }) => waited),
      hooks: hooksOf(ofMonth(hooks))
    }
  })
