/** How work with agents goes: each figure with its definition and what it stands on. */
import * as Schema from "effect/Schema"
import { Count, IfKnown, List, Moment, OrNull, Text } from "./shared.ts"

/** Tool calls by who told of them. */
export const Coverage = Schema.Struct({ hooks: Count, transcript: Count, both: Count })

export const Measure = Schema.Struct({
  id: Text,
  group: Schema.Literal("sessions", "quality", "work", "hooks", "errors", "usage"),
  title: Text,
  unit: Schema.Literal("ms", "share", "count", "per-hour", "usd", "tokens", "points", "lines", "per-week"),
  definition: Text,
  /** What `n` counts. */
  counts: Text,
  /** Null where it is unknown: `why` says so. */
  value: OrNull(Schema.Number),
  n: Count,
  /** 95 %, where one is due. */
  interval: IfKnown(Schema.Tuple(Schema.Number, Schema.Number)),
  why: IfKnown(Text),
  parts: IfKnown(List(Schema.Struct({ name: Text, value: Schema.Number }))),
  coverage: Coverage
})
export type Measure = typeof Measure.Type

export const MetricsQuery = Schema.Struct({
  from: IfKnown(Schema.NumberFromString),
  to: IfKnown(Schema.NumberFromString),
  project: IfKnown(Text),
  session: IfKnown(Text),
  agent: IfKnown(Text)
})

export const Metrics = Schema.Struct({
  /** When the first thing that counts was seen, and the last; null where nothing was. */
  from: OrNull(Moment),
  to: OrNull(Moment),
  sessions: Count,
  coverage: Coverage,
  metrics: List(Measure),
  /** Of all that is on the log: what there is to choose from. */
  projects: List(Text),
  agents: List(Text),
  /** Each figure in the newest sessions, the oldest of them first; null where it is unknown. */
  bySession: List(
    Schema.Struct({
      session: Text,
      began: Moment,
      values: Schema.Record({ key: Text, value: OrNull(Schema.Number) })
    })
  )
})
export type Metrics = typeof Metrics.Type
