/** Hooks as `hooktape hooks list` draws them. */
import { relative, sep } from "node:path"
import { count, milliseconds, span } from "../../../features/timeline/words.ts"
import { printable } from "../../../state/terminalText.ts"
import type { ListedHook } from "../commands/hooks.ts"
import { sparkline } from "./metrics.ts"
import { columnsOf, type Style, unstyled } from "./style.ts"
import { type Column, table } from "./table.ts"

interface Drawing {
  readonly style: Style
  readonly width: number | undefined
}

const sourceOf = ({ source }: ListedHook, project: string): string =>
  printable(source.startsWith(`${project}${sep}`) ? relative(project, source) : source)

const stateOf = ({ enabled, sessions, why }: ListedHook, style: Style): string => {
  const plain = why.endsWith("unless somebody says otherwise")
  const word = enabled ? style.good("on") : style.warn("off")
  const others = sessions.filter((one) => one.enabled !== enabled).length
  const elsewhere = others === 0 ? "" : style.faint(` (otherwise in ${count(others, "session")})`)
  return `${word}${plain ? "" : style.faint(` ${printable(why)}`)}${elsewhere}`
}

const lastOf = ({ last }: ListedHook, now: number, style: Style): string => {
  if (last === null) return style.faint("never ran")
  const ago = span(now - Date.parse(last.at))
  return last.outcome === "succeeded" ? `${ago} ago` : style.warn(`${last.outcome} ${ago} ago`)
}

const tookOf = ({ p50, p95 }: ListedHook): string =>
  p50 === null || p95 === null ? "" : `${milliseconds(p50)} / ${milliseconds(p95)}`

/** Nothing where there is none: what is not there needs no look. */
const numberOf = (many: number): string => (many === 0 ? "" : String(many))

/** Of the time that agents waited. */
const shareOf = ({ share }: ListedHook): string => {
  if (share === null) return ""
  return share < 0.01 ? "<1 %" : `${Math.round(share * 100)} %`
}

/** Runs of each of the last days. */
const trendOf = ({ trend }: ListedHook): string => (trend.some((runs) => runs > 0) ? sparkline(trend) : "")

interface Told extends Column {
  /** What it is called where it has no column. */
  readonly word: string
  readonly cell: (hook: ListedHook) => string
}

/** Those that go where there is little room, the first of them first: they are told below their hook. */
const dispensable = ["priority", "took", "runs a day", "of the waiting", "last"] as const

const columnsFor = (now: number, style: Style): readonly Told[] => [
  { title: "PRIORITY", align: "right", word: "priority", cell: ({ priority }) => String(priority) },
  { title: "LAST", word: "last", cell: (hook) => lastOf(hook, now, style) },
  { title: "RUNS", align: "right", word: "runs", cell: ({ runs }) => numberOf(runs) },
  {
    title: "BLOCKED",
    align: "right",
    word: "blocked",
    cell: ({ blocked }) => style.bad(numberOf(blocked))
  },
  { title: "FAILED", align: "right", word: "failed", cell: ({ failures }) => style.warn(numberOf(failures)) },
  { title: "P50 / P95", align: "right", word: "took", cell: tookOf },
  { title: "SHARE", align: "right", word: "of the waiting", cell: shareOf },
  { title: "TREND", word: "runs a day", cell: trendOf }
]

const widthOf = ({ cell, title }: Told, hooks: readonly ListedHook[]): number =>
  Math.max(columnsOf(title), ...hooks.map((hook) => columnsOf(unstyled(cell(hook))))) + 2

/** Which of them have columns, and which are told below. */
const fitting = (
  all: readonly Told[],
  hooks: readonly ListedHook[],
  room: number | undefined
): { readonly beside: readonly Told[]; readonly below: readonly Told[] } => {
  let beside = all
  for (const word of dispensable) {
    const used = beside.reduce((sum, one) => sum + widthOf(one, hooks), 0)
    if (room === undefined || used <= room) break
    beside = beside.filter((one) => one.word !== word)
  }
  return { beside, below: all.filter((one) => !beside.includes(one)) }
}

export const drawHooks = (
  hooks: readonly ListedHook[],
  project: string,
  now: number,
  { style, width }: Drawing
): string => {
  const names = Math.max(4, ...hooks.map(({ name }) => columnsOf(printable(name))))
  const room = width === undefined ? undefined : width - names
  const { beside, below } = fitting(columnsFor(now, style), hooks, room)
  return table(
    [{ title: "HOOK" }, ...beside, { title: "EVENTS, STATE, SOURCE" }],
    hooks.map((hook) => [
      style.strong(printable(hook.name)),
      ...beside.map(({ cell }) => cell(hook)),
      [
        printable(hook.events.join(", ")) + (hook.background ? " (background)" : ""),
        stateOf(hook, style),
        ...below.flatMap(({ cell, word }) => (cell(hook) === "" ? [] : [`${word} ${cell(hook)}`])),
        style.faint(sourceOf(hook, project))
      ].join(" · ")
    ]),
    { style, width }
  )
}
