/**
 * Takes facts out of sealed batches, or changes them, so that the chain still holds: the batch keeps its seal, and an anchor
 * vouches for what is left. Only of what was whole before: damage is not made good by it.
 */
import { dirname } from "node:path"
import type { Connection } from "@effect/sql/SqlConnection"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import { digestKey } from "../../state/state.ts"
import { anchorOf, noSeal, type Sealed, type SealedRow, sealKey, sealOf } from "../seals.ts"
import { insertBreak } from "./sqliteSeal.ts"

interface Followed extends Sealed {
  /** The seal of the batch before it. */
  readonly before: Buffer
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

const left = (db: Connection, { first, last }: Followed) =>
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

/** `change` is what happens to the facts at these positions, in the transaction of the caller. */
export const anchored = Effect.fn("EventLog.anchored")(function* <A, E>(
  db: Connection,
  file: string,
  positions: readonly number[],
  now: number,
  change: Effect.Effect<A, E>
) {
  const key = yield* Effect.option(Effect.try(() => sealKey(digestKey(dirname(file)))))
  const batches: Followed[] = []
  const unsealed: number[] = []
  const [[start = null] = []] = yield* rowsOf(db, "SELECT min(first) FROM breaks WHERE kind = 'began'", [])
  let known: Followed | undefined
  for (const position of positions.toSorted((a, b) => a - b)) {
    if (known !== undefined && position <= known.last) continue
    const batch = yield* batchAt(db, position)
    if (batch === undefined) {
      if (start !== null && position >= (start as number)) unsealed.push(position)
      continue
    }
    known = batch
    if (key._tag === "Some" && isVouchedFor(key.value, batch, yield* left(db, batch))) batches.push(batch)
  }
  const changed = yield* change
  if (key._tag === "None") return changed
  for (const batch of batches) {
    const rows = yield* left(db, batch)
    const anchor = anchorOf(key.value, batch.before, batch.seal, batch, rows)
    yield* db.executeRaw("UPDATE seals SET facts = ?, anchor = ? WHERE last = ?", [
      rows.length,
      anchor,
      batch.last
    ])
  }
  // From the end, so that each finds those after it joined already.
  for (const { first, last } of batches.toReversed()) {
    yield* joinEmpty(db, key.value, last)
    yield* joinEmpty(db, key.value, first - 1)
  }
  // Of facts that an older version recorded after the chain began.
  for (const position of unsealed) {
    const [[there] = []] = yield* rowsOf(db, "SELECT count(*) FROM recorded WHERE position = ?", [position])
    if (there === 0) yield* db.executeRaw(insertBreak, ["forgotten", position, position, now, ""])
  }
  return changed
})
