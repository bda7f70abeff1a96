/** Brings the tables of chains up to the end of the log, and asks them. */
import Sqlite from "better-sqlite3"
import {
  catchUpProjection,
  openProjection,
  type Round,
  renewProjection,
  type Steps
} from "../../log/projection.ts"
import type { Asked } from "../../log/reader.ts"
import { isTableDamage } from "../../log/sqlite/sqliteErrors.ts"
import { chainsProjection } from "./tables.ts"

export const openChains = (file: string, round: Round = {}): Steps =>
  openProjection(file, chainsProjection, round)

/** What the question says, of all that is on the log. Tables that are damaged are made anew first. */
export const askChains = <A>(file: string, question: (db: Asked) => A): A => {
  try {
    return asked(file, question)
  } catch (error) {
    if (!isTableDamage(error)) throw error
    renewProjection(file, chainsProjection)
    return asked(file, question)
  }
}

const asked = <A>(file: string, question: (db: Asked) => A): A => {
  catchUpProjection(file, chainsProjection)
  const db = new Sqlite(file, { readonly: true, fileMustExist: true })
  try {
    return question({ prepare: (sql) => db.prepare<unknown[]>(sql) })
  } finally {
    db.close()
  }
}
