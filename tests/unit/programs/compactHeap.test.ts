/** What a burst of calls left of the host's memory goes back to the system, and only where there is something to give. */
import { describe, expect, it } from "vitest"
import { type Heap, makeCompaction, makeRest } from "../../../src/programs/host/compactHeap.ts"

const megabyte = 1024 * 1024

/** A heap of which `live` megabytes are needed. */
const fakeHeap = (live: number) => {
  let held = live * megabyte
  let compacted = 0
  const heap: Heap = {
    held: () => held,
    compact: () => {
      compacted++
      held = live * megabyte
    }
  }
  return { heap, grow: (by: number) => (held += by * megabyte), compacted: () => compacted }
}

describe("memory that is given back", () => {
  it("is given back once, and again only after the heap has grown", () => {
    const { compacted, grow, heap } = fakeHeap(20)
    const compact = makeCompaction(heap)
    compact()
    compact()
    grow(1)
    compact()
    expect(compacted()).toBe(1)
    grow(1)
    compact()
    expect(compacted()).toBe(2)
    compact()
    expect(compacted()).toBe(2)
  })

  it("is really given back", () => {
    const held = () => process.memoryUsage().heapTotal
    const kept: object[] = []
    let dropped: object[] = []
    // Every tenth stays: pages that hold a little of what is needed are only emptied by moving it.
    for (let nth = 0; nth < 500_000; nth++) {
      const one = { nth, text: `${nth} of many` }
      if (nth % 10 === 0) kept.push(one)
      else dropped.push(one)
    }
    const before = held()
    dropped = []
    makeCompaction()()
    expect(before - held()).toBeGreaterThan(20 * megabyte)
    expect(kept).toHaveLength(50_000)
    expect(dropped).toEqual([])
    expect("gc" in globalThis).toBe(false)
  })
})

describe("the moment for it", () => {
  const watched = () => {
    const seen = { own: 0, thread: 0 }
    const at = { now: 0, last: 0, underway: 0 }
    const rest = makeRest({
      calls: { underway: () => at.underway, lastActive: () => at.last },
      thread: { compact: () => seen.thread++ },
      compact: () => seen.own++,
      now: () => at.now
    })
    return { at, rest, seen }
  }

  it("is none while a call is under way, nor right after one", () => {
    const { at, rest, seen } = watched()
    at.underway = 1
    at.now = 10_000
    rest()
    at.underway = 0
    at.last = 9_800
    rest()
    expect(seen).toEqual({ own: 0, thread: 0 })
  })

  it("comes once for the thread after each call, and again and again for whoever answers, whose heap still grows", () => {
    const { at, rest, seen } = watched()
    at.now = 300
    rest()
    rest()
    expect(seen).toEqual({ own: 2, thread: 1 })
    at.last = 400
    at.now = 800
    rest()
    expect(seen).toEqual({ own: 3, thread: 2 })
  })
})
