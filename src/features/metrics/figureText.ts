/** A figure's value as a person reads it. Pure. */
import { grouped, milliseconds, span } from "../timeline/words.ts"
import type { Coverage, Measure, Part, Unit } from "./Measure.ts"

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

export const partText = (measure: Measure, { name, value }: Part): string => {
  const isCount = /nothing tells|without evidence/.test(name)
  return `${name} ${valueText(value, isCount ? "count" : partUnit(measure))}`
}

/** Empty where none is due. */
export const intervalText = ({ interval, unit }: Pick<Measure, "interval" | "unit">): string =>
  interval === undefined ? "" : `95 %: ${valueText(interval[0], unit)} to ${valueText(interval[1], unit)}`

/** On how many it stands; the word is one of many, and so is its last letter. */
export const nText = ({ counts, n }: Pick<Measure, "counts" | "n">): string =>
  `n = ${grouped(n)} ${n === 1 ? singular(counts) : counts}`

/** The first word in the plural loses it, and the verb after it goes along. */
const singular = (counts: string): string =>
  counts
    .replace(/s(?= |$)/, "")
    .replace(" were ", " was ")
    .replace(/ that edit$/, " that edits")

export const coverageText = ({ both, hooks, transcript }: Coverage): string =>
  `${grouped(hooks + transcript + both)} tool calls: ${grouped(hooks)} told by hooks, ${grouped(transcript)} by transcripts, ${grouped(both)} by both.`
