/** How long a handler may take of the time that an invocation has left. */
import { leastMs } from "./start.ts"

/** What each of the handlers after it is left at least: most are done in a fraction of it. */
const eachMs = 200

/** All of it but what those after it may need: one that never returns must not keep a guard from running. */
export const shareOf = (leftMs: number, after: number): number =>
  Math.max(leastMs, Math.round(leftMs - Math.min(after * eachMs, leftMs / 2)))
