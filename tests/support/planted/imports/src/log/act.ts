/** Not a violation: the log may use all of Effect. */
import { Effect } from "effect"

export const act = Effect.void
