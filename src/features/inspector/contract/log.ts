/** Facts, as they are on the log. */
import * as Schema from "effect/Schema"
import { AnyJson, Count, IfKnown, List, Moment, OrNull, page, paging, Text } from "./shared.ts"

export const FactRow = Schema.Struct({
  position: Count,
  at: Moment,
  stream: Text,
  type: Text,
  /** False where this version does not know it. */
  known: Schema.Boolean,
  /** What it says, in a line. */
  says: Text,
  invocation: OrNull(Text),
  session: OrNull(Text)
})
export type FactRow = typeof FactRow.Type

/** `trouble`: what failed, was late, rejected or refused. */
export const FactKind = Schema.Literal("all", "trouble", "replies", "services", "jobs", "host")
export type FactKind = typeof FactKind.Type

export const FactsQuery = Schema.Struct({
  kind: IfKnown(FactKind),
  type: IfKnown(Text),
  stream: IfKnown(Text),
  session: IfKnown(Text),
  text: IfKnown(Text),
  ...paging
})
export const Facts = Schema.Struct({
  ...page,
  facts: List(FactRow),
  /** Facts on the log with no filter. */
  all: Count,
  tookMs: Schema.Number,
  /** Stretches of the log that do not verify, where that is known. */
  damaged: IfKnown(List(Schema.Struct({ from: Count, to: Count })))
})
export type Facts = typeof Facts.Type

export const FactDetail = Schema.Struct({
  ...FactRow.fields,
  recordedAt: Moment,
  version: Count,
  source: Text,
  data: AnyJson,
  /** What led to it, the nearest first; at most 20. */
  causes: List(FactRow),
  /** What it led to, at most 50. */
  effects: List(FactRow)
})
export type FactDetail = typeof FactDetail.Type
