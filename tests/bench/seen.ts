/** A figure with its unit, and what it may be at most. */
export interface Seen {
  readonly name: string
  readonly is: number
  readonly unit: "kB" | "ms" | "frames" | "×"
  readonly most?: number
}
