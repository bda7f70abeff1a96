/**
 * What is not there and was not taken away. Positions have no gaps but those that batches account for: a damaged tree of the
 * file can leave facts out of an answer without an error.
 */
import type { Connection } from "@effect/sql/SqlConnection"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import type { Damage } from "../Damage.ts"
import type { Filter } from "../EventLog.ts"
import { lastConfirmed } from "../lastConfirmed.ts"
import { isFileDamage } from "./sqliteErrors.ts"
import type { Stored } from "./sqliteSelect.ts"

type Numbers = readonly (readonly (number | null)[])[]

const numbers = (db: Connection, sql: string, params: readonly unknown[] = []) =>
  db.executeValues(sql, params) as unknown as Effect.Effect<Numbers, SqlError>

/** As far as the log goes, where not all that says so may be true. */
export const lastPosition = Effect.fnUntraced(function* (db: Connection) {
  const each = yield* Effect.forEach(
    [
      "SELECT seq FROM sqlite_sequence WHERE name = 'recorded'",
      "SELECT max(last) FROM seals",
      "SELECT max(position) FROM recorded"
    ],
    (sql) => Effect.catchAll(numbers(db, sql), () => Effect.succeed([] as Numbers))
  )
  return lastConfirmed(each.flatMap(([row]) => (row === undefined ? [] : [Number(row[0] ?? 0)])))
})

/** Only of all facts it is known how many there have to be. */
const isAll = ({
  after: _,
  before: _before,
  limit: _limit,
  reverse: _reverse,
  ...narrowing
}: Filter): boolean => {
  for (const name in narrowing) if (narrowing[name as keyof typeof narrowing] !== undefined) return false
  return true
}

/** Everything before it may have gaps that nobody accounts for. */
const began = "SELECT min(first) FROM breaks WHERE kind = 'began'"

/** How many positions of a range hold nothing, by those who took it away. Of a batch that lies in it in part it is counted. */
const takenAway = Effect.fnUntraced(function* (db: Connection, from: number, to: number) {
  const [[whole] = []] = yield* numbers(
    db,
    "SELECT coalesce(sum(last - first + 1 - facts), 0) FROM seals WHERE last > ? AND last <= ? AND first > ?",
    [from, to, from]
  )
  const edges = yield* numbers(
    db,
    `SELECT first, last, facts FROM (SELECT * FROM seals WHERE last > ? ORDER BY last LIMIT 1) WHERE first <= ?
      UNION SELECT first, last, facts FROM (SELECT * FROM seals WHERE last > ? ORDER BY last LIMIT 1) WHERE first <= ?`,
    [from, from, to, to]
  )
  let gone = whole ?? 0
  for (const [first, last, facts] of edges as readonly (readonly [number, number, number])[]) {
    if (facts === last - first + 1) continue
    const low = Math.max(first, from + 1)
    const high = Math.min(last, to)
    const [[there] = []] = yield* numbers(
      db,
      "SELECT count(*) FROM recorded WHERE position >= ? AND position <= ?",
      [low, high]
    )
    gone += high - low + 1 - (there ?? 0)
  }
  const [[forgotten] = []] = yield* numbers(
    db,
    "SELECT count(*) FROM breaks WHERE kind = 'forgotten' AND first > ? AND first <= ?",
    [from, to]
  )
  return gone + (forgotten ?? 0)
})

/** Ranges between these positions that hold nothing. */
const gaps = (
  from: number,
  to: number,
  positions: readonly number[]
): readonly (readonly [number, number])[] => {
  const found: [number, number][] = []
  let after = from
  for (const position of [...positions.toSorted((a, b) => a - b), to + 1]) {
    if (position > after + 1) found.push([after, position - 1])
    after = position
  }
  return found
}

const lost = Effect.fnUntraced(function* (db: Connection, from: number, to: number, rows: readonly Stored[]) {
  const there: number[] = []
  for (const [position] of rows) if (position > from && position <= to) there.push(position)
  if (there.length === to - from) return []
  if (to - from - there.length === (yield* takenAway(db, from, to))) return []
  const missing: Damage[] = []
  for (const [after, last] of gaps(from, to, there)) {
    const facts = last - after - (yield* takenAway(db, after, last))
    if (facts > 0) missing.push({ kind: "missing", first: after + 1, last, facts })
  }
  return missing
})

/** Whether a page holds each position from the one it was asked for on: then nobody need be asked. So is nearly every page. */
const isUnbroken = ({ after = 0, reverse }: Filter, rows: readonly Stored[]): boolean => {
  if (reverse === true) return false
  let next = after
  for (const [position] of rows) if (position !== ++next) return false
  return true
}

const nothing: readonly Damage[] = []
const unreadable: readonly Damage[] = [{ kind: "unreadable", first: 0, last: 0, facts: 0 }]

/** `rows`: what a page of this filter found. `end`: where it ended, undefined where nothing comes after it. */
export const missing = (
  db: Connection,
  filter: Filter,
  rows: readonly Stored[],
  end: number | undefined
): Effect.Effect<readonly Damage[], SqlError> =>
  isAll(filter) && !(end !== undefined && isUnbroken(filter, rows))
    ? Effect.gen(function* () {
        const [[start = null] = []] = yield* numbers(db, began)
        if (start === null) return nothing
        const reverse = filter.reverse === true
        const low = reverse && end !== undefined ? end - 1 : (filter.after ?? 0)
        const high = reverse || end === undefined ? (filter.before ?? Number.POSITIVE_INFINITY) - 1 : end
        const to = high === Number.POSITIVE_INFINITY ? yield* lastPosition(db) : high
        const from = Math.max(low, start - 1)
        return to <= from ? nothing : yield* lost(db, from, to, rows)
      }).pipe(Effect.catchIf(isFileDamage, () => Effect.succeed(unreadable)))
    : Effect.succeed(nothing)
