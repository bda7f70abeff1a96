/** What the page may ask to be done: a call again, a call under another condition, a call as a fixture. Nothing is delivered. */
import * as Schema from "effect/Schema"
import { Call, Decision, Outcome } from "./call.ts"
import { AnyJson, Count, IfKnown, List, Millis, OrNull, Text } from "./shared.ts"

/** `invocation` or `session`. */
export const RunAgain = Schema.Struct({
  invocation: IfKnown(Text),
  session: IfKnown(Text),
  /**
   * `recorded`: the machine again over the recorded outcomes, no hook runs. `today`: the hooks that are trusted and built now.
   * Else a directory for which hooks are trusted and built.
   */
  with: Text,
  /** Another payload, of one call. */
  payload: IfKnown(Text)
})
export type RunAgain = typeof RunAgain.Type

export const RunFact = Schema.Struct({ type: Text, says: Text, ms: OrNull(Millis), data: AnyJson })
export type RunFact = typeof RunFact.Type

export const RunSide = Schema.Struct({
  outcome: OrNull(Outcome),
  decision: OrNull(Decision),
  by: OrNull(Text),
  reason: OrNull(Text),
  build: OrNull(Text),
  facts: List(RunFact),
  delivered: OrNull(Schema.Struct({ stdout: Text, stderr: Text, exitCode: Count }))
})
export type RunSide = typeof RunSide.Type

export const Comparison = Schema.Struct({
  call: Call,
  change: Schema.Literal("same", "looser", "stricter", "other", "not-replayable"),
  /** In a line: `blocked → asks you`, or why it cannot be run again. */
  says: Text,
  /** The first fact that differs, counted from 0, where in it, and what stood there then and now. */
  first: OrNull(Schema.Struct({ fact: Count, path: Text, old: AnyJson, new: AnyJson })),
  old: OrNull(RunSide),
  new: OrNull(RunSide)
})
export type Comparison = typeof Comparison.Type

export const RanAgain = Schema.Struct({
  compared: Count,
  same: Count,
  looser: Count,
  stricter: Count,
  /** One call: itself, the same or not. A session: those that differ, at most 200. */
  comparisons: List(Comparison)
})
export type RanAgain = typeof RanAgain.Type

/** With which hooks, beside those of its own project, a call can be run again. */
export const WhatIfOptions = Schema.Struct({ directories: List(Text) })
export type WhatIfOptions = typeof WhatIfOptions.Type

export const SaveFixture = Schema.Struct({ invocation: Text })
export type SaveFixture = typeof SaveFixture.Type
export const SavedFixture = Schema.Struct({ file: Text })
export type SavedFixture = typeof SavedFixture.Type
