/** Makes of a SQLite file what this version takes for granted: settings that are read back, and today's tables. */
import type { Connection } from "@effect/sql/SqlConnection"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import { ofNewer } from "../../state/newerFile.ts"
import { EventLogError } from "../EventLog.ts"
import { applicationId, migrations, schema, tables } from "./sqliteSchema.ts"

export const refuse = (
  detail: string,
  reason: "unsupported" | "io" = "unsupported",
  cause?: unknown
): EventLogError =>
  new EventLogError({ op: "open", reason, detail, ...(cause === undefined ? {} : { cause }) })

const pragma = (db: Connection, name: string, value?: string | number) =>
  Effect.map(
    db.executeUnprepared(`PRAGMA ${name}${value === undefined ? "" : ` = ${value}`}`, [], undefined),
    (rows) => Object.values(rows[0] ?? {})[0] as string | number | undefined
  )

/** Sets them, and reads them back: SQLite says nothing of a setting that it does not take. */
export const applyPragmas = Effect.fn("EventLog.applyPragmas")(function* (
  db: Connection,
  file: string,
  busyMs: number,
  settings: Readonly<Record<string, number>>
) {
  yield* pragma(db, "busy_timeout", busyMs)
  if ((yield* pragma(db, "journal_mode")) !== "wal") yield* pragma(db, "journal_mode", "WAL")
  for (const [name, value] of Object.entries(settings)) yield* pragma(db, name, value)
  const expected = { journal_mode: "wal", busy_timeout: busyMs, ...settings }
  for (const [name, value] of Object.entries(expected)) {
    const is = yield* pragma(db, name)
    if (is !== value) return yield* refuse(`${file}: ${name} is ${is}, not ${value}`)
  }
})

/** The statements that today's tables still take: none, mostly. Reads only. Fails where the file is not ours to change. */
export const pendingMigrations = Effect.fn("EventLog.pendingMigrations")(function* (
  db: Connection,
  file: string
): Effect.fn.Return<readonly string[], SqlError | EventLogError> {
  const application = yield* pragma(db, "application_id")
  const version = Number(yield* pragma(db, "user_version"))
  if (version === 0 && application === 0) {
    const [row] = yield* db.execute("SELECT count(*) AS n FROM sqlite_schema", [], undefined)
    if ((row as { n: number }).n > 0)
      return yield* refuse(`${file} is another program's database: move it away`)
    return schema
  }
  if (application !== applicationId)
    return yield* refuse(`${file} is another program's database: move it away`)
  if (version > tables) return yield* refuse(ofNewer(file))
  return version < tables ? (migrations[version] ?? []) : []
})

/** In a transaction that writes: whoever was here meanwhile may have done it. */
export const migrate = Effect.fn("EventLog.migrate")(function* (db: Connection, file: string) {
  // Not unprepared: a statement that cannot be prepared would be a defect.
  for (const statement of yield* pendingMigrations(db, file)) yield* db.executeRaw(statement, [])
})
