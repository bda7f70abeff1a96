/** How a sink is handed its facts: when a batch is worth a request, and what became of it. */
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Recorded } from "../../../events/Recorded.ts"
import type { EventLogError } from "../../log/EventLog.ts"
import type { ShipError } from "./request.ts"

export type Batch = readonly [Recorded, ...Recorded[]]

export interface Courier {
  /** What it holds open as long as it is shipped with. */
  readonly open?: Effect.Effect<void, ShipError | EventLogError, Scope.Scope>
  /** Facts in a batch. */
  readonly most: number
  /** Whether it is time for these, at `now` in milliseconds since 1970. */
  readonly isDue: (facts: Batch, now: number) => boolean
  /** Hands over what comes behind the position `after`; the position to go on from, which is an earlier one where the sink has less. */
  readonly send: (facts: Batch, after: number) => Effect.Effect<number, ShipError | EventLogError>
}
