/** A log's file as the first tables kept it, made row by row, to see what becomes of it. */
import { closeSync, mkdirSync, openSync } from "node:fs"
import { dirname } from "node:path"
import type { Recorded } from "../../../events/Recorded.ts"
import { openPlainly } from "./plainSqlite.ts"

const tables = `
  CREATE TABLE blobs (hash TEXT NOT NULL PRIMARY KEY, data TEXT NOT NULL);
  CREATE TABLE facts (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    source TEXT NOT NULL,
    stream TEXT NOT NULL,
    stream_version INTEGER NOT NULL,
    type TEXT NOT NULL,
    schema_version INTEGER NOT NULL,
    occurred_at REAL NOT NULL,
    recorded_at REAL NOT NULL,
    correlation_id TEXT,
    causation_id TEXT,
    agent TEXT,
    agent_event TEXT,
    event TEXT,
    session TEXT,
    project TEXT,
    tool_use_id TEXT,
    data TEXT,
    blob TEXT REFERENCES blobs (hash),
    UNIQUE (stream, stream_version),
    CHECK ((data IS NULL) <> (blob IS NULL))
  );
  CREATE INDEX facts_session ON facts (session, position) WHERE session IS NOT NULL;
  CREATE INDEX facts_blob ON facts (blob) WHERE blob IS NOT NULL;
  CREATE TABLE checkpoints (name TEXT NOT NULL PRIMARY KEY, position INTEGER NOT NULL) WITHOUT ROWID;
  PRAGMA application_id = ${0x686b7470};
  PRAGMA user_version = 1;
`

/** Facts of at most 64 KiB lie in their row, those in `long` in the blob table under a made-up hash. */
export const makeOldLog = (file: string, facts: readonly Recorded[], long: ReadonlySet<number>): void => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  closeSync(openSync(file, "wx", 0o600))
  const db = openPlainly(file)
  db.pragma("journal_mode = WAL")
  db.exec(tables)
  const blob = db.prepare("INSERT INTO blobs VALUES (?, ?)")
  const row = db.prepare(`INSERT INTO facts VALUES (${Array(19).fill("?").join(", ")})`)
  for (const fact of facts) {
    const text = JSON.stringify(fact.data)
    const hash = long.has(fact.position) ? `hash-${fact.position}` : null
    if (hash !== null) blob.run(hash, text)
    const { source, stream, version, type, schemaVersion, at, recordedAt, cause } = fact
    const { agent, agentEvent, event, session, project, toolUseId } = fact
    row.run(
      ...[fact.position, fact.id, source, stream, version, type, schemaVersion, at, recordedAt],
      ...[session ?? stream, cause, agent, agentEvent, event, session, project, toolUseId],
      ...[hash === null ? text : null, hash]
    )
  }
  db.exec("INSERT INTO checkpoints VALUES ('metrics', 7)")
  // The newest facts were forgotten: their positions must not come again.
  db.exec("UPDATE sqlite_sequence SET seq = seq + 5 WHERE name = 'facts'")
  db.close()
}
