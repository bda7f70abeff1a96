/** Whether the log goes as far as the file beside it says, and whether its end was lost before others went on. */
import type { Connection } from "@effect/sql/SqlConnection"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import type { Damage } from "../Damage.ts"
import { bootId, type Newest } from "../sealFile.ts"
import { isFileDamage } from "./sqliteErrors.ts"
import { hasNewest } from "./sqliteSeal.ts"

const day = 86_400_000

/** What went down with the machine is told for a day; what was cut off until somebody repairs the log. */
const lostBefore = `SELECT kind, first, last FROM breaks
  WHERE (kind = 'cut' OR (kind = 'restart' AND at > ?))
    AND at > (SELECT coalesce(max(at), -1) FROM breaks WHERE kind = 'repaired')`

/** `newest` was read before the transaction began: the log is never behind it. */
export const endDamage = (
  db: Connection,
  newest: Newest | undefined,
  now: number
): Effect.Effect<readonly Damage[], SqlError> =>
  Effect.gen(function* () {
    const lost = (yield* db.executeValues(lostBefore, [now - day])).map(([kind, first, last]) => ({
      kind: kind as "cut" | "restart",
      first: Number(first),
      last: Number(last),
      facts: Number(last) - Number(first) + 1
    }))
    if (newest === undefined) return lost
    const { boot, position, seal } = newest
    if ((yield* db.executeValues(hasNewest, [position, seal, position, position])).length > 0) return lost
    const [[end = 0] = []] = yield* db.executeValues("SELECT coalesce(max(last), 0) FROM seals", [])
    const first = Math.min(Number(end) + 1, position)
    const kind = boot === bootId() ? "cut" : "restart"
    return [...lost, { kind, first, last: position, facts: position - first + 1 } satisfies Damage]
  }).pipe(
    Effect.catchIf(isFileDamage, () =>
      Effect.succeed([{ kind: "unreadable", first: 0, last: 0, facts: 0 } satisfies Damage])
    )
  )
