/** The rows of a log that may be damaged: each with what its numbers stand for, and whether it is what was recorded. */
import type { Database } from "better-sqlite3"
import { attempt } from "./attempt.ts"
import { lastConfirmed } from "./lastConfirmed.ts"
import { textSum } from "./rowSum.ts"
import { sumOf } from "./sqlite/decodeRow.ts"
import { columns, type Stored } from "./sqlite/sqliteSelect.ts"

/** What is recorded of a fact, as texts. */
export interface RawFact {
  readonly stored: Stored
  readonly stream: string
  readonly kind: string
  readonly marks: string
  readonly data: string
}

export interface ReadRow {
  readonly position: number
  /** Of its row, whether it fits or not. */
  readonly sum: number | null
  /** `unsealed` says nothing for or against it. */
  readonly state: "whole" | "unsealed" | "damaged"
  /** Where it can be read. */
  readonly raw: RawFact | undefined
}

const maxRemembered = 10_000

/** The sum that fits it. */
export const rightSum = ({ data, kind, marks, stored, stream }: RawFact): number =>
  sumOf(stored, textSum(stream), textSum(kind), textSum(marks), data)

const fits = (raw: RawFact): boolean => raw.stored[12] === rightSum(raw)

const isJson = (text: string): boolean => attempt(() => JSON.parse(text)) !== undefined

export const readRows = (db: Database) => {
  const text = (sql: string) => {
    const say = db.prepare<[unknown], unknown>(sql).pluck()
    const known = new Map<unknown, string | undefined>()
    return (key: unknown): string | undefined => {
      if (known.size > maxRemembered) known.clear()
      if (!known.has(key)) {
        const found = attempt(() => say.get(key))
        known.set(key, typeof found === "string" ? found : undefined)
      }
      return known.get(key)
    }
  }
  const stream = text("SELECT name FROM streams WHERE id = ?")
  const kind = text("SELECT kind FROM kinds WHERE id = ?")
  const marks = text("SELECT marks FROM marks WHERE id = ?")
  const blob = db.prepare<[unknown], unknown>("SELECT data FROM blobs WHERE hash = ?").pluck()
  const range = db
    .prepare<[number, number], Stored>(
      `SELECT ${columns} FROM recorded WHERE position >= ? AND position <= ? ORDER BY position`
    )
    .raw() as unknown as { readonly all: (first: number, last: number) => readonly Stored[] }

  const rawOf = (stored: Stored): RawFact | undefined => {
    const data = stored[11] === null ? stored[10] : attempt(() => blob.get(stored[11]))
    const raw = { stored, stream: stream(stored[2]), kind: kind(stored[4]), marks: marks(stored[8]), data }
    const isThere = [raw.stream, raw.kind, raw.marks, raw.data].every((one) => typeof one === "string")
    return isThere ? (raw as RawFact) : undefined
  }

  const rowOf = (stored: Stored): ReadRow => {
    const [position] = stored
    const sum = stored[12]
    const raw = rawOf(stored)
    const isWhole = raw !== undefined && (sum === null ? isJson(raw.data) : fits(raw))
    return { position, sum, state: isWhole ? (sum === null ? "unsealed" : "whole") : "damaged", raw }
  }

  /** Facts at these positions, those that cannot be read as such. */
  const rows = (first: number, last: number): readonly ReadRow[] => {
    const together = attempt(() => range.all(first, last))
    if (together !== undefined) return together.map(rowOf)
    const one = (position: number): readonly ReadRow[] => {
      const found = attempt(() => range.all(position, position))
      return found === undefined
        ? [{ position, sum: null, state: "damaged", raw: undefined }]
        : found.map(rowOf)
    }
    return Array.from({ length: last - first + 1 }, (_, nth) => one(first + nth)).flat()
  }

  const last = lastConfirmed(
    [
      "SELECT seq FROM sqlite_sequence WHERE name = 'recorded'",
      "SELECT max(last) FROM seals",
      "SELECT max(position) FROM recorded"
    ].flatMap((sql) => attempt((): readonly number[] => [Number(db.prepare(sql).pluck().get() ?? 0)], []))
  )
  return { rows, last }
}
