/** What is known of ages by how far the log went at known times. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { knownAges, markAge, onlyDates } from "../../../src/log/ageMarks.ts"
import { layerMemory } from "../../../src/log/MemoryLog.ts"

const day = 86_400_000
const span = 4 * day
const start = 5000 * span

describe("the age of what stands in the log", () => {
  it.effect("is told by dates alone before there is a mark", () =>
    Effect.gen(function* () {
      expect(yield* knownAges({ at: start, since: 0 }, 90 * day)).toEqual(onlyDates)
      expect(onlyDates).toEqual({ old: 0, unmarked: Number.POSITIVE_INFINITY })
    }).pipe(Effect.provide(layerMemory()))
  )

  it.effect("is old up to the newest mark whose whole span is old, and untold up to where marks began", () =>
    Effect.gen(function* () {
      yield* markAge(start, 10)
      yield* markAge(start + span - 1, 15)
      yield* markAge(start + span, 20)
      yield* markAge(start + 2 * span, 30)
      const old = (at: number, since = 0) => Effect.map(knownAges({ at, since }, 90 * day), ({ old }) => old)
      expect(yield* knownAges({ at: start + 2 * span, since: 0 }, 90 * day)).toEqual({ old: 0, unmarked: 10 })
      // The first mark of a span stays: the log went no further than that when the span began.
      expect(yield* old(start + span + 90 * day)).toBe(10)
      expect(yield* old(start + span + 90 * day - 1)).toBe(0)
      expect(yield* old(start + 2 * span + 90 * day)).toBe(20)
      expect(yield* old(start + 9 * span + 90 * day)).toBe(30)
    }).pipe(Effect.provide(layerMemory()))
  )

  it.effect("is not told by marks of a time before the clock jumped", () =>
    Effect.gen(function* () {
      yield* markAge(start, 10)
      yield* markAge(start + span, 20)
      const old = (since: number) =>
        Effect.map(knownAges({ at: start + 50 * span, since }, 90 * day), ({ old }) => old)
      expect(yield* old(start)).toBe(20)
      expect(yield* old(start + 1)).toBe(20)
      expect(yield* old(start + span)).toBe(20)
      expect(yield* old(start + span + 1)).toBe(0)
    }).pipe(Effect.provide(layerMemory()))
  )

  it.effect("keeps thirty-two spans, the oldest written over", () =>
    Effect.gen(function* () {
      for (let nth = 0; nth <= 32; nth++) yield* markAge(start + nth * span, 100 + nth)
      const ages = yield* knownAges({ at: start + 2 * span, since: 0 }, 0)
      expect(ages).toEqual({ old: 101, unmarked: 100 })
      expect(yield* knownAges({ at: start + span, since: 0 }, 0)).toEqual({ old: 0, unmarked: 100 })
    }).pipe(Effect.provide(layerMemory()))
  )
})
