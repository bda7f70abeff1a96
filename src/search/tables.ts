/** The tables in which past material is found: a projection in the log's own file, thrown away and made anew as one likes. */
import type { Database } from "better-sqlite3"
import type { Fact } from "../../events/facts.ts"
import { type Change, changesIn, fixText, type OpenFailure, withStep } from "./documents.ts"

/** Raised when another text or another table follows from the same facts: what is there is then made anew. */
const version = 1
export const searchMark = `projection/search/${version}`

const create = [
  `CREATE TABLE search_documents (
    id INTEGER PRIMARY KEY,
    position INTEGER NOT NULL,
    kind TEXT NOT NULL,
    at REAL NOT NULL,
    project TEXT,
    session TEXT,
    key TEXT,
    text TEXT NOT NULL
  )`,
  "CREATE INDEX search_documents_key ON search_documents (key, project) WHERE key IS NOT NULL",
  // Diacritics and endings do not matter to whoever looks for something.
  `CREATE VIRTUAL TABLE search_text USING fts5 (
    text, content = 'search_documents', content_rowid = 'id', tokenize = 'porter unicode61 remove_diacritics 2'
  )`,
  `CREATE TRIGGER search_added AFTER INSERT ON search_documents BEGIN
    INSERT INTO search_text (rowid, text) VALUES (new.id, new.text);
  END`,
  `CREATE TRIGGER search_removed AFTER DELETE ON search_documents BEGIN
    INSERT INTO search_text (search_text, rowid, text) VALUES ('delete', old.id, old.text);
  END`,
  `CREATE TABLE search_failures (
    id INTEGER PRIMARY KEY,
    session TEXT NOT NULL,
    project TEXT NOT NULL,
    command TEXT NOT NULL,
    failure TEXT NOT NULL,
    UNIQUE (session, project, command)
  )`
]

const drop = [
  "DROP TRIGGER IF EXISTS search_added",
  "DROP TRIGGER IF EXISTS search_removed",
  "DROP TABLE IF EXISTS search_text",
  "DROP TABLE IF EXISTS search_documents",
  "DROP TABLE IF EXISTS search_failures"
]

export const hasTables = (db: Database): boolean =>
  db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'search_documents'").get() !== undefined

/** Empty tables, whatever there was. */
export const renew = (db: Database): void => {
  for (const statement of [...drop, ...create]) db.exec(statement)
}

/** Where a fact stands, as far as it matters here. */
export interface Place {
  readonly position: number
  readonly at: number
  readonly project: string | null
  readonly session: string | null
}

/** Sessions that never end leave no more than this behind. */
const mostOpen = 20

interface Row {
  readonly id: number
  readonly failure: string
}

const read = ({ failure }: Row): OpenFailure => JSON.parse(failure) as OpenFailure

/** Takes one fact after the other into the tables, inside the caller's transaction. */
export const makeFold = (db: Database) => {
  const insert = db.prepare(
    "INSERT INTO search_documents (position, kind, at, project, session, key, text) VALUES (?, ?, ?, ?, ?, ?, ?)"
  )
  const removeKey = db.prepare("DELETE FROM search_documents WHERE key = ? AND project IS ?")
  const removeAnywhere = db.prepare("DELETE FROM search_documents WHERE key = ?")
  const failures = db.prepare<[string, string], Row>(
    "SELECT id, failure FROM search_failures WHERE session = ? AND project = ? ORDER BY id"
  )
  const keepFailure = db.prepare(
    `INSERT INTO search_failures (session, project, command, failure) VALUES (?, ?, ?, ?)
      ON CONFLICT (session, project, command) DO UPDATE SET failure = excluded.failure`
  )
  const change = db.prepare("UPDATE search_failures SET failure = ? WHERE id = ?")
  const forget = db.prepare("DELETE FROM search_failures WHERE id = ?")
  const forgetSession = db.prepare("DELETE FROM search_failures WHERE session = ?")

  const step = (rows: readonly Row[], what: string): void => {
    for (const row of rows) change.run(JSON.stringify(withStep(read(row), what)), row.id)
  }

  const apply = (one: Change, { at, position, project, session }: Place): void => {
    const of = [session ?? "", project ?? ""] as const
    switch (one.type) {
      case "add":
        if (one.key !== undefined) removeKey.run(one.key, project)
        insert.run(position, one.kind, at, project, session, one.key ?? null, one.text)
        return
      case "remove":
        removeAnywhere.run(one.key)
        return
      case "edited":
        step(failures.all(...of), `edited ${one.path}`)
        return
      case "failed": {
        const { command, error } = one
        const open = failures.all(...of)
        const before = open.find((row) => read(row).command === command)
        const { did } = before === undefined ? { did: [] } : read(before)
        keepFailure.run(...of, command, JSON.stringify({ command, error, did } satisfies OpenFailure))
        const [oldest] = open
        if (before === undefined && open.length >= mostOpen && oldest !== undefined) forget.run(oldest.id)
        return
      }
      case "succeeded": {
        const open = failures.all(...of)
        const fixed = open.find((row) => read(row).command === one.command)
        step(
          open.filter((row) => row !== fixed),
          `ran ${one.command}`
        )
        if (fixed === undefined) return
        forget.run(fixed.id)
        const key = `fix ${one.command}`
        removeKey.run(key, project)
        insert.run(position, "fix", at, project, session, key, fixText(read(fixed)))
        return
      }
      case "ended":
        if (session !== null) forgetSession.run(session)
    }
  }

  return (fact: Fact, place: Place): void => {
    for (const one of changesIn(fact)) apply(one, place)
  }
}
