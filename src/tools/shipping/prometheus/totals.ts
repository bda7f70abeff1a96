/** What was sent to OpenTelemetry batch by batch, added up: Prometheus asks how much it is in all. Names follow OpenTelemetry's rules for Prometheus. */
import type { HookCall } from "../otlp/HookCall.ts"
import { type HistogramPoint, type Metric, metricsOf, type SumPoint } from "../otlp/metrics.ts"
import type { KeyValue } from "../otlp/values.ts"
import type { Family, Labels, Sample } from "./exposition.ts"

interface Series {
  readonly labels: Labels
  count: number
  sum: number
  readonly buckets: number[]
  readonly bounds: readonly number[]
}

interface Total {
  readonly name: string
  readonly help: string
  readonly type: "counter" | "histogram"
  readonly series: Map<string, Series>
}

const nameOf = (name: string): string => name.replace(/\W/g, "_")

const familyName = ({ name, unit, ...of }: Metric): string =>
  `${nameOf(name)}${unit === "s" ? "_seconds" : ""}${"sum" in of ? "_total" : ""}`

const labelsOf = (attributes: readonly KeyValue[]): Labels =>
  Object.fromEntries(attributes.map(({ key, value }) => [nameOf(key), String(Object.values(value)[0] ?? "")]))

const add = (into: Series, point: SumPoint | HistogramPoint): void => {
  if ("asInt" in point) {
    into.sum += Number(point.asInt)
    return
  }
  into.count += Number(point.count)
  into.sum += point.sum
  point.bucketCounts.forEach((count, at) => {
    into.buckets[at] = (into.buckets[at] ?? 0) + Number(count)
  })
}

const samplesOf = (
  { bounds, buckets, count, labels, sum }: Series,
  type: Total["type"]
): readonly Sample[] => {
  if (type === "counter") return [{ labels, value: sum }]
  let below = 0
  const cumulative = [...bounds, Infinity].map((bound, at): Sample => {
    below += buckets[at] ?? 0
    const le = bound === Infinity ? "+Inf" : String(bound)
    return { suffix: "_bucket", labels: { ...labels, le }, value: below }
  })
  return [...cumulative, { suffix: "_sum", labels, value: sum }, { suffix: "_count", labels, value: count }]
}

export interface Totals {
  readonly take: (calls: readonly HookCall[]) => void
  readonly families: () => readonly Family[]
}

export const makeTotals = (): Totals => {
  const totals = new Map<string, Total>()
  const totalOf = (metric: Metric): Total => {
    const name = familyName(metric)
    const type = "sum" in metric ? "counter" : "histogram"
    const total = totals.get(name) ?? { name, help: metric.description, type, series: new Map() }
    totals.set(name, total)
    return total
  }
  return {
    take: (calls) => {
      for (const metric of metricsOf(calls, 0, 0)) {
        const { series } = totalOf(metric)
        for (const point of "sum" in metric ? metric.sum.dataPoints : metric.histogram.dataPoints) {
          const labels = labelsOf(point.attributes)
          const key = JSON.stringify(labels)
          const bounds = "explicitBounds" in point ? point.explicitBounds : []
          const one = series.get(key) ?? { labels, count: 0, sum: 0, buckets: [], bounds }
          series.set(key, one)
          add(one, point)
        }
      }
    },
    families: () =>
      [...totals.values()].map(({ help, name, series, type }) => ({
        name,
        help,
        type,
        samples: [...series.values()].flatMap((one) => samplesOf(one, type))
      }))
  }
}
