/** Takes out of sums of days what its user wants forgotten. They are in no fact, so nothing else does. */
import type { Database } from "better-sqlite3"
import type { Forgotten } from "../../log/projection.ts"
import { hasTable } from "./days.ts"

export interface Summed {
  /** The table of the sums, with `day`, `project` and `agent`. */
  readonly sums: string
  /** Others of its columns that hold a name. */
  readonly names?: readonly string[]
  /** The table that they were made of, with `at`, `session`, `project` and `agent`. */
  readonly of: string
}

const has = (db: Database, table: string): boolean =>
  hasTable({ prepare: (sql) => db.prepare<unknown[]>(sql) }, table)

/** Of a day on which the session was, nothing but what the log still tells: of a sum nobody can say what was whose. */
const withoutSession = (db: Database, { of, sums }: Summed, session: string): void => {
  if (!has(db, of)) return
  db.prepare(
    `DELETE FROM ${sums} WHERE (day, project, agent) IN (SELECT date(at / 1000, 'unixepoch'), coalesce(project, ''), coalesce(agent, '')
      FROM ${of} WHERE session = ?)`
  ).run(session)
}

const mark = "‹forgotten›"

/** As on the log: the name stays without it, and its sums under what is left of the name. */
const withoutText = (db: Database, { names = [], sums }: Summed, text: string): void => {
  for (const name of ["project", "agent", ...names])
    db.prepare(
      `UPDATE OR REPLACE ${sums} SET ${name} = replace(${name}, ?, ?) WHERE instr(${name}, ?) > 0`
    ).run(text, mark, text)
}

export const forgetDays =
  (...summed: readonly Summed[]) =>
  (db: Database, { session, text }: Forgotten): void => {
    for (const one of summed.filter(({ sums }) => has(db, sums))) {
      if (session !== undefined) withoutSession(db, one, session)
      if (text !== undefined) withoutText(db, one, text)
    }
  }
