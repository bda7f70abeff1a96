/** Whether the timeline says what the facts say: it has no sums of its own, and whoever edits its tables changes what `log` shows. */
import type { Database } from "better-sqlite3"
import { catchingUpProjection, projectingInMemory, renewProjection } from "../../log/projection.ts"
import { markOf } from "../../log/projectionMark.ts"
import { isTableDamage } from "../../log/sqlite/sqliteErrors.ts"
import { timelineProjection } from "./tables.ts"

/** What a call is told by; the rest is counted of these, or known from agents' transcripts. */
const compared = ["timeline_calls", "timeline_runs", "timeline_jobs"]

const marked = (db: Database, schema: "main" | "log"): unknown =>
  db
    .prepare(`SELECT position FROM ${schema}.checkpoints WHERE name = ?`)
    .pluck()
    .get(markOf(timelineProjection))

const onlyIn = (one: "main" | "log", other: "main" | "log", table: string): string =>
  `SELECT 1 FROM (SELECT * FROM ${one}.${table} EXCEPT SELECT * FROM ${other}.${table}) LIMIT 1`

const differs = (db: Database, table: string): boolean =>
  db.prepare(onlyIn("main", "log", table)).get() !== undefined ||
  db.prepare(onlyIn("log", "main", table)).get() !== undefined

/** Undefined where nothing can be compared: it is not made yet, or goes less far than the log, or others go on writing it. */
function* isAsTold(file: string): Generator<void, boolean | undefined> {
  const db = yield* projectingInMemory(file, timelineProjection)
  try {
    return db.transaction(() =>
      marked(db, "log") === marked(db, "main") ? !compared.some((table) => differs(db, table)) : undefined
    )()
  } catch (error) {
    if (!isTableDamage(error)) throw error
    return false
  } finally {
    db.close()
  }
}

/**
 * True where it was not, and is made anew by whoever asks it next: no fact is touched. Brought up to date first. Round after round: of
 * a long log all of it at once would take a minute in which no signal is heard.
 */
export function* mendingTimeline(file: string): Generator<void, boolean> {
  if (!(yield* catchingUpProjection(file, timelineProjection)) || (yield* isAsTold(file)) !== false)
    return false
  renewProjection(file, timelineProjection)
  return true
}
