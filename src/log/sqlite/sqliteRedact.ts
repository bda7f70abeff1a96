/** Takes a text out of the rows of the SQLite log, in the caller's transaction: a page at a time, blobs as well. */
import type { Connection } from "@effect/sql/SqlConnection"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { FactId } from "../../../events/ids.ts"
import { forgotten, plainPart, withoutText, writingsOf } from "../../redact/withoutText.ts"
import type { RedactedFact } from "../EventLog.ts"
import { textSum } from "../rowSum.ts"
import { type RowWithTexts, selectWithTexts, sumOf } from "./decodeRow.ts"
import { anchored } from "./sqliteAnchor.ts"
import { values } from "./sqliteRead.ts"
import { blobHash, isLong } from "./sqliteRows.ts"

const perPage = 200

const candidates = `${selectWithTexts}
  WHERE position > ? AND instr(coalesce(recorded.data, blobs.data), ?)
  ORDER BY position LIMIT ${perPage}`

/** The sum that it has with this data. */
const sumWith = (row: RowWithTexts, data: string): number =>
  sumOf(row, textSum(String(row[13])), textSum(String(row[14])), textSum(String(row[15])), data)

/** Undefined where it does not stand there. Of data that is damaged the text itself is what is looked through. */
const redactedText = (text: string, writings: readonly string[]): string | undefined => {
  let before: unknown
  try {
    before = JSON.parse(text)
  } catch {
    const plain = writings.reduce((rest, writing) => rest.replaceAll(writing, forgotten), text)
    return plain === text ? undefined : plain
  }
  const redacted = JSON.stringify(withoutText(before, writings))
  return redacted === JSON.stringify(before) ? undefined : redacted
}

interface Redacted {
  readonly position: number
  readonly id: FactId
  readonly stream: string
  readonly data: string
  readonly blob: unknown
  /** Of a fact that was damaged before it stays one that does not fit. */
  readonly sum: unknown
}

const redactedBy = (row: RowWithTexts, writings: readonly string[]): Redacted | undefined => {
  const { 0: position, 1: id, 10: text, 11: blob, 12: sum, 13: stream } = row
  const data = String(text)
  const redacted = redactedText(data, writings)
  if (redacted === undefined) return undefined
  const isWhole = sum !== null && sum === sumWith(row, data)
  return {
    position,
    id: id as FactId,
    stream: String(stream),
    data: redacted,
    blob,
    sum: isWhole ? sumWith(row, redacted) : sum
  }
}

const replace = Effect.fnUntraced(function* (db: Connection, { data, position, sum }: Redacted) {
  const hash = isLong(data) ? blobHash(data) : null
  if (hash !== null) yield* db.executeRaw("INSERT OR IGNORE INTO blobs VALUES (?, ?)", [hash, data])
  yield* db.executeRaw("UPDATE recorded SET data = ?, blob = ?, sum = ? WHERE position = ?", [
    hash === null ? data : null,
    hash,
    sum,
    position
  ])
})

export const redactRows = Effect.fn("EventLog.redactRows")(function* (
  db: Connection,
  file: string,
  text: string
) {
  const writings = writingsOf(text)
  // An empty text is in every text: then all are looked at.
  const plain = plainPart(text)
  const changed: RedactedFact[] = []
  const replaced = new Set<unknown>()
  for (let after = 0; ; ) {
    const page = (yield* values(db, candidates, [after, plain])) as unknown as readonly RowWithTexts[]
    const found = page.flatMap((row) => redactedBy(row, writings) ?? [])
    yield* anchored(
      db,
      file,
      found.map(({ position }) => position),
      yield* Clock.currentTimeMillis,
      Effect.forEach(found, (one) => replace(db, one), { discard: true })
    )
    for (const { blob, id, stream } of found) {
      if (blob !== null) replaced.add(blob)
      changed.push({ id, stream })
    }
    after = Number(page.at(-1)?.[0] ?? after)
    if (page.length < perPage) break
  }
  yield* db.executeRaw(
    `DELETE FROM blobs WHERE hash IN (SELECT value FROM json_each(?))
      AND NOT EXISTS (SELECT 1 FROM recorded WHERE recorded.blob = blobs.hash)`,
    [JSON.stringify([...replaced])]
  )
  return changed as readonly RedactedFact[]
})
