/**
 * Gives back what a burst of calls left of this thread's heap. V8 by itself does so half a minute after the last call, and then gives back
 * half as much.
 */
import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

export interface Heap {
  /** Bytes that it holds of the system, used or not. */
  readonly held: () => number
  /** Collects what nothing refers to and moves the rest together: some tens of milliseconds, in which the thread does nothing else. */
  readonly compact: () => void
  /** Bytes of what was made since anything was last collected. */
  readonly fresh: () => number
  /** Collects of that what nothing refers to: half a millisecond. */
  readonly sweep: () => void
}

type Collect = (options?: { readonly type: "minor" }) => void

const isCollect = (value: unknown): value is Collect => typeof value === "function"

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
  let found: unknown
  const collect = (): Collect | undefined => {
    // Of a context of its own: nobody else's code is to find it.
    if (found === undefined) withFlags(["expose-gc"], () => (found = runInNewContext("globalThis.gc")))
    return isCollect(found) ? found : undefined
  }
  return {
    held: () => getHeapStatistics().total_heap_size,
    compact: () => {
      const all = collect()
      withFlags(["compact-on-every-full-gc"], () => all?.())
    },
    fresh: () =>
      getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space")?.space_used_size ?? 0,
    sweep: () => collect()?.({ type: "minor" })
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

/** A call leaves about as much behind as there is room for. */
const worthBytes = 256 * 1024
/** What is done once a reply is out is done by then. */
const sweepMs = 10

interface SweepOptions {
  readonly isBusy: () => boolean
  readonly heap?: Heap
  readonly later?: (work: () => void) => void
}

/**
 * Called after each call: once nobody waits, what it left is collected. Otherwise the next one fills what room is left, and waits in its
 * middle for the same to be done.
 */
export const makeSweeping = ({
  heap = makeHeap(),
  isBusy,
  later = (work) => void setTimeout(work, sweepMs).unref()
}: SweepOptions): (() => void) => {
  let isPlanned = false
  const sweep = (): void => {
    isPlanned = false
    if (!isBusy() && heap.fresh() >= worthBytes) heap.sweep()
  }
  return () => {
    if (isPlanned) return
    isPlanned = true
    later(sweep)
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
