/** Tokens, what they cost at list price, and how full the model's window was. Only transcripts tell. Pure. */
import { type Found, unknown } from "./Measure.ts"
import type { Usage } from "./Moment.ts"
import { type Price, pricedOn, priceOf, windowOf } from "./prices.ts"
import type { Trace } from "./trace.ts"

/** Each message of the model once, with the largest figures that were told of it: the first may be told while it is under way. */
export const usageOf = (traces: readonly Trace[]): readonly Usage[] => {
  const byMessage = new Map<string, Usage>()
  for (const { moments, session } of traces)
    for (const { moment } of moments) {
      if (moment.kind !== "usage") continue
      const key = moment.message === "" ? `${session} ${byMessage.size}` : moment.message
      const before = byMessage.get(key)
      if (before === undefined || total(moment) > total(before)) byMessage.set(key, moment)
    }
  return [...byMessage.values()]
}

const total = ({ cacheCreation, cacheRead, input, output }: Usage): number =>
  input + output + cacheRead + cacheCreation

const none = 'no transcript tells of tokens: see "hooktape import"'

const sumOf = (all: readonly Usage[], of: (one: Usage) => number): number =>
  all.reduce((sum, one) => sum + of(one), 0)

export const tokens = (traces: readonly Trace[]): Found => {
  const all = usageOf(traces)
  if (all.length === 0) return unknown(none)
  return {
    value: sumOf(all, total),
    n: all.length,
    parts: [
      { name: "input", value: sumOf(all, ({ input }) => input) },
      { name: "output", value: sumOf(all, ({ output }) => output) },
      { name: "read from cache", value: sumOf(all, ({ cacheRead }) => cacheRead) },
      { name: "written to cache", value: sumOf(all, ({ cacheCreation }) => cacheCreation) }
    ]
  }
}

const costOf = (usage: Usage, price: Price): number =>
  (usage.input * price.input +
    usage.output * price.output +
    usage.cacheRead * price.cacheRead +
    usage.cacheCreation * price.cacheCreation) /
  1e6

/** What has no price is unknown, and never taken for nothing. */
export const cost = (traces: readonly Trace[]): Found => {
  const all = usageOf(traces)
  if (all.length === 0) return unknown(none)
  const byModel = new Map<string, number>()
  const unpriced = new Set<string>()
  for (const usage of all) {
    const model = usage.model ?? "unnamed model"
    const price = priceOf(model)
    if (price === undefined) unpriced.add(model)
    else byModel.set(model, (byModel.get(model) ?? 0) + costOf(usage, price))
  }
  const parts = [...byModel].map(([name, value]) => ({ name, value }))
  if (unpriced.size > 0)
    return {
      ...unknown(`no price of ${pricedOn} for ${[...unpriced].sort().join(", ")}`, all.length),
      ...(parts.length === 0 ? {} : { parts })
    }
  return { value: parts.reduce((sum, { value }) => sum + value, 0), n: all.length, parts }
}

export const cacheHits = (traces: readonly Trace[]): Found => {
  const all = usageOf(traces)
  const read = sumOf(all, ({ cacheRead }) => cacheRead)
  const of = read + sumOf(all, ({ cacheCreation, input }) => cacheCreation + input)
  return of === 0 ? unknown(none) : { value: read / of, n: all.length }
}

const heldBy = ({ cacheCreation, cacheRead, input }: Usage): number => input + cacheRead + cacheCreation

/** Models that held more than the window that is known of them: they were used with a larger one. */
const outgrown = (all: readonly Usage[]): ReadonlySet<string | null> =>
  new Set(
    all
      .filter((usage) => heldBy(usage) > (usage.model === null ? 0 : (windowOf(usage.model) ?? Infinity)))
      .map(({ model }) => model)
  )

/** The fullest that a window was, of the models whose window is known. */
export const contextPressure = (traces: readonly Trace[]): Found => {
  const all = usageOf(traces)
  if (all.length === 0) return unknown(none)
  const larger = outgrown(all)
  const shares = all.flatMap((usage) => {
    const window = usage.model === null || larger.has(usage.model) ? undefined : windowOf(usage.model)
    return window === undefined ? [] : [heldBy(usage) / window]
  })
  return shares.length === 0
    ? unknown("the window of no model is known", all.length)
    : { value: shares.reduce((most, share) => Math.max(most, share), 0), n: shares.length }
}
