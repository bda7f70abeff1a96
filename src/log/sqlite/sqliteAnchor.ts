/**
 * Takes facts out of sealed batches, or changes them, so that the chain still holds: the batch keeps its seal, and an anchor
 * vouches for what is left. Only of what was whole before: damage is not made good by it.
 */
import { dirname } from "node:path"
import type { Connection } from "@effect/sql/SqlConnection"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import { digestKey } from "../../state/state.ts"
import { attempt } from "../attempt.ts"
import {
  anchorOf,
  type Batch,
  keyName,
  noSeal,
  type Sealed,
  type SealedRow,
  sealKey,
  sealOf
} from "../seals.ts"
import { insertBreak } from "./sqliteSeal.ts"

interface Followed extends Sealed {
  /** The seal of the batch before it. */
  readonly before: Buffer
}

/** Its seal, or its anchor, cannot be made anew by whoever changes it. */
interface Unvouched extends Followed {
  /** Somebody has said so before. */
  readonly noted: boolean
}

const columns = `last, first, facts, seal, anchor,
  (SELECT b.seal FROM seals b WHERE b.last < seals.last ORDER BY b.last DESC LIMIT 1)`

const rowsOf = (db: Connection, sql: string, params: readonly unknown[]) =>
  db.executeValues(sql, params) as Effect.Effect<readonly (readonly unknown[])[], SqlError>

const batchAt = Effect.fnUntraced(function* (db: Connection, position: number) {
  const [row] = yield* rowsOf(db, `SELECT ${columns} FROM seals WHERE last >= ? ORDER BY last LIMIT 1`, [
    position
  ])
  if (row === undefined || (row[1] as number) > position) return undefined
  const [last, first, facts, seal, anchor, before] = row as [
    number,
    number,
    number,
    Buffer,
    Buffer | null,
    Buffer
  ]
  return { last, first, facts, seal, anchor, before: before ?? noSeal } satisfies Followed
})

const left = (db: Connection, { first, last }: Batch) =>
  Effect.map(
    rowsOf(db, "SELECT position, sum FROM recorded WHERE position >= ? AND position <= ? ORDER BY position", [
      first,
      last
    ]),
    (rows) => rows.map(([position, sum]): SealedRow => ({ position, sum }) as SealedRow)
  )

/** Whether its rows are those that its seal, or its anchor, speaks of. */
export const isVouchedFor = (key: Buffer, batch: Followed, rows: readonly SealedRow[]): boolean =>
  rows.length === batch.facts &&
  rows.every(({ sum }) => sum !== null) &&
  (batch.anchor === null
    ? sealOf(key, batch.before, batch, rows).equals(batch.seal)
    : anchorOf(key, batch.before, batch.seal, batch, rows).equals(batch.anchor))

/** Batches next to each other of which nothing is left are told of in one row. */
const joinEmpty = Effect.fnUntraced(function* (db: Connection, key: Buffer, last: number) {
  const one = yield* batchAt(db, last)
  const next = one?.facts === 0 ? yield* batchAt(db, last + 1) : undefined
  if (one === undefined || next?.facts !== 0) return
  if (!isVouchedFor(key, one, []) || !isVouchedFor(key, next, [])) return
  const batch = { first: one.first, last: next.last }
  const anchor = anchorOf(key, one.before, next.seal, batch, [])
  yield* db.executeRaw("DELETE FROM seals WHERE last = ?", [last])
  yield* db.executeRaw("UPDATE seals SET first = ?, anchor = ? WHERE last = ?", [
    batch.first,
    anchor,
    batch.last
  ])
})

/** What is left of each is vouched for by itself. */
const anchor = Effect.fnUntraced(function* (db: Connection, key: Buffer, batches: readonly Followed[]) {
  for (const batch of batches) {
    const rows = yield* left(db, batch)
    yield* db.executeRaw("UPDATE seals SET facts = ?, anchor = ? WHERE last = ?", [
      rows.length,
      anchorOf(key, batch.before, batch.seal, batch, rows),
      batch.last
    ])
  }
  // From the end, so that each finds those after it joined already.
  for (const { first, last } of batches.toReversed()) {
    yield* joinEmpty(db, key, last)
    yield* joinEmpty(db, key, first - 1)
  }
})

/** The batches that these positions are of, those that can be vouched for and those whose key is not at hand; and positions of no batch. */
const touched = Effect.fnUntraced(function* (
  db: Connection,
  key: Buffer | undefined,
  positions: readonly number[]
) {
  const vouched: Followed[] = []
  const unvouched: Unvouched[] = []
  const loose: number[] = []
  const [[start = null] = []] = yield* rowsOf(db, "SELECT min(first) FROM breaks WHERE kind = 'began'", [])
  const [[current = null, note = null] = []] = yield* rowsOf(
    db,
    "SELECT first, note FROM breaks WHERE kind = 'began' ORDER BY id DESC LIMIT 1",
    []
  )
  /** Sealed under a key that is not at hand: what its seal says cannot be known. */
  const isForeign = ({ first }: Followed): boolean =>
    key === undefined || note !== keyName(key) || first < (current as number)
  const isNoted = ({ first, last }: Followed) =>
    Effect.map(
      rowsOf(db, "SELECT 1 FROM breaks WHERE kind = 'unsealed' AND first <= ? AND last >= ?", [first, last]),
      ({ length }) => length > 0
    )
  let known: Followed | undefined
  for (const position of positions.toSorted((a, b) => a - b)) {
    if (known !== undefined && position <= known.last) continue
    const batch = yield* batchAt(db, position)
    if (batch === undefined) {
      if (start !== null && position >= (start as number)) loose.push(position)
      continue
    }
    known = batch
    const rows = yield* left(db, batch)
    if (key !== undefined && isVouchedFor(key, batch, rows)) vouched.push(batch)
    else if (rows.length !== batch.facts) continue
    else if (yield* isNoted(batch)) unvouched.push({ ...batch, noted: true })
    else if (isForeign(batch)) unvouched.push({ ...batch, noted: false })
  }
  return { vouched, unvouched, loose }
})

const withoutKey = "changed without its key"

/** In one row with the batches right before it: retention takes one after the other, and each is looked for among the notes. */
const noteUnvouched = Effect.fnUntraced(function* (db: Connection, { first, last }: Batch, now: number) {
  const [[before] = []] = yield* rowsOf(
    db,
    "SELECT id FROM breaks WHERE kind = 'unsealed' AND note = ? AND last = ?",
    [withoutKey, first - 1]
  )
  if (before === undefined) yield* db.executeRaw(insertBreak, ["unsealed", first, last, now, withoutKey])
  else yield* db.executeRaw("UPDATE breaks SET last = ? WHERE id = ?", [last, before])
})

/** `change` is what happens to the facts at these positions, in the transaction of the caller. */
export const anchored = Effect.fn("EventLog.anchored")(function* <A, E>(
  db: Connection,
  file: string,
  positions: readonly number[],
  now: number,
  change: Effect.Effect<A, E>
) {
  const key = attempt(() => sealKey(digestKey(dirname(file))), undefined)
  const { loose, unvouched, vouched } = yield* touched(db, key, positions)
  const changed = yield* change
  if (key !== undefined) yield* anchor(db, key, vouched)
  // Nobody can vouch for what is left of these: that it was taken or changed on purpose is noted, and how much is there.
  for (const { first, last, noted } of unvouched) {
    const { length } = yield* left(db, { first, last })
    yield* db.executeRaw("UPDATE seals SET facts = ? WHERE last = ?", [length, last])
    if (!noted) yield* noteUnvouched(db, { first, last }, now)
  }
  // Of facts that nobody sealed after the chain began.
  for (const position of loose) {
    const [[there] = []] = yield* rowsOf(db, "SELECT count(*) FROM recorded WHERE position = ?", [position])
    if (there === 0) yield* db.executeRaw(insertBreak, ["forgotten", position, position, now, ""])
  }
  return changed
})
