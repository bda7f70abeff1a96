/** A keyed fold in the log's own file: one table of states, each written once in a round. */
import type { Database } from "better-sqlite3"
import type { KeyedFold } from "./KeyedFold.ts"
import type { FactFold, Projection } from "./projection.ts"

export const statesTable = ({ name }: Pick<KeyedFold<unknown>, "name">): string => `${name}_states`

export const keyedProjection = <S>(fold: KeyedFold<S>): Projection => {
  const table = statesTable(fold)
  const makeFold = (db: Database): FactFold => {
    const read = db.prepare<[string], string>(`SELECT state FROM ${table} WHERE key = ?`).pluck()
    const write = db.prepare(
      `INSERT INTO ${table} VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET state = excluded.state`
    )
    const changed = new Map<string, S>()
    const stateOf = (key: string): S | undefined => {
      const text = changed.has(key) ? undefined : read.get(key)
      return text === undefined ? changed.get(key) : (JSON.parse(text) as S)
    }
    const take: FactFold = (data, place) => {
      const fact = { type: data.type, data, place }
      for (const key of fold.keysOf(fact)) {
        const state = fold.step(stateOf(key), fact, key)
        if (state !== undefined) changed.set(key, state)
      }
    }
    const finish = (): void => {
      for (const [key, state] of changed) write.run(key, JSON.stringify(state))
      changed.clear()
    }
    return Object.assign(take, { finish })
  }
  return {
    name: fold.name,
    version: fold.version,
    types: fold.types,
    table,
    anew: [
      `DROP TABLE IF EXISTS ${table}`,
      `CREATE TABLE ${table} (key TEXT PRIMARY KEY, state TEXT NOT NULL) WITHOUT ROWID`
    ],
    makeFold
  }
}
