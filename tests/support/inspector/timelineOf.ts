/** The timeline's tables in memory, with rows that a test puts there, as the read model asks them. */
import Sqlite from "better-sqlite3"
import type { Source } from "../../../src/features/inspector/read/Source.ts"
import { timelineProjection } from "../../../src/features/timeline/tables.ts"

type Row = Readonly<Record<string, string | number | null>>

export interface MadeTimeline {
  readonly source: Source
  readonly putCall: (call: Row & { readonly position: number }) => void
  readonly putRun: (run: Row & { readonly call: number; readonly hook: string }) => void
  readonly putJob: (job: Row & { readonly job: string; readonly hook: string }) => void
  readonly putSession: (session: Row & { readonly session: string }) => void
  /** How SQLite goes about each question that was asked. */
  readonly plans: () => readonly string[]
  readonly close: () => void
}

export const now = 1_790_000_000_000

export const timelineOf = (state: string): MadeTimeline => {
  const db = new Sqlite(":memory:")
  for (const sql of timelineProjection.anew.filter((one) => one.startsWith("CREATE"))) db.exec(sql)
  // Where a call's plan would stand: there is no log.
  db.exec(
    "CREATE TABLE streams (id, name); CREATE TABLE kinds (id, type); CREATE TABLE blobs (hash, data); CREATE TABLE recorded (stream, kind, blob, data)"
  )
  const asked: (readonly [sql: string, values: readonly unknown[]])[] = []
  const put =
    (table: string, usual: (row: Row) => Row) =>
    (given: Row): void => {
      const row = { ...usual(given), ...given }
      const names = Object.keys(row)
      db.prepare(
        `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map((name) => `@${name}`).join(", ")})`
      ).run(row)
    }
  const prepare: Source["db"]["prepare"] = (sql) => ({
    all: (...values: readonly unknown[]) => {
      asked.push([sql, values])
      return db.prepare<unknown[]>(sql).all(...values)
    }
  })
  return {
    source: { db: { prepare }, state, now, version: "1" },
    putCall: put("timeline_calls", ({ position }) => ({
      invocation: `i-${position}`,
      short: `s-${position}`,
      at: now - 1000,
      agent: "claude-code",
      event: "tool.before",
      session: "s",
      outcome: "silent",
      wait: 10,
      own: 0,
      failures: 0,
      entry: 0,
      last_at: now - 1000,
      ended: Number(position)
    })),
    putRun: put("timeline_runs", () => ({
      nth: 0,
      event: "tool.before",
      outcome: "succeeded",
      attempts: 1,
      ms: 1
    })),
    putJob: put("timeline_jobs", () => ({ position: 1, at: now - 1000, state: "done", attempts: 1 })),
    putSession: put("timeline_sessions", () => ({
      agent: "claude-code",
      began: now - 1000,
      last: now - 1000,
      calls: 1
    })),
    plans: () =>
      asked.flatMap(([sql, values]) =>
        (
          db.prepare<unknown[]>(`EXPLAIN QUERY PLAN ${sql}`).all(...values) as readonly {
            readonly detail: string
          }[]
        ).map(({ detail }) => detail)
      ),
    close: () => void db.close()
  }
}
