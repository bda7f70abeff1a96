/**
 * Looks through the log, fact by fact and seal by seal, and names what is not as it was recorded: `log verify` from the
 * beginning, `doctor` from where it was sound before. Reads only.
 */
import { existsSync } from "node:fs"
import { dirname } from "node:path"
import Sqlite, { type Database } from "better-sqlite3"
import { messageOf } from "../state/messageOf.ts"
import { ofNewer } from "../state/newerFile.ts"
import { digestKey } from "../state/state.ts"
import { type Break, breaksIn } from "./accounted.ts"
import { attempt } from "./attempt.ts"
import { deniedBy } from "./denied.ts"
import { makeLoose } from "./looseFacts.ts"
import { repairNote } from "./lostPositions.ts"
import { type ReadRow, readRows } from "./rawRows.ts"
import { bootId, type Newest, readSealFile } from "./sealFile.ts"
import {
  anchorOf,
  type Batch,
  keyName,
  noSeal,
  type Sealed,
  type SealedRow,
  sealKey,
  sealOf
} from "./seals.ts"
import { isBusy } from "./sqlite/sqliteErrors.ts"
import { hasNewest } from "./sqlite/sqliteSeal.ts"
import { hasTable, isNewer, isOfToday } from "./tablesOf.ts"
import { type Finding, foundInOrder, type Repair, type Verdict } from "./verdict.ts"

const perStep = 2000

/** The end as the file beside the log, and those who went on after it was lost, tell of it. */
const endFindings = (
  db: Database,
  newest: Newest | "damaged" | undefined,
  breaks: readonly Break[]
): readonly Finding[] => {
  const repaired = Math.max(-1, ...breaks.flatMap(({ at, kind }) => (kind === "repaired" ? [at] : [])))
  const lost = breaks
    .filter(({ at, kind }) => (kind === "cut" || kind === "restart") && at > repaired)
    .map(({ first, kind, last }): Finding => ({ kind: kind as "cut" | "restart", first, last }))
  if (newest === undefined) return lost
  if (newest === "damaged")
    return [...lost, { kind: "file", first: 0, last: 0, detail: "what tells its end, beside it, is damaged" }]
  const { boot, position, seal } = newest
  if (db.prepare(hasNewest).get(position, seal, position, position) !== undefined) return lost
  const end = Number(db.prepare("SELECT max(last) FROM seals").pluck().get() ?? 0)
  return [
    ...lost,
    { kind: boot === bootId() ? "cut" : "restart", first: Math.min(end + 1, position), last: position }
  ]
}

/** One batch after the other. `isNoted`: whoever changed it had no key, and said so. */
const makeChain = (
  key: Buffer | undefined,
  foreignBefore: number,
  find: (finding: Finding) => void,
  isNoted: (batch: Sealed) => boolean
) => {
  let sealed = 0
  let unsealed = 0
  let foreign = 0
  let taken = 0
  const isIntact = (key: Buffer, before: Buffer, batch: Sealed, rows: readonly SealedRow[]): boolean =>
    batch.anchor === null
      ? sealOf(key, before, batch, rows).equals(batch.seal)
      : anchorOf(key, before, batch.seal, batch, rows).equals(batch.anchor)
  const judge = (before: Buffer, batch: Sealed, rows: readonly SealedRow[]): void => {
    if (key === undefined || batch.first < foreignBefore) foreign += rows.length
    else if (isNoted(batch)) unsealed += rows.length
    else if (isIntact(key, before, batch, rows)) sealed += rows.length
    else find({ kind: "altered", first: batch.first, last: batch.last })
  }
  const batch = (before: Buffer, batch: Sealed, rows: readonly ReadRow[]): void => {
    const bad = rows.filter(({ state }) => state !== "whole")
    for (const { position } of bad) find({ kind: "damaged", first: position, last: position })
    taken += batch.last - batch.first + 1 - batch.facts
    if (rows.length < batch.facts) {
      if (batch.facts === batch.last - batch.first + 1) {
        const there = new Set(rows.map(({ position }) => position))
        for (let at = batch.first; at <= batch.last; at++)
          if (!there.has(at)) find({ kind: "missing", first: at, last: at })
      } else find({ kind: "missing", first: batch.first, last: batch.last })
    } else if (rows.length > batch.facts) find({ kind: "altered", first: batch.first, last: batch.last })
    else if (bad.length === 0) judge(before, batch, rows as readonly SealedRow[])
  }
  return { batch, counts: () => ({ sealed, foreign, taken, unsealed }) }
}

/** A seal that speaks of what never was is a damaged one: whoever went by its numbers would walk to a billion positions. */
const isPlausible = ({ facts, first, last }: Sealed, end: number): boolean =>
  Number.isSafeInteger(first) && Number.isSafeInteger(facts) && first >= 1 && first <= last && last <= end

interface NotedRepair extends Repair {
  /** For how many of them a batch that it made has an empty place. */
  readonly places: number
}

const repairsIn = (breaks: readonly Break[]): readonly NotedRepair[] =>
  breaks
    .filter(({ kind }) => kind === "repaired")
    .map(({ at, note }) => {
      const { facts = 0, lost = [], places = facts, unsealed = [] } = repairNote(note)
      return { at, lost: facts, ranges: lost, places, unsealed }
    })

const fileFindings = (db: Database): readonly Finding[] => {
  const told = db.prepare("PRAGMA integrity_check(1)").pluck().get() as string
  return told === "ok" ? [] : [{ kind: "file", first: 0, last: 0, detail: told }]
}

/** What nobody opens as a log: seals have had these two numbers from the first on. */
const headFindings = (db: Database): readonly Finding[] =>
  isOfToday(db) ? [] : [{ kind: "file", first: 0, last: 0, detail: "its head does not say whose it is" }]

const columns = "first, last, facts, seal, anchor"

export interface Extent {
  /** Only positions above. */
  readonly from?: number
  /** Also the file's own structure, its indexes among it: what a filter finds comes from them. */
  readonly wholeFile?: boolean
}

/** A log whose tables are those of an older version. */
const beforeSeals = (db: Database, nothing: Omit<Verdict, "findings">): Verdict => {
  const table = attempt(
    () => db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'recorded'").get(),
    undefined
  )
  const facts = db.prepare(
    `SELECT count(*), max(position) FROM ${table === undefined ? "facts" : "recorded"}`
  )
  const [unsealed, last] = facts.raw().get() as [number, number | null]
  return { ...nothing, findings: fileFindings(db), unsealed, last: last ?? 0 }
}

/** Ends with the verdict; stops now and then, for whoever has others to answer. */
export function* verifyingLog(
  file: string,
  { from = 0, wholeFile = true }: Extent = {}
): Generator<number, Verdict> {
  const nothing = { sealed: 0, unsealed: 0, foreign: 0, taken: 0, repairs: [], from, last: 0 }
  // Before the log: it is never ahead of it.
  const newest = attempt(() => readSealFile(file), "damaged" as const)
  if (!existsSync(file)) {
    const gone =
      newest === undefined || newest === "damaged"
        ? []
        : [{ kind: "cut", first: 1, last: newest.position } as const]
    return { ...nothing, findings: gone }
  }
  let db: Database | undefined
  try {
    db = new Sqlite(file, { readonly: true, fileMustExist: true, timeout: 3000 })
    db.exec("BEGIN")
    if (isNewer(db))
      return { ...nothing, findings: [{ kind: "newer", first: 0, last: 0, detail: ofNewer(file) }] }
    if (!hasTable(db, "seals")) return beforeSeals(db, nothing)
    return yield* looking(db, file, { from, wholeFile }, newest)
  } catch (cause) {
    const denied = deniedBy(cause, file)
    if (denied !== undefined) {
      const detail = `${denied.reason}; nothing of it could be looked at. ${denied.remedy}`
      return { ...nothing, findings: [{ kind: "denied", first: 0, last: 0, detail }] }
    }
    // Whoever holds it says nothing about what is in it.
    const kind = isBusy(cause) ? "held" : "file"
    return { ...nothing, findings: [{ kind, first: 0, last: 0, detail: messageOf(cause) }] }
  } finally {
    db?.close()
  }
}

function* looking(
  db: Database,
  file: string,
  { from, wholeFile }: Required<Extent>,
  newest: Newest | "damaged" | undefined
): Generator<number, Verdict> {
  const key = attempt(() => sealKey(digestKey(dirname(file))), undefined)
  const breaks = breaksIn(db)
  const began = breaks.filter(({ kind }) => kind === "began")
  const start = Math.min(Number.POSITIVE_INFINITY, ...began.map(({ first }) => first))
  const current = began.at(-1)
  const isOurs = key !== undefined && current?.note === keyName(key)
  const { find, findings } = foundInOrder()
  const noted = breaks.filter(({ kind }) => kind === "unsealed")
  const isNoted = ({ first, last }: Batch): boolean =>
    noted.some((one) => one.first <= first && one.last >= last)
  const chain = makeChain(
    isOurs ? key : undefined,
    isOurs ? (current?.first ?? 0) : Number.POSITIVE_INFINITY,
    find,
    isNoted
  )
  const nextSeals = db.prepare<[number], Sealed>(
    `SELECT ${columns} FROM seals WHERE last > ? ORDER BY last LIMIT 500`
  )
  const before = db
    .prepare("SELECT last, seal FROM seals WHERE last <= ? ORDER BY last DESC LIMIT 1")
    .get(from) as { readonly last: number; readonly seal: Buffer } | undefined
  let previous = before?.seal ?? noSeal
  let position = from === 0 ? 0 : (before?.last ?? 0)
  const { rows: read, last } = readRows(db)
  const forgotten = breaks.flatMap(({ first, kind }) => (kind === "forgotten" ? [first] : []))
  const loose = makeLoose({ db, read, start, forgotten, isNoted, find })
  if (from === 0) loose.beforeFirst()

  let done = 0
  let seen = position
  for (let more = true; more; ) {
    const seals = nextSeals.all(seen)
    // A damaged page may give the same ones again and again.
    more = seals.some((one) => one.last > seen)
    for (const batch of seals) {
      seen = Math.max(seen, batch.last)
      if (!isPlausible(batch, last)) {
        const end = Math.min(batch.last, last)
        find({ kind: "altered", first: Math.min(position + 1, end), last: end })
        continue
      }
      yield* loose.between(position + 1, batch.first - 1)
      const rows = [...read(batch.first, batch.last)]
      chain.batch(previous, batch, rows)
      previous = batch.seal
      position = batch.last
      done += rows.length
      if (done > perStep) {
        done = 0
        yield position
      }
    }
  }
  yield* loose.between(position + 1, last)
  loose.behind(Math.max(position, last))
  const ends = endFindings(db, newest, breaks)
  const inFile = [...headFindings(db), ...(wholeFile ? fileFindings(db) : [])]
  const counts = chain.counts()
  const repairs = from === 0 ? repairsIn(breaks) : []
  const empty = repairs.reduce((sum, { places }) => sum + places, 0)
  const inOrder = [...findings].sort((a, b) => a.first - b.first)
  return {
    findings: [...inOrder, ...ends, ...inFile],
    ...counts,
    // Retention may have taken a batch and its empty places with it.
    taken: Math.max(0, counts.taken - empty),
    unsealed: counts.unsealed + loose.unsealed(),
    repairs: repairs.map(({ places: _, ...repair }) => repair),
    from,
    last
  }
}

export const verifyLog = (file: string, extent: Extent = {}): Verdict => {
  const steps = verifyingLog(file, extent)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}
