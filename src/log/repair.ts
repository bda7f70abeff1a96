/**
 * Writes a new log with what can be read of a damaged one, and keeps the damaged one beside it. Positions stay as they were; a
 * fact that does not fit its sum is left out. The new log is sealed anew, and says which positions are missing.
 */
import {
  closeSync,
  cpSync,
  existsSync,
  mkdtempSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync
} from "node:fs"
import { dirname, join } from "node:path"
import Sqlite, { type Database } from "better-sqlite3"
import { ofNewer } from "../state/newerFile.ts"
import { digestKey } from "../state/state.ts"
import { accountOf, breaksOf, nothingAccounted } from "./accounted.ts"
import { attempt } from "./attempt.ts"
import { lostFacts, type Range, type RepairNote, rangesOf } from "./lostPositions.ts"
import { type RawFact, readRows, rightSum } from "./rawRows.ts"
import { openSealFile, readSealFile, sealFileOf } from "./sealFile.ts"
import { keyName, noSeal, type SealedRow, sealKey, sealOf } from "./seals.ts"
import { insertRow } from "./sqlite/sqliteRows.ts"
import { schema } from "./sqlite/sqliteSchema.ts"
import { insertBreak } from "./sqlite/sqliteSeal.ts"
import { askFile, hasTable, isNewer, isOlder } from "./tablesOf.ts"

export interface Repaired {
  readonly kept: number
  /** Of which nothing was kept, and that nobody had taken away; also those that others have written again since. */
  readonly lost: readonly Range[]
  /** How many facts those were. */
  readonly facts: number
  /** Of what was kept: no seal spoke of it, and nobody had said why. */
  readonly unsealed: readonly Range[]
  /** Where the damaged one is now. */
  readonly aside: string
}

const perBatch = 500
const ends = ["", "-wal", "-shm"]
const maxNamed = 100

/** What a log that is sealed anew has nothing to say of any more. */
const isSettled: ReadonlySet<string> = new Set(["began", "forgotten", "unsealed"])

/** Of one number for each text. */
const makeNumbers = (db: Database, table: string, column: string) => {
  const insert = db.prepare<[string]>(`INSERT INTO ${table} (${column}) VALUES (?)`)
  const numbers = new Map<string, number>()
  return (text: string): number => {
    const there = numbers.get(text) ?? Number(insert.run(text).lastInsertRowid)
    numbers.set(text, there)
    return there
  }
}

/** The first bytes say what the file is: where they are damaged, those of a new log stand for them. */
const withSoundHead = (file: string, fresh: string): void => {
  const head = Buffer.alloc(100)
  const sound = openSync(fresh, "r")
  readSync(sound, head, 0, 100, 0)
  closeSync(sound)
  const damaged = openSync(file, "r+")
  try {
    // How many pages there are, and which are free: as many as there is room for, and none.
    head.writeUInt32BE(0, 28)
    head.writeUInt32BE(0, 32)
    head.writeUInt32BE(0, 36)
    // That the number of pages is not to be believed.
    head.writeUInt32BE(head.readUInt32BE(24) + 1, 24)
    writeSync(damaged, head, 0, 100, 0)
  } finally {
    closeSync(damaged)
  }
}

const isOpen = (db: Database): boolean =>
  attempt(
    () => db.prepare("SELECT count(*) FROM (SELECT 1 FROM recorded LIMIT 1)").pluck().get() !== undefined,
    false
  )

/** A copy, so that looking changes nothing of what is kept; as it is, or else with a head that is put right. */
const openDamaged = (file: string, copy: string, fresh: string): Database | undefined => {
  const opened = (): Database | undefined => {
    const db = attempt(() => new Sqlite(copy), undefined)
    if (db !== undefined && isOpen(db)) return db
    db?.close()
    return undefined
  }
  for (const end of ["", "-wal"]) if (existsSync(file + end)) cpSync(file + end, copy + end)
  const asItIs = opened()
  if (asItIs !== undefined || !existsSync(copy)) return asItIs
  for (const end of ["-wal", "-shm"]) rmSync(copy + end, { force: true })
  cpSync(file, copy)
  withSoundHead(copy, fresh)
  return opened()
}

const makeWriter = (db: Database) => {
  const insert = db.prepare<unknown[]>(insertRow)
  const blob = db.prepare<unknown[]>("INSERT OR IGNORE INTO blobs VALUES (?, ?)")
  const stream = makeNumbers(db, "streams", "name")
  const kind = makeNumbers(db, "kinds", "kind")
  const marks = makeNumbers(db, "marks", "marks")
  /** What a seal says of it. Undefined where another row has its place: one of the two is not what it was. `summed`: with a sum, if it had none. */
  return (
    raw: RawFact,
    summed: boolean
  ): { readonly position: number; readonly sum: number | null } | undefined => {
    const { data, stored } = raw
    const [position, id, , version, , at, recordedAt, cause, , toolUseId, , hash] = stored
    const sum = stored[12] === null && summed ? rightSum(raw) : stored[12]
    return attempt(() => {
      if (hash !== null) blob.run(hash, data)
      insert.run(
        ...[
          position,
          id,
          stream(raw.stream),
          version,
          kind(raw.kind),
          at,
          recordedAt,
          cause,
          marks(raw.marks)
        ],
        ...[toolUseId, hash === null ? data : null, hash, sum]
      )
      return { position, sum }
    })
  }
}

/** Seals what was kept: batches follow each other without a gap, so that what is missing is accounted for. */
const makeSealing = (db: Database, key: Buffer, start: number) => {
  const insert = db.prepare<unknown[]>("INSERT INTO seals (last, first, facts, seal) VALUES (?, ?, ?, ?)")
  let rows: SealedRow[] = []
  let seal = noSeal
  let first = start
  const flush = (last: number): void => {
    if (last < first) return
    seal = sealOf(key, seal, { first, last }, rows)
    insert.run(last, first, rows.length, seal)
    rows = []
    first = last + 1
  }
  return {
    add: (row: SealedRow): void => {
      rows.push(row)
      if (rows.length >= perBatch) flush(row.position)
    },
    end: (last: number): Buffer => {
      flush(last)
      return seal
    }
  }
}

const create = (file: string): Database => {
  const db = new Sqlite(file)
  db.pragma("journal_mode = DELETE")
  for (const statement of schema) db.exec(statement)
  return db
}

const copyCheckpoints = (from: Database, to: Database): void => {
  const rows = attempt(
    () =>
      from.prepare("SELECT name, position FROM checkpoints").all() as { name: string; position: number }[],
    []
  )
  const insert = to.prepare<unknown[]>("INSERT OR IGNORE INTO checkpoints VALUES (?, ?)")
  // What follows from the log is made anew.
  for (const { name, position } of rows)
    if (!/^(?:projection|verified)\b/.test(name)) insert.run(name, position)
}

/** What is another version's is not written anew by this one: it would be without what only that one knows of. */
export const requireOwn = (file: string): void => {
  if (askFile(file, isNewer)) throw new Error(ofNewer(file))
  if (askFile(file, (db) => isOlder(db) && !hasTable(db, "seals")))
    throw new Error(`${file} has the tables of an earlier version: run "hooktape migrate" first`)
}

/** Nobody else may have the log open. */
export const repairLog = (file: string, now: number): Repaired => {
  requireOwn(file)
  const work = mkdtempSync(join(dirname(file), "repair-"))
  try {
    const fresh = join(work, "new.sqlite")
    const to = create(fresh)
    const from = openDamaged(file, join(work, "damaged.sqlite"), fresh)
    const breaks = from === undefined ? [] : breaksOf(from)
    const newest = attempt(() => readSealFile(file), undefined)
    const told = typeof newest === "object" ? newest.position : 0
    const { endOf, isAdded, isTaken, start } = from === undefined ? nothingAccounted : accountOf(from, breaks)
    const { rows, last: end } = from === undefined ? { rows: () => [], last: 0 } : readRows(from)
    const last = endOf(end, told)
    const key = sealKey(digestKey(dirname(file)))
    const began = Math.min(start, last + 1)
    const sealing = makeSealing(to, key, began)
    const write = makeWriter(to)
    const gone: number[] = []
    const added: number[] = []
    let kept = 0
    to.exec("BEGIN")
    for (let low = 1; low <= last; low += perBatch) {
      const upTo = Math.min(last, low + perBatch - 1)
      const found = new Map(rows(low, upTo).map((row) => [row.position, row]))
      for (let position = low; position <= upTo; position++) {
        const row = found.get(position)
        const raw = row?.state === "damaged" ? undefined : row?.raw
        const written = raw && write(raw, position >= began)
        if (written !== undefined) {
          kept++
          if (written.sum !== null && position >= began) sealing.add({ position, sum: written.sum })
          if (isAdded(position)) added.push(position)
        } else if (row !== undefined || !isTaken(position)) gone.push(position)
      }
    }
    const { facts, lost } = lostFacts(gone, breaks)
    const seal = sealing.end(last)
    const say = to.prepare<unknown[]>(insertBreak)
    say.run("began", began, began, now, keyName(key))
    for (const { at, first, kind, last, note } of breaks)
      if (!isSettled.has(kind)) say.run(kind, first, last, at, note)
    const unsealed = rangesOf(added)
    const note: RepairNote = {
      kept,
      lost: lost.slice(0, maxNamed),
      facts,
      places: gone.filter((position) => position >= began).length,
      ...(unsealed.length === 0 ? {} : { unsealed: unsealed.slice(0, maxNamed) })
    }
    say.run("repaired", 1, last, now, JSON.stringify(note))
    to.prepare(
      "INSERT OR REPLACE INTO sqlite_sequence (rowid, name, seq) VALUES ((SELECT rowid FROM sqlite_sequence WHERE name = 'recorded'), 'recorded', ?)"
    ).run(last)
    if (from !== undefined) copyCheckpoints(from, to)
    to.exec("COMMIT")
    to.close()
    from?.close()
    const aside = `${file}.damaged-${new Date(now).toISOString().replaceAll(/[:.]/g, "-")}`
    for (const end of ends) if (existsSync(file + end)) renameSync(file + end, aside + end)
    renameSync(fresh, file)
    rmSync(sealFileOf(file), { force: true })
    if (!seal.equals(noSeal)) {
      const beside = openSealFile(file)
      beside.write(last, seal)
      beside.close()
    }
    return { kept, lost, facts, unsealed, aside }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
