/** What keeps the state bounded: done now and then by whoever reads the log, never on a hook's time. */
import { readdirSync, statSync, unlinkSync } from "node:fs"
import { join } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { EventLog } from "./EventLog.ts"
import { retain } from "./retain.ts"

const day = 86_400_000
const mark = "upkeep/day"

/** A hook that was killed before it opened its noise files left them; a running one unlinks them within milliseconds. */
const staleMs = 600_000

const sweep = (state: string, now: number): void => {
  const folder = join(state, "run")
  for (const name of readdirSync(folder)) {
    if (!name.startsWith("noise.")) continue
    const path = join(folder, name)
    if (now - statSync(path).mtimeMs > staleMs) unlinkSync(path)
  }
}

/** At most once a day: old invocations leave the log, and what killed hooks left behind is removed. */
export const upkeep = Effect.fn("EventLog.upkeep")(function* (state: string, source: string) {
  const log = yield* EventLog
  const now = yield* Clock.currentTimeMillis
  const today = Math.floor(now / day)
  if ((yield* log.checkpoint(mark)) >= today) return
  yield* log.setCheckpoint(mark, today)
  yield* retain(source)
  yield* Effect.ignore(Effect.try(() => sweep(state, now)))
})
