/** What keeps the state bounded: done now and then by whoever reads the log, never on a hook's time. */
import { existsSync, readdirSync, statSync, unlinkSync } from "node:fs"
import { join } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { knownAges, markAge } from "./ageMarks.ts"
import { EventLog } from "./EventLog.ts"
import { defaultRetention, retain, unshippedRetention } from "./retain.ts"
import { retainImported } from "./retainImported.ts"
import { firstSteady, isSteady, type SteadyClock, tick } from "./steadyClock.ts"

const day = 86_400_000
const mark = "upkeep/day"

interface Leavings {
  readonly folder: string
  readonly names: RegExp
  readonly staleMs: number
}

const leavings: readonly Leavings[] = [
  // A hook that was killed before it opened its noise files left them; a running one unlinks them within milliseconds.
  { folder: "run", names: /^noise\./, staleMs: 600_000 },
  // What the session monitor handed over to its analysis, where that is switched off, or its job came to nothing.
  { folder: "run/session-monitor", names: /\.json$/, staleMs: 7 * day }
]

const sweep = (state: string, now: number): void => {
  for (const { folder, names, staleMs } of leavings) {
    const directory = join(state, folder)
    for (const name of existsSync(directory) ? readdirSync(directory) : []) {
      const path = join(directory, name)
      if (names.test(name) && now - statSync(path).mtimeMs > staleMs) unlinkSync(path)
    }
  }
}

const names = ["at", "jumpedTo", "jumpDays", "upTo", "since"] as const

/** What the clock shows now, as far as it is believed; kept for the next time. */
const steadyClock = Effect.fn("EventLog.steadyClock")(function* (now: number) {
  const log = yield* EventLog
  const kept: Record<string, number> = {}
  for (const name of names) kept[name] = yield* log.checkpoint(`upkeep/${name}`)
  const [newest] = yield* Effect.map(Stream.runCollect(log.read({ reverse: true, limit: 1 })), (facts) => [
    ...facts
  ])
  const before = kept["at"] === 0 ? firstSteady(now, newest?.recordedAt) : (kept as unknown as SteadyClock)
  const clock = tick(before, now, newest?.position ?? 0)
  // The time that is believed comes last: without it the next one begins anew.
  for (const name of [...names].reverse())
    if (clock[name] !== kept[name]) yield* log.setCheckpoint(`upkeep/${name}`, clock[name])
  if (isSteady(clock)) yield* markAge(clock.at, newest?.position ?? 0)
  return clock
})

/** Up to which position everything was sent that is to be sent; undefined where nothing is. */
export type ShippedUpTo = Effect.Effect<number | undefined, never, EventLog>

/** At most once a day: old invocations leave the log, and what killed hooks left behind is removed. */
export const upkeep = Effect.fn("EventLog.upkeep")(function* (
  state: string,
  source: string,
  shippedUpTo: ShippedUpTo = Effect.succeed(undefined)
) {
  const log = yield* EventLog
  const now = yield* Clock.currentTimeMillis
  const today = Math.floor(now / day)
  // Another day than this one may be one to come, when the clock was wrong.
  if ((yield* log.checkpoint(mark)) === today) return
  yield* log.setCheckpoint(mark, today)
  const clock = yield* steadyClock(now)
  const ages = yield* knownAges(clock, defaultRetention.maxAgeMs)
  const after = yield* shippedUpTo
  const later = unshippedRetention(defaultRetention).maxAgeMs
  const unshipped = after === undefined ? undefined : { after, ages: yield* knownAges(clock, later) }
  const { more } = yield* retain(source, clock, { ages, unshipped })
  if (more) yield* log.setCheckpoint(mark, 0)
  yield* retainImported(source)
  yield* Effect.ignore(Effect.try(() => sweep(state, Math.min(now, clock.at))))
})
