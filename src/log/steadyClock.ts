/** What time it is for whatever is taken away by age: a clock that jumped is not believed before it has gone on from there for days. */

const day = 86_400_000

/** Nobody being there for so long is no jump. */
const maxGap = 7 * day

/** On so many days, each after the one before it, the time after a jump has to be told. */
const daysToBelieve = 3

export interface SteadyClock {
  /** The newest time that is believed. */
  readonly at: number
  /** The newest time told since a jump, and on how many days; 0 where the clock did not jump. */
  readonly jumpedTo: number
  readonly jumpDays: number
  /** When the time began that is reckoned without a jump. Nothing that came later is older, whatever its own clock showed; */
  readonly since: number
  /** and what was on the log up to this position counts as of then: nobody knows how long the jump was. */
  readonly upTo: number
}

const dayOf = (time: number): number => Math.floor(time / day)

/** `newest`: the time of the newest fact, where there is one. */
export const firstSteady = (now: number, newest: number | undefined): SteadyClock => ({
  at: newest ?? now,
  jumpedTo: 0,
  jumpDays: 0,
  upTo: 0,
  since: newest === undefined ? now : 0
})

/** The clock shows `now`, and the log ends at the position `last`. */
export const tick = (clock: SteadyClock, now: number, last: number): SteadyClock => {
  if (Math.abs(now - clock.at) <= maxGap)
    return { ...clock, at: Math.max(clock.at, now), jumpedTo: 0, jumpDays: 0 }
  const goesOn = clock.jumpDays > 0 && now >= clock.jumpedTo && now - clock.jumpedTo <= maxGap
  if (!goesOn) return { ...clock, jumpedTo: now, jumpDays: 1 }
  const jumpDays = clock.jumpDays + (dayOf(now) > dayOf(clock.jumpedTo) ? 1 : 0)
  if (jumpDays < daysToBelieve) return { ...clock, jumpedTo: now, jumpDays }
  return { at: now, jumpedTo: 0, jumpDays: 0, upTo: last, since: now }
}

/** Whether the clock shows what it is believed to show. */
export const isSteady = ({ jumpDays }: SteadyClock): boolean => jumpDays === 0

export type Age = "old" | "young" | "unknown"

/** `unknown` is what was recorded by a clock that was ahead. */
export const ageOf = (
  { at, since, upTo }: SteadyClock,
  fact: { readonly at: number; readonly position: number },
  maxAgeMs: number
): Age => {
  const time = fact.position <= upTo ? since : Math.max(fact.at, since)
  if (time > at + day) return "unknown"
  return time < at - maxAgeMs ? "old" : "young"
}
