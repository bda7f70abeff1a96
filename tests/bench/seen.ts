/** A figure with its unit, and what it may be at most. */
export interface Seen {
  readonly name: string
  readonly is: number
  readonly unit: "kB" | "ms" | "frames" | "×"
  readonly most?: number
}

export const quantile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(part * values.length))] ??
  Number.NaN

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
