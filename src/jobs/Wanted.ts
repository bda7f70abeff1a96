/** Whether a job is still to be done: a port, asked before each attempt. */
import type * as Effect from "effect/Effect"
import type { Marks } from "../../events/Recorded.ts"
import type { Enqueued } from "../../machines/job.ts"

export type Wanted =
  | { readonly is: "wanted" }
  /** Not yet, until something changes. */
  | { readonly is: "held"; readonly reason: string }
  /** Not any more. */
  | { readonly is: "dropped"; readonly reason: string }

/** Never fails: what cannot be told is wanted. */
export type IsWanted = (enqueued: Enqueued, marks: Marks) => Effect.Effect<Wanted>
