/** What a session came to: how many calls, how many were stopped, how long the agent waited. Of what is shipped as of what is on a log. */
import * as Schema from "effect/Schema"
import type { KeyedFold, PlacedFact } from "../../log/KeyedFold.ts"
import { sumTypes } from "./sumTypes.ts"

export interface SessionSum {
  readonly agent: string | null
  readonly project: string | null
  /** Milliseconds since 1970. */
  readonly began: number
  readonly last: number
  /** With the sum of their positions it tells whether any was missed, or taken twice. */
  readonly facts: number
  readonly positions: number
  /** That ended. */
  readonly calls: number
  readonly blocked: number
  readonly failures: number
  readonly waitMs: number
}

const Exited = Schema.Struct({ ms: Schema.Record({ key: Schema.String, value: Schema.Number }) })
const Delivered = Schema.Struct({
  channels: Schema.Array(Schema.Struct({ intent: Schema.optional(Schema.String) }))
})

const readExited = Schema.decodeUnknownSync(Exited)
const readDelivered = Schema.decodeUnknownSync(Delivered)

const none: Pick<SessionSum, "calls" | "blocked" | "failures" | "waitMs"> = {
  calls: 0,
  blocked: 0,
  failures: 0,
  waitMs: 0
}

const addedBy = ({ data, type }: PlacedFact): typeof none => {
  switch (type) {
    case "EXITED": {
      const waitMs = Object.values(readExited(data).ms).reduce((sum, ms) => sum + ms, 0)
      return { ...none, calls: 1, waitMs }
    }
    case "REPLY_DELIVERED": {
      const isBlocked = readDelivered(data).channels.some(({ intent }) => intent === "BLOCKING_FEEDBACK")
      return { ...none, blocked: isBlocked ? 1 : 0 }
    }
    case "HANDLER_FAILED":
    case "HANDLER_TIMED_OUT":
      return { ...none, failures: 1 }
    default:
      return none
  }
}

/** Thousandths are told, so that sums do not depend on where they were begun. */
const rounded = (ms: number): number => Math.round(ms * 1000) / 1000

export const sessionSums: KeyedFold<SessionSum> = {
  name: "session_sums",
  version: 1,
  types: sumTypes,
  reads: ["EXITED", "REPLY_DELIVERED"],
  // Before its payload is read nobody knows whose a call is.
  keysOf: ({ place }) => [place.session ?? ""],
  step: (state, fact) => {
    const { agent, at, position, project } = fact.place
    const { blocked, calls, failures, waitMs } = addedBy(fact)
    return {
      agent: state?.agent ?? agent,
      project: state?.project ?? project,
      began: Math.min(state?.began ?? at, at),
      last: Math.max(state?.last ?? at, at),
      facts: (state?.facts ?? 0) + 1,
      positions: (state?.positions ?? 0) + position,
      calls: (state?.calls ?? 0) + calls,
      blocked: (state?.blocked ?? 0) + blocked,
      failures: (state?.failures ?? 0) + failures,
      waitMs: rounded((state?.waitMs ?? 0) + waitMs)
    }
  }
}
