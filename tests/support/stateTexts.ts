/** All that a state directory holds, as text: every file's bytes, unpacked where they are packed, and every row of its databases. */
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import Database from "better-sqlite3"

export interface StateText {
  /** The file, and of a database the table. */
  readonly where: string
  readonly text: string
}

const isDatabase = (bytes: Buffer): boolean => bytes.toString("latin1", 0, 15) === "SQLite format 3"

const namesIn = (db: Database.Database, more: string): readonly string[] =>
  (
    db.prepare(`SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ${more}`).all() as readonly {
      readonly name: string
    }[]
  ).map(({ name }) => name)

/** Long values are spread over pages of the file: only a row has them in one piece. */
const rowsOf = (file: string): readonly StateText[] => {
  const db = new Database(file, { readonly: true })
  try {
    return namesIn(db, "").map((name) => ({
      where: `${file} ${name}`,
      text: (db.prepare(`SELECT * FROM "${name}"`).raw().all() as readonly (readonly unknown[])[])
        .flat()
        .map((value) => (Buffer.isBuffer(value) ? value.toString("latin1") : String(value)))
        .join("\n")
    }))
  } finally {
    db.close()
  }
}

export const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile())

export const bytesOf = (file: string): StateText => {
  const bytes = readFileSync(file)
  const packed = bytes[0] === 0x1f && bytes[1] === 0x8b
  return { where: file, text: (packed ? gunzipSync(bytes) : bytes).toString("latin1") }
}

/** Four characters, as a number that few others give. */
const trace = (text: string, at: number): number =>
  (Math.imul(text.charCodeAt(at), 0x9e3779b1) ^
    Math.imul(text.charCodeAt(at + 1), 0x85ebca6b) ^
    Math.imul(text.charCodeAt(at + 2), 0xc2b2ae35) ^
    Math.imul(text.charCodeAt(at + 3), 0x27d4eb2f)) >>>
  12

/** Which of the pieces stand in a text: all in one pass, for there are thousands of them and many megabytes. */
export const standingIn = (text: string, pieces: readonly string[]): readonly string[] => {
  const byTrace = new Map<number, string[]>()
  const marks = new Uint8Array(1 << 20)
  for (const piece of pieces) {
    const key = trace(piece, 0)
    marks[key] = 1
    byTrace.set(key, [...(byTrace.get(key) ?? []), piece])
  }
  const found = new Set<string>()
  for (let at = 0; at + 4 <= text.length; at++) {
    const key = trace(text, at)
    if (marks[key] === 1)
      for (const piece of byTrace.get(key) ?? []) if (text.startsWith(piece, at)) found.add(piece)
  }
  return [...found]
}

/** Nothing may write to it meanwhile. */
export const stateTexts = (state: string): readonly StateText[] =>
  filesIn(state).flatMap((file) => [
    bytesOf(file),
    ...(isDatabase(readFileSync(file).subarray(0, 16)) ? rowsOf(file) : [])
  ])

const phrase = (text: string): string => `"${text.replaceAll('"', '""')}"`

/** An index without places knows which three letters a text holds, not where. */
const trigrams = (text: string): string =>
  [...new Set(Array.from({ length: Math.max(1, text.length - 2) }, (_, at) => text.slice(at, at + 3)))]
    .map(phrase)
    .join(" AND ")

/** Which of these words, in a row, an index for full-text search knows of: its own tables spell no text out. */
export const indexed = (state: string, texts: readonly string[]): readonly string[] => {
  const db = new Database(join(state, "log.sqlite"), { readonly: true })
  try {
    const full = namesIn(db, "AND sql LIKE '%USING fts5%' AND sql NOT LIKE '%detail = ''none''%'")
    const loose = namesIn(db, "AND sql LIKE '%USING fts5%' AND sql LIKE '%detail = ''none''%'")
    const ask = (name: string) => db.prepare(`SELECT 1 FROM "${name}" WHERE "${name}" MATCH ? LIMIT 1`)
    const asked = [
      ...full.map((name) => ({ ask: ask(name), of: phrase })),
      ...loose.map((name) => ({ ask: ask(name), of: trigrams }))
    ]
    if (asked.length === 0) throw new Error("the log has no index")
    return texts.filter((text) => asked.some(({ ask, of }) => ask.get(of(text)) !== undefined))
  } finally {
    db.close()
  }
}

/** JSON within JSON within JSON: as it reads in the end. */
export const unescaped = (text: string): string =>
  text.replace(
    /\\+(?:u00([0-9a-fA-F]{2})|([nrtbf])|(["/]))/g,
    (_, code?: string, blank?: string, plain?: string) =>
      code !== undefined
        ? String.fromCharCode(Number.parseInt(code, 16))
        : blank !== undefined
          ? "\n"
          : (plain ?? "")
  )
