/** What goes on: numbers, and the window of time that the lanes show. */
import * as Schema from "effect/Schema"
import { Outcome } from "./call.ts"
import { Count, IfKnown, List, Millis, Moment, OrNull, Text } from "./shared.ts"

/** Who serves, and how far the log goes. */
export const Status = Schema.Struct({
  version: Text,
  now: Moment,
  /** The newest fact. */
  position: Count,
  calls: Count,
  sessions: Count,
  openSessions: Count,
  failingHooks: Count,
  /** Checks of doctor's last run that were not fine; null where it never ran. */
  unwell: OrNull(Count),
  /** Agents that hooks are registered for. */
  agents: List(Text),
  host: OrNull(Schema.Struct({ pid: Count, state: Text, since: Moment })),
  /** When the first call was, and the last. */
  first: OrNull(Moment),
  last: OrNull(Moment),
  /** Nothing is run again and no fixture is written: whoever serves only looks. */
  onlyLooks: IfKnown(Schema.Boolean)
})
export type Status = typeof Status.Type

export const WindowQuery = Schema.Struct({
  from: IfKnown(Schema.NumberFromString),
  to: IfKnown(Schema.NumberFromString),
  /** Instead of both: the newest so many milliseconds, up to now. */
  span: IfKnown(Schema.NumberFromString),
  session: IfKnown(Text),
  /** Bins of the whole time and of each lane; 240 where it is missing. */
  bins: IfKnown(Schema.NumberFromString)
})

/** Worst first. */
export const Kind = Schema.Literal("blocked", "failed", "late", "slow", "spoke", "silent")
export type Kind = typeof Kind.Type

/** Calls that began in one stretch of time. `kind` is the worst of them. Empty stretches are left out. */
export const Bin = Schema.Struct({ at: Moment, kind: Kind, calls: Count, longestMs: Millis })
export type Bin = typeof Bin.Type
export const Bins = Schema.Struct({ from: Moment, to: Moment, stepMs: Millis, bins: List(Bin) })
export type Bins = typeof Bins.Type

/** Work after a reply that failed for good. */
export const GivenUp = Schema.Struct({ by: Text, reason: OrNull(Text) })
export type GivenUp = typeof GivenUp.Type

/** A call as a mark. */
export const Mark = Schema.Struct({
  invocation: Text,
  at: Moment,
  waitMs: OrNull(Millis),
  event: OrNull(Text),
  outcome: Outcome,
  by: OrNull(Text),
  /** The first of it. */
  givenUp: IfKnown(GivenUp)
})
export type Mark = typeof Mark.Type

export const ToolBar = Schema.Struct({
  use: Text,
  name: Text,
  kind: Text,
  subject: OrNull(Text),
  subagent: OrNull(Text),
  /** First byte of the call before it, last byte of the call after it, or of the one that blocked it; null while it runs. */
  from: Moment,
  to: OrNull(Moment),
  /** With no `to`: when its turn was over, since when nothing of it goes on, though no hook told its end. */
  until: IfKnown(Moment),
  ok: OrNull(Schema.Boolean),
  /** A check (tests, types, lint): what it said. */
  verdict: OrNull(Schema.Literal("green", "red", "unknown")),
  /** Only the agent's transcript tells of it: no hook was asked. */
  source: IfKnown(Schema.Literal("transcript")),
  /** The calls that delayed it: before it ran, and after. */
  before: List(Mark),
  after: List(Mark)
})
export type ToolBar = typeof ToolBar.Type

export const Lane = Schema.Struct({
  session: Text,
  agent: Text,
  project: OrNull(Text),
  state: Schema.Literal("working", "quiet", "ended"),
  last: Moment,
  /** In the window. */
  waitedMs: Millis,
  prompts: List(Schema.Struct({ turn: Text, text: OrNull(Text), from: Moment, to: OrNull(Moment) })),
  /** Null where the window holds more than are worth drawing: `bins` then. */
  tools: OrNull(List(ToolBar)),
  /** Calls of no tool. */
  calls: OrNull(List(Mark)),
  bins: OrNull(List(Bin))
})
export type Lane = typeof Lane.Type

/** `hook` null: hooktape's own part of the wait. */
export const Delay = Schema.Struct({ hook: OrNull(Text), ms: Millis, runs: Count, slowestMs: Millis })

export const Window = Schema.Struct({
  from: Moment,
  to: Moment,
  /** All the time there is, of the session where one is asked for, for the map under the lanes. */
  map: Bins,
  stepMs: Millis,
  lanes: List(Lane),
  /** Of the window, the greatest first. */
  delays: List(Delay),
  delayedCalls: Count
})
export type Window = typeof Window.Type

/** The numbers at the top. */
export const NumbersQuery = Schema.Struct({
  from: IfKnown(Schema.NumberFromString),
  to: IfKnown(Schema.NumberFromString),
  session: IfKnown(Text)
})
export const Numbers = Schema.Struct({
  calls: Count,
  sessions: Count,
  openSessions: Count,
  blocked: Count,
  lastBlockedBy: OrNull(Text),
  /** Calls in which something failed, or whose work after the reply was given up. */
  failed: Count,
  late: Count,
  lost: Count,
  /** Hooks that failed in the last week; of a session, in it. */
  failing: List(Text),
  waitedMs: Millis,
  /** Of the time between prompts and ends of turns; null where none is known. */
  waitedShare: OrNull(Schema.Number),
  slow: Count,
  /** `p95`: of its newest thousand runs; of all since `from`, where that was asked. */
  costliest: OrNull(Schema.Struct({ hook: Text, share: Schema.Number, p95: OrNull(Millis) }))
})
export type Numbers = typeof Numbers.Type
