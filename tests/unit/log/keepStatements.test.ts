/** Statements that a connection keeps: compiled once, found as if compiled anew, and no more of them than it can use. */
import Sqlite, { type Database } from "better-sqlite3"
import { expect, it } from "vitest"
import { keepStatements } from "../../../src/log/sqlite/keepStatements.ts"

const opened = (): { readonly db: Database; readonly compiled: readonly string[] } => {
  const db = new Sqlite(":memory:")
  const compiled: string[] = []
  const compile = db.prepare.bind(db)
  const counting = (sql: string) => {
    compiled.push(sql)
    return compile(sql)
  }
  return { db: keepStatements(Object.assign(db, { prepare: counting })), compiled }
}

it("compiles a text once, and gives it out in its usual mode", () => {
  const { compiled, db } = opened()
  const sql = "SELECT 1 AS one, ? AS other"
  expect(db.prepare(sql).pluck().get(2)).toBe(1)
  expect(db.prepare(sql).get(2)).toEqual({ one: 1, other: 2 })
  expect(db.prepare(sql).raw().get(2)).toEqual([1, 2])
  expect(db.prepare(sql).get(2)).toEqual({ one: 1, other: 2 })
  expect(compiled).toEqual([sql])
})

it("knows a statement's table again after it was made anew with other columns", () => {
  const { db } = opened()
  db.exec("CREATE TABLE kept (one)")
  db.prepare("INSERT INTO kept DEFAULT VALUES").run()
  expect(db.prepare("SELECT * FROM kept").all()).toEqual([{ one: null }])
  db.exec("DROP TABLE kept; CREATE TABLE kept (one, other)")
  db.prepare("INSERT INTO kept DEFAULT VALUES").run()
  expect(db.prepare("SELECT * FROM kept").all()).toEqual([{ one: null, other: null }])
})

it("lets go of those that were asked for the longest ago", () => {
  const { compiled, db } = opened()
  const all = Array.from({ length: 150 }, (_, nth) => `SELECT ${nth}`)
  for (const sql of all) {
    db.prepare(sql).all()
    db.prepare("SELECT 'always'").all()
  }
  expect(compiled).toHaveLength(151)
  db.prepare("SELECT 0").all()
  db.prepare("SELECT 149").all()
  expect(compiled.slice(151)).toEqual(["SELECT 0"])
})
