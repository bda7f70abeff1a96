/** Chains: problems that tools showed, what was tried against each, and what helped. */
import * as Schema from "effect/Schema"
import { Count, IfKnown, List, Millis, Moment, OrNull, page, paging, Text } from "./shared.ts"

export const ChainState = Schema.Literal(
  "open",
  "attempted",
  "cleared",
  "resolved",
  "suppressed",
  "abandoned"
)
export type ChainState = typeof ChainState.Type

/** `toolUse`: the agent's id of the call. */
const Step = Schema.Struct({ toolUse: Text, kind: Schema.Literal("edit", "command"), what: Text })

export const ChainRow = Schema.Struct({
  chain: Text,
  state: ChainState,
  /** How far the fix may be believed: A is shown by evidence, B is likely, C only came before the end. Null without an end. */
  grade: OrNull(Schema.Literal("A", "B", "C")),
  problem: Text,
  /** The program whose output showed it, as far as it was read. */
  family: Text,
  agent: OrNull(Text),
  project: OrNull(Text),
  session: OrNull(Text),
  opened: Moment,
  moved: Moment,
  /** How often the problem was seen. */
  seen: Count,
  /** Calls that showed it; of many, the first and the newest. */
  sightings: List(Schema.Struct({ toolUse: Text, at: Moment })),
  relation: Schema.Literal("new", "recurrence", "same pattern"),
  /** The chain that it comes back to, or is like. */
  earlier: OrNull(Text),
  attempts: List(Schema.Struct({ at: Moment, helped: Schema.Boolean, how: Text, steps: List(Step) })),
  fix: List(Step),
  /** What showed that it is gone. */
  proof: OrNull(
    Schema.Struct({ by: Text, toolUse: Text, shown: Schema.Literal("proved", "cleared"), at: Moment })
  ),
  /** From when it was first seen to its end. */
  ms: OrNull(Millis),
  /** It went away without anything having been done. */
  flaky: Schema.Boolean,
  /** Why nobody looks after it any more. */
  abandoned: OrNull(Text)
})
export type ChainRow = typeof ChainRow.Type

export const ChainsQuery = Schema.Struct({
  /** `open` is all that is not at an end: open, attempted, cleared. */
  state: IfKnown(ChainState),
  /** Only this one. */
  chain: IfKnown(Text),
  session: IfKnown(Text),
  project: IfKnown(Text),
  ...paging
})

export const Chains = Schema.Struct({
  ...page,
  chains: List(ChainRow),
  /** Chains in each state, without the filter by state. */
  states: Schema.Record({ key: Text, value: Count })
})
export type Chains = typeof Chains.Type
