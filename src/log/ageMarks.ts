/**
 * How far the log went at known times. A fact's own date may be that of a clock that was behind; where it stands in the log is not:
 * what came after a mark is younger than the mark.
 */
import * as Effect from "effect/Effect"
import { EventLog } from "./EventLog.ts"

const day = 86_400_000

/** One mark in so long, */
const span = 4 * day

/** and so many before the first is written over: more than a hundred days. */
const slots = 32

const spanOf = (at: number): number => Math.floor(at / span)

const began = "upkeep/marksBegan"
const slotNames = (slot: number) => ({ of: `upkeep/markOf/${slot}`, last: `upkeep/markLast/${slot}` })

/** The log ends at the position `last`, at a time that is believed. */
export const markAge = Effect.fn("EventLog.markAge")(function* (at: number, last: number) {
  const log = yield* EventLog
  if ((yield* log.checkpoint(began)) === 0) yield* log.setCheckpoint(began, last + 1)
  const now = spanOf(at)
  const names = slotNames(now % slots)
  if ((yield* log.checkpoint(names.of)) === now) return
  // Without its span, a position says nothing.
  yield* log.setCheckpoint(names.of, 0)
  yield* log.setCheckpoint(names.last, last)
  yield* log.setCheckpoint(names.of, now)
})

export interface KnownAges {
  /** Up to here everything is old, whatever its date says. */
  readonly old: number
  /** Up to here nothing but dates tells; what came after both is young. */
  readonly unmarked: number
}

export const onlyDates: KnownAges = { old: 0, unmarked: Number.POSITIVE_INFINITY }

/** `since`: when the time began that is reckoned without a jump; marks from before it tell another time. */
export const knownAges = Effect.fn("EventLog.knownAges")(function* (
  { at, since }: { readonly at: number; readonly since: number },
  maxAgeMs: number
) {
  const log = yield* EventLog
  const first = yield* log.checkpoint(began)
  if (first === 0) return onlyDates
  let old = 0
  for (let slot = 0; slot < slots; slot++) {
    const names = slotNames(slot)
    const of = yield* log.checkpoint(names.of)
    const isOld = of * span >= since && (of + 1) * span <= at - maxAgeMs
    if (of > 0 && isOld) old = Math.max(old, yield* log.checkpoint(names.last))
  }
  return { old, unmarked: first - 1 } satisfies KnownAges
})
