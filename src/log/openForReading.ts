/** Opens the log's file for reading where nothing waits for an Effect: synchronous, read-only, with little patience. */
import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { messageOf } from "../state/messageOf.ts"
import { ofNewer } from "../state/newerFile.ts"
import { loadLibrary } from "./sqlite/library.ts"
import { applicationId, tables } from "./sqlite/sqliteSchema.ts"

export interface LogDatabase {
  readonly prepare: (sql: string) => {
    readonly raw: () => { readonly iterate: (...values: readonly unknown[]) => IterableIterator<unknown> }
    readonly all: (...values: readonly unknown[]) => readonly unknown[]
    readonly pluck: () => {
      readonly get: (...values: readonly unknown[]) => unknown
      readonly all: (...values: readonly unknown[]) => readonly unknown[]
    }
  }
  readonly pragma: (text: string, options: { readonly simple: true }) => unknown
  readonly close: () => void
}

/** Nobody holds the log for long against a reader; a hook has little time to find out. */
const busyMs = 250

/** Nothing was recorded, or all of it still waits in the spool. */
export const noLog = "there is no log yet"

/** The command of the package that made the builds of this state: beside it lies what they were made with. */
const installedCli = (state: string): string | undefined => {
  const folder = join(state, "projects")
  let names: readonly string[] = []
  try {
    names = readdirSync(folder).filter((name) => name.endsWith(".json"))
  } catch {
    return undefined
  }
  for (const name of ["user.json", ...names]) {
    try {
      const { cli } = JSON.parse(readFileSync(join(folder, name), "utf8")) as { readonly cli?: unknown }
      if (typeof cli === "string" && existsSync(dirname(dirname(cli)))) return cli
    } catch {
      // Not this one.
    }
  }
  return undefined
}

const load = (file: string, from: string): LogDatabase => {
  const Sqlite = loadLibrary(from) as new (file: string, options: object) => LogDatabase
  return new Sqlite(file, { readonly: true, fileMustExist: true, timeout: busyMs })
}

/** Why this file is not to be read as our log, before anything is opened. */
const refusal = (file: string): string | undefined => {
  const stat = lstatSync(file, { throwIfNoEntry: false })
  if (stat === undefined) return noLog
  if (!stat.isFile()) return `${file} is not a plain file`
  const uid = process.getuid?.()
  return uid !== undefined && stat.uid !== uid ? `${file} belongs to another user` : undefined
}

const checked = (db: LogDatabase, file: string): LogDatabase | string => {
  const application = db.pragma("application_id", { simple: true })
  const version = Number(db.pragma("user_version", { simple: true }))
  if (application === 0 && version === 0) return noLog
  if (application !== applicationId) return `${file} is another program's database`
  if (version > tables) return ofNewer(file)
  if (version < tables) return `${file} has the tables of an older hooktape: run "hooktape log" once`
  return db
}

/** What stands in its way is told, never thrown. `from`: a file of the installed package, where it is known. */
export const openForReading = (state: string, from: string | undefined): LogDatabase | string => {
  const file = join(state, "log.sqlite")
  let db: LogDatabase | undefined
  try {
    const refused = refusal(file)
    if (refused !== undefined) return refused
    const cli = from ?? installedCli(state)
    if (cli === undefined) return 'the installed hooktape is not to be found: run "hooktape build"'
    db = load(file, cli)
    const usable = checked(db, file)
    if (typeof usable === "string") db.close()
    return usable
  } catch (cause) {
    db?.close()
    return `the log cannot be read: ${messageOf(cause)}`
  }
}
