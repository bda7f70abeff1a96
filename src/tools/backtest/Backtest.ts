/** What asking hooks about the past came to: the answer of `hooktape backtest --json`. */
import type { Ruling } from "./Case.ts"

export type Kind = "same" | "stricter" | "looser"

/** A call to look at. */
export interface Sample {
  readonly id: string
  readonly source: "hooks" | "transcript"
  readonly at: number
  readonly session: string | null
  readonly agent: string
  readonly agentEvent: string
  readonly subject: string
  readonly hook: string
  readonly before: Ruling
  readonly now: Ruling
  readonly reason: string | null
}

export interface Times {
  readonly p50: number
  readonly p95: number
}

export interface Reason {
  readonly what: string
  readonly times: number
}

export interface HookResult {
  readonly hook: string
  /** How often it was asked, or had been. */
  readonly runs: number
  readonly same: number
  readonly stricter: number
  readonly looser: number
  readonly notReplayable: number
  readonly failed: number
  /** Milliseconds; null where it was never asked. */
  readonly ms: Times | null
  /** Why it could not be asked, the most frequent first. */
  readonly missing: readonly Reason[]
  /** What it threw where it failed, the most frequent first. */
  readonly failures: readonly Reason[]
}

export interface ShapeResult {
  readonly shape: string
  readonly kind: Exclude<Kind, "same">
  readonly calls: number
  /** Those that are the first of their turn to end differently. */
  readonly first: number
  /** All calls of this shape, whatever was said of them. */
  readonly of: number
  readonly samples: readonly Sample[]
}

export interface Backtest {
  readonly calls: number
  readonly recorded: number
  readonly imported: number
  readonly same: number
  readonly stricter: number
  readonly looser: number
  /** No hook that has a word on them could be asked. */
  readonly notReplayable: number
  /** A hook or a rule denied them, and the transcript does not tell which: there is nothing to compare with. */
  readonly untold: number
  /** Calls on a log of a fleet whose payload stayed on its machine: no hook can be asked. */
  readonly unshipped: number
  /** What came after the first that differs might have gone another way: of these it is known. */
  readonly firstInTurn: { readonly stricter: number; readonly looser: number }
  /** Milliseconds that one call took, all hooks together. */
  readonly ms: Times | null
  readonly hooks: readonly HookResult[]
  readonly shapes: readonly ShapeResult[]
}
