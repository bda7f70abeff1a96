/** How hooks, jobs and the installation do. */
import * as Schema from "effect/Schema"
import { CallJob } from "./call.ts"
import { Count, IfKnown, List, Millis, Moment, OrNull, page, paging, Text } from "./shared.ts"

export const HookHealth = Schema.Struct({
  hook: Text,
  events: List(Text),
  origin: Schema.Literal("shipped", "user", "project", "unknown"),
  source: OrNull(Text),
  priority: OrNull(Count),
  background: Schema.Boolean,
  /** Of work after the reply, jobs that came to an end or failed: of the newest ten thousand of all hooks. */
  runs: Count,
  blocked: Count,
  failed: Count,
  late: Count,
  p50: OrNull(Millis),
  p95: OrNull(Millis),
  max: OrNull(Millis),
  /** Of the time that agents waited; null for work after the reply. */
  share: OrNull(Schema.Number),
  /** Runs by how long they took, on a log axis from 0.1 ms to 100 s: 60 bins, ten for each power of ten. */
  histogram: List(Count),
  /** The slowest run and the worst outcome of each of 24 equal stretches of the time asked about. */
  trend: List(
    Schema.Struct({
      ms: OrNull(Millis),
      outcome: Schema.NullOr(Schema.Literal("ok", "blocked", "failed", "late"))
    })
  ),
  /** Null where it is not known, or not the same in all projects: `why` tells each. */
  on: OrNull(Schema.Boolean),
  why: OrNull(Text),
  /** Why it ended last as it should not have. */
  lastError: OrNull(Schema.Struct({ at: Moment, message: Text, invocation: OrNull(Text) })),
  /** Blocks that were let through in the end, where that is known. */
  overridden: IfKnown(Count)
})
export type HookHealth = typeof HookHealth.Type

export const HooksQuery = Schema.Struct({ from: IfKnown(Schema.NumberFromString), project: IfKnown(Text) })
export const Hooks = Schema.Struct({
  from: OrNull(Moment),
  to: OrNull(Moment),
  waitedMs: Millis,
  hooks: List(HookHealth),
  /** hooktape's own part. */
  own: Schema.Struct({
    calls: Count,
    ms: Millis,
    share: OrNull(Schema.Number),
    p50: OrNull(Millis),
    p95: OrNull(Millis)
  })
})
export type Hooks = typeof Hooks.Type

export const JobRow = Schema.Struct({
  ...CallJob.fields,
  kind: Text,
  position: Count,
  at: Moment,
  project: OrNull(Text),
  invocation: OrNull(Text),
  maxAttempts: OrNull(Count),
  /** When the next attempt is due. */
  retryAt: OrNull(Moment)
})
export type JobRow = typeof JobRow.Type
export const JobsQuery = Schema.Struct({
  state: IfKnown(CallJob.fields.state),
  hook: IfKnown(Text),
  ...paging
})
export const Jobs = Schema.Struct({
  ...page,
  jobs: List(JobRow),
  /** Jobs in each state, without the filter. */
  states: Schema.Record({ key: Text, value: Count })
})
export type Jobs = typeof Jobs.Type

export const HealthCheck = Schema.Struct({
  group: Schema.Literal("agents", "host", "log", "hooks"),
  name: Text,
  status: Schema.Literal("ok", "warn", "fail"),
  message: Text,
  fix: OrNull(Text),
  /** A call that shows it. */
  invocation: IfKnown(Text)
})
export type HealthCheck = typeof HealthCheck.Type
/** Doctor's last run. Nothing is inspected by asking. */
export const Health = Schema.Struct({
  inspectedAt: OrNull(Moment),
  checks: List(HealthCheck),
  /** How many more were as they should be, of which the log has no name. */
  unnamed: Count
})
export type Health = typeof Health.Type
