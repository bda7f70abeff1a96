/** How long a handler may take of the time that an invocation has left. */

/** What each of the handlers after it is left at least: time to end a process that hangs, and for what most of them need. */
const eachMs = 500

/** All of it but what those after it may need: one that never returns must not keep a guard from running. */
export const shareOf = (leftMs: number, after: number): number =>
  Math.round(leftMs - Math.min(after * eachMs, leftMs / 2))
