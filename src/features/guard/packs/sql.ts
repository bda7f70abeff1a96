/** Whether SQL, or what databases without it are told, throws data away. Linear in the text. */

/** Comments and the contents of string literals say nothing about what a statement does. */
const bare = (text: string): string =>
  text
    .replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\//g, " ")
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll(/\s+/g, " ")

const name = '["`\\[]?[\\w$."`\\]\\[-]+'
/** Tables that exist only for a while. */
const passing = /^(?:TABLE )(?:IF EXISTS )?["`#]?(?:tmp|temp|test)(?:_|\b)/i

const statements: readonly (readonly [pattern: RegExp, does: string])[] = [
  [
    /^DROP (?:DATABASE|SCHEMA|KEYSPACE|CATALOG|WAREHOUSE|TABLESPACE|BUCKET|MEASUREMENT|SERIES)\b/i,
    "drops a database"
  ],
  [
    /^DROP (?:TABLE|VIEW|MATERIALIZED VIEW|COLLECTION|STREAM|FOREIGN TABLE|EXTERNAL TABLE)\b/i,
    "drops a table"
  ],
  [
    /^DROP (?:USER|ROLE|OWNED|EXTENSION|FUNCTION|PROCEDURE|TYPE|SEQUENCE|PUBLICATION|SUBSCRIPTION|SERVER)\b/i,
    "drops what others may use"
  ],
  [/^TRUNCATE\b/i, "empties a table"],
  [
    new RegExp(
      `^DELETE (?:LOW_PRIORITY |QUICK |IGNORE )*FROM (?:ONLY )?${name}(?: (?:AS )?\\w+)?(?: LIMIT \\d+| RETURNING .*)?$`,
      "i"
    ),
    "deletes every row"
  ],
  [/^DELETE FROM (?:(?! WHERE ).)* WHERE (?:1 ?= ?1|TRUE|'' ?= ?''|1)$/i, "deletes every row"],
  [/^UPDATE (?:(?! WHERE ).)* SET (?:(?! WHERE ).)*$/i, "changes every row"],
  [/^UPDATE (?:(?! WHERE ).)* WHERE (?:1 ?= ?1|TRUE|'' ?= ?'')$/i, "changes every row"],
  [
    /^ALTER TABLE .*\bDROP (?!CONSTRAINT|DEFAULT|NOT NULL|INDEX|KEY|FOREIGN|CHECK|IDENTITY|EXPRESSION)/i,
    "drops a column"
  ],
  [/^ALTER (?:USER|ROLE) .*\bSUPERUSER\b|^GRANT ALL (?:PRIVILEGES )?ON \*\.\* /i, "gives every right"],
  [/^REVOKE ALL\b/i, "takes every right away"],
  [
    /^(?:PURGE (?:BINARY|MASTER)|RESET (?:MASTER|BINARY|SLAVE|REPLICA)|FLUSH (?:ALL|DB)|SHUTDOWN|VACUUM INTO)\b/i,
    "throws away what cannot be made again"
  ],
  [/^PRAGMA writable_schema/i, "opens the database's own tables"]
]

const maxText = 60_000

/** What the first statement that throws data away does. */
export const judgeSql = (text: string): string | undefined => {
  if (text.length > maxText)
    return /\b(?:DROP|TRUNCATE)\s+(?:TABLE|DATABASE|SCHEMA)\b/i.test(text) ? "drops data" : undefined
  const plain = bare(text)
  // What is rolled back was never done.
  if (/^ ?(?:BEGIN|START TRANSACTION)\b.*; ?ROLLBACK ?;? ?$/i.test(plain)) return undefined
  for (const part of plain.split(/;|\\g\b|\\gexec\b/)) {
    const statement = part
      .trim()
      .replace(/^EXPLAIN (?:\(?ANALY[SZ]E\b[^)]*\)? ?)/i, "")
      // The last of them, and no other: of many each would be tried.
      .replace(/^WITH .* (?=UPDATE )/i, "")
      .replace(/^(?:BEGIN|DO \$\$ BEGIN|THEN|ELSE)\s+(?=\S)/i, "")
    const object = statement.replace(/^(?:DROP|TRUNCATE) /i, "")
    if (passing.test(object) && !/,/.test(object)) continue
    const found = statements.find(([pattern]) => pattern.test(statement))
    if (found !== undefined) return found[1]
  }
  return undefined
}

const document =
  /\.\s?(?:dropDatabase|drop|dropCollection|dropIndexes|dropUser|dropAllUsers)\s?\(|\.\s?(?:deleteMany|remove|updateMany)\s?\(\s?(?:\{\s?\}|\))|\bdb\.(?:adminCommand|runCommand)\s?\(\s?\{\s?["']?(?:dropDatabase|drop|shutdown)\b|\bdb\.shutdownServer|\.findAndModify\s?\(\s?\{\s?remove/

/** What a shell of a document database is told. */
export const judgeDocuments = (text: string): string | undefined =>
  document.test(text.slice(0, maxText)) ? "drops or deletes documents" : undefined

const keys =
  /^[ \t]*(?:FLUSHALL|FLUSHDB|SHUTDOWN|SWAPDB|CLUSTER RESET|CLUSTER FLUSHSLOTS|DEBUG (?:RELOAD|SEGFAULT)|SCRIPT FLUSH|FUNCTION FLUSH|REPLICAOF|SLAVEOF|FT\.DROP\w*|XTRIM \S+ MAXLEN 0|FLUSH_ALL|CONFIG SET (?:dir|dbfilename|save))\b/im

/** A script that the store runs: it gives its commands by name. */
const called = /\bredis\.p?call\s?\(\s?["'](?:FLUSHALL|FLUSHDB|SHUTDOWN|SWAPDB)["']/i

/** What a store of keys is told. */
export const judgeKeys = (text: string): string | undefined =>
  keys.test(text.slice(0, maxText)) || called.test(text.slice(0, maxText))
    ? "deletes every key or stops the server"
    : undefined
