/** Words that all resources of the inspector's API share. */
import * as Schema from "effect/Schema"

export const Text = Schema.String
export const Count = Schema.Number
/** Milliseconds since 1970. */
export const Moment = Schema.Number
/** How long something took, in milliseconds; fractions count. */
export const Millis = Schema.Number
export const OrNull = <A, I>(schema: Schema.Schema<A, I>) => Schema.NullOr(schema)
export const List = <A, I>(schema: Schema.Schema<A, I>) => Schema.Array(schema)

/** Known only where the log tells: what it does not say yet is left out, never guessed. */
export const IfKnown = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

/** JSON as it stands on the log; long texts in it are cut. */
export const AnyJson = Schema.Unknown

/**
 * A part of a list that may be very long. Lists run from the newest to the oldest. `upTo` fixes the list while new rows arrive: the
 * page asks for row `offset` of what was there up to that position.
 */
export const paging = {
  /** The newest position that belongs to the list; the whole log where it is missing. */
  upTo: IfKnown(Schema.NumberFromString),
  /** Rows to leave out, from the newest. */
  offset: IfKnown(Schema.NumberFromString),
  /** At most 500; 200 where it is missing. */
  limit: IfKnown(Schema.NumberFromString)
}

/** What comes with a part of a list. */
export const page = {
  /** Rows of the whole list. */
  total: Count,
  upTo: Count,
  offset: Count
}

/** The body of every answer that is not 2xx. */
export const Refusal = Schema.Struct({
  error: Schema.Struct({
    code: Schema.Literal("bad-request", "no-token", "foreign", "not-found", "busy", "failed"),
    message: Text,
    /** What to do about it. */
    remedy: IfKnown(Text)
  })
})
export type Refusal = typeof Refusal.Type
