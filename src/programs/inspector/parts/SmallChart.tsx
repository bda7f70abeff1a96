/** A machine in small: how many actors stand in each state. */
import { chartOf } from "../machines/charts.ts"
import { headOf, pathOf } from "./Statechart.tsx"

const bad: readonly string[] = ["dead", "loud", "killed", "spoilt", "failed"]

const lookOf = (name: string, isFinal: boolean, many: number): string => {
  if (many === 0) return ""
  if (bad.includes(name)) return "in-bad"
  return isFinal ? "in-end" : "in-other"
}

export const SmallChart = ({
  label,
  machine,
  states
}: {
  readonly machine: string
  readonly label: string
  readonly states: Readonly<Record<string, number>>
}) => {
  const chart = chartOf(machine)
  const told = Object.entries(states)
    .filter(([, many]) => many > 0)
    .map(([name, many]) => `${many} ${name}`)
    .join(", ")
  // A machine that this page was not built with is told in words.
  if (chart === undefined) return <p class="note">{told === "" ? "No actor stands in a state." : told}</p>
  const {
    arrows,
    height,
    states: places,
    width
  } = chart.machine === "invocation" ? smallInvocation : chart.layout
  return (
    <svg
      class="sc"
      role="img"
      aria-label={`${label}: ${told === "" ? "none" : told}`}
      viewBox={`0 0 ${width} ${height}`}
    >
      {arrows.map((points, at) => (
        <g key={at}>
          <path class="way been-not" d={pathOf(points)} />
          <path class="tip-of" d={headOf(points)} />
        </g>
      ))}
      {chart.states.map(({ isFinal, name }, at) => {
        const [x, y, w, h] = places[at] ?? [0, 0, 0, 0]
        const many = states[name] ?? 0
        return (
          <g key={name}>
            <rect class={`box ${lookOf(name, isFinal, many)}`} x={x} y={y} width={w} height={h} rx="7" />
            <text class={many > 0 ? "been" : ""} x={x + w / 2} y={y + h / 2 + 4} text-anchor="middle">
              {name}
              {many > 0 ? ` ${many}` : ""}
            </text>
          </g>
        )
      })}
    </svg>
  )
}

/** The invocation's layout by hand has room for facts, which is not needed here. */
const smallInvocation = {
  width: 432,
  height: 60,
  states: [
    [6, 14, 84, 30],
    [118, 14, 84, 30],
    [230, 14, 84, 30],
    [342, 14, 84, 30]
  ] as const,
  arrows: [
    [
      [90, 29],
      [118, 29]
    ],
    [
      [48, 44],
      [48, 55],
      [272, 55],
      [272, 44]
    ],
    [
      [202, 29],
      [230, 29]
    ],
    [
      [314, 29],
      [342, 29]
    ]
  ] as const
}
