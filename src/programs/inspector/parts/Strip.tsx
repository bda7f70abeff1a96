/** Every run of a hook on a log axis, and the slowest run over time. */
import type { HookHealth } from "../../../features/inspector/contract/hooks.ts"
import { span } from "../core/format.ts"

const width = 132
const decades = 6

/** 0.1 ms to 100 s. */
const xOf = (ms: number): number =>
  (Math.max(0, Math.min(decades, Math.log10(Math.max(ms, 0.1)) + 1)) / decades) * width

export const Strip = ({ hook: { histogram, hook, max, p50, runs } }: { readonly hook: HookHealth }) => {
  const most = Math.max(1, ...histogram)
  const step = width / Math.max(1, histogram.length)
  const slowFrom = xOf(250)
  return (
    <svg
      class="strip"
      width={width}
      height="22"
      role="img"
      aria-label={`${hook}: ${runs} runs${p50 === null ? "" : `, median ${span(p50)}`}${max === null ? "" : `, slowest ${span(max)}`}`}
    >
      {[1, 10, 100, 1000].map((ms) => (
        <line key={ms} x1={xOf(ms)} x2={xOf(ms)} y1="3" y2="19" stroke="var(--line)" />
      ))}
      {histogram.map((many, at) =>
        many === 0 ? null : (
          <rect
            key={at}
            x={at * step}
            y={11 - 2 - (many / most) * 5}
            width={Math.max(2, step)}
            height={4 + (many / most) * 10}
            rx="1"
            fill={at * step >= slowFrom ? "var(--slow-fill)" : "var(--handling)"}
            opacity={0.45 + 0.55 * (many / most)}
          />
        )
      )}
      {p50 !== null && <rect x={xOf(p50) - 1} y="2" width="2" height="18" fill="var(--text)" />}
    </svg>
  )
}

const looks = {
  ok: "var(--strong)",
  blocked: "var(--blocked)",
  failed: "var(--failed)",
  late: "var(--slow-fill)"
} as const

export const Trend = ({ hook: { hook, trend } }: { readonly hook: HookHealth }) => {
  const most = Math.max(1, ...trend.map(({ ms }) => ms ?? 0))
  const step = 96 / Math.max(1, trend.length)
  const worst = Math.max(0, ...trend.map(({ ms }) => ms ?? 0))
  return (
    <svg
      class="strip"
      width="96"
      height="22"
      role="img"
      aria-label={`${hook} over time: slowest run ${span(worst)}`}
    >
      <line x1="0" x2="96" y1="21" y2="21" stroke="var(--line)" />
      {trend.map(({ ms, outcome }, at) => {
        if (ms === null) return null
        const h = Math.max(2, (ms / most) * 18)
        return (
          <rect
            key={at}
            x={at * step}
            y={21 - h}
            width={Math.max(2, step - 1)}
            height={h}
            fill={looks[outcome ?? "ok"]}
          />
        )
      })}
    </svg>
  )
}
