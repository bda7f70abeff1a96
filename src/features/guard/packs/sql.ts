/** Whether SQL, or what databases without it are told, throws data away. Linear in the text. */

/** What a client itself is told ends with its line: `\c app`, `USE app`, `GO`. */
const lineAlone = /^[ \t]*(\\[a-z][^\n;]*|USE [^\s;]+[ \t]*|GO[ \t]*)$/gim

/** Comments and the contents of string literals say nothing about what a statement does. */
const bare = (text: string): string =>
  text
    .replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\//g, " ")
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll(lineAlone, ";$1;")
    .replaceAll(/\s+/g, " ")

const name = '["`\\[]?[\\w$."`\\]\\[-]+'
/** Tables that exist only for a while. */
const passing = /^(?:TABLE )(?:IF EXISTS )?["`#]?(?:tmp|temp|test)(?:_|\b)/i

/** A name that says it is one of tests, and not of what is tested, or of what came of it. */
export const testName = String.raw`(?![\w-]*(?:prod|live|stag|result|report|score))(?:[\w-]+[_-])?tests?(?:ing)?(?:[_-]\w+)?`
/** Databases that are called test, and who may use them. */
const passingDatabase = new RegExp(
  `^(?:DATABASE|SCHEMA|KEYSPACE|USER|ROLE) (?:IF EXISTS )?["\`[]?${testName}["\`\\]]?(?: (?:CASCADE|RESTRICT|WITH ?\\(FORCE\\)|FORCE))?$`,
  "i"
)
/** From here on statements are about such a database, or about another one. */
const used = /^(?:USE |\\c(?:onnect)? )["`[]?([\w-]+)/i
/** Of the server, or of a database that is named. */
const elsewhere =
  /^(?:DROP (?:DATABASE|SCHEMA|USER|ROLE|OWNED)|ALTER (?:USER|ROLE)|GRANT|REVOKE|PURGE|RESET|FLUSH|SHUTDOWN)\b|^[^(]{0,60}\w["`\]]?\.["`[]?\w/i
const isTestName = new RegExp(`^${testName}$`, "i")

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

/** No command that is read is longer. */
const maxText = 131_072

export const sqlClients = new Set(
  "psql mysql mariadb sqlite3 sqlite duckdb sqlcmd mssql-cli clickhouse-client clickhouse cockroach snowsql bq cqlsh pgcli mycli litecli usql beeline spark-sql hive presto trino impala-shell bcp isql sqlplus vertica vsql ysqlsh osql athenacli q".split(
    " "
  )
)

/** What the first statement that throws data away does. */
export const judgeSql = (text: string): string | undefined => {
  if (text.length > maxText)
    return /\b(?:DROP|TRUNCATE)\s+(?:TABLE|DATABASE|SCHEMA)\b/i.test(text) ? "drops data" : undefined
  const made = runsText.test(text) ? generatedSql(text) : undefined
  return judgeStatements(text) ?? (made === undefined ? undefined : judgeStatements(made))
}

const anyRows: typeof statements = [[/^DELETE\b/i, "deletes rows"]]

/** What others miss is lost with a condition as well. */
export const deletesRows = (text: string): string | undefined =>
  text.length > maxText ? undefined : judgeStatements(text, anyRows)

const judgeStatements = (text: string, known = statements): string | undefined => {
  const plain = bare(text)
  // What is rolled back was never done.
  if (/^ ?(?:BEGIN|START TRANSACTION)\b.*; ?ROLLBACK ?;? ?$/i.test(plain)) return undefined
  let isTest = false
  for (const part of plain.split(/;|\\g\b|\\gexec\b/)) {
    const statement = part
      .trim()
      .replace(/^EXPLAIN (?:\(?ANALY[SZ]E\b[^)]*\)? ?)/i, "")
      // The last of them, and no other: of many each would be tried.
      .replace(/^WITH .* (?=UPDATE )/i, "")
      .replace(/^(?:BEGIN|DO \$\$ BEGIN|THEN|ELSE)\s+(?=\S)/i, "")
    const database = used.exec(statement)?.[1]
    if (database !== undefined) isTest = isTestName.test(database)
    const object = statement.replace(/^(?:DROP|TRUNCATE) /i, "")
    const isDropped = object !== statement && !object.includes(",")
    if (isDropped && (passing.test(object) || passingDatabase.test(object))) continue
    const isOfTest = isTest && !elsewhere.test(statement)
    const found = isOfTest ? undefined : known.find(([pattern]) => pattern.test(statement))
    if (found !== undefined) return found[1]
  }
  return undefined
}

/** What is made of text is run: what stands in the text counts. */
const runsText =
  /\\gexec\b|\bEXECUTE\b(?! (?:FUNCTION|PROCEDURE|ON)\b)|\bPREPARE\s+\w+\s+FROM\b|\bsp_executesql\b|\bEXEC\s*\(/i
const literals = /'((?:[^']|'')*)'|"([^"]*)"/g
const destroys = /(?:^|;)\s*(?:DROP|TRUNCATE|DELETE|UPDATE|ALTER)\s/i

/**
 * The statements that a query puts together, `'drop table ' || name || ' cascade;'`, where they throw data away: its literals from the
 * first of them on, with a name between each two.
 */
export const generatedSql = (text: string): string | undefined => {
  if (text.length > maxText || !/DROP|TRUNCATE|DELETE|UPDATE|ALTER/i.test(text)) return undefined
  const all = Array.from(text.matchAll(literals), ([, one, other]) => one ?? other ?? "")
  const first = all.findIndex((one) => destroys.test(one))
  if (first < 0) return undefined
  const made = all.slice(first).join(" x ")
  // Without what is put to the end of it there may be a name missing.
  return [made, `${made} x`].find((one) => judgeStatements(one) !== undefined)
}

const document =
  /\.\s?(?:dropDatabase|drop|dropCollection|dropIndexes|dropUser|dropAllUsers)\s?\(|\.\s?(?:deleteMany|remove|updateMany)\s?\(\s?(?:\{\s?\}|\))|\bdb\.(?:adminCommand|runCommand)\s?\(\s?\{\s?["']?(?:dropDatabase|drop|shutdown)\b|\bdb\.shutdownServer|\.findAndModify\s?\(\s?\{\s?remove/

/** As `deletesRows`. */
export const deletesDocuments = (text: string): string | undefined =>
  /\.\s?(?:deleteMany|remove)\s?\(/.test(text.slice(0, maxText)) ? "deletes documents" : undefined

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
