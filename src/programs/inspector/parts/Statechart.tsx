/** The statechart of one invocation: what it may do, the way it took, and where it stands at a fact. */
import type { CallFrame } from "../../../features/inspector/contract/call.ts"
import { chartOf, type Layout, type Place } from "../machines/charts.ts"

type Point = readonly [number, number]

export const pathOf = (points: readonly Point[]): string =>
  points.map(([x, y], at) => `${at === 0 ? "M" : "L"}${x} ${y}`).join("")

/** A head of an arrow at the end of its way. */
export const headOf = (points: readonly Point[]): string => {
  const [x, y] = points.at(-1) ?? [0, 0]
  const [px, py] = points.at(-2) ?? [x - 1, y]
  const angle = Math.atan2(y - py, x - px)
  const at = (turn: number): string =>
    `${(x - 7 * Math.cos(angle + turn)).toFixed(1)} ${(y - 7 * Math.sin(angle + turn)).toFixed(1)}`
  return `M${x} ${y}L${at(0.42)}L${at(-0.42)}Z`
}

/** Facts of the way so far, by state or by arrow. */
const takenIn = (frames: readonly CallFrame[]) => {
  const rows = new Map<string, { times: number; command: string | null }>()
  const arrows = new Map<string, { fact: string; command: string | null }>()
  for (const { after, before, command, refused, type } of frames) {
    if (refused) continue
    if (before !== after) {
      arrows.set(`${before} ${after}`, { fact: type, command: command?.type ?? null })
      continue
    }
    const key = `${before} ${type}`
    rows.set(key, {
      times: (rows.get(key)?.times ?? 0) + 1,
      command: command?.type ?? rows.get(key)?.command ?? null
    })
  }
  return { rows, arrows }
}

const short = (command: string): string => command.replace("_HANDLER", "")

const middleOf = (points: readonly Point[]): Point => {
  // The longest stretch has room for words.
  const stretches = points.slice(1).map((to, at) => [points[at] ?? to, to] as const)
  const length = ([[ax, ay], [bx, by]]: readonly [Point, Point]): number => Math.hypot(bx - ax, by - ay)
  const [from, to] = stretches.reduce((most, one) => (length(one) > length(most) ? one : most))
  return [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2]
}

interface Props {
  readonly frames: readonly CallFrame[]
  /** The fact that is looked at; those behind it have not happened. */
  readonly at: number
  readonly isUpright: boolean
}

export const Statechart = ({ at, frames, isUpright }: Props) => {
  const chart = chartOf("invocation")
  if (chart === undefined) return null
  const layout: Layout = isUpright ? (chart.upright ?? chart.layout) : chart.layout
  const taken = takenIn(frames.slice(0, at + 1))
  const now = frames[at]
  const state = now?.after ?? chart.initial
  const been = new Set([chart.initial, ...frames.slice(0, at + 1).map(({ after }) => after)])
  const way = [...been].join(", ")
  return (
    <svg
      class="sc"
      role="img"
      aria-label={`The invocation went through ${way}. At fact ${at + 1} it is ${state}.`}
      width={layout.width}
      height={layout.height}
      viewBox={`0 0 ${layout.width} ${layout.height}`}
    >
      {chart.arrows.map(({ facts, from, to }, nth) => {
        const points = layout.arrows[nth] ?? []
        const was = taken.arrows.get(`${from} ${to}`)
        const isNow = now?.before === from && now.after === to
        const look = isNow ? "now" : was === undefined ? "" : "been"
        const [x, y] = middleOf(points)
        const fact = was?.fact ?? (facts.length > 2 ? "" : facts.join(", "))
        const isVertical = points.every(([px]) => px === points[0]?.[0])
        return (
          <g key={`${from} ${to}`}>
            <path class={`way ${look}`} d={pathOf(points)} />
            <path class={`tip-of ${look}`} d={headOf(points)} />
            {(!isUpright || isVertical) && (
              <>
                <text
                  class={`m ${look}`}
                  x={isVertical ? x + 8 : x}
                  y={isVertical ? y - 2 : y - 8}
                  text-anchor={isVertical ? "start" : "middle"}
                >
                  {fact}
                </text>
                {was?.command != null && (
                  <text
                    class="m"
                    x={isVertical ? x + 8 : x}
                    y={isVertical ? y + 11 : y + 15}
                    text-anchor={isVertical ? "start" : "middle"}
                  >
                    → {short(was.command)}
                  </text>
                )}
              </>
            )}
          </g>
        )
      })}
      {!isUpright && <Start place={layout.states[0] ?? [0, 0, 0, 0]} />}
      {chart.states.map(({ isFinal, name, rows }, nth) => {
        const place = layout.states[nth] ?? [0, 0, 0, 0]
        const [x, y, w, h] = place
        const look = name === state ? `in-${name}` : been.has(name) ? "been" : ""
        const shown = [...rows, ...chart.anywhere.filter((fact) => taken.rows.has(`${name} ${fact}`))]
        const gap = Math.min(16, (h - 28) / Math.max(1, shown.length))
        return (
          <g key={name}>
            <rect class={`box ${look}`} x={x} y={y} width={w} height={h} rx="8" />
            {isFinal && (
              <rect class="rule" fill="none" x={x + 4} y={y + 4} width={w - 8} height={h - 8} rx="5" />
            )}
            <text
              class={`name ${been.has(name) ? "been" : ""}`}
              x={isFinal ? x + w / 2 : x + 11}
              y={isFinal ? y + h / 2 + 5 : y + 19}
              text-anchor={isFinal ? "middle" : "start"}
            >
              {name}
            </text>
            {shown.map((fact, row) => {
              const was = taken.rows.get(`${name} ${fact}`)
              const isNow = now?.before === name && now.after === name && now.type === fact
              const ty = y + 28 + gap * row + gap / 2 + 3
              const look = isNow ? "now" : was === undefined ? "" : "been"
              return (
                <g key={fact}>
                  <text class={`m ${look}`} x={x + 11} y={ty}>
                    {fact}
                    {was !== undefined && was.times > 1 ? ` ×${was.times}` : ""}
                  </text>
                  {was?.command != null && (
                    <text class="m" x={x + w - 10} y={ty} text-anchor="end">
                      → {short(was.command)}
                    </text>
                  )}
                </g>
              )
            })}
          </g>
        )
      })}
    </svg>
  )
}

const Start = ({ place: [x, y, , h] }: { readonly place: Place }) => (
  <circle class="tip-of been" cx={x - 8} cy={y + h / 2} r="3.5" />
)
