/** Figures of metrics as the terminal shows them: each with what it stands on. Pure. */
import {
  coverageText,
  intervalText,
  nText,
  partText,
  valueText
} from "../../../features/metrics/figureText.ts"
import type { Measure } from "../../../features/metrics/Measure.ts"
import { grouped } from "../../../features/timeline/words.ts"
import { printable } from "../../../state/terminalText.ts"
import { pad, type Style } from "./style.ts"
import { table } from "./table.ts"
import { hanging } from "./wrap.ts"

interface Drawing {
  readonly style: Style
  readonly width: number | undefined
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

const partsText = (measure: Measure): string => {
  const parts = measure.parts ?? []
  if (measure.id === "hours")
    return parts.length === 0 ? "" : `00 ${sparkline(parts.map(({ value }) => value))} 23`
  return parts
    .filter(({ value }) => value > 0)
    .map((part) => printable(partText(measure, part)))
    .join(", ")
}

const valueOf = (measure: Measure, style: Style): string => {
  const { id, unit, value, why } = measure
  if (value === null) return style.faint(`unknown: ${printable(why ?? "")}`)
  return style.strong(id === "hours" ? `${String(value).padStart(2, "0")}:00` : valueText(value, unit))
}

const intervalOf = (measure: Measure): string => {
  const text = intervalText(measure)
  return text === "" ? "" : ` (${text})`
}

const nOf = (measure: Measure): string => (measure.value === null && measure.n === 0 ? "" : nText(measure))

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
