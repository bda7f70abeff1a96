/** Opens the SQLite file of a log: private, ours, on a SQLite that does not corrupt it, with settings that are read back. */
import { chmodSync, closeSync, constants, lstatSync, openSync } from "node:fs"
import { dirname } from "node:path"
import * as Reactivity from "@effect/experimental/Reactivity"
import type { Connection } from "@effect/sql/SqlConnection"
import type { SqlError } from "@effect/sql/SqlError"
import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import type { Recorded } from "../../../events/Recorded.ts"
import { messageOf } from "../../state/messageOf.ts"
import { privateDirectory } from "../../state/state.ts"
import { type Batch, EventLogError } from "../EventLog.ts"
import { type Appender, openAppender } from "./sqliteAppend.ts"
import { isBusy } from "./sqliteErrors.ts"
import { applyPragmas, migrate, pendingMigrations, refuse } from "./sqliteMigrate.ts"
import { schema } from "./sqliteSchema.ts"

export interface SqliteOptions {
  readonly file: string
  /** Random id of this installation. */
  readonly source: string
  /** `full` also survives a power cut, at ten times the cost of a commit. */
  readonly synchronous?: "normal" | "full"
  /** How often a writer asks for its turn before it gives up; by default for a minute, or for less than a second where it answers others. */
  readonly turns?: number
  /** A command answers in time: where it waited in vain, it does not wait again. */
  readonly waitsOnce?: boolean
  /** What becomes of a log with older tables: `refuse` leaves it to `hooktape migrate`, which keeps a copy. */
  readonly older?: "migrate" | "refuse"
  /** It has others to answer meanwhile: it asks without holding up the process. */
  readonly answering?: boolean
}

const text = (cause: unknown): string => {
  if (isBusy(cause)) return "another process is writing it: try again when it is done"
  const inner = (cause as { cause?: unknown }).cause ?? cause
  return messageOf(inner)
}

/** SQLite before 3.51.3 can corrupt a WAL database that several processes write. */
export const requireVersion = (version: string): Effect.Effect<void, EventLogError> => {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number)
  const enough = major > 3 || (major === 3 && (minor > 51 || (minor === 51 && patch >= 3)))
  return enough
    ? Effect.void
    : Effect.fail(
        refuse(`the log needs SQLite 3.51.3 or newer, this one is ${version}: reinstall better-sqlite3`)
      )
}

/** Turns whatever the database says into our error. */
export const asLogError =
  (op: EventLogError["op"], file: string) =>
  <A, E extends SqlError | EventLogError, R>(
    effect: Effect.Effect<A, E, R>
  ): Effect.Effect<A, EventLogError, R> =>
    Effect.mapError(effect, (cause) =>
      cause instanceof EventLogError
        ? cause
        : new EventLogError({ op, reason: "io", detail: `${file}: ${text(cause)}`, cause })
    )

/** A file of our own before SQLite makes one for everybody. Never opened again: that would drop SQLite's locks. */
const privateFile = (file: string): void => {
  privateDirectory(dirname(file))
  const stat = lstatSync(file, { throwIfNoEntry: false })
  if (stat === undefined) {
    try {
      closeSync(openSync(file, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600))
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause
    }
    return
  }
  if (!stat.isFile()) throw new Error(`${file} is not a plain file: move it away`)
  const uid = process.getuid?.()
  if (uid === undefined) return
  if (stat.uid !== uid) throw new Error(`${file} belongs to another user: remove it or set HOOKTAPE_HOME`)
  if ((stat.mode & 0o077) !== 0) chmodSync(file, 0o600)
}

/** SQLite's own waiting asks ever more rarely, so that one of many writers can starve: short waits, begun anew, are fair. */
interface Patience {
  /** In which nothing else happens in the process. */
  readonly busyMs: number
  readonly pauseMs: number
  readonly turns: number
  /** Before it is open nobody can be answered; several that open a new file at once are soon done. */
  readonly turnsToOpen: number
}

const patienceOf = ({ answering, turns }: SqliteOptions): Patience =>
  answering
    ? { busyMs: 10, pauseMs: 40, turns: turns ?? 15, turnsToOpen: 1200 }
    : { busyMs: 500, pauseMs: 10, turns: turns ?? 120, turnsToOpen: Math.max(turns ?? 120, 20) }

/** Of a command that has waited once in vain: until it could write again, what it writes is tried, and not waited for. */
const spentMs = 25

/** Opened by the first append: most who read never write. */
const makeAppend = Effect.fnUntraced(function* (options: SqliteOptions, turn: Turn) {
  const { file, source } = options
  let appender: Appender | undefined
  yield* Effect.addFinalizer(() => Effect.sync(() => appender?.close()))
  const asError = (cause: unknown): EventLogError =>
    cause instanceof EventLogError
      ? cause
      : new EventLogError({ op: "append", reason: "io", detail: `${file}: ${text(cause)}`, cause })
  const { busyMs, pauseMs, turns } = patienceOf(options)
  const patiently = inTurn(turns, pauseMs)
  let isSpent = false
  // How long it waits is settled when it is opened.
  const become = (spent: boolean): void => {
    isSpent = spent
    appender?.close()
    appender = undefined
  }
  const spend = Effect.sync(() => {
    if (options.waitsOnce === true && !isSpent) become(true)
  })
  return (batches: readonly Batch[]): Effect.Effect<readonly Recorded[], EventLogError> => {
    const attempt = Effect.clockWith((clock) => {
      try {
        appender ??= openAppender({
          file,
          source,
          settings: { busy_timeout: isSpent ? spentMs : busyMs, ...settingsOf(options) }
        })
        const recorded = appender.append(batches, clock.unsafeCurrentTimeMillis())
        // Some commands run for days: the next who is in the way is another.
        if (isSpent) become(false)
        return Effect.succeed(recorded)
      } catch (cause) {
        return Effect.fail(asError(cause))
      }
    })
    const inLine = Effect.tapError(
      turn.hold(Effect.suspend(() => (isSpent ? attempt : patiently(attempt)))),
      (error) => (isBusy(error) ? spend : Effect.void)
    )
    // Where nobody else has begun, the whole of it happens at once and needs no turn.
    return Effect.suspend(() => (turn.isTaken() ? inLine : Effect.catchIf(attempt, isBusy, () => inLine)))
  }
})

/** Waits for others to be done: writers, first openers, whoever closes last and clears the journal. */
const inTurn = (turns: number, pauseMs: number) => {
  const schedule = Schedule.intersect(Schedule.jittered(Schedule.spaced(pauseMs)), Schedule.recurs(turns))
  // Mostly nobody is in the way, and preparing to try again costs more than a short transaction.
  return <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.catchIf(effect, isBusy, () => Effect.retry(effect, { schedule, while: isBusy }))
}

/** Of a connection that writes. */
const settingsOf = ({ synchronous }: SqliteOptions) => ({
  synchronous: synchronous === "full" ? 2 : 1,
  foreign_keys: 1,
  // Kibibytes. The addon's own default is 16 MB a connection, of which a host has several; the system keeps the file's pages as well.
  cache_size: -500,
  wal_autocheckpoint: 4000,
  journal_size_limit: 67_108_864
})

/** One transaction of this process at a time. */
interface Turn {
  readonly hold: <A, E>(work: Effect.Effect<A, E>) => Effect.Effect<A, E>
  readonly isTaken: () => boolean
}

const makeTurn = (): Turn => {
  const permit = Effect.unsafeMakeSemaphore(1).withPermits(1)
  let taken = false
  const take = Effect.sync(() => {
    taken = true
  })
  const leave = Effect.sync(() => {
    taken = false
  })
  return {
    hold: (work) => permit(Effect.ensuring(Effect.zipRight(take, work), leave)),
    isTaken: () => taken
  }
}

type Use = <A, E>(use: (db: Connection) => Effect.Effect<A, E>) => Effect.Effect<A, E | SqlError>

export interface OpenLog {
  /** A transaction that sees the log as it was at its beginning, whatever others do meanwhile. */
  readonly reading: Use
  /** A transaction that has its write lock from the beginning, so that what it read stays true. */
  readonly writing: Use
  /** Appends in a transaction of their own, on a connection that needs no fiber for each statement. */
  readonly append: (batches: readonly Batch[]) => Effect.Effect<readonly Recorded[], EventLogError>
}

/** Opens and checks the file, and brings its tables up to date. Closes with its scope. */
export const openSqlite = Effect.fn("EventLog.open")(function* (
  options: SqliteOptions
): Effect.fn.Return<OpenLog, EventLogError, Scope.Scope> {
  yield* Effect.try({
    try: () => privateFile(options.file),
    catch: (cause) => refuse(text(cause), "io", cause)
  })
  const client = yield* SqliteClient.make({ filename: options.file, disableWAL: true }).pipe(
    Effect.provide(Reactivity.layer),
    Effect.catchAllDefect((cause) => Effect.fail(refuse(`${options.file}: ${text(cause)}`, "io", cause)))
  )
  const { busyMs, pauseMs, turns, turnsToOpen } = patienceOf(options)
  const patiently = inTurn(turns, pauseMs)
  const opening = inTurn(turnsToOpen, pauseMs)
  const db = yield* asLogError("open", options.file)(client.reserve)
  const turn = makeTurn()
  const holding: Use = (use) => turn.hold(use(db))
  // Not `withTransaction`: it begins without a write lock, and a commit that fails (full disk) is a defect to it.
  const transaction =
    (begin: string): Use =>
    (use) =>
      holding((db) =>
        Effect.uninterruptibleMask((restore) => {
          const say = (statement: string) => db.execute(statement, [], undefined)
          const work = Effect.zipRight(restore(patiently(say(begin))), restore(use(db)))
          // Undone also where the interruption comes between the beginning and what follows.
          return Effect.onExit(Effect.zipLeft(work, say("COMMIT")), (exit) =>
            Exit.isSuccess(exit) ? Effect.void : Effect.ignore(say("ROLLBACK"))
          )
        })
      )
  const writing = transaction("BEGIN IMMEDIATE")
  const snapshot = transaction("BEGIN")
  // Only its first look at the file can find it busy, so the whole of it begins anew.
  const reading: Use = (use) => patiently(snapshot(use))
  yield* asLogError(
    "open",
    options.file
  )(
    Effect.gen(function* () {
      const [row] = yield* holding((db) => db.execute("SELECT sqlite_version() AS v", [], undefined))
      yield* requireVersion((row as { v: string }).v)
      yield* opening(holding((db) => applyPragmas(db, options.file, busyMs, settingsOf(options))))
      // Whoever writes for long is in nobody's way who finds the tables as they should be.
      const missing = yield* opening(snapshot((db) => pendingMigrations(db, options.file)))
      if (missing.length > 0 && missing !== schema && options.older === "refuse")
        return yield* refuse(
          `${options.file} is as an earlier version left it: run "hooktape migrate", which keeps a copy of it`
        )
      if (missing.length > 0) yield* opening(writing((db) => migrate(db, options.file)))
    })
  )
  const append = yield* makeAppend(options, turn)
  return { reading, writing, append }
})
