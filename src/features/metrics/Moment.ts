/** What metrics keep of a session: short rows, each with its time. They are never changed, so that facts may arrive in any order. */
import type { ToolKind } from "../../../events/agentEvents.ts"
import type { Purpose } from "../checkpoints/commands.ts"
import type { Verdict } from "../checks/Problem.ts"
import type { Told } from "../checks/ToolOutcome.ts"

/** Who told of it: a hook that fired, or the transcript that the agent wrote. */
export type Source = "hooks" | "transcript"

/** One run of tests, types, lint or a build. */
export interface CheckRun {
  readonly purpose: Purpose
  /** Where it ran, as far as the line tells. */
  readonly folder: string
  /** The program with its task: `npm test`, `go test`. */
  readonly program: string
  /** What it was limited to; nothing where it was all there is. */
  readonly targets: readonly string[]
}

/**
 * Why a call came to no good end. `misuse`: the agent called its tool wrongly. `environment`: a program, a right, time or the network
 * was missing. `check`: tests, types, lint or a build are red, as they should be while work is under way. `denied`: a hook, a rule
 * or a person said no. `other`: any other failure.
 */
export type ErrorClass = "misuse" | "environment" | "check" | "denied" | "other"

/** Lines by their sums, so that no text is kept. */
export interface Edited {
  readonly path: string
  readonly added: readonly number[]
  readonly removed: readonly number[]
  /** So many lines, where nothing else of them was shipped. */
  readonly counted?: { readonly added: number; readonly removed: number }
}

export interface CallEnded {
  readonly kind: "call-ended"
  readonly use: string
  readonly name: string
  readonly tool: ToolKind
  /** The agent gives its hooks no id of the call: beginning and end are put together by the tool's name. */
  readonly isUnnamed?: true
  /** A batch tells of calls that may have an end of their own: theirs counts. */
  readonly isBatch?: true
  readonly told: Told
  readonly verdict: Verdict
  readonly error?: ErrorClass
  readonly checks?: readonly CheckRun[]
  readonly edits?: readonly Edited[]
  /** The shell line only looked at something. */
  readonly looks?: true
  /** Short ids of commits that it made; "" where the output does not name one. */
  readonly commits?: readonly string[]
}

export interface Usage {
  readonly kind: "usage"
  /** The message of the model that it belongs to: told twice, it counts once. */
  readonly message: string
  readonly model: string | null
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheCreation: number
}

/** What became of a call that went on in the background. */
export interface CallSettled {
  readonly kind: "call-settled"
  readonly use: string
  readonly told: "ok" | "failed"
}

export type Moment =
  | { readonly kind: "prompt"; readonly turn: string | null; readonly isHuman: boolean }
  | {
      readonly kind: "call-started"
      readonly use: string
      readonly name: string
      readonly tool: ToolKind
      readonly isUnnamed?: true
    }
  | { readonly kind: "permission"; readonly use: string }
  | CallEnded
  | CallSettled
  | Usage
  | { readonly kind: "stop" | "interrupt" | "compact" | "start" | "end" | "seen" }

/** A moment with its place. */
export interface Placed {
  readonly moment: Moment
  /** Milliseconds since 1970. */
  readonly at: number
  readonly source: Source
  /** The agent's id of the subagent; null for the session itself. */
  readonly subagent: string | null
}

/** All that is kept of one session, in the order in which it happened. */
export interface SessionMoments {
  readonly agent: string | null
  readonly session: string
  readonly project: string | null
  readonly moments: readonly Placed[]
}
