/** The tables of a log's SQLite file, and how a file with older ones becomes one with these. */

/** "hktp": tells our files from any other SQLite file. */
export const applicationId = 0x686b7470
/** Raised with a migration, which leads there from the version before. */
export const tables = 3

const markNames = ["source", "agent", "agent_event", "event", "session", "project"]

const blobs = `CREATE TABLE blobs (
    hash TEXT NOT NULL PRIMARY KEY,
    data TEXT NOT NULL
  )`

const checkpoints =
  "CREATE TABLE checkpoints (name TEXT NOT NULL PRIMARY KEY, position INTEGER NOT NULL) WITHOUT ROWID"

const members = (array: string, names: readonly string[]): string =>
  names.map((name, at) => `${name} AS (${array} ->> ${at})`).join(", ")

/**
 * What many facts have in common stands once, under a number; kinds and marks as a JSON array, so that there is one text to
 * find them by. Numbers of marks are never given again (AUTOINCREMENT), so that readers may remember them; kinds are never
 * taken away.
 */
const factTables = [
  "CREATE TABLE streams (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)",
  `CREATE TABLE kinds (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL UNIQUE,
    ${members("kind", ["type", "schema_version"])}
  )`,
  `CREATE TABLE marks (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    marks TEXT NOT NULL UNIQUE,
    ${members("marks", markNames)}
  )`,
  "CREATE INDEX marks_session ON marks (session) WHERE session IS NOT NULL",
  `CREATE TABLE recorded (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    stream INTEGER NOT NULL REFERENCES streams (id),
    stream_version INTEGER NOT NULL,
    kind INTEGER NOT NULL REFERENCES kinds (id),
    occurred_at REAL NOT NULL,
    recorded_at REAL NOT NULL,
    causation_id TEXT,
    marks INTEGER NOT NULL REFERENCES marks (id),
    tool_use_id TEXT,
    data TEXT,
    blob TEXT REFERENCES blobs (hash),
    sum INTEGER,
    UNIQUE (stream, stream_version),
    CHECK ((data IS NULL) <> (blob IS NULL))
  )`,
  "CREATE INDEX recorded_marks ON recorded (marks)",
  "CREATE INDEX recorded_blob ON recorded (blob) WHERE blob IS NOT NULL",
  // For people: a fact with all that belongs to it, as one row.
  `CREATE VIEW facts AS
    SELECT position, recorded.id AS id, source, name AS stream, stream_version, type, schema_version, occurred_at,
      recorded_at, coalesce(session, name) AS correlation_id, causation_id, agent, agent_event, event, session, project,
      tool_use_id, data, blob
    FROM recorded
    JOIN streams ON streams.id = recorded.stream
    JOIN kinds ON kinds.id = recorded.kind
    JOIN marks ON marks.id = recorded.marks`
]

const versionMarks = [`PRAGMA application_id = ${applicationId}`, `PRAGMA user_version = ${tables}`]

/** One row for each transaction that appended. What is not in its range, or has no sum, was recorded before there were seals. */
const sealTables = [
  `CREATE TABLE seals (
    last INTEGER PRIMARY KEY,
    first INTEGER NOT NULL,
    facts INTEGER NOT NULL,
    seal BLOB NOT NULL,
    anchor BLOB
  )`,
  // What befell the chain as a whole: a key that it began with, a tail that was lost, a repair.
  `CREATE TABLE breaks (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    at REAL NOT NULL,
    note TEXT NOT NULL
  )`
]

/** A new file. */
export const schema: readonly string[] = [blobs, checkpoints, ...factTables, ...sealTables, ...versionMarks]

const kindOf = "json_array(facts_1.type, facts_1.schema_version)"
const marksOf = `json_array(${markNames.map((name) => `facts_1.${name}`).join(", ")})`

/** Version 1 kept everything in each row of its `facts`. */
const fromOne = [
  "ALTER TABLE facts RENAME TO facts_1",
  ...factTables,
  "INSERT INTO streams (name) SELECT stream FROM facts_1 GROUP BY stream ORDER BY min(position)",
  `INSERT INTO kinds (kind) SELECT DISTINCT ${kindOf} FROM facts_1`,
  `INSERT INTO marks (marks) SELECT DISTINCT ${marksOf} FROM facts_1`,
  `INSERT INTO recorded
    SELECT position, facts_1.id, streams.id, stream_version, kinds.id, occurred_at, recorded_at, causation_id, marks.id,
      tool_use_id, data, blob, NULL
    FROM facts_1
    CROSS JOIN streams ON streams.name = facts_1.stream
    CROSS JOIN kinds ON kinds.kind = ${kindOf}
    CROSS JOIN marks ON marks.marks = ${marksOf}
    ORDER BY position`,
  // Positions that were forgotten are not given again either.
  "DELETE FROM sqlite_sequence WHERE name = 'recorded'",
  "INSERT INTO sqlite_sequence SELECT 'recorded', seq FROM sqlite_sequence WHERE name = 'facts_1'",
  "DROP TABLE facts_1",
  ...sealTables,
  ...versionMarks
]

/** Version 2 had no sums and no seals: its facts stay as they are, unsealed. */
const fromTwo = ["ALTER TABLE recorded ADD COLUMN sum INTEGER", ...sealTables, ...versionMarks]

/** What leads from each older version to this one, statement by statement. */
export const migrations: Readonly<Record<number, readonly string[]>> = { 1: fromOne, 2: fromTwo }

/** The way back, for logs that were written since: facts stay, what vouches for them goes. From today's tables to each that can take them. */
export const backwards: Readonly<Record<number, readonly string[]>> = {
  2: [
    "DROP TABLE seals",
    "DROP TABLE breaks",
    "ALTER TABLE recorded DROP COLUMN sum",
    "PRAGMA user_version = 2"
  ]
}
