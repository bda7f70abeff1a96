/**
 * What stands outside of every batch: facts of before there were seals, those that somebody noted who could not read the key, and
 * those that nobody accounts for. And positions that hold nothing, where each has to hold a fact.
 */
import type { Database } from "better-sqlite3"
import { attempt } from "./attempt.ts"
import type { ReadRow } from "./rawRows.ts"
import type { Batch } from "./seals.ts"
import { addedUnsealed, type Finding } from "./verdict.ts"

const perStep = 2000

export interface LooseOptions {
  readonly db: Database
  readonly read: (first: number, last: number) => readonly ReadRow[]
  /** Where the chain began: facts of before may have gaps that nobody accounts for. */
  readonly start: number
  /** Positions of such facts that were taken away. */
  readonly forgotten: readonly number[]
  readonly isNoted: (batch: Batch) => boolean
  readonly find: (finding: Finding) => void
}

export const makeLoose = ({ db, find, forgotten, isNoted, read, start }: LooseOptions) => {
  const gone = forgotten.toSorted((a, b) => a - b)
  const nextThere = db
    .prepare<[number, number]>("SELECT min(position) FROM recorded WHERE position >= ? AND position <= ?")
    .pluck()
  const outer = (where: string) =>
    db.prepare<[number], [number | null, number | null]>(
      `SELECT min(position), max(position) FROM recorded WHERE position ${where} ?`
    )
  const below = outer("<").raw()
  const above = outer(">").raw()
  let unsealed = 0
  let nextGone = 0

  /** By ranges: a position that was made up can be far away. */
  const empty = (first: number, last: number): void => {
    let low = Math.max(first, start)
    for (; (gone[nextGone] ?? Number.POSITIVE_INFINITY) <= last; nextGone++) {
      const taken = gone[nextGone] as number
      if (taken > low) find({ kind: "missing", first: low, last: taken - 1 })
      low = Math.max(low, taken + 1)
    }
    if (low <= last) find({ kind: "missing", first: low, last })
  }

  const one = ({ position, state }: ReadRow): void => {
    const here = { first: position, last: position }
    if (state === "damaged") find({ kind: "damaged", ...here })
    // What has a sum was written by one who seals, or says why not.
    else if (isNoted(here) || (state === "unsealed" && position < start)) unsealed++
    else find({ kind: "altered", ...here, detail: addedUnsealed })
  }

  /** Where the next row is; the very next position where that cannot be told. */
  const jump = (low: number, last: number): number => {
    const there = attempt((): unknown => nextThere.get(low, last), low)
    return typeof there === "number" ? there : last + 1
  }

  function* between(first: number, last: number): Generator<number> {
    for (let low = first; low <= last; ) {
      const next = jump(low, last)
      if (next > low) empty(low, next - 1)
      const upTo = Math.min(last, next + perStep - 1)
      let expected = next
      for (const row of next > last ? [] : read(next, upTo)) {
        if (row.position > expected) empty(expected, row.position - 1)
        expected = row.position + 1
        one(row)
      }
      if (expected <= upTo) empty(expected, upTo)
      low = upTo + 1
      if (low <= last) yield low
    }
  }

  /** Where no log has anything. */
  const outside = (found: readonly [number | null, number | null] | undefined): void => {
    const [first, last] = found ?? [null, null]
    if (first !== null && last !== null) find({ kind: "altered", first, last, detail: addedUnsealed })
  }

  return {
    between,
    beforeFirst: () => outside(attempt(() => below.get(1))),
    behind: (last: number) => outside(attempt(() => above.get(last))),
    unsealed: () => unsealed
  }
}
