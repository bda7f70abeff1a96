/**
 * Looks through the log, fact by fact and seal by seal, and names what is not as it was recorded: `log verify` from the
 * beginning, `doctor` from where it was sound before. Reads only.
 */
import { existsSync } from "node:fs"
import { dirname } from "node:path"
import Sqlite, { type Database } from "better-sqlite3"
import { messageOf } from "../state/messageOf.ts"
import { digestKey } from "../state/state.ts"
import { attempt } from "./attempt.ts"
import { placed } from "./Damage.ts"
import { type Range, repairNote } from "./lostPositions.ts"
import { type ReadRow, readRows } from "./rawRows.ts"
import { bootId, type Newest, readSealFile } from "./sealFile.ts"
import { anchorOf, keyName, noSeal, type Sealed, type SealedRow, sealKey, sealOf } from "./seals.ts"
import { isBusy } from "./sqlite/sqliteErrors.ts"
import { hasNewest } from "./sqlite/sqliteSeal.ts"
import { hasTable, isNewer, isOfToday, ofNewer } from "./tablesOf.ts"

export interface Finding {
  /**
   * `damaged`: a fact is not what was recorded. `missing`: it is not there, and nobody took it away. `altered`: facts are whole,
   * and not those that were sealed. `cut`: the end of the log is gone. `file`: the file itself is damaged. `restart`: the machine
   * went down with what was written last; no damage. `newer`: it is a later version's, and was not looked at. `held`: another program
   * has it for itself, and nothing could be looked at.
   */
  readonly kind: "damaged" | "missing" | "altered" | "cut" | "file" | "restart" | "newer" | "held"
  readonly first: number
  readonly last: number
  readonly detail?: string
}

export interface Repair {
  readonly at: number
  /** How many facts could not be kept, or were gone before with an end of the log. */
  readonly lost: number
  /** Where they stood, the first hundred ranges. */
  readonly ranges: readonly Range[]
}

export interface Verdict {
  /** In the order of positions. */
  readonly findings: readonly Finding[]
  /** Facts that a seal vouches for. */
  readonly sealed: number
  /** Recorded before there were seals, or where the key could not be read. */
  readonly unsealed: number
  /** Under a key that is not there any more: only their sums were looked at. */
  readonly foreign: number
  /** Positions whose facts retention or `forget` took away. */
  readonly taken: number
  readonly repairs: readonly Repair[]
  /** Where it began, and how far the log goes. */
  readonly from: number
  readonly last: number
}

export const describeFinding = (finding: Finding): string => {
  const { detail, kind } = finding
  switch (kind) {
    case "damaged":
      return `${placed(finding)}: not what was recorded`
    case "missing":
      return `${placed(finding)}: missing, and nobody took it away`
    case "altered":
      return `${placed(finding)}: not what was sealed`
    case "cut":
      return `${placed(finding)}: the end of the log is gone`
    case "restart":
      return `${placed(finding)}: went down with the machine; what was written last may be lost with its power`
    case "file":
      return `the file: ${detail ?? "damaged"}`
    case "newer":
      return detail ?? "it is of a newer hooktape"
    case "held":
      return "another program has the log for itself: nothing of it could be looked at"
  }
}

export const isSound = ({ findings }: Verdict): boolean => findings.every(({ kind }) => kind === "restart")

interface Break {
  readonly kind: string
  readonly first: number
  readonly last: number
  readonly at: number
  readonly note: string
}

const perStep = 2000
const maxFindings = 1000

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

/** One fact after the other, beside the batch that it belongs to. */
const makeChain = (key: Buffer | undefined, foreignBefore: number) => {
  const findings: Finding[] = []
  let sealed = 0
  let foreign = 0
  let taken = 0
  const find = (finding: Finding): void => {
    const before = findings.at(-1)
    if (before?.kind === finding.kind && before.last + 1 === finding.first && finding.kind !== "altered")
      findings[findings.length - 1] = { ...before, last: finding.last }
    else if (findings.length < maxFindings) findings.push(finding)
  }
  const isIntact = (before: Buffer, batch: Sealed, rows: readonly SealedRow[]): boolean => {
    if (key === undefined || batch.first < foreignBefore) return true
    return batch.anchor === null
      ? sealOf(key, before, batch, rows).equals(batch.seal)
      : anchorOf(key, before, batch.seal, batch, rows).equals(batch.anchor)
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
    } else if (bad.length === 0) {
      if (isIntact(before, batch, rows as readonly SealedRow[])) {
        if (key === undefined || batch.first < foreignBefore) foreign += rows.length
        else sealed += rows.length
      } else find({ kind: "altered", first: batch.first, last: batch.last })
    }
  }
  return { findings, find, batch, counts: () => ({ sealed, foreign, taken }) }
}

interface NotedRepair extends Repair {
  /** For how many of them a batch that it made has an empty place. */
  readonly places: number
}

const repairsIn = (breaks: readonly Break[]): readonly NotedRepair[] =>
  breaks
    .filter(({ kind }) => kind === "repaired")
    .map(({ at, note }) => {
      const { facts = 0, lost = [], places = facts } = repairNote(note)
      return { at, lost: facts, ranges: lost, places }
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
  const breaks = db
    .prepare("SELECT kind, first, last, at, note FROM breaks ORDER BY id")
    .all() as readonly Break[]
  const began = breaks.filter(({ kind }) => kind === "began")
  const start = Math.min(Number.POSITIVE_INFINITY, ...began.map(({ first }) => first))
  const current = began.at(-1)
  const isOurs = key !== undefined && current?.note === keyName(key)
  const chain = makeChain(isOurs ? key : undefined, isOurs ? (current?.first ?? 0) : Number.POSITIVE_INFINITY)
  const forgotten = new Set(breaks.flatMap(({ first, kind }) => (kind === "forgotten" ? [first] : [])))
  const nextSeals = db.prepare<[number], Sealed>(
    `SELECT ${columns} FROM seals WHERE last > ? ORDER BY last LIMIT 500`
  )
  const before = db
    .prepare("SELECT last, seal FROM seals WHERE last <= ? ORDER BY last DESC LIMIT 1")
    .get(from) as { readonly last: number; readonly seal: Buffer } | undefined
  let previous = before?.seal ?? noSeal
  let position = from === 0 ? 0 : (before?.last ?? 0)
  let unsealed = 0
  const { rows: read, last } = readRows(db)

  /** Facts outside of any batch. */
  const loose = (first: number, upTo: number): void => {
    if (upTo < first) return
    let next = Math.max(first, start)
    for (const { position, state } of read(first, upTo)) {
      for (; next < position; next++)
        if (!forgotten.has(next)) chain.find({ kind: "missing", first: next, last: next })
      if (position >= start) next = position + 1
      if (state === "whole" || state === "unsealed") unsealed++
      else chain.find({ kind: "damaged", first: position, last: position })
    }
    for (; next <= upTo; next++)
      if (!forgotten.has(next)) chain.find({ kind: "missing", first: next, last: next })
  }

  let done = 0
  let seen = position
  for (let more = true; more; ) {
    const seals = nextSeals.all(seen)
    more = seals.length > 0
    for (const batch of seals) {
      seen = Math.max(seen, batch.last)
      // A seal that speaks of what never was is a damaged one.
      if (batch.last > last) {
        chain.find({ kind: "altered", first: Math.min(batch.first, last), last })
        continue
      }
      for (let low = position + 1; low < batch.first; low += perStep) {
        loose(low, Math.min(batch.first - 1, low + perStep - 1))
        yield low
      }
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
  for (let low = position + 1; low <= last; low += perStep) {
    loose(low, Math.min(last, low + perStep - 1))
    yield low
  }
  const ends = endFindings(db, newest, breaks)
  const inFile = [...headFindings(db), ...(wholeFile ? fileFindings(db) : [])]
  const counts = chain.counts()
  const repairs = from === 0 ? repairsIn(breaks) : []
  const empty = repairs.reduce((sum, { places }) => sum + places, 0)
  const inOrder = [...chain.findings].sort((a, b) => a.first - b.first)
  return {
    findings: [...inOrder, ...ends, ...inFile],
    ...counts,
    // Retention may have taken a batch and its empty places with it.
    taken: Math.max(0, counts.taken - empty),
    unsealed,
    repairs: repairs.map(({ at, lost, ranges }) => ({ at, lost, ranges })),
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
