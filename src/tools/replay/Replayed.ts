/** What comparing a recorded invocation with today's code amounts to. */
import type { Parting } from "./differ.ts"

/**
 * What was done again: the machine took the facts, its commands led to the facts that followed, the payload was decoded, the
 * reply was encoded, the handlers were planned and run.
 */
export type Check = "machine" | "command" | "payload" | "plan" | "handler" | "reply"

export interface Difference extends Parting {
  readonly invocation: string
  /** Where on the log the fact stands that would differ. */
  readonly position: number
  readonly type: string
  readonly check: Check
  /** What went wrong now, where a hook fails that did not. */
  readonly why?: string
}

export interface Replayed {
  readonly invocation: string
  /** How many facts were compared. */
  readonly facts: number
  /** Without EXITED an invocation is lost, and is compared as far as it went. */
  readonly lost: boolean
  /** In the order of the facts; the first is where it began to differ. */
  readonly differences: readonly Difference[]
}
