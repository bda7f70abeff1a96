/** One figure of metrics, with all that is needed to believe it or not. */

export const groups = ["sessions", "quality", "work", "hooks", "errors", "usage"] as const
export type Group = (typeof groups)[number]

/** `ms`: milliseconds. `share`: 0 to 1. `per-hour`: of the agent's working time. `usd`: at list price. `points`: 0 to 100. */
export type Unit = "ms" | "share" | "count" | "per-hour" | "usd" | "tokens" | "points" | "lines" | "per-week"

export interface Definition {
  readonly id: string
  readonly group: Group
  readonly title: string
  readonly unit: Unit
  /** One sentence or two: what is divided by what, and what is left out. */
  readonly definition: string
  /** What `n` counts. */
  readonly counts: string
}

/** Tool calls by who told of them. Only hooks tell how long a hook took; only transcripts tell tokens. */
export interface Coverage {
  readonly hooks: number
  readonly transcript: number
  readonly both: number
}

export interface Part {
  readonly name: string
  readonly value: number
}

export interface Found {
  /** Null where it is unknown; `why` says so then. */
  readonly value: number | null
  /** On how many it stands. */
  readonly n: number
  /** 95 %, where one is due. */
  readonly interval?: readonly [low: number, high: number]
  readonly why?: string
  /** What it is made of: classes, hours, models. */
  readonly parts?: readonly Part[]
}

export interface Measure extends Found, Definition {
  readonly coverage: Coverage
}

export const unknown = (why: string, n = 0): Found => ({ value: null, n, why })
