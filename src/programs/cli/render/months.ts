/** Months as the terminal shows them: sums, and shares of what they stand on beside it. Pure. */
import { valueText } from "../../../features/metrics/figureText.ts"
import type { Month } from "../../../features/metrics/months.ts"
import { grouped } from "../../../features/timeline/words.ts"
import { printable } from "../../../state/terminalText.ts"
import type { Style } from "./style.ts"
import { table } from "./table.ts"

interface Drawing {
  readonly style: Style
  readonly width: number | undefined
}

const right = (title: string) => ({ title, align: "right" as const })

const shareOf = (part: number, all: number): string => (all === 0 ? "–" : valueText(part / all, "share"))

/** Checks that are red and calls that were denied are no failures of the agent's work. */
const failures = ({ errors: { environment, misuse, other } }: Month): number => environment + misuse + other

export const drawMonths = (months: readonly Month[], drawing: Drawing): string =>
  table(
    [
      { title: "MONTH" },
      ...[
        "DAYS",
        "ACTIVE",
        "PROMPTS",
        "TOOL CALLS",
        "FAILED",
        "RED",
        "HOOK CALLS",
        "WAITED",
        "BLOCKED",
        "HOOK FAILED"
      ].map(right),
      { title: "" }
    ],
    months.map((one) => [
      drawing.style.strong(one.month),
      grouped(one.days),
      valueText(one.activeMs, "ms"),
      grouped(one.prompts),
      grouped(one.ended),
      shareOf(failures(one), one.ended),
      shareOf(one.errors.check, one.ended),
      grouped(one.calls),
      valueText(one.waitedMs, "ms"),
      grouped(one.blocked),
      grouped(one.failed),
      ""
    ]),
    drawing
  )

export const drawHookMonths = (months: readonly Month[], drawing: Drawing): string =>
  table(
    [
      { title: "MONTH" },
      { title: "HOOK" },
      ...["RUNS", "MEAN", "TOGETHER", "BLOCKED", "FAILED", "LATE"].map(right),
      { title: "" }
    ],
    months.flatMap(({ hooks, month }) =>
      hooks.map(({ blocked, failed, hook, late, ms, runs }) => [
        drawing.style.strong(month),
        printable(hook),
        grouped(runs),
        runs === 0 ? "–" : valueText(ms / runs, "ms"),
        valueText(ms, "ms"),
        grouped(blocked),
        grouped(failed),
        grouped(late),
        ""
      ])
    ),
    drawing
  )
