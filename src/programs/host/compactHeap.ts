/**
 * Gives back what a burst of calls left of this thread's heap. V8 by itself does so half a minute after the last call, and then gives back
 * half as much.
 */
import { getHeapStatistics, setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

export interface Heap {
  /** Bytes that it holds of the system, used or not. */
  readonly held: () => number
  /** Collects what nothing refers to and moves the rest together: some tens of milliseconds, in which the thread does nothing else. */
  readonly compact: () => void
}

const isAction = (value: unknown): value is () => void => typeof value === "function"

/** Only a collection that moves everything leaves pages empty; flags are put back, since compiled code is kept under them. */
const withFlags = (flags: readonly string[], work: () => void): void => {
  for (const flag of flags) setFlagsFromString(`--${flag}`)
  try {
    work()
  } finally {
    for (const flag of flags) setFlagsFromString(`--no-${flag}`)
  }
}

const makeHeap = (): Heap => {
  let collect: unknown
  return {
    held: () => getHeapStatistics().total_heap_size,
    compact: () =>
      withFlags(["expose-gc", "compact-on-every-full-gc"], () => {
        // Of a context of its own: nobody else's code is to find it.
        collect ??= runInNewContext("globalThis.gc")
        if (isAction(collect)) collect()
      })
  }
}

/** So much more than after the last time, and it is worth a collection. */
const grownBytes = 2 * 1024 * 1024

/** Called in a moment in which nobody waits. Does nothing where the heap has not grown. */
export const makeCompaction = (heap: Heap = makeHeap()): (() => void) => {
  let after = 0
  return () => {
    if (heap.held() - after < grownBytes) return
    heap.compact()
    after = heap.held()
  }
}

/** An agent's calls follow each other sooner, or much later. */
const restMs = 300

export interface RestOptions {
  readonly calls: { readonly underway: () => number; readonly lastActive: () => number }
  /** Judges by itself whether it has anything to give, once what it was asked is done. */
  readonly thread: { readonly compact: () => void }
  readonly compact: () => void
  /** Milliseconds, as `lastActive` has them. */
  readonly now: () => number
}

/** Called again and again: where nobody has called for a moment, memory is given back; the thread hears of it once. */
export const makeRest = ({ calls, compact, now, thread }: RestOptions): (() => void) => {
  let toldFor = Number.NEGATIVE_INFINITY
  return () => {
    const since = calls.lastActive()
    if (calls.underway() > 0 || now() - since < restMs) return
    if (since !== toldFor) thread.compact()
    toldFor = since
    compact()
  }
}
