/**
 * What the payload of a call told, in figures: worked out where the payload is, for whoever has the fact without it. Texts are the agents'
 * ids, names of ours, and digests. Each field may be missing: a text that is too long to be sent is left out.
 */
import * as Schema from "effect/Schema"

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })
const Text = optional(Schema.String)
const Truth = optional(Schema.Boolean)
const Count = optional(Schema.Number)

/** One thing that happened, as metrics keep it. */
export const FoundMoment = Schema.Struct({
  kind: Text,
  turn: Text,
  isHuman: Truth,
  use: Text,
  name: Text,
  tool: Text,
  isUnnamed: Truth,
  isBatch: Truth,
  told: Text,
  verdict: Text,
  error: Text,
  looks: Truth,
  /** A run of a check: what it looked at as digests, by which the same is known again. */
  checks: optional(
    Schema.Array(
      Schema.Struct({
        purpose: Text,
        folder: Text,
        program: Text,
        targets: optional(Schema.Array(Schema.String))
      })
    )
  ),
  /** A file as a digest, its lines as counts. */
  edits: optional(Schema.Array(Schema.Struct({ file: Text, added: Count, removed: Count }))),
  /** Short ids; "" of one that nobody named. */
  commits: optional(Schema.Array(Schema.String))
})
export type FoundMoment = typeof FoundMoment.Type

/** Something that was done and may have changed something. */
export const FoundEffect = Schema.Struct({ use: Text, kind: Text, at: Count })
export type FoundEffect = typeof FoundEffect.Type

/** What the call means for a chain. The first of a chain, `observed`, says which problem it is about. */
export const FoundSign = Schema.Struct({
  chain: Text,
  sign: Text,
  at: Count,
  use: Text,
  /** Places in `effects`. */
  effects: optional(Schema.Array(Schema.Number)),
  shown: Text,
  grade: Text,
  isFlaky: Truth,
  fix: optional(Schema.Array(Schema.Number)),
  why: Text,
  /** Its signature: no field of that name is kept as it is. */
  problem: Text,
  pattern: Text,
  family: Text,
  code: Text,
  tool: Text,
  revealedBy: Text
})
export type FoundSign = typeof FoundSign.Type

export const Findings = Schema.Struct({
  /** What the call was about, as a digest: the same of a call that is made again. */
  about: Text,
  subagent: Text,
  moments: optional(Schema.Array(FoundMoment)),
  effects: optional(Schema.Array(FoundEffect)),
  signs: optional(Schema.Array(FoundSign))
})
export type Findings = typeof Findings.Type
