/** The few methods that metrics need, each with its name, so that it can be looked up. Pure. */

const z95 = 1.959964

/** Wilson's score interval of a share, 95 %: honest for few trials, where the usual one is not. */
export const wilson = (hits: number, n: number): readonly [number, number] => {
  if (n === 0) return [0, 1]
  const share = hits / n
  const z2 = z95 * z95
  const middle = (share + z2 / (2 * n)) / (1 + z2 / n)
  const half = (z95 / (1 + z2 / n)) * Math.sqrt((share * (1 - share)) / n + z2 / (4 * n * n))
  return [Math.max(0, middle - half), Math.min(1, middle + half)]
}

/** Nearest rank; undefined of nothing. `q`: 0 to 1. */
export const quantile = (values: readonly number[], q: number): number | undefined => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(q * sorted.length) - 1))]
}

export interface Lasted {
  readonly ms: number
  /** It came to its end; else it had lasted so long when it was last seen. */
  readonly ended: boolean
}

/**
 * Kaplan–Meier: after how long half of them have ended, those that are still open counted as far as they go. Undefined where more than
 * half have not ended.
 */
export const kaplanMeierMedian = (all: readonly Lasted[]): number | undefined => {
  const sorted = [...all].sort((a, b) => a.ms - b.ms || Number(b.ended) - Number(a.ended))
  let open = 1
  for (const [at, { ended, ms }] of sorted.entries()) {
    if (!ended) continue
    open *= 1 - 1 / (sorted.length - at)
    if (open <= 0.5) return ms
  }
  return undefined
}

export interface Trend {
  readonly slope: number
  readonly interval: readonly [number, number]
}

/** Theil–Sen: the median slope between any two points, with Sen's interval (95 %). `values`: one for each step, null where there is none. */
export const theilSen = (values: readonly (number | null)[]): Trend | undefined => {
  const points = values.flatMap((value, at) => (value === null ? [] : [[at, value] as const]))
  const slopes = points
    .flatMap(([x1, y1], at) => points.slice(at + 1).map(([x2, y2]) => (y2 - y1) / (x2 - x1)))
    .sort((a, b) => a - b)
  if (slopes.length === 0) return undefined
  const n = points.length
  const spread = z95 * Math.sqrt((n * (n - 1) * (2 * n + 5)) / 18)
  const rank = (at: number): number => slopes[Math.max(0, Math.min(slopes.length - 1, at))] as number
  const middle = slopes.length / 2
  const slope = slopes.length % 2 === 1 ? rank(Math.floor(middle)) : (rank(middle - 1) + rank(middle)) / 2
  return {
    slope,
    interval: [
      rank(Math.round((slopes.length - spread) / 2) - 1),
      rank(Math.round((slopes.length + spread) / 2))
    ]
  }
}
