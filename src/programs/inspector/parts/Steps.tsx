/** One actor over time: the state it was in, from fact to fact. */
import type { ActorHistory } from "../../../features/inspector/contract/actors.ts"
import { exactClock, span } from "../core/format.ts"
import { chartOf } from "../machines/charts.ts"

const rowHeight = 24
const left = 92
const width = 1000

const colourOf = (state: string): string => {
  if (["dead", "loud", "failed", "killed"].includes(state)) return "var(--failed)"
  if (["waiting", "draining"].includes(state)) return "var(--slow)"
  return "var(--handling)"
}

export const Steps = ({
  machine,
  steps
}: {
  readonly machine: string
  readonly steps: ActorHistory["steps"]
}) => {
  const known = chartOf(machine)?.states.map(({ name }) => name) ?? []
  const states = [...new Set([...known, ...steps.flatMap(({ after, before }) => [before, after])])]
  const first = steps[0]?.at ?? 0
  const whole = Math.max(1, (steps.at(-1)?.at ?? 0) - first)
  const x = (at: number): number => left + ((at - first) / (whole * 1.04)) * (width - left - 20)
  const y = (state: string): number => states.indexOf(state) * rowHeight + 16
  return (
    <>
      <div class="scrollx" tabIndex={0} role="group" aria-label="States over time">
        <svg
          class="sc"
          viewBox={`0 0 ${width} ${states.length * rowHeight + 10}`}
          width={width}
          role="img"
          aria-label={steps.map(({ after, type }) => `${type}, then ${after}`).join("; ")}
        >
          {states.map((state) => (
            <g key={state}>
              <line class="rule" x1={left} x2={width - 8} y1={y(state)} y2={y(state)} />
              <text x={left - 10} y={y(state) + 4} text-anchor="end">
                {state}
              </text>
            </g>
          ))}
          {steps.map(({ after, at, before, position }, nth) => {
            const until = steps[nth + 1]?.at ?? at + whole * 0.03
            return (
              <g key={position} stroke={colourOf(after)} stroke-width="4" stroke-linecap="round">
                <line x1={x(at)} x2={Math.max(x(at) + 3, x(until))} y1={y(after)} y2={y(after)} />
                {before !== after && (
                  <line
                    stroke="var(--strong)"
                    stroke-width="1.2"
                    x1={x(at)}
                    x2={x(at)}
                    y1={y(before)}
                    y2={y(after)}
                  />
                )}
              </g>
            )
          })}
        </svg>
      </div>
      <div class="scrollx" tabIndex={0} role="group" aria-label="Facts of the actor">
        <table>
          <tbody>
            {steps.slice(-40).map(({ after, at, before, ms, position, refused, says, type }) => (
              <tr key={position}>
                <td class="num muted">{exactClock(at)}</td>
                <td class="mono">{type}</td>
                <td>
                  {refused ? (
                    <span class="is-failed">refused</span>
                  ) : before === after ? (
                    after
                  ) : (
                    `${before} → ${after}`
                  )}
                </td>
                <td>{says}</td>
                <td class="r muted">{ms === undefined ? `+${span(at - first)}` : span(ms)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}
