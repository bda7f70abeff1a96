/** Actors: whoever lives, or lived at a moment, as the machine it is. */
import * as Schema from "effect/Schema"
import { Count, IfKnown, List, Millis, Moment, OrNull, Text } from "./shared.ts"

export const Actor = Schema.Struct({
  stream: Text,
  state: Text,
  since: Moment,
  /** What it is about, in a line. */
  subject: Text,
  invocation: OrNull(Text),
  session: OrNull(Text)
})
export type Actor = typeof Actor.Type

export const ActorKind = Schema.Struct({
  /** The id of the machine: `invocation`, `job`, `host`, `breaker` … */
  machine: Text,
  alive: Count,
  total: Count,
  /** Actors in each state at that moment. Final states count what ended in the last hour. */
  states: Schema.Record({ key: Text, value: Count }),
  /** The living first, then those that ended last; at most 30. */
  actors: List(Actor),
  /** `log`: from facts, at any moment. `live`: the host says so now, no fact does. `unknown`: nobody says. */
  known: Schema.Literal("log", "live", "unknown"),
  note: OrNull(Text)
})
export type ActorKind = typeof ActorKind.Type

export const ActorsQuery = Schema.Struct({
  /** As they were at this moment; now where it is missing. */
  at: IfKnown(Schema.NumberFromString)
})
export const Actors = Schema.Struct({ at: Moment, position: Count, kinds: List(ActorKind) })
export type Actors = typeof Actors.Type

export const HistoryQuery = Schema.Struct({ stream: Text })
export const ActorHistory = Schema.Struct({
  stream: Text,
  machine: Text,
  subject: Text,
  /** At most 500, the newest. */
  steps: List(
    Schema.Struct({
      position: Count,
      at: Moment,
      type: Text,
      before: Text,
      after: Text,
      refused: Schema.Boolean,
      says: Text,
      ms: IfKnown(Millis)
    })
  )
})
export type ActorHistory = typeof ActorHistory.Type
