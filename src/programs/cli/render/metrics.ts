/** Figures of metrics as the terminal shows them: each with what it stands on. Pure. */
import type { Coverage, Measure, Part, Unit } from "../../../features/metrics/Measure.ts"
import { milliseconds, span } from "../../../features/timeline/words.ts"
import { printable } from "../../../state/terminalText.ts"
import { pad, type Style } from "./style.ts"
import { table } from "./table.ts"
import { hanging } from "./wrap.ts"

interface Drawing {
  readonly style: Style
  readonly width: number | undefined
}

const grouped = (value: number): string => Math.round(value).toLocaleString("en-US").replaceAll(",", " ")

/** A duration of people is told in minutes, one of hooks in milliseconds. */
const duration = (ms: number): string => (ms < 60_000 ? milliseconds(ms) : span(ms))

export const valueText = (value: number, unit: Unit): string => {
  switch (unit) {
    case "ms":
      return duration(value)
    case "share":
      return `${(value * 100).toFixed(value > 0 && value < 0.1 ? 1 : 0)} %`
    case "per-hour":
      return `${value.toFixed(1)}/h`
    case "per-week":
      return `${value >= 0 ? "+" : ""}${(value * 100).toFixed(1)} points a week`
    case "usd":
      return `$${value.toFixed(2)}`
    case "points":
      return String(Math.round(value))
    case "tokens":
    case "lines":
      return grouped(value)
    case "count":
      return Number.isInteger(value) ? grouped(value) : value.toFixed(2)
  }
}

const bars = "▁▂▃▄▅▆▇█"

/** One character for each value, the highest of them the whole height. */
export const sparkline = (values: readonly number[]): string => {
  const most = Math.max(...values)
  if (!(most > 0)) return bars[0]?.repeat(values.length) ?? ""
  return values
    .map(
      (value) => bars[Math.min(bars.length - 1, Math.floor((value / most) * (bars.length - 1) + 0.5))] ?? ""
    )
    .join("")
}

const partUnits: { readonly [id: string]: Unit } = {
  "agent-share": "ms",
  "first-pass": "share",
  "time-to-green": "count",
  churn: "lines",
  mix: "count",
  interventions: "count",
  "false-blocks": "count"
}

const partUnit = ({ id, group, unit }: Measure): Unit =>
  partUnits[id] ?? (group === "errors" ? "count" : unit)

const partText = (measure: Measure, { name, value }: Part): string => {
  const isCount = /nothing tells|without evidence/.test(name)
  return `${printable(name)} ${valueText(value, isCount ? "count" : partUnit(measure))}`
}

const partsText = (measure: Measure): string => {
  const parts = measure.parts ?? []
  if (measure.id === "hours")
    return parts.length === 0 ? "" : `00 ${sparkline(parts.map(({ value }) => value))} 23`
  return parts
    .filter(({ value }) => value > 0)
    .map((part) => partText(measure, part))
    .join(", ")
}

const valueOf = (measure: Measure, style: Style): string => {
  const { id, unit, value, why } = measure
  if (value === null) return style.faint(`unknown: ${printable(why ?? "")}`)
  return style.strong(id === "hours" ? `${String(value).padStart(2, "0")}:00` : valueText(value, unit))
}

const intervalOf = ({ interval, unit }: Measure): string =>
  interval === undefined ? "" : ` (95 %: ${valueText(interval[0], unit)} to ${valueText(interval[1], unit)})`

const nOf = ({ counts, n, value }: Measure): string =>
  value === null && n === 0 ? "" : `n = ${grouped(n)} ${counts}`

const coverageText = ({ both, hooks, transcript }: Coverage): string =>
  `${grouped(hooks + transcript + both)} tool calls: ${grouped(hooks)} told by hooks, ${grouped(transcript)} by transcripts, ${grouped(both)} by both.`

export interface Drawn {
  readonly measures: readonly Measure[]
  readonly what: string
}

/** One block a figure: what it is, what it stands on, what it is made of; how it is defined where asked. */
export const drawMetrics = (
  { measures, what }: Drawn,
  explain: boolean,
  { style, width }: Drawing
): string => {
  const [first] = measures
  const head = `${style.strong(printable(what))}. ${first === undefined ? "" : coverageText(first.coverage)}\n`
  const titles = Math.max(...measures.map(({ title }) => title.length))
  const indent = titles + 2
  let group = ""
  const blocks = measures.map((measure) => {
    const heading = measure.group === group ? "" : `\n${style.faint(measure.group.toUpperCase())}\n`
    group = measure.group
    const told = [valueOf(measure, style) + intervalOf(measure), nOf(measure), partsText(measure)]
      .filter((text) => text !== "")
      .join(style.faint(" · "))
    const lines = [hanging(`${pad(measure.title, titles)}  `, told, indent, width)]
    if (explain) lines.push(hanging(" ".repeat(indent), style.faint(measure.definition), indent, width))
    return `${heading}${lines.join("\n")}\n`
  })
  return head + blocks.join("")
}

/** A line for each part of what there is, a column for each figure. */
export const drawBy = (
  rows: readonly { readonly name: string; readonly measures: readonly Measure[] }[],
  by: string,
  { style, width }: Drawing
): string => {
  const columns = rows[0]?.measures ?? []
  return table(
    [
      { title: by.toUpperCase() },
      ...columns.map(({ title }) => ({ title: title.toUpperCase(), align: "right" as const })),
      { title: "" }
    ],
    rows.map(({ measures, name }) => [
      style.strong(printable(name)),
      ...measures.map(({ n, unit, value }) =>
        value === null ? style.faint("–") : `${valueText(value, unit)} ${style.faint(`n=${grouped(n)}`)}`
      ),
      ""
    ]),
    { style, width }
  )
}
