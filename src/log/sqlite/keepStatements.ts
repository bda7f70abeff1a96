/** A connection that compiles no statement twice: who asks the same many times a second spends a third of that on compiling. */
import type { Database, Statement } from "better-sqlite3"

/** Questions with conditions of their own come and go: those asked the longest ago are compiled again. */
const most = 100

/** Makes the connection's `prepare` keep what it gives out; each text is used in one mode at a time, never by two who go through its rows in turns. */
export const keepStatements = (db: Database): Database => {
  const kept = new Map<string, Statement>()
  const compile = db.prepare.bind(db)
  const prepare = (sql: string): Statement => {
    const known = kept.get(sql)
    kept.delete(sql)
    const statement = known ?? compile(sql)
    // As whoever compiles it anew finds it.
    if (known?.reader) known.pluck(false).raw(false)
    kept.set(sql, statement)
    const [oldest] = kept.size > most ? kept.keys() : []
    if (oldest !== undefined) kept.delete(oldest)
    return statement
  }
  return Object.assign(db, { prepare })
}
