/**
 * The log of a step: copied, changed by statements in one transaction, and put back. By bytes where nothing was recorded since; else
 * by statements that take away what was added, so that no fact is lost.
 *
 * To read the file itself is safe only while this process has no connection to it: closing any descriptor of it drops the locks of
 * them all, and another process would take itself for the last. So it is read first, and then, alone, found as it was.
 */
import { existsSync, statSync } from "node:fs"
import Sqlite, { type Database } from "better-sqlite3"
import { sealFileOf } from "../../log/sealFile.ts"
import { backwards, migrations, tables } from "../../log/sqlite/sqliteSchema.ts"
import { messageOf } from "../../state/messageOf.ts"
import type { Begun, Tools } from "./Begun.ts"
import { backupFile, keepCopy } from "./backUp.ts"
import { asideOf, type Disk } from "./Disk.ts"
import { digestOfFile } from "./fingerprint.ts"
import type { ChangeRecord } from "./journal.ts"
import type { LogChange } from "./Migration.ts"
import { MigrationError } from "./MigrationError.ts"

/** Writers commit in milliseconds; whoever writes for longer is waited for another time. */
const busyMs = 1500
/** How often it may be written between reading and being alone. */
const tries = 5

export const tablesVersion = (db: Database): number => Number(db.pragma("user_version", { simple: true }))

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

const busy = (file: string, cause?: unknown): MigrationError =>
  new MigrationError(
    `another process is writing ${file}`,
    "Try again when it is done.",
    cause === undefined ? {} : { cause }
  )

const asMigrationError = (file: string, cause: unknown): MigrationError => {
  if (cause instanceof MigrationError) return cause
  return /BUSY|LOCKED/.test(String((cause as { code?: unknown }).code))
    ? busy(file, cause)
    : new MigrationError(`${file} cannot be changed: ${messageOf(cause)}`, 'Run "hooktape log verify".', {
        cause
      })
}

const open = (file: string): Database => {
  const db = new Sqlite(file, { fileMustExist: true, timeout: busyMs })
  try {
    // All of it stands in the one file then, unless somebody reads it at this moment.
    db.pragma("wal_checkpoint(TRUNCATE)")
    return db
  } catch (cause) {
    db.close()
    throw asMigrationError(file, cause)
  }
}

/** Changes with every write to the file itself; what is in the write-ahead log is not in it. */
const standing = (file: string): string => {
  const { ino, mtimeNs, size } = statSync(file, { bigint: true })
  return `${ino} ${size} ${mtimeNs} ${sizeOf(`${file}-wal`)}`
}

const isWhole = (file: string): boolean => sizeOf(`${file}-wal`) === 0

interface Read {
  readonly digest: string
  readonly standing: string
}

/** While no connection of this process is open. */
const read = (file: string): Read => {
  const before = standing(file)
  return { digest: digestOfFile(file), standing: before }
}

/** A connection that alone may write, to the file as it was read. `between`: what is done with the file while nobody has it open here. */
const openAsRead = <A>(file: string, between: (read: Read) => A): { db: Database; found: Read; made: A } => {
  for (let left = tries; ; left--) {
    open(file).close()
    const found = read(file)
    const made = between(found)
    const db = open(file)
    try {
      db.exec("BEGIN IMMEDIATE")
      if (isWhole(file) && standing(file) === found.standing) return { db, found, made }
    } catch (cause) {
      db.close()
      throw asMigrationError(file, cause)
    }
    db.close()
    if (left === 1) throw busy(file)
  }
}

/** The copy, and what the transaction needs until it is committed. */
const requireRoom = (disk: Disk, file: string): void => {
  const needed = 2 * sizeOf(file)
  if (disk.room(file) < needed)
    throw new MigrationError(
      `there is no room for a copy of ${file} (${Math.ceil(needed / 1e6)} MB)`,
      "Free some space; nothing was changed."
    )
}

/** How many facts there are, and the place of the last: what is the same before and after a migration, and after nothing else. */
const extentOf = (db: Database): string => {
  const table = tablesVersion(db) === 1 ? "facts" : "recorded"
  const row = db.prepare(`SELECT count(*), max(position) FROM ${table}`).raw().get() as unknown[]
  return row.join(" ")
}

const run = (db: Database, statements: readonly string[]): void => {
  for (const statement of statements) db.exec(statement)
}

/** Of the file as the transaction left it; undefined where somebody wrote since. */
const digestAfter = (file: string, db: Database): string | undefined => {
  db.pragma("wal_checkpoint(TRUNCATE)")
  db.exec("BEGIN IMMEDIATE")
  const left = isWhole(file) ? standing(file) : undefined
  db.exec("ROLLBACK")
  db.close()
  if (left === undefined) return undefined
  const { digest } = read(file)
  return standing(file) === left ? digest : undefined
}

/** `known`: what an interrupted run kept. It is what was there before, whatever is there now. */
export const beginLog = (
  { disk, now, state }: Tools,
  { file, version }: LogChange,
  known: ChangeRecord | undefined
): Begun => {
  requireRoom(disk, file)
  const { db, made } = openAsRead(file, ({ digest }): ChangeRecord => {
    if (known !== undefined) return known
    const backup = backupFile(state, now, digest, file)
    keepCopy(disk, backup, (aside) => disk.copy(file, aside))
    return { kind: "log", file, kept: "backup", backup, before: digest, mode: 0o600, version }
  })
  const record: ChangeRecord = { ...made, extent: made.extent ?? extentOf(db) }
  return {
    record,
    apply: () => {
      run(db, migrations[tablesVersion(db)] ?? [])
      disk.moment("before the commit")
      db.exec("COMMIT")
      disk.moment("after the commit")
      const after = digestAfter(file, db)
      return after === undefined ? record : { ...record, after }
    },
    end: () => db.close()
  }
}

const restoreBytes = ({ disk }: Tools, file: string, backup: string, found: Read): void => {
  disk.remove(asideOf(file))
  disk.copy(backup, asideOf(file))
  if (!isWhole(file) || standing(file) !== found.standing) throw busy(file)
  for (const part of [`${file}-wal`, `${file}-shm`]) disk.remove(part)
  disk.rename(asideOf(file), file)
}

const undoByStatements = ({ disk }: Tools, db: Database, statements: readonly string[]): void => {
  run(db, statements)
  disk.moment("before the commit")
  db.exec("COMMIT")
  disk.moment("after the commit")
}

const cannot = ({ file, version = 0 }: ChangeRecord): MigrationError =>
  new MigrationError(
    `${file} was written since, and its former tables (${version}) cannot take what was recorded`,
    '"--force" restores the backup without it; the log as it is now is kept as a backup.'
  )

export const undoLog = (tools: Tools, record: ChangeRecord, force: boolean): void => {
  const { after, backup, file, version = 0 } = record
  if (!existsSync(file)) return
  const now = open(file)
  const isOlder = tablesVersion(now) < tables
  // Where the work was cut off before it could say what it had left.
  const isAsLeft = after === undefined && !isOlder && extentOf(now) === record.extent
  now.close()
  // It was never changed, or put back already.
  if (isOlder) return
  const statements = backwards[version]
  const isKept = backup !== undefined && existsSync(backup)
  const { db, found, made } = openAsRead(file, ({ digest }) => {
    if ((digest === after || isAsLeft) && isKept) return "bytes"
    if (statements !== undefined) return "statements"
    if (!force || !isKept) throw cannot(record)
    const copy = backupFile(tools.state, tools.now, digest, file)
    keepCopy(tools.disk, copy, (aside) => tools.disk.copy(file, aside))
    return "bytes"
  })
  try {
    if (made === "statements") undoByStatements(tools, db, statements ?? [])
  } finally {
    db.close()
  }
  if (made === "bytes" && isKept) restoreBytes(tools, file, backup, found)
  tools.disk.moment("before the seal")
  // It vouches for seals that are not there any more.
  tools.disk.remove(sealFileOf(file))
}
