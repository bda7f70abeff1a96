/** Who works on what: a port, since there is more than one way to see to it that owners do not do the same work. */
import type { SqlError } from "@effect/sql/SqlError"
import type * as Effect from "effect/Effect"

/** Of one installation there are facts that a projection has not taken. */
export interface Due {
  readonly projection: string
  readonly installation: number
  /** The projection's mark. */
  readonly position: number
  readonly head: number
}

export interface Claim {
  /**
   * Inside the transaction of a round: what this owner may work on now, those that wait longest first, `most` at once. Two owners that are given the same
   * lose work, and nothing else: the mark moves from where it was found, or all of the round is undone.
   */
  readonly due: (projections: readonly string[], most: number) => Effect.Effect<readonly Due[], SqlError>
}
