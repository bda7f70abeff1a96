/** Looks for past material in the log's file, all of it: the tables are brought up to date first. */
import Sqlite from "better-sqlite3"
import { catchUp } from "./catchUp.ts"
import { find, type Hit, type Wanted } from "./find.ts"

export const searchLog = (file: string, wanted: Wanted): readonly Hit[] => {
  catchUp(file)
  const db = new Sqlite(file, { readonly: true, fileMustExist: true })
  try {
    return find({ prepare: (sql) => db.prepare<unknown[]>(sql) }, wanted)
  } finally {
    db.close()
  }
}
