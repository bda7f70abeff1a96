/**
 * How a hook does: how often it ran, failed, stood in the way, and what it costs; of a policy's hook for each of its versions. Of what is
 * shipped as of what is on a log.
 */
import * as Schema from "effect/Schema"
import type { KeyedFold } from "../../log/KeyedFold.ts"

export interface HookSum {
  readonly hook: string
  /** The version of a team's policy that brought it, such as `policy team 1.2.0`; null of any other hook. */
  readonly from: string | null
  readonly succeeded: number
  readonly failed: number
  readonly timedOut: number
  readonly skipped: number
  /** Replies in which it stopped the agent. */
  readonly blocked: number
  /** Of all runs that ended, and of the longest. */
  readonly ms: number
  readonly longestMs: number
  /** Milliseconds since 1970. */
  readonly first: number
  readonly last: number
}

const Outcome = Schema.Struct({
  handler: Schema.String,
  from: Schema.optional(Schema.String),
  ms: Schema.optional(Schema.Number),
  intents: Schema.optional(Schema.Array(Schema.Struct({ type: Schema.optional(Schema.String) })))
})

const readOutcome = Schema.decodeUnknownSync(Outcome)
const isOfHandler = Schema.is(Schema.Struct({ handler: Schema.String, from: Schema.optional(Schema.String) }))

const nothing: Omit<HookSum, "hook" | "from" | "first"> = {
  succeeded: 0,
  failed: 0,
  timedOut: 0,
  skipped: 0,
  blocked: 0,
  ms: 0,
  longestMs: 0,
  last: 0
}

const counted = {
  HANDLER_SUCCEEDED: "succeeded",
  HANDLER_FAILED: "failed",
  HANDLER_TIMED_OUT: "timedOut",
  HANDLER_SKIPPED: "skipped"
} as const

type Counted = keyof typeof counted

const isCounted = (type: string): type is Counted => Object.hasOwn(counted, type)

export const hookSums: KeyedFold<HookSum> = {
  name: "hook_sums",
  version: 2,
  types: Object.keys(counted),
  // A name that was too long to be shipped is nobody's.
  keysOf: ({ data }) => (isOfHandler(data) ? [`${data.from ?? ""}\n${data.handler}`] : []),
  step: (before, { data, place, type }) => {
    const { from = null, handler, intents = [], ms = 0 } = readOutcome(data)
    const one = isCounted(type) ? counted[type] : undefined
    const state: HookSum = before ?? { ...nothing, hook: handler, from, first: place.at }
    return {
      ...state,
      ...(one === undefined ? {} : { [one]: state[one] + 1 }),
      blocked: state.blocked + (intents.some(({ type: intent }) => intent === "BLOCKING_FEEDBACK") ? 1 : 0),
      ms: Math.round((state.ms + ms) * 1000) / 1000,
      longestMs: Math.max(state.longestMs, ms),
      first: Math.min(state.first, place.at),
      last: Math.max(state.last, place.at)
    }
  }
}
