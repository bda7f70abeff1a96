/** Whether a handler that failed is tried again, and what its failure says where it is not. Pure. */
import type { InvocationFact, Planned } from "../events/facts.ts"
import { diagnostic } from "../events/intents.ts"
import { type Attributed, intentsOf } from "./replyIntents.ts"

/** The handler that runs, and what of its time its earlier attempts have used. */
export interface Running {
  readonly planned: Planned
  readonly spentMs: number
}

/** A handler between two attempts. */
export interface Retrying {
  readonly attempt: number
  readonly delayMs: number
  readonly spentMs: number
  /** What its last failure says, should no further attempt begin. */
  readonly failure: readonly Attributed[]
}

/** Whether a handler that failed is tried again: its own time is up to the plan, the invocation's to whoever starts it. */
export const again = (running: Running | undefined, event: InvocationFact): Retrying | undefined => {
  if (event.type !== "HANDLER_FAILED" || running?.planned.retry === undefined) return undefined
  const { planned, spentMs: before } = running
  const { attempts, delayMs } = running.planned.retry
  const spentMs = before + event.ms + delayMs
  if (event.attempt >= attempts || spentMs >= planned.deadlineMs) return undefined
  return { attempt: event.attempt + 1, delayMs, spentMs, failure: intentsOf(event, planned) }
}

/** No further attempt began: the last failure stands. */
export const givenUp = ({ failure }: Retrying, event: InvocationFact): readonly Attributed[] =>
  event.type === "HANDLER_SKIPPED"
    ? [
        ...failure,
        {
          handler: event.handler,
          intent: diagnostic("warn", `hook ${event.handler} was not tried again: ${event.reason}`)
        }
      ]
    : failure
