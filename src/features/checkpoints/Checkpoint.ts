/** Checkpoints as they stand on the log, those that were refused among them. */
import type { QualityPart } from "../../../events/eventData.ts"
import type { MemoryFact } from "../../../events/facts.ts"
import type { Recorded } from "../../../events/Recorded.ts"

type Recording = Extract<MemoryFact, { type: "CHECKPOINT_RECORDED" }>
type Refusal = Extract<MemoryFact, { type: "CHECKPOINT_REFUSED" }>

export interface Checkpoint {
  readonly checkpoint: string
  /** ISO 8601. */
  readonly at: string
  /** False where a hook kept it from being taken. */
  readonly successful: boolean
  readonly quality: number
  /** A hook looked at the quality and let it pass. */
  readonly validated: boolean
  readonly components: readonly QualityPart[]
  /** `operator`, or the event after which it was taken by itself. */
  readonly trigger: string
  readonly project: string
  readonly session: string | null
  readonly commit: string | null
  readonly branch: string | null
  /** Who refused it, and why. */
  readonly refused: { readonly by: string; readonly reason: string } | null
}

export const checkpointTypes = ["CHECKPOINT_RECORDED", "CHECKPOINT_REFUSED"] as const

export const checkpointStream = (checkpoint: string): string => `checkpoint/${checkpoint}`

export const checkpointOf = (fact: Recording | Refusal, at: number): Checkpoint => ({
  checkpoint: fact.checkpoint,
  at: new Date(at).toISOString(),
  successful: fact.type === "CHECKPOINT_RECORDED",
  quality: fact.quality,
  validated: fact.type === "CHECKPOINT_RECORDED" && fact.validated === true,
  components: fact.components,
  trigger: fact.trigger,
  project: fact.project,
  session: fact.session ?? null,
  commit: fact.commit ?? null,
  branch: fact.branch ?? null,
  refused: fact.type === "CHECKPOINT_REFUSED" ? { by: fact.by, reason: fact.reason } : null
})

export const checkpointsIn = (facts: Iterable<Recorded>): readonly Checkpoint[] =>
  [...facts].flatMap(({ at, data, known, type }) =>
    known && (checkpointTypes as readonly string[]).includes(type)
      ? [checkpointOf(data as Recording | Refusal, at)]
      : []
  )
