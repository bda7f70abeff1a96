/** Brings the timeline up to the end of the log, and asks it. */
import Sqlite, { type Database } from "better-sqlite3"
import {
  catchUpProjection,
  openProjection,
  projectInMemory,
  type Round,
  renewProjection,
  type Steps
} from "../../log/projection.ts"
import type { Asked } from "../../log/reader.ts"
import { isBusy, isTableDamage } from "../../log/sqlite/sqliteErrors.ts"
import { timelineProjection } from "./tables.ts"

export const openTimeline = (file: string, round: Round = {}): Steps =>
  openProjection(file, timelineProjection, round)

/** What the question says, of all that is on the log. Tables that are damaged are made anew first. */
export const askTimeline = <A>(file: string, question: (db: Asked) => A): A => {
  try {
    return asked(file, question)
  } catch (error) {
    if (!isTableDamage(error)) throw error
    renewProjection(file, timelineProjection)
    return asked(file, question)
  }
}

/** In one transaction: who projects or writes meanwhile does not come between two parts of a question. */
const answer = <A>(db: Database, question: (db: Asked) => A): A => {
  try {
    return db.transaction(() => question({ prepare: (sql) => db.prepare<unknown[]>(sql) }))()
  } finally {
    db.close()
  }
}

const asked = <A>(file: string, question: (db: Asked) => A): A => {
  try {
    catchUpProjection(file, timelineProjection)
  } catch (error) {
    if (!isBusy(error)) throw error
    // There are no tables yet, and somebody else writes all the while: nobody has to wait for that to look.
    return answer(projectInMemory(file, timelineProjection), question)
  }
  return answer(new Sqlite(file, { readonly: true, fileMustExist: true }), question)
}
