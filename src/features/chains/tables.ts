/** The tables in which chains are kept: a projection in the log's own file. */
import type { Database } from "better-sqlite3"
import type { Projection } from "../../log/projection.ts"
import type { Chain } from "./Chain.ts"
import { chainsVersion } from "./find.ts"
import { type ChainStore, follow, followedTypes } from "./follow.ts"

const isOpen = "state IN ('open', 'attempted')"

const create = [
  `CREATE TABLE chains (
    row INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    position INTEGER NOT NULL,
    project TEXT,
    session TEXT,
    state TEXT NOT NULL,
    moved REAL NOT NULL,
    signature TEXT NOT NULL,
    message TEXT NOT NULL,
    chain TEXT NOT NULL
  )`,
  `CREATE INDEX chains_open ON chains (project, moved) WHERE ${isOpen}`,
  `CREATE INDEX chains_open_session ON chains (session, project) WHERE ${isOpen}`,
  "CREATE INDEX chains_signature ON chains (signature)",
  `CREATE VIRTUAL TABLE chains_text USING fts5 (
    message, content = 'chains', content_rowid = 'row', tokenize = 'porter unicode61 remove_diacritics 2'
  )`,
  `CREATE TRIGGER chains_added AFTER INSERT ON chains BEGIN
    INSERT INTO chains_text (rowid, message) VALUES (new.row, new.message);
  END`
]

const drop = [
  "DROP TRIGGER IF EXISTS chains_added",
  "DROP TABLE IF EXISTS chains_text",
  "DROP TABLE IF EXISTS chains"
]

const parsed = (text: string): Chain => JSON.parse(text) as Chain

const makeStore = (db: Database): ChainStore => {
  const asking = (where: string) => {
    const statement = db
      .prepare<unknown[], string>(`SELECT chain FROM chains WHERE ${isOpen} AND ${where} ORDER BY row`)
      .pluck()
    return (...values: readonly unknown[]) => statement.all(...values).map(parsed)
  }
  const ofSession = asking("session IS ? AND project IS ?")
  const everywhere = asking("session IS ?")
  const stale = asking("project IS ? AND moved < ?")
  const put = db.prepare(
    `INSERT INTO chains (id, position, project, session, state, moved, signature, message, chain) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET state = excluded.state, moved = excluded.moved, chain = excluded.chain`
  )
  return {
    ofSession,
    everywhere,
    stale,
    put: (chain) => {
      const { id, message, moved, position, project, session, signature, state } = chain
      put.run(id, position, project, session, state, moved, signature, message, JSON.stringify(chain))
    }
  }
}

export const chainsProjection: Projection = {
  ...chainsVersion,
  types: followedTypes,
  table: "chains",
  anew: [...drop, ...create],
  makeFold: (db) => {
    const store = makeStore(db)
    return (fact, place) => follow(store, fact, place)
  }
}
