/** What an installation hands to a collector in one request, and what it is told. */
import * as Schema from "effect/Schema"

const Position = Schema.Int.pipe(Schema.nonNegative())
/** Of the database's "integer". */
const largestEpoch = 2 ** 31 - 1

/** Its facts are checked one by one, so that a bad one holds up no other. */
export const Batch = Schema.Struct({
  /** Counts how often the log went on from an earlier state than the collector knows, from 1. */
  epoch: Schema.Int.pipe(Schema.between(1, largestEpoch)),
  /** All up to here was handed over before. */
  after: Position,
  /** The id of the fact at `after`, where it is still there. */
  afterId: Schema.NullOr(Schema.String.pipe(Schema.pattern(/^[\w-]{1,100}$/))),
  /** All up to here is in this batch, but for what is not sent. */
  upto: Position,
  facts: Schema.Array(Schema.Unknown)
})
export type Batch = typeof Batch.Type

/** 200: `parked` names facts that did not read as such. */
export const Taken = Schema.Struct({
  head: Position,
  parked: Schema.Array(Schema.Struct({ at: Schema.Int, problem: Schema.String }))
})
export type Taken = typeof Taken.Type

/** 409. `gap`: the collector has less than `after`, namely up to `head`. `fork`, `epoch`: begin the epoch behind `newest`. */
export const Conflict = Schema.Struct({
  reason: Schema.Literal("gap", "fork", "epoch"),
  head: Position,
  newest: Schema.Int
})
export type Conflict = typeof Conflict.Type
