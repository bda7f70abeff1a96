/** Aligned columns that fit the terminal: the last one goes on below itself, and loses nothing. */
import { columnsOf, pad, padStart, type Style, unstyled } from "./style.ts"
import { wrapped } from "./wrap.ts"

export interface Column {
  readonly title: string
  readonly align?: "left" | "right"
}

const gap = "  "

/** Less than this beside the other columns, and the last one begins on a line of its own. */
const least = 20
const below = "      "

/** Cells may be styled. */
export const table = (
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { style, width }: { readonly style: Style; readonly width: number | undefined }
): string => {
  const widths = columns.map(({ title }, at) =>
    Math.max(columnsOf(title), ...rows.map((row) => columnsOf(unstyled(row[at] ?? ""))))
  )
  const last = columns.length - 1
  const before = widths.slice(0, last).reduce((sum, one) => sum + one + gap.length, 0)
  const room = width === undefined ? undefined : width - before
  const under = width !== undefined && room !== undefined && room < Math.min(least, widths[last] ?? 0)
  const line = (cells: readonly string[]): string => {
    const first = columns
      .slice(0, last)
      .map(({ align }, at) => (align === "right" ? padStart : pad)(cells[at] ?? "", widths[at] ?? 0))
      .join(gap)
    const end = cells[last] ?? ""
    if (columns[last]?.align === "right") return `${first}${gap}${padStart(end, widths[last] ?? 0)}`.trimEnd()
    const lines = wrapped(end, under ? width - below.length : room)
    const start = last === 0 ? "" : first + gap
    return (
      under && end !== ""
        ? [start.trimEnd(), ...lines.map((one) => below + one)]
        : [start + (lines[0] ?? ""), ...lines.slice(1).map((one) => " ".repeat(before) + one)]
    )
      .map((one) => one.trimEnd())
      .join("\n")
  }
  const head = columns.every(({ title }) => title === "")
    ? []
    : [line(columns.map(({ title }) => style.faint(title)))]
  return [...head, ...rows.map(line)].map((text) => `${text}\n`).join("")
}
