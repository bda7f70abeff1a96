/** The tables in which past material is found: a projection in the log's own file, thrown away and made anew as one likes. */
import type { Database } from "better-sqlite3"
import type { Fact } from "../../../events/facts.ts"
import type { FactPlace, Projection } from "../../log/projection.ts"
import {
  type Change,
  changesIn,
  type DocumentKind,
  fixText,
  type OpenFailure,
  searchedTypes,
  withStep
} from "./documents.ts"

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

/** Sessions that never end leave no more than this behind. */
const maxOpen = 20

interface Row {
  readonly id: number
  readonly failure: string
}

const read = ({ failure }: Row): OpenFailure => JSON.parse(failure) as OpenFailure

const makeFold = (db: Database) => {
  const insert = db.prepare(
    "INSERT INTO search_documents (position, kind, at, project, session, key, text) VALUES (?, ?, ?, ?, ?, ?, ?)"
  )
  const removeKey = db.prepare("DELETE FROM search_documents WHERE key = ? AND project IS ?")
  const newest = db
    .prepare<[string, string | null], number | null>(
      "SELECT max(at) FROM search_documents WHERE key = ? AND project IS ?"
    )
    .pluck()
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

  /** Past sessions are imported late: what happened before does not take the place of what happened after. */
  const addDated = (
    kind: DocumentKind,
    key: string,
    text: string,
    { at, position, project, session }: Pick<FactPlace, "at" | "position" | "project" | "session">
  ): void => {
    const known = newest.get(key, project)
    if (known !== null && known !== undefined && known > at) return
    removeKey.run(key, project)
    insert.run(position, kind, at, project, session, key, text)
  }

  const step = (rows: readonly Row[], what: string): void => {
    for (const row of rows) change.run(JSON.stringify(withStep(read(row), what)), row.id)
  }

  const apply = (one: Change, { at, position, project, session }: FactPlace): void => {
    const of = [session ?? "", project ?? ""] as const
    switch (one.type) {
      case "add":
        if (one.isDated === true && one.key !== undefined) {
          // Of prompts, those of one session are one.
          const key = one.kind === "prompt" ? `${session ?? ""} ${one.key}` : one.key
          addDated(one.kind, key, one.text, { position, at, project, session })
          return
        }
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
        if (before === undefined && open.length >= maxOpen && oldest !== undefined) forget.run(oldest.id)
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
        addDated("fix", `fix ${one.command}`, fixText(read(fixed)), { position, at, project, session })
        return
      }
      case "ended":
        if (session !== null) forgetSession.run(session)
    }
  }

  return (fact: Fact, place: FactPlace): void => {
    for (const one of changesIn(fact, place.agent)) apply(one, place)
  }
}

export const searchProjection: Projection = {
  name: "search",
  version: 2,
  types: searchedTypes,
  table: "search_documents",
  anew: [...drop, ...create],
  makeFold
}
