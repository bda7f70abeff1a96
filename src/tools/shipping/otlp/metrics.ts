/** What calls and hooks took, and what hooks wanted, as sums and histograms of one batch: deltas, so that nobody has to remember. Pure. */
import type { InvocationFact } from "../../../../events/facts.ts"
import { metricNames, names } from "./conventions.ts"
import type { HookCall } from "./HookCall.ts"
import { attributes, type KeyValue, nanoseconds, type Plain } from "./values.ts"

/** Seconds. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** DELTA. */
const aggregationTemporality = 1

interface Point {
  readonly attributes: readonly KeyValue[]
  readonly startTimeUnixNano: string
  readonly timeUnixNano: string
}
export interface HistogramPoint extends Point {
  readonly count: string
  readonly sum: number
  readonly bucketCounts: readonly string[]
  readonly explicitBounds: readonly number[]
}
export interface SumPoint extends Point {
  readonly asInt: string
}
export type Metric = { readonly name: string; readonly unit: string; readonly description: string } & (
  | {
      readonly histogram: {
        readonly aggregationTemporality: 1
        readonly dataPoints: readonly HistogramPoint[]
      }
    }
  | {
      readonly sum: {
        readonly aggregationTemporality: 1
        readonly isMonotonic: true
        readonly dataPoints: readonly SumPoint[]
      }
    }
)

type Labels = Readonly<Record<string, Plain | null>>
interface Sample {
  readonly labels: Labels
  readonly value: number
}

const grouped = (samples: readonly Sample[]): readonly (readonly [Labels, readonly number[]])[] => {
  const groups = new Map<string, readonly [Labels, number[]]>()
  for (const { labels, value } of samples) {
    const key = JSON.stringify(Object.entries(labels))
    const group = groups.get(key) ?? ([labels, []] as const)
    group[1].push(value)
    groups.set(key, group)
  }
  return [...groups.values()]
}

const bucketOf = (seconds: number): number => {
  const at = bounds.findIndex((bound) => seconds <= bound)
  return at === -1 ? bounds.length : at
}

type HandlerFact = Extract<
  InvocationFact,
  { type: "HANDLER_SUCCEEDED" | "HANDLER_FAILED" | "HANDLER_TIMED_OUT" }
>

const outcomes: Readonly<Record<string, string>> = {
  HANDLER_SUCCEEDED: "succeeded",
  HANDLER_FAILED: "failed",
  HANDLER_TIMED_OUT: "timed_out"
}

const handlersOf = ({ agent, facts }: HookCall) =>
  facts.flatMap(({ data, known, type }) => {
    const outcome = known ? outcomes[type] : undefined
    if (outcome === undefined) return []
    const fact = data as HandlerFact
    const labels = { [names.agent]: agent, "hooktape.hook": fact.handler, "hooktape.event": fact.event }
    return [{ fact, labels, outcome }]
  })

/** `since`: the end of the batch before, milliseconds since 1970. */
export const metricsOf = (calls: readonly HookCall[], since: number, now: number): readonly Metric[] => {
  if (calls.length === 0) return []
  const time = { startTimeUnixNano: nanoseconds(Math.min(since, now)), timeUnixNano: nanoseconds(now) }
  const histogram = (name: string, description: string, samples: readonly Sample[]): Metric => ({
    name,
    unit: "s",
    description,
    histogram: {
      aggregationTemporality,
      dataPoints: grouped(samples).map(([labels, values]) => {
        const buckets = Array.from({ length: bounds.length + 1 }, () => 0)
        for (const value of values) {
          const at = bucketOf(value)
          buckets[at] = (buckets[at] ?? 0) + 1
        }
        return {
          attributes: attributes(labels),
          ...time,
          count: String(values.length),
          sum: values.reduce((sum, value) => sum + value, 0),
          bucketCounts: buckets.map(String),
          explicitBounds: bounds
        }
      })
    }
  })
  const handlers = calls.flatMap(handlersOf)
  const intents = handlers.flatMap(({ fact, labels }) =>
    (fact.intents ?? []).map(({ type }) => ({ labels: { ...labels, "hooktape.intent": type }, value: 1 }))
  )
  const metrics: readonly Metric[] = [
    histogram(
      metricNames.call,
      "Hook calls of an agent.",
      calls.map(({ agent, event, from, isBlocked, to }) => ({
        labels: { [names.agent]: agent, "hooktape.event": event, "hooktape.blocked": isBlocked },
        value: (to - from) / 1000
      }))
    ),
    histogram(
      metricNames.handler,
      "Runs of a hook.",
      handlers.map(({ fact, labels, outcome }) => ({
        labels: { ...labels, "hooktape.outcome": outcome },
        value: fact.ms / 1000
      }))
    ),
    {
      name: metricNames.intents,
      unit: "{intent}",
      description: "What hooks wanted.",
      sum: {
        aggregationTemporality,
        isMonotonic: true,
        dataPoints: grouped(intents).map(([labels, values]) => ({
          attributes: attributes(labels),
          ...time,
          asInt: String(values.length)
        }))
      }
    }
  ]
  return metrics.filter((metric) =>
    "sum" in metric ? metric.sum.dataPoints.length > 0 : metric.histogram.dataPoints.length > 0
  )
}
