/** `hooktape` alone: where things stand, and what to do next. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { lastDeadSince } from "../../../features/timeline/failedJobs.ts"
import { findCalls } from "../../../features/timeline/find.ts"
import { healthOf, standingSince } from "../../../features/timeline/standing.ts"
import { listSpool } from "../../../log/spool/spoolFiles.ts"
import { recordsIn } from "../installRecords.ts"
import { Logbook, withLogbook } from "../logbook.ts"
import { findPlaces, type Places } from "../places.ts"
import { drawOverview, type Overview, type Today } from "../render/overview.ts"
import { Screen } from "../Screen.ts"
import { hooksHere } from "./hooks.ts"
import { hostNow } from "./host.ts"

const today = Effect.gen(function* () {
  const { timeline } = yield* Logbook
  const now = yield* Clock.currentTimeMillis
  const since = new Date(now).setHours(0, 0, 0, 0)
  return yield* timeline((db): Today => {
    const [failed] = findCalls(db, { failedItself: true, since, limit: 1 }, now)
    const [slowest] = healthOf(db, { since })
      .filter(({ p95 }) => p95 !== null)
      .toSorted((a, b) => (b.p95 ?? 0) - (a.p95 ?? 0))
    return { standing: standingSince(db, since, now), failed, dead: lastDeadSince(db, since), slowest }
  })
}).pipe(withLogbook)

/** Nothing is made by looking: where nothing was ever recorded, there is no log to open. */
const isRecorded = ({ state }: Places): boolean =>
  existsSync(join(state, "log.sqlite")) || (existsSync(state) && listSpool(state).length > 0)

export const overview = (version: string) =>
  Effect.gen(function* () {
    const screen = yield* Screen
    const places = findPlaces()
    const { state } = places
    const standing: Overview = {
      version,
      records: yield* recordsIn(state),
      hooks: hooksHere(places),
      host: existsSync(state) ? yield* hostNow(state) : undefined,
      today: isRecorded(places) ? yield* today : undefined
    }
    yield* screen.out(drawOverview(standing, screen))
    return 0
  })
