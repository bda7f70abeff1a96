/**
 * Reads the log from where nothing waits for an Effect: an entrypoint, a handler's process. Synchronous, read-only, bounded, and
 * never a reason for a hook to fail: what cannot be read is an empty answer that says why.
 */
import type { Draft } from "../../events/Recorded.ts"
import { inTodaysShape } from "../../events/upcast.ts"
import { messageOf } from "../state/messageOf.ts"
import type { Filter } from "./EventLog.ts"
import type { FactQuery } from "./FactQuery.ts"
import { type LogDatabase, noLog, openForReading } from "./openForReading.ts"
import { pendingFacts } from "./spool/pendingFacts.ts"
import { factOf, isWhole, namesOf, type RowWithTexts, withTexts } from "./sqlite/decodeRow.ts"
import { isInBatch, select } from "./sqlite/sqliteSelect.ts"

/** A fact as it was written. Its shape is today's; a check of every member is left to whoever decides by it. */
export interface ReadFact extends Draft {
  /** Where it stands on the log; none yet while it waits in the spool, whose facts follow all others. */
  readonly position: number | undefined
}

export interface Found {
  readonly facts: readonly ReadFact[]
  /** Why there may be others that are not among them: what could not be read, or where reading stopped. */
  readonly problem?: string
  /** There is a log, and it cannot be read. */
  readonly unreadable?: true
}

/** As much of a database as is needed to ask it. */
export interface Asked {
  readonly prepare: (sql: string) => { readonly all: (...values: readonly unknown[]) => readonly unknown[] }
}

export interface Reader {
  readonly facts: (query?: FactQuery) => Found
  /** A question to other tables of the log's file. No answer where it cannot be opened; what goes wrong with the question is thrown. */
  readonly ask: <A>(question: (db: Asked) => A) => { readonly answer?: A; readonly problem?: string }
  readonly close: () => void
}

const usualLimit = 100
const maxFacts = 10_000
const usualWindow = 50_000
/** Of data in one answer. */
const maxBytes = 16_000_000

/** Undefined where it is not what was recorded. */
const toFact = (row: RowWithTexts): ReadFact | undefined => {
  const { 10: text, 16: bare } = row
  const names = namesOf(row)
  if (names === undefined || text === null || bare === 1) return undefined
  const { kind, marks, stream } = names
  if (!isWhole(row, stream, kind, marks, text)) return undefined
  const data = inTodaysShape(kind.type, kind.schemaVersion, JSON.parse(text))
  const whole = factOf(row, stream, kind, marks, { data, known: true })
  const { known: _, recordedAt: __, source: ___, version: ____, ...fact } = whole
  return fact as ReadFact
}

const full = "there are more of them than were asked for"
const heavy = `they hold more than ${maxBytes} bytes`

const damaged = 'the log is damaged: what was not as it was recorded is left out ("hooktape log verify")'

/** Whether a seal speaks of a row that has no sum: it was taken away. */
const isBare = `recorded.sum IS NULL AND ${isInBatch("recorded.position")}`

const filterOf = (
  db: LogDatabase,
  query: FactQuery
): { readonly filter: Filter; readonly skipped: boolean } => {
  const { limit: _, newestFirst, window = usualWindow, ...given } = query
  const filter: Filter = { ...given, reverse: newestFirst === true }
  if (given.after !== undefined) return { filter, skipped: false }
  if ((given.stream ?? given.streamPrefix ?? given.session) !== undefined) return { filter, skipped: false }
  const last = Number(db.prepare("SELECT max(position) FROM recorded").pluck().get() ?? 0)
  const after = Math.max(0, last - window)
  return { filter: { ...filter, after }, skipped: after > 0 }
}

const found = (db: LogDatabase, query: FactQuery, limit: number): Found => {
  const { filter, skipped } = filterOf(db, query)
  const { sql, values } = select(filter, limit + 1)
  const facts: ReadFact[] = []
  let bytes = 0
  let problem = skipped ? "only the newest facts of the log were looked at" : undefined
  const rows = db
    .prepare(`${withTexts(sql, isBare)} ORDER BY recorded.position ${filter.reverse ? "DESC" : "ASC"}`)
    .raw()
    .iterate(...values)
  for (const row of rows as IterableIterator<RowWithTexts>) {
    bytes += row[10]?.length ?? 0
    if (facts.length === limit || bytes > maxBytes) {
      problem = problem === damaged ? damaged : facts.length === limit ? full : heavy
      break
    }
    const fact = toFact(row)
    if (fact === undefined) problem = damaged
    else facts.push(fact)
  }
  return {
    facts,
    ...(problem === undefined ? {} : { problem })
  }
}

/** Which of them are on the log. */
const logged = (db: LogDatabase, ids: readonly string[]): ReadonlySet<unknown> =>
  new Set(
    db
      .prepare("SELECT id FROM recorded WHERE id IN (SELECT value FROM json_each(?))")
      .pluck()
      .all(JSON.stringify(ids))
  )

/** Nothing is opened before the first question. `from`: a file of the installed package, where it is known. */
export const openReader = (state: string, { from }: { readonly from?: string } = {}): Reader => {
  let db: LogDatabase | string | undefined

  /** One that could not be opened may be there at the next question. */
  const opened = (): LogDatabase | string => {
    if (db === undefined || typeof db === "string") db = openForReading(state, from)
    return db
  }

  const asking = <A extends object>(
    nothing: A,
    ask: (db: LogDatabase) => A
  ): A & { readonly problem?: string; readonly unreadable?: true } => {
    const there = opened()
    if (typeof there === "string")
      return { ...nothing, problem: there, ...(there === noLog ? {} : { unreadable: true }) }
    try {
      return ask(there)
    } catch (cause) {
      return { ...nothing, problem: `the log cannot be read: ${messageOf(cause)}`, unreadable: true }
    }
  }

  const fromLog = (query: FactQuery, limit: number, pending: readonly string[]) =>
    asking<Found & { readonly known: ReadonlySet<unknown> }>({ facts: [], known: new Set() }, (db) => {
      // Before the others: what comes onto the log meanwhile is among them.
      const known = pending.length === 0 ? [] : logged(db, pending)
      const there = found(db, query, limit)
      return { ...there, known: new Set([...known, ...there.facts.map(({ id }) => id)]) }
    })

  const facts = (query: FactQuery = {}): Found => {
    const limit = Math.max(0, Math.min(maxFacts, Math.trunc(query.limit ?? usualLimit)))
    // Before the log: what is taken in meanwhile is then seen twice, and never missed.
    const pending = pendingFacts(state, query)
    const there = fromLog(
      query,
      limit,
      pending.facts.map(({ id }) => id)
    )
    const waiting = pending.facts
      .filter(({ id }) => !there.known.has(id))
      .map((draft) => ({ ...draft, position: undefined }))
    const all = query.newestFirst ? [...waiting.reverse(), ...there.facts] : [...there.facts, ...waiting]
    const problems = [there.problem, pending.problem, all.length > limit ? full : undefined]
    const problem = [...new Set(problems.filter((one) => one !== undefined))].join("; ")
    return {
      facts: all.slice(0, limit),
      ...(problem === "" ? {} : { problem }),
      ...(there.unreadable ? { unreadable: true } : {})
    }
  }

  return {
    facts,
    ask: (question) => {
      const there = opened()
      return typeof there === "string" ? { problem: there } : { answer: question(there) }
    },
    close: () => {
      if (typeof db === "object") db.close()
      db = undefined
    }
  }
}
