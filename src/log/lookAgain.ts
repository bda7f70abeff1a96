/** How long to wait before looking again for what others did: the longer nothing came, the longer, so that nobody's battery pays for it. */

/** So many looks in vain, and the wait is twice what it was at first. */
const looksUntilTwice = 3

/** Milliseconds; `inVain`: looks in a row that found nothing. */
export const lookAgainMs = (leastMs: number, mostMs: number, inVain: number): number =>
  Math.max(leastMs, Math.min(mostMs, leastMs * (1 + inVain / looksUntilTwice)))
