/** Sessions: what was asked, which tools were used, and what the hooks made of it. */
import * as Schema from "effect/Schema"
import { ChainState } from "./chains.ts"
import { GivenUp, ToolBar } from "./live.ts"
import { Count, IfKnown, List, Millis, Moment, OrNull, page, paging, Text } from "./shared.ts"

export const SessionRow = Schema.Struct({
  session: Text,
  agent: Text,
  project: OrNull(Text),
  began: Moment,
  last: Moment,
  state: Schema.Literal("working", "quiet", "ended"),
  calls: Count,
  turns: Count,
  tools: Count,
  blocked: Count,
  /** Calls in which something failed, or whose work after the reply was given up. */
  failed: Count,
  /** The newest of that work. */
  givenUp: IfKnown(GivenUp),
  waitedMs: Millis,
  /** The first prompt. */
  title: OrNull(Text),
  /** All of it comes from the agent's transcript: no hook of hooktape ran in it. */
  source: IfKnown(Schema.Literal("transcript"))
})
export type SessionRow = typeof SessionRow.Type

export const SessionsQuery = Schema.Struct({ text: IfKnown(Text), ...paging })
export const Sessions = Schema.Struct({ ...page, sessions: List(SessionRow) })
export type Sessions = typeof Sessions.Type

export const Turn = Schema.Struct({
  turn: Text,
  prompt: OrNull(Text),
  began: Moment,
  last: Moment,
  calls: Count,
  tools: Count,
  waitedMs: Millis,
  /** Work after the replies to those of its calls that are about no tool, the first of it, and its call. */
  givenUp: IfKnown(Schema.Struct({ ...GivenUp.fields, invocation: Text }))
})
export type Turn = typeof Turn.Type

export const SessionTool = Schema.Struct({
  ...ToolBar.fields,
  turn: OrNull(Text),
  /** What hooks added to it. */
  waitedMs: Millis,
  /** Chains that it opened, tried to end, or ended. */
  chains: IfKnown(List(Schema.Struct({ chain: Text, part: Schema.Literal("problem", "attempt", "fix") })))
})
export type SessionTool = typeof SessionTool.Type

export const SessionChain = Schema.Struct({
  chain: Text,
  state: ChainState,
  problem: Text,
  seen: Count,
  attempts: List(Schema.Struct({ what: List(Text), helped: Schema.Boolean })),
  fix: List(Text),
  grade: OrNull(Text)
})
export type SessionChain = typeof SessionChain.Type

export const SessionDetail = Schema.Struct({
  session: SessionRow,
  waitedShare: OrNull(Schema.Number),
  checks: Schema.Struct({ green: Count, red: Count, unknown: Count }),
  /** In the order in which they began. */
  turns: List(Turn),
  tools: List(SessionTool),
  /** Tools that are not in `tools`, because there are too many: the oldest. */
  omitted: Count,
  subagents: List(Schema.Struct({ subagent: Text, began: Moment, last: Moment, calls: Count })),
  checkpoints: List(
    Schema.Struct({ checkpoint: Text, at: Moment, quality: Count, trigger: Text, reasons: List(Text) })
  ),
  hooks: List(
    Schema.Struct({ hook: Text, runs: Count, blocked: Count, failed: Count, ms: Millis, slowestMs: Millis })
  ),
  chains: IfKnown(List(SessionChain)),
  /** From the transcript. */
  tokens: IfKnown(Schema.Struct({ input: Count, output: Count, cached: Count, model: OrNull(Text) }))
})
export type SessionDetail = typeof SessionDetail.Type
